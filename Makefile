# make demo and make test need only Python 3.11 to 3.13 and the package index.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
export OMP_WAIT_POLICY := PASSIVE

.PHONY: install format check test home demo everyday docs bench clean

install: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13) and "Heliograph needs Python 3.11 to 3.13: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@

format: install
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

check: install
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# One process a processor; `$(BIN)/python -m pytest PATHS` runs in one.
test: install
	$(BIN)/python -m pytest --numprocesses auto --maxprocesses 8 --dist worksteal

build/demo.zim: $(VENV)/.installed $(wildcard demo/articles/*) $(wildcard demo/images/*)
	mkdir -p build
	$(BIN)/heliograph snapshot build demo/articles $@ --force --licence CC0-1.0 --creator "the authors of Heliograph"

everyday: build/everyday.zim

build/everyday.zim: $(VENV)/.installed $(wildcard demo/everyday/articles/*) $(wildcard demo/everyday/images/*)
	mkdir -p build
	$(BIN)/heliograph snapshot build demo/everyday/articles $@ --force --licence CC0-1.0 --creator "the authors of Heliograph"

# The demo archive is put into the home folder, where `--preset demo` looks for it.
home: build/demo.zim
	home="$$($(BIN)/heliograph store home)" && mkdir -p "$$home" && cp build/demo.zim "$$home/demo.zim"

demo: home
	$(BIN)/heliograph ask --preset demo "$$(cat demo/question.txt)"

# The site, from docs/ and the docstrings, without a network; what leads nowhere is an error.
docs: $(VENV)/.docs
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet -b html docs build/site
	@echo "the site is in build/site/index.html"

$(VENV)/.docs: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev,docs]'
	touch $@

bench: home
	$(BIN)/python -m bench.demo_questions
	$(BIN)/python -m bench.warm_store
	$(BIN)/python -m bench.start_up
	$(BIN)/python -m bench.parser_speed

clean:
	rm -rf $(VENV) build dist *.egg-info
