# Everything a newcomer needs: `make demo`, `make test`. Both set themselves up.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# uv is installed into the environment itself; bytecode is compiled once, since start-up counts.
STAMP := $(VENV)/.ready

.PHONY: demo test check bench nightly lock clean
demo: $(STAMP)
	@$(BIN)/deniable demo

test: $(STAMP)
	$(BIN)/python -m pytest -n auto

nightly: $(STAMP)
	$(BIN)/python -m pytest -n auto --hypothesis-profile=nightly

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(STAMP)
	$(BIN)/python -m benchmarks

$(STAMP): requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip sync --quiet --python $(BIN)/python --require-hashes --compile-bytecode requirements.lock
	$(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip --upgrade >/dev/null
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q src
	touch $(STAMP)

# After changing dependencies in pyproject.toml. The lock names versions and hashes, no host.
lock:
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --extra dev --generate-hashes \
		--no-header --no-emit-index-url --no-emit-find-links --no-annotate \
		pyproject.toml build-requirements.in --output-file requirements.lock

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
