# archmem: `make install` once, then demo, test, check, bench, neo4j. Needs Python >= 3.11, git and make.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: install demo test check format bench neo4j clean

install: $(INSTALLED)

$(INSTALLED): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "archmem needs Python 3.11 or newer: make PYTHON=python3.12 …"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[local,dev]'
	@touch $(INSTALLED)

# STORE=bolt://… plays it on a Neo4j database, with ARCHMEM_NEO4J_USER and ARCHMEM_NEO4J_PASSWORD.
demo: $(INSTALLED)
	$(BIN)/archmem $(if $(STORE),--store $(STORE)) demo

test: $(INSTALLED)
	$(BIN)/python -m pytest -n auto --maxprocesses 4

check: $(INSTALLED)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n auto --maxprocesses 4

format: $(INSTALLED)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(INSTALLED)
	$(BIN)/python -m bench.writes
	$(BIN)/python -m bench.dedup
	$(BIN)/python -m bench.model_import
	$(BIN)/python -m bench.speed
	$(BIN)/python -m bench.neighbours.run

# A real Neo4j server on a free port until Ctrl-C: LINE=5.26 on Java 17, LINE=2026 on Java 25; Maven fetches it.
LINE ?= 5.26
neo4j: $(INSTALLED)
	$(BIN)/python -m tests.neo4j.launcher $(LINE)

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .neo4j
