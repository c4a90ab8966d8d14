# make demo and make test need only Python 3.11 to 3.13 and the package index.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
export HELIOGRAPH_HOME ?= $(CURDIR)/.heliograph
export OMP_WAIT_POLICY := PASSIVE

.PHONY: install format check test demo bench clean

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

test: install
	$(BIN)/python -m pytest

$(HELIOGRAPH_HOME)/demo.zim: install $(wildcard demo/articles/*) $(wildcard demo/images/*)
	$(BIN)/heliograph snapshot build demo/articles $@ --force

demo: $(HELIOGRAPH_HOME)/demo.zim
	$(BIN)/heliograph ask --preset demo "$$(cat demo/question.txt)"

bench: $(HELIOGRAPH_HOME)/demo.zim
	$(BIN)/python -m bench.demo_questions
	$(BIN)/python -m bench.warm_store
	$(BIN)/python -m bench.start_up
	$(BIN)/python -m bench.parser_speed

clean:
	rm -rf $(VENV) $(HELIOGRAPH_HOME) build dist *.egg-info
