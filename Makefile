# Every target sets up .venv by itself, from nothing, once.
#   make PYTHON=python3.12 test    uses another Python

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# As many as there are CPUs.
WORKERS ?= auto
DEMO_GAMES ?= 1_000_000

.PHONY: demo test test-full test-nojit lint format bench golden docs check clean

demo: $(READY)
	@folder=runs/demo; k=1; \
	while [ -e $$folder ]; do k=$$((k + 1)); folder=runs/demo-$$k; done; \
	$(BIN)/analyzer simulate all-aboard --players random -n $(DEMO_GAMES) -o $$folder

test: $(READY)
	@# Compiled once, and not by every worker at the same time.
	@$(BIN)/analyzer simulate all-aboard -n 1 > /dev/null
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist loadgroup

# The long forms: a hundred thousand positions, whole logged games.
test-full: $(READY)
	ANALYZER_FULL=1 $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadgroup

# The same rules as plain Python, and compiled with every index checked.
test-nojit: $(READY)
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadgroup tests/nojit
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadgroup tests/nojit

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY)
	$(BIN)/python -m tests.bench

# Goldens are written here and nowhere else; review the difference.
golden: $(READY)
	$(BIN)/python -m tests.golden

# Pages that come from the program: rulings, command help.
docs: $(READY)
	$(BIN)/python -m tests.docs --write

check: lint
	$(BIN)/python -m tests.docs --check
	$(BIN)/analyzer check
	@# Last, so that the tests' own summary closes the output.
	$(MAKE) --no-print-directory test

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .ruff_cache .hypothesis

# The stamp is newer than what it was made from; a broken set-up leaves none.
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed") if sys.version_info < (3, 11) else 0'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,dask]'
	@touch $(READY)
