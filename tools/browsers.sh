# Sourced from the project's root by `make browsers` and `make test`: finds the browsers of the tests and, with
# `ATTN_GET=1` set, installs what is missing. Exports CHROMIUM and FIREFOX, empty when there is none.

. ./tools/apt.sh

# first_browser NAME...: the first that starts. A snap's empty shell is there, but does not.
first_browser() {
  for browser in "$@"; do
    command -v "$browser" >/dev/null 2>&1 && "$browser" --version >/dev/null 2>&1 && command -v "$browser" && return 0
  done
  return 1
}

find_browsers() {
  CHROMIUM=$(first_browser "${CHROMIUM:-}" chromium chromium-browser google-chrome-stable google-chrome)
  FIREFOX=$(first_browser "${FIREFOX:-}" firefox-esr firefox)
  export CHROMIUM FIREFOX
}

# want NAME "why": adds a package that this machine can install to the list
want() {
  if can_install && has_package "$1"; then
    wanted="$wanted $1"
  else
    echo "set-up: $1 is missing and cannot be installed here ($2)"
  fi
}

find_browsers
if [ -n "${ATTN_GET:-}" ]; then
  wanted=''
  [ -n "$CHROMIUM" ] || want chromium 'all browser tests wait for it, or for CHROMIUM=path'
  [ -n "$FIREFOX" ] || want firefox-esr 'the Firefox tests wait for it, or for FIREFOX=path'
  if command -v dpkg-query >/dev/null 2>&1; then
    dpkg-query -W -f '${Status}' fonts-noto-cjk 2>/dev/null | grep -q 'ok installed' ||
      want fonts-noto-cjk 'Chinese text in the browser tests would be drawn as boxes'
  fi
  if [ -n "$wanted" ]; then
    # a failure is reported; the tests that need the package say that they wait
    install_packages 'browsers and fonts of the tests' $wanted || true
    find_browsers
  fi
fi
