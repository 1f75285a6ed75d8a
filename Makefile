# attention-by-hand: `make` prints help. Generated files live in build/ and dist/ only.
PORT ?= 8080
# as many jobs as cores, unless the caller said -j
JOBS = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))
SUBMAKE = $(MAKE) -s --no-print-directory

# ---- sources: every c/*.c; kernels_simd.c only where there is SIMD; api.c, which knows WebAssembly, only in wasm
SRC := $(wildcard c/*.c c/train/*.c)
SRC_scalar := $(filter-out c/kernels_simd.c,$(SRC))
SRC_simd := $(SRC)
SRC_relaxed := $(SRC)
SRC_native := $(filter-out c/kernels_simd.c c/api.c,$(SRC))

# ---- flags
WARN := -std=c11 -Wall -Wextra
# The kernels are vectorised and tiled by hand. SLP rewrites their address arithmetic and makes them slower and
# larger, the loop vectoriser would turn the scalar reference into something else than what is written, and clang's
# own unrolling on top of the tiles adds half again to the module.
WASM_FLAGS := $(WARN) $(if $(CI),-Werror) -Ic -O3 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -MMD -MP
FLAGS_scalar :=
FLAGS_simd := -msimd128 -DATTN_SIMD
FLAGS_relaxed := -msimd128 -mrelaxed-simd -DATTN_SIMD -DATTN_RELAXED
# no-sanitize-recover: undefined behaviour ends the test instead of printing a line
NATIVE_FLAGS := $(WARN) -Werror -Ic -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -MMD -MP
# node 20 has relaxed SIMD behind a flag, and its baseline compiler gets relaxed_dot wrong; node 22 needs neither
NODE_RELAXED = $(shell node -p "parseInt(process.versions.node) < 22 ? '--experimental-wasm-relaxed-simd' : ''")
# as many node tests at once as there are cores (a browser has processes of its own); node's choice is one fewer,
# and before 20.10 there is no other
NODE_FILES = $(shell node -p "const [a, b] = process.versions.node.split('.'); a > 20 || b > 9 ? \
  '--test-concurrency=' + require('node:os').availableParallelism() : ''")
NODE_TEST = node --test --test-reporter=spec $(NODE_RELAXED) $(if $(NODE_RELAXED),--no-liftoff)

.DELETE_ON_ERROR:
.SECONDARY:
.SUFFIXES:
.PHONY: help setup node toolchain packages browsers build wasm native site serve test test-full test-native test-node \
  test-browser bench small-model dist lint format clean

help: ## this list
	@echo 'attention-by-hand: each target does its own set-up first (compiler, npm packages, browsers)'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo 'Variables: PORT=8080 of serve · MODEL=folder of serve · EMCC=path · CHROMIUM=path · FIREFOX=path'
	@echo '           ATTN_NO_INSTALL=1 installs no system package (CC=clang: native tests by clang)'

# ---- set-up
setup: ## everything that building and testing need
	@+for step in node toolchain packages browsers; do $(SUBMAKE) $$step || exit 1; done

node:
	@command -v node >/dev/null && node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' || \
	  { echo 'set-up: node 20 or newer is needed, found' "$$(node --version 2>/dev/null || echo none)" >&2; exit 1; }

toolchain: ## find or install emcc and say what it can build
	@rm -f build/toolchain.env
	@+$(SUBMAKE) build/toolchain.env

# another EMCC than the one found last time: look again
ifeq ($(MAKELEVEL),0)
  $(if $(EMCC),$(shell grep -qs "^EMCC='$(EMCC)'$$" build/toolchain.env || rm -f build/toolchain.env))
endif
build/toolchain.env: emsdk-env.sh tools/apt.sh tools/check-wasm.mjs
	@mkdir -p $(@D) && . ./emsdk-env.sh && attn_save $@

packages: node_modules/.package-lock.json ## npm packages as locked
node_modules/.package-lock.json: package-lock.json
	@echo 'set-up: npm ci (libraries of the page, tests and lint)'
	@npm ci --no-audit --no-fund --loglevel=error
	@touch $@

browsers: ## chromium, firefox-esr and a Chinese font for the tests
	@ATTN_GET=1 && . ./tools/browsers.sh

# ---- three modules from one source
build: node build/toolchain.env ## build/wasm/attn.{scalar,simd,relaxed}.wasm
	@+. ./build/toolchain.env; $(SUBMAKE) $(JOBS) build/wasm/attn.scalar.wasm build/wasm/attn.simd.wasm \
	  $${RELAXED_CC:+build/wasm/attn.relaxed.wasm}; \
	  status=$$?; [ -n "$$RELAXED_CC" ] || { rm -f build/wasm/attn.relaxed.wasm; \
	  echo 'build: relaxed SIMD not built, its tests wait for it (make toolchain says why)'; }; exit $$status

# $1 variant, $2 prefix of its compile and link commands in build/toolchain.env
define VARIANT
build/obj/$1/%.o: c/%.c Makefile build/toolchain.env
	@mkdir -p $$(@D)
	@. ./build/toolchain.env && echo "cc $1 $$<" && $$$$$2_CC $$(WASM_FLAGS) $$(FLAGS_$1) -c $$< -o $$@
build/wasm/attn.$1.wasm: $(SRC_$1:c/%.c=build/obj/$1/%.o) tools/check-wasm.mjs
	@mkdir -p $$(@D)
	@. ./build/toolchain.env && $$$$$2_LD $$(filter %.o,$$^) -o $$@ && node tools/check-wasm.mjs $$@
endef
$(eval $(call VARIANT,scalar,WASM))
$(eval $(call VARIANT,simd,WASM))
$(eval $(call VARIANT,relaxed,RELAXED))

# ---- native tests: each tests/native/*.c with the reference kernels, once in float, once in double
NATIVE_NAMES := $(basename $(notdir $(wildcard tests/native/*.c)))
NATIVE_TESTS := $(NATIVE_NAMES:%=build/native/float/%) $(NATIVE_NAMES:%=build/native/double/%)
native: $(NATIVE_TESTS)

# $1 the reference kernels' float type
define NATIVE
build/native/$1/%.o: c/%.c Makefile
	@mkdir -p $$(@D)
	@$$(CC) $$(NATIVE_FLAGS) -DATTN_REAL=$1 -c $$< -o $$@
build/native/$1/%: tests/native/%.c $(SRC_native:c/%.c=build/native/$1/%.o) Makefile
	@mkdir -p $$(@D)
	@$$(CC) $$(NATIVE_FLAGS) -DATTN_REAL=$1 $$(filter %.c %.o,$$^) -lm -o $$@
endef
$(eval $(call NATIVE,float))
$(eval $(call NATIVE,double))

# ---- page, tests, benchmark, package
site: packages ## build/site, the static page
	@npx vite build --logLevel warn

serve: node ## build, then serve the page; MODEL=folder adds a local model
	@$(if $(MODEL),node tools/serve.mjs --check --model '$(MODEL)')
	@+for step in build site; do $(SUBMAKE) $$step || exit 1; done
	@node tools/serve.mjs --port $(PORT) $(if $(MODEL),--model '$(MODEL)')

test: ## all tests: native C, node, browsers
	@+for step in setup build test-native site test-node test-browser; do $(SUBMAKE) $$step || exit 1; done

test-full: ## the same with the slow ones
	@+$(SUBMAKE) test ATTN_FULL=1
export ATTN_FULL

test-native: ## C tests with address and undefined-behaviour sanitizers
	@+$(SUBMAKE) $(JOBS) native
	@for t in $(or $(NATIVE_TESTS),$(error no tests in tests/native)); do echo "native $$t"; $$t || exit 1; done

test-node: build packages ## node tests of the engine, the figures and the command line
	@$(NODE_TEST) $(NODE_FILES) $(or $(wildcard tests/node/*.test.js),$(error no tests in tests/node))

test-browser: packages ## tests of the built page in real browsers
	@. ./tools/browsers.sh; if [ -n "$$CHROMIUM" ]; then \
	  $(NODE_TEST) $(or $(wildcard tests/browser/*.test.js),$(error no tests in tests/browser)); \
	  else echo 'test: SKIPPED the browser tests, which wait for chromium (install it or set CHROMIUM=path)'; fi

bench: build packages ## speed of start-up, kernels and layer
	@node $(NODE_RELAXED) tests/bench/bench.mjs

small-model: build packages ## train the small models that ship with the page (under 15 minutes)
	@node tools/small-model/train.mjs web/models

dist: build site ## dist/: the npm package and the static page
	@rm -rf dist && mkdir -p dist && npm pack --silent --pack-destination dist && cp -r build/site dist/site

lint: packages build/toolchain.env ## C, JavaScript and types; warnings are errors
	@sh tools/lint.sh

format: ## lay out the C sources as lint wants them
	@clang-format -i $(wildcard c/*.[ch] c/train/*.[ch] tests/native/*.[ch])

clean: ## remove build/ and dist/
	rm -rf build dist

-include $(shell find build/obj build/native -name '*.d' 2>/dev/null)
