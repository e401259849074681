# kbx: `make` builds build/bin/kbx, `make demo` shows it at work, `make test` passes the tests. All of them first bring
# what is missing (tools/setup) and may be repeated at will.
#   make demo CANDIDATES=replies.jsonl    judges your own candidates
#   KBX_PYTHON=/path/to/python make ...   uses a python that already has torch and triton
SHELL := /bin/bash
BUILD ?= build
JOBS ?= $(shell nproc)
CANDIDATES ?= samples
REPORT ?= report.html
KBX := $(BUILD)/bin/kbx
LAUNCHER := $(if $(shell command -v ccache),-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_C_COMPILER_LAUNCHER=ccache)

.PHONY: all setup configure demo test check-suite check-trust check-methods check-faults test-compat test-gpu bench dist asan tsan fuzz coverage lint clean
all: configure
	@ninja -C $(BUILD) -j $(JOBS) kbx kbxworker

setup:
	@tools/setup

configure: setup
	@[ -f $(BUILD)/build.ninja ] || cmake -S . -B $(BUILD) -G Ninja $(LAUNCHER) > $(BUILD).log || { cat $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log

demo: all
	@rm -rf $(BUILD)/demo
	@$(KBX) eval $(CANDIDATES) --run $(BUILD)/demo
	@$(KBX) report $(BUILD)/demo --format html -o $(REPORT)

test: export KBX_TEST_PACKAGES := 1
test: configure
	@ninja -C $(BUILD) -j $(JOBS)
	@cd $(BUILD) && ctest --output-on-failure -j $(JOBS)

# The whole suite, 20 seeds: long. SEEDS=1 for a look.
check-suite: all
	@tools/check_suite $(KBX) --seeds $(or $(SEEDS),20)

# Every exploit with lint and without, every honest candidate, also kernels of public packages.
check-trust: all
	@python=$(or $(KBX_PYTHON),$(CURDIR)/.venv/bin/python); export KBX_PYTHON=$$python; code=0; \
	for words in "exploits/run.py $(KBX)" "exploits/run.py $(KBX) --lint off" "exploits/reward.py $(KBX)" "honest/run.py $(KBX)" "honest/packages.py $(KBX)"; do \
	  $$python -B tests/$$words || code=1; \
	done; exit $$code

# The five methods against a third party's server, and what a run promises when it is killed.
check-methods: all
	@python=$(or $(KBX_PYTHON),$(CURDIR)/.venv/bin/python); export KBX_PYTHON=$$python KBX=$(abspath $(KBX)) KBX_DEVICE=cpu; code=0; \
	for words in "methods.py --tasks 24 --figures" "kill_resume.py --kills 50" "kill_resume.py --kills 10 --method kernelagent" key_leaks.py batch.py; do \
	  $$python -B tests/llm/$$words || code=1; \
	done; exit $$code

# Random kills (KILLS=200) and failures of the world. SEED=N repeats an order of victims.
check-faults: all
	@python=$(or $(KBX_PYTHON),$(CURDIR)/.venv/bin/python); export KBX_PYTHON=$$python; code=0; \
	$$python -B tests/faults/kills.py $(KBX) --kills $(or $(KILLS),200) $(if $(SEED),--seed $(SEED)) || code=1; \
	$$python -B tests/faults/world.py $(KBX) || code=1; exit $$code

test-compat: all
	@tools/test_compat

# On a machine with a GPU: witnesses, faults, recorder, clock, sanitizer. Of an unpacked release: make test-gpu RELEASE=FOLDER
test-gpu: $(if $(RELEASE),,all)
	@$(or $(KBX_PYTHON),$(wildcard .venv/bin/python),python3) -B tests/gpu/all.py $(or $(RELEASE),$(BUILD)) || { code=$$?; [ $$code = 77 ] || exit $$code; }

bench: configure
	@ninja -C $(BUILD) -j $(JOBS)
	@tools/bench

dist: setup
	@tools/dist

asan:
	@tools/sanitize asan
tsan:
	@tools/sanitize tsan
fuzz:
	@tools/fuzz
coverage:
	@tools/coverage

clean:
	rm -rf $(BUILD)
