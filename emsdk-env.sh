# Finds or installs emcc and learns what it can do. Source it from the project's root (any POSIX shell):
#   . ./emsdk-env.sh
# Sets   EMCC                    the compiler
#        WASM_CC    WASM_LD      compile and link commands of the scalar and simd builds
#        RELAXED_CC RELAXED_LD   the same for relaxed SIMD, empty when no compiler here can build it
#        WASM_SYSROOT            C headers and libraries of the wasm target
# Order: $EMCC, PATH, $EMSDK, the usual folders; else Debian's package; else emsdk at the version below.
# The probes compile, link and validate: version numbers lie (clang-14 defines __wasm_relaxed_simd__ without having it).

. ./tools/apt.sh

EMSDK_VERSION=4.0.10
EMSDK_CACHE="${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/attention-by-hand/emsdk-$EMSDK_VERSION"

# emcc as linker: a bare .wasm whose memory grows and whose imports are none.
#   --no-entry -sSTANDALONE_WASM   a library with _initialize, no JS glue
#   -sTOTAL_STACK                  256 KiB; emcc 3.1.6 refuses the newer name STACK_SIZE, all know this one
EMCC_LINK='-O3 --no-entry -sSTANDALONE_WASM -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sTOTAL_STACK=262144'
# The same said to wasm-ld. --stack-first: below the stack there is nothing, so an overflow traps.
WASM_LD_LINK='--entry=_initialize --stack-first -z stack-size=262144 --max-memory=4294967296 --strip-debug
  -lstandalonewasm-memgrow -lc -lcompiler_rt'

# attn_probe "compile command" "link command": can both make a valid module without imports?
attn_probe() {
  attn_dir=$(mktemp -d) || return 1
  cat >"$attn_dir/probe.c" <<'PROBE'
#include <wasm_simd128.h>
extern char __heap_base;
__attribute__((export_name("probe"))) void *probe(const float *p) {
  v128_t *out = (v128_t *)&__heap_base, v = wasm_v128_load(p);
  if (__builtin_wasm_memory_grow(0, 1) == (unsigned long)-1) return 0;
#ifdef ATTN_RELAXED
  v = wasm_f32x4_relaxed_madd(v, v, wasm_i32x4_relaxed_dot_i8x16_i7x16_add(v, v, v));
#endif
  *out = v;
  return out;
}
PROBE
  $1 -O1 -msimd128 -c "$attn_dir/probe.c" -o "$attn_dir/probe.o" >"$attn_dir/log" 2>&1 &&
    $2 "$attn_dir/probe.o" -o "$attn_dir/probe.wasm" >>"$attn_dir/log" 2>&1 &&
    node tools/check-wasm.mjs "$attn_dir/probe.wasm" >>"$attn_dir/log" 2>&1
  attn_status=$?
  rm -rf "$attn_dir"
  return $attn_status
}

attn_find_emcc() {
  for attn_emcc in "${EMCC:-}" "$(command -v emcc 2>/dev/null)" "${EMSDK:+$EMSDK/upstream/emscripten/emcc}" \
    "$EMSDK_CACHE/upstream/emscripten/emcc" ../emsdk/upstream/emscripten/emcc \
    "${HOME:-}/emsdk/upstream/emscripten/emcc" /opt/emsdk/upstream/emscripten/emcc \
    /usr/local/emsdk/upstream/emscripten/emcc /usr/lib/emscripten/emcc; do
    command -v "$attn_emcc" >/dev/null 2>&1 || continue
    if attn_probe "$attn_emcc" "$attn_emcc $EMCC_LINK"; then
      EMCC=$attn_emcc
      return 0
    fi
    echo "toolchain: $attn_emcc cannot build a SIMD module, looking further"
  done
  return 1
}

attn_install_emcc() {
  can_install && has_package emscripten && install_packages 'compiles c/ to WebAssembly' emscripten &&
    attn_find_emcc && return 0
  if [ -z "${ATTN_NO_INSTALL:-}" ] && command -v git >/dev/null 2>&1; then
    echo "set-up: fetching emsdk $EMSDK_VERSION into $EMSDK_CACHE (compiles c/ to WebAssembly, about 1 GB)"
    rm -rf "$EMSDK_CACHE"
    git clone -q --depth 1 --branch "$EMSDK_VERSION" https://github.com/emscripten-core/emsdk.git "$EMSDK_CACHE" &&
      "$EMSDK_CACHE/emsdk" install "$EMSDK_VERSION" && "$EMSDK_CACHE/emsdk" activate "$EMSDK_VERSION" &&
      attn_find_emcc && return 0
  fi
  echo 'toolchain: no emcc. Install it (Debian, Ubuntu: sudo apt-get install emscripten), or set EMCC to its path.' >&2
  return 1
}

# attn_try_clang N: clang-N with its own linker, on emcc's headers and libraries.
attn_try_clang() {
  command -v "clang-$1" >/dev/null 2>&1 && command -v "wasm-ld-$1" >/dev/null 2>&1 || return 1
  attn_lib="$WASM_SYSROOT/lib/wasm32-emscripten"
  RELAXED_CC="clang-$1 --target=wasm32-unknown-emscripten --sysroot=$WASM_SYSROOT"
  RELAXED_LD="wasm-ld-$1 $attn_lib/crt1_reactor.o -L$attn_lib $WASM_LD_LINK"
  attn_probe "$RELAXED_CC -mrelaxed-simd -DATTN_RELAXED" "$RELAXED_LD" || return 1
  echo "toolchain: relaxed SIMD by clang-$1 and wasm-ld-$1 on emcc's libraries (this emcc cannot)"
}

attn_find_relaxed() {
  RELAXED_CC=$EMCC RELAXED_LD="$EMCC $EMCC_LINK -mrelaxed-simd"
  if attn_probe "$RELAXED_CC -mrelaxed-simd -DATTN_RELAXED" "$RELAXED_LD"; then
    echo 'toolchain: relaxed SIMD by emcc itself'
    return 0
  fi
  for attn_n in 22 21 20 19 18; do attn_try_clang $attn_n && return 0; done
  for attn_n in 19 22; do
    can_install && has_package "clang-$attn_n" || continue
    install_packages 'builds the relaxed SIMD variant, which this emcc cannot' "clang-$attn_n" "lld-$attn_n" &&
      attn_try_clang $attn_n && return 0
  done
  RELAXED_CC='' RELAXED_LD=''
  echo 'toolchain: no relaxed SIMD: that variant is not built and its tests wait for it' \
    '(install clang-19 and lld-19, then: make toolchain)'
}

# attn_save FILE: keeps the findings, so that one search serves all recipes.
attn_save() {
  for attn_name in EMCC WASM_CC WASM_LD RELAXED_CC RELAXED_LD WASM_SYSROOT; do
    eval "attn_value=\$$attn_name"
    printf "%s='%s'\n" "$attn_name" "$(echo $attn_value)"
  done >"$1"
}

if attn_find_emcc || attn_install_emcc; then
  WASM_CC=$EMCC WASM_LD="$EMCC $EMCC_LINK"
  WASM_SYSROOT=$("$EMCC" --cflags 2>/dev/null | sed -n 's/.*--sysroot=\([^ ]*\).*/\1/p')
  echo "toolchain: $EMCC, $("$EMCC" --version 2>/dev/null | sed -n '1s/.*) *\([0-9][0-9.]*\).*/emcc \1/p')"
  attn_find_relaxed
else
  false
fi
