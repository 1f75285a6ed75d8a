# All linters, from the project's root: `sh tools/lint.sh`. Every warning fails.
set -eu
. ./tools/apt.sh
. ./build/toolchain.env

missing=''
for tool in clang-format clang-tidy; do command -v $tool >/dev/null 2>&1 || missing="$missing $tool"; done
if [ -n "$missing" ]; then
  can_install || { echo "lint:$missing missing (Debian, Ubuntu: sudo apt-get install$missing)" >&2; exit 1; }
  install_packages 'formatting and static analysis of c/' $missing
fi

echo 'lint: clang-format'
sources=$(find c tests -name '*.[ch]')
clang-format --dry-run -Werror $sources

# The wasm side is read with emcc's headers, so that api.c and the intrinsics are seen as they are compiled;
# the native side as the native tests compile it.
echo 'lint: clang-tidy'
mkdir -p build/log
tidy() {
  clang-tidy --quiet "$@" 2>build/log/tidy.log && return
  grep -E 'error:' build/log/tidy.log || true
  exit 1
}
wasm="--target=wasm32-unknown-emscripten --sysroot=$WASM_SYSROOT -std=c11 -Wall -Wextra -Ic"
tidy $(find c -name '*.c' ! -name kernels_simd.c) -- $wasm
[ ! -f c/kernels_simd.c ] || tidy c/kernels_simd.c -- $wasm -msimd128 -DATTN_SIMD
[ ! -d tests/native ] || tidy $(find tests/native -name '*.c') -- -std=c11 -Wall -Wextra -Ic

echo 'lint: eslint'
npx eslint --max-warnings 0 .
echo 'lint: tsc'
npx tsc -p tsconfig.json
