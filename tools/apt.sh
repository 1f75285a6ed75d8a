# Sourced by emsdk-env.sh and tools/*.sh: installs Debian packages without asking, or says what to install.
# ATTN_NO_INSTALL=1 forbids every installation; the build then works with what is there.

can_install() {
  [ -z "${ATTN_NO_INSTALL:-}" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1
}

# All apt calls: no questions, wait for another apt to finish, output to a log that is shown only on failure.
apt_quiet() {
  mkdir -p build/log
  DEBIAN_FRONTEND=noninteractive apt-get -y -o DPkg::Lock::Timeout=300 "$@" </dev/null >>build/log/apt.log 2>&1
}

# has_package NAME: apt knows a real package of this name. Ubuntu's chromium is an empty shell around a snap.
has_package() {
  # a new container knows no packages at all until its lists are fetched
  ls /var/lib/apt/lists/*_Packages* >/dev/null 2>&1 || apt_quiet update
  apt_version=$(LC_ALL=C apt-cache policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: //p')
  case $apt_version in
    '' | '(none)' | *snap*) return 1 ;;
  esac
  ! LC_ALL=C apt-cache show --no-all-versions "$1" 2>/dev/null | grep -qE '^(Pre-)?Depends:.*snapd'
}

# install_packages "why" NAME...: 0 when they are installed.
install_packages() {
  apt_why=$1
  shift
  echo "set-up: installing $* ($apt_why)"
  apt_quiet install --no-install-recommends "$@" && return 0
  # old lists name files that the mirror no longer has
  apt_quiet update && apt_quiet install --no-install-recommends "$@" && return 0
  echo "set-up: installing $* failed; the end of build/log/apt.log:" >&2
  tail -n 5 build/log/apt.log >&2
  return 1
}
