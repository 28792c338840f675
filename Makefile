# `make setup`, then `make play`. What is done once leaves a stamp in .venv/.done and is not done again. For one
# target, what does not wait for each other is made at the same time; but pip never runs twice at once.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
DONE := .venv/.done
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq install --no-compile # Python compiles on first import

MAKEFLAGS += $(if $(word 2,$(MAKECMDGOALS)),,--jobs=3)
export PIP_CONSTRAINT := constraints.txt
export PATH := $(CURDIR)/$(BIN):$(PATH)
unexport PYTHONDONTWRITEBYTECODE  # tests start many processes: each would compile all sources anew

KERNELS := $(shell find $(wildcard $(addprefix quatuor/,kernel games engine) tools/kernels) -type f -not -name '*.pyc' -not -path '*/libraries/*')
PAGE := $(shell find web docs/rulebook -type f -not -path '*/node_modules/*' -not -path 'web/dist/*' -not -path 'web/site/*' -not -path 'web/.kit/*' -not -path 'web/tests/*')

say = @printf '==> %s\n'

.PHONY: help types setup play check test bench screenshots docs site wheel lock clean programs

help: ## List the targets
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r target text; do printf '%-20s%s\n' "$$target" "$$text"; done

setup: $(DONE)/packages $(DONE)/page $(DONE)/kernels ## Install everything below this folder (a few minutes, once)
	$(say) "Quatuor is ready: make play"

play: $(DONE)/play-packages $(DONE)/quick-page ## Start the server and open the browser
	@$(BIN)/quatuor serve --open

check: $(DONE)/test-packages $(DONE)/npm $(DONE)/kernels ## Check style, types, layers and the fast tests (90 seconds)
	@$(BIN)/python tools/check.py fast

test: $(DONE)/test-packages $(DONE)/prepared $(DONE)/wheels programs ## Check style, types, page and rules, in a real browser too
	@$(BIN)/python tools/check.py

bench: $(DONE)/bench-packages $(DONE)/kernels ## Measure speed, with OpenSpiel beside it, and what the orders of 3/6 give away
	@$(BIN)/python -m bench
	@$(BIN)/python -m bench.exploit

screenshots: $(DONE)/test-packages $(DONE)/page $(DONE)/kernels ## Take the screenshots of the guide again
	@tools/chromium
	@$(BIN)/python -m tests.browser.screenshots

docs: $(DONE)/docs-packages ## Build the guide into site/
	$(say) "Building the guide"
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict 2>.venv/docs.log || { cat .venv/docs.log; exit 1; }
	$(say) "The guide is ready: site/index.html"

types: $(DONE)/packages ## Write the page's types anew from the server's structs
	@$(BIN)/python tools/page_types.py

wheel: $(DONE)/packages ## Build a source archive, and from it a wheel for all platforms, into dist/
	$(say) "Building the source archive, and from it the wheel (some minutes)"
	@$(BIN)/python tools/backend.py dist

site: $(DONE)/npm $(DONE)/kernels ## Build the page for any host of plain files, without a server, into web/site/
	$(say) "Building the page for hosts of plain files"
	@cd web && npm run --silent site -- --logLevel error
	$(say) "Copy web/site/ to any host; the page works below any path"

lock: ## Pin the newest releases of all packages
	@tools/lock $(PYTHON)

clean: ## Remove what was installed and built here
	rm -rf .venv site dist quatuor/kernel/libraries web/dist web/site web/.kit web/node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis build *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

programs:
	@tools/chromium
	@tools/firefox
	@tools/postgres
	@tools/promtool

$(DONE)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Quatuor needs Python 3.11 or newer; found $$($(PYTHON) --version). Try: make setup PYTHON=/path/to/python3.11"; exit 1; }
	$(say) "Making a Python environment in .venv"
	@$(PYTHON) -m venv .venv
	@mkdir -p $(DONE)
	@touch $@

$(DONE)/packages: $(DONE)/python pyproject.toml constraints.txt
	$(say) "Installing Python packages"
	@$(PIP) -e '.[server]'
	@touch $@

# Numba too, in one run of pip: on a new machine, `make play` compiles what it plays
$(DONE)/play-packages: $(DONE)/python pyproject.toml constraints.txt
	$(say) "Installing Python packages"
	@$(PIP) -e '.[server,jit]'
	@touch $(DONE)/packages $(DONE)/jit-packages $@

$(DONE)/test-packages: | $(DONE)/node

$(DONE)/%-packages: $(DONE)/packages
	$(say) "Installing Python packages for: $*"
	@$(PIP) -e '.[server,$*]'
	@touch $@

# What the wheel depends on, as wheels: a test installs it without a network
DEPENDENCIES = $$($(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"])')
$(DONE)/wheels: pyproject.toml constraints.txt | $(DONE)/test-packages
	$(say) "Fetching what the wheel depends on"
	@rm -rf .venv/wheels
	@$(BIN)/python -m pip --disable-pip-version-check -qq download --dest .venv/wheels $(DEPENDENCIES)
	@for version in 3.12 3.13 3.14; do \
	    $(BIN)/python -m pip --disable-pip-version-check -qqq download --dest .venv/wheels --only-binary :all: \
	        --python-version $$version $(DEPENDENCIES) || true; done # for the Pythons that this machine may have
	@touch $@

PACKAGES := $(if $(filter play,$(MAKECMDGOALS)),play-packages,packages)
$(DONE)/node: $(DONE)/$(if $(shell tools/node && echo here),python,$(PACKAGES))  # only what pip installs waits for pip
	@tools/node || { printf '==> %s\n' "Installing Node.js into .venv"; $(PIP) -e '.[node]'; }
	@touch $@

$(DONE)/npm: $(DONE)/node web/package.json web/package-lock.json
	$(say) "Installing what builds the page"
	@cd web && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

# With the kernels for browsers inside: the kit for play without a server
$(DONE)/page: $(DONE)/npm $(DONE)/kernels $(PAGE) $(shell find quatuor -name '*.py' -not -path '*/server/*' -not -path '*/cli/*')
	$(say) "Building the page"
	@cd web && npm run --silent build -- --logLevel error
	@touch $(DONE)/quick-page $@

# What the tests compile and build from the sources alone: else each test run would do it again
$(DONE)/prepared: $(DONE)/test-packages $(DONE)/page $(DONE)/kernels $(shell find examples -type f -not -name '*.pyc')
	$(say) "Preparing the tests (a minute or two)"
	@$(BIN)/python -m tests.prepare
	@touch $@

# The page alone, for `make play` on a new machine; the kit is inside if the kernels were built before
$(DONE)/quick-page: $(DONE)/npm $(PAGE)
	$(say) "Building the page"
	@cd web && npm run --silent build -- --logLevel error
	@touch $@

# Libraries for this machine and for browsers; what has not changed is left. Without them, Numba compiles while one plays
$(DONE)/kernels: $(DONE)/build-packages $(KERNELS)
	$(say) "Compiling the games (a minute or two)"
	@$(BIN)/python -m tools.kernels
	@touch $@
