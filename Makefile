# Two targets do everything on a fresh machine: `make demo` and `make test`.
# Needed beforehand: Python 3.11, 3.12 or 3.13, a C/C++ compiler, make.

# The newest Python for which there are wheels of Halide, if it can make environments.
RIGHT  := import sys, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))
PYTHON ?= $(shell for name in python3.13 python3.12 python3.11 python3; do \
	$$name -c '$(RIGHT)' 2> /dev/null && echo $$name && break; done)
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
SMALL  := $(VENV)/.installed-without-tests
JOBS   ?= 2
LEVEL  ?= 2
N      ?= 300
SEED   ?= 0
BENCH  ?=
BASE   ?= HEAD~1
EMIT   ?=
MACHINE ?= host
BENCH_VENV ?= .venv-bench
DIGIT  ?= examples/mnist/digits/6.png
DEMO   := build/demo

# Tests start many processes; without its bytecode each of them compiles the package anew.
export PYTHONDONTWRITEBYTECODE =

.PHONY: help setup demo test test-all lint lit unit operators conformance fuzz test-targets races accuracy bench bench-gemm picture docs site format commit-style clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: $(STAMP) ## create the virtual environment and install autodeploy into it

$(STAMP): $(SMALL)
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	@touch $@

$(SMALL): pyproject.toml
	@test -n "$(PYTHON)" && $(PYTHON) -c '$(RIGHT)' 2> /dev/null || \
		{ echo "python 3.11, 3.12 or 3.13 with venv is needed; give it with: make PYTHON=python3.13" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

demo: $(SMALL) ## compile the digit network, build the C program, run it on a handwritten digit
	@rm -rf $(DEMO)
	$(BIN)/autodeploy compile examples/mnist/mnist.onnx -o $(DEMO) --label "predicted number is"
	$(MAKE) --no-print-directory -C $(DEMO)
	@$(BIN)/python examples/mnist/draw_digit.py $(DIGIT) --raw $(DEMO)/digit.bin
	$(DEMO)/mnist $(DEMO)/mnist.weights $(DEMO)/digit.bin

# The check of types has one thread, so the lit tests run beside it.
test: ## check style, types and imports, run the lit tests and a sample of the cases of all other tests
	@$(MAKE) --no-print-directory -j 2 lint lit
	@TESTS=quick $(MAKE) --no-print-directory unit

test-all: ## run everything that `make test` runs, with all cases
	@$(MAKE) --no-print-directory -j 2 lint lit
	@$(MAKE) --no-print-directory unit

lint: setup ## check style (ruff), types (basedpyright), imports (import-linter) and prose
	$(BIN)/ruff check autodeploy test examples benchmarks lit.cfg.py
	$(BIN)/ruff format --check autodeploy test examples benchmarks lit.cfg.py
	$(BIN)/basedpyright
	$(BIN)/lint-imports --no-cache
	$(BIN)/python test/support/prose.py

lit: setup ## run the lit tests: what each pass, emitter and tool does to a piece of text
	$(BIN)/lit -j $(JOBS) test

unit: setup ## run the pytest suite; EMIT=c, EMIT=c99: numbers only, kernels as C++ or C99 source (long)
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup --no-loadscope-reorder $(if $(EMIT),--emit $(EMIT) test/execute)

operators: setup ## run all cases of operators at the levels 2 and 0; `make test-all` has a sample of those at 0
	CASES=all $(BIN)/python -m pytest -n $(JOBS) --dist loadgroup test/execute/test_operators.py test/execute/test_bounds.py

conformance: setup ## run ONNX's own suite at LEVEL (2) for MACHINE (host); half an hour, `make test-all` has a sample
	PYTHONPATH=test/support $(BIN)/python test/conformance/run.py --level $(LEVEL) --machine $(MACHINE) --jobs $(JOBS)

fuzz: setup ## hold N (300) random models and graphs against ONNX's reference, damage N files; SEED draws others
	PYTHONPATH=test/support $(BIN)/python test/fuzz/run.py --count $(N) --seed $(SEED) --jobs $(JOBS)

test-targets: setup ## build and run models for all other machines, and write the table of docs/targets.md
	PYTHONPATH=test/support $(BIN)/python test/targets/run.py

races: setup ## run all kernels that threads share under ThreadSanitizer; an hour, `make test-all` has a sample
	RACES=all $(BIN)/python -m pytest -n $(JOBS) test/execute/test_races.py

accuracy: setup ## measure the error of all functions of one operand, and write the table of docs/floats.md
	PYTHONPATH=test/support $(BIN)/python test/accuracy/run.py

bench: $(BENCH_VENV)/.installed ## compare with other engines; results in build/bench (BENCH="--help" lists options)
	$(BENCH_VENV)/bin/python -m benchmarks.run $(BENCH)

bench-gemm: $(BENCH_VENV)/.installed ## compare single products on a grid; results in build/bench-gemm (BENCH="--grid full")
	$(BENCH_VENV)/bin/python -m benchmarks.gemm $(BENCH)

$(BENCH_VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(BENCH_VENV)
	$(BENCH_VENV)/bin/python -m pip install --quiet --editable '.[bench]'
	$(BENCH_VENV)/bin/python -m pip install --quiet --no-deps 'pnnx>=20261020'
	@touch $@

picture: setup ## draw the picture of the README from a report, with chromium
	@rm -rf build/picture && mkdir -p build/picture
	$(BIN)/autodeploy compile examples/mnist/mnist.onnx -o build/picture/mnist
	$(BIN)/autodeploy report build/picture/mnist -o build/picture/report.html
	$(BIN)/python test/support/report_picture.py build/picture/report.html docs/pictures

docs: setup ## write the parts of docs/ and README.md that are made from the code, or from results
	PYTHONPATH=test/support $(BIN)/python test/support/generated_pages/write.py
	$(BIN)/python -m benchmarks.readme

site: setup ## build the pages as a site with search, in build/site/html
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	PYTHONPATH=test/support $(BIN)/python test/support/doc_site.py

format: setup ## format the Python code
	$(BIN)/ruff format autodeploy test examples benchmarks lit.cfg.py
	$(BIN)/ruff check --fix autodeploy test examples benchmarks lit.cfg.py

commit-style: ## print which commits after BASE (HEAD~1) break CONTRIBUTING's rule for commits
	@$(PYTHON) test/support/commit_style.py $(BASE)

clean: ## remove what the targets made, but not the virtual environment
	rm -rf build
