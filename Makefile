# Two commands on a fresh machine: `make demo` and `make test`. Nothing outside .venv is touched.
PYTHON ?= python3
VENV := .venv
VOTING := .venv-voting
PEERS := .venv-peers
DOCS := .venv-docs
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)
PIP := install --quiet --no-compile --disable-pip-version-check
# What one process compiled need not be compiled by the next, whatever the shell says.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo example screens help test test-near test-long test-random test-voting test-browser test-aimock test-agents test-install test-faults soak test-study lint types unit bench many study cost \
  eval house reproduce deliberation docs clean

# The debates of docs/examples/*-recording.jsonl, as they were asked; docs/recording.md tells how to record anew.
PANEL := "Should we move the billing service out of the monolith this quarter?" --panel architecture-review \
  --option "Move it this quarter" --option "Wait a quarter and fix the test suite first" \
  --context docs/examples/billing.md --max-messages 20 --seed 3
LIST := "Which rules should our shared workshop have?" --panel shared-house --answer list \
  --context docs/examples/workshop.md --max-messages 15 --seed 2
DISSENT := "Should we sign the hosting contract for three years?" --panel vendor-choice \
  --option "Sign for three years" --option "Stay month to month" \
  --context docs/examples/hosting.md --max-messages 15 --seed 4
OXFORD := "Should the city close its centre to cars?" --panel public-policy --format oxford --max-messages 14 --seed 1

demo: $(VENV)/.installed
	@$(BIN)/eda debate $(PANEL) --runner recorded:docs/examples/panel-recording.jsonl --sessions sessions

example: $(VENV)/.installed
	@$(BIN)/python docs/examples/make.py panel $(PANEL)
	@$(BIN)/python docs/examples/make.py list $(LIST)
	@$(BIN)/python docs/examples/make.py dissent $(DISSENT)
	@$(BIN)/python docs/examples/make.py oxford $(OXFORD)

screens: $(VENV)/.installed-dev
	@$(BIN)/python docs/examples/screens.py

help:
	@echo 'demo         a recorded debate, replayed offline; sets up $(VENV) first'
	@echo 'example      what the project shows of that debate, made again from its recording'
	@echo 'screens      pictures of the report and the pages of that debate, for docs/images; needs a Chromium'
	@echo 'test         lint, types and all tests of the project'
	@echo 'test-near    the laws, and the tests nearest to what was changed since HEAD (SINCE=main), in two minutes'
	@echo 'docs         the documentation as a site, site/index.html: searchable, and nothing is fetched from elsewhere'
	@echo 'bench, eval  what benchmarks/RESULTS.md holds, measured again'
	@echo 'many         200 debates at once in one process: how long they take, and how late the event loop is'
	@echo 'study        1,000 simulated debates by `eda study`, on two processors: time and memory'
	@echo 'cost         dollars of whole debates and the evidence in their prompts (CORPORA=DIR: of meetings, too)'
	@echo 'reproduce    proves the instrument of studies: panels whose truth is planted, and published figures'
	@echo 'deliberation  how many of the agreements that exist 400 scripted panels find'
	@echo 'house        size, sentences, the way of a message, circles and complexity of eda/, beside an older commit'
	@echo 'test-long    the long forms of tests: kills in each purpose, cuts anywhere, programs on terminals'
	@echo 'test-random  the tests of properties, with other examples at each run'
	@echo 'test-aimock, test-voting  against a breaking server, and another implementation of the rules'
	@echo 'test-agents  the real Claude Code, Codex and agent of the ACP against servers on loopback (1 GB from npm and PyPI)'
	@echo 'test-install the install that README makes, with pip, uv and pipx, and what README and the tutorial do after it'
	@echo 'test-browser report and live page in Chromium: sizes, themes, keyboard, 50 viewers, 1,000 messages, axe-core'
	@echo 'test-study   a study that is killed ten times, and the guide with all its seeds'
	@echo 'test-faults  kills, damage, failing disks, loss of power, each fault of a server at each moment, what a server keeps'
	@echo 'soak         debates for HOURS=24 hours in one process: nothing may fail or grow'
	@echo 'clean        removes the environments and caches; sessions stay'

# The generator has an environment of its own: it is no part of the program.
docs: $(VENV)/.installed $(DOCS)/.installed
	@$(BIN)/python docs/build.py build/docs
	@$(DOCS)/bin/zensical build --strict --config-file build/docs/mkdocs.yml
	@rm -rf site && mv build/docs/site site
	@$(BIN)/python docs/build.py --check site

$(DOCS)/.installed: docs/requirements.txt
	@$(PYTHON) -m venv $(DOCS)
	@$(DOCS)/bin/python -m pip install --quiet --no-compile --disable-pip-version-check -r docs/requirements.txt && touch $@

# The types are checked by one process alone: the tests begin beside it.
test: lint
	@$(MAKE) --no-print-directory --jobs=2 types unit

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev
	$(BIN)/mypy

# The tests of a file share what they build, so a process takes whole files, until it has none left and helps with another's.
# To compile assertions that tell their values takes seconds: what fails is run once more, with those.
unit: $(VENV)/.installed-dev
	$(BIN)/pytest -q -n auto --dist worksteal --assert=plain \
	  || { $(BIN)/pytest -q --last-failed --last-failed-no-failures none; exit 1; }

# By imports, the nearest first; what takes longer waits for `make test`.
SINCE ?= HEAD
test-near: $(VENV)/.installed-dev
	@$(BIN)/python tests/near.py --since $(SINCE)

# Some minutes on two processors.
test-long: $(VENV)/.installed-dev
	@$(BIN)/pytest -q -n auto -m long --ignore tests/browser

# It prints what fails with the example that fails: give it to the test as an example of its own.
test-random: $(VENV)/.installed-dev
	@EXAMPLES=random $(BIN)/pytest -q -n auto $$(grep -l hypothesis tests/test_*.py)

# A real Chromium, which has to be installed. axe-core, a package of npm's, looks for what a reader could not see, reach or hear.
AXE_VERSION := 4.14.1
AXE := $(VENV)/axe-$(AXE_VERSION)
test-browser: $(VENV)/.installed-dev
	@test -f $(AXE)/node_modules/axe-core/axe.min.js || { command -v npm >/dev/null && npm install --silent --no-audit --no-fund \
	  --no-save --no-package-lock --ignore-scripts --cache $(AXE)/cache --prefix $(AXE) axe-core@$(AXE_VERSION); } \
	  || echo 'npm could not install axe-core: its checks are skipped' >&2
	@AXE=$(AXE)/node_modules/axe-core/axe.min.js $(BIN)/pytest -q -rs -m "long or not long" tests/browser

# Debates against a server that breaks and throttles: @copilotkit/aimock, a package of npm's.
AIMOCK_VERSION := 1.43.0
AIMOCK := $(VENV)/aimock-$(AIMOCK_VERSION)
test-aimock: $(VENV)/.installed-dev
	@node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 15) ? 0 : 1)' \
	  2>/dev/null && command -v npm >/dev/null \
	  || { echo 'make test-aimock needs Node.js 20.15 or newer, and npm' >&2; exit 2; }
	@test -x $(AIMOCK)/node_modules/.bin/llmock || npm install --silent --no-audit --no-fund --no-save --no-package-lock \
	  --ignore-scripts --cache $(AIMOCK)/cache --prefix $(AIMOCK) @copilotkit/aimock@$(AIMOCK_VERSION) \
	  || { echo 'npm could not install @copilotkit/aimock: is its registry within reach?' >&2; exit 2; }
	@AIMOCK=$(AIMOCK)/node_modules/.bin/llmock $(BIN)/pytest -q tests/aimock/chaos.py

test-install: $(VENV)/.installed-dev
	@$(BIN)/pytest -q -s tests/install/fresh.py

# The programs that members may be asked by; nothing of them leaves the machine.
AGENTS := $(VENV)/agents
test-agents: $(VENV)/.installed-dev $(AGENTS)/.installed
	@AGENTS=$(abspath $(AGENTS)) $(BIN)/pytest -q -s tests/agents/real.py

$(AGENTS)/.installed:
	@$(PYTHON) -m venv $(AGENTS)/claude
	@$(AGENTS)/claude/bin/python -m pip install --quiet --no-compile --disable-pip-version-check claude-agent-sdk==0.2.187
	@npm install --silent --no-audit --no-fund --no-save --no-package-lock --cache $(AGENTS)/cache --prefix $(AGENTS) \
	  @openai/codex@0.169.0 @agentclientprotocol/claude-agent-acp@0.49.0 acpx@0.1.15
	@touch $@

# Minutes: it prints the tables that benchmarks/RESULTS.md holds.
test-faults: $(VENV)/.installed-dev
	@PYTHONPATH=tests $(BIN)/python -B tests/faults/disks.py
	@PYTHONPATH=tests $(BIN)/python tests/faults/power.py
	@PYTHONPATH=tests $(BIN)/python tests/faults/servers.py
	@PYTHONPATH=tests $(BIN)/python tests/tampered.py
	@PYTHONPATH=tests $(BIN)/python tests/faults/ended.py
	@PYTHONPATH=tests $(BIN)/python tests/faults/hashing.py

# Debates one after the other in one process, for so many hours: nothing may fail or grow.
HOURS ?= 24
soak: $(VENV)/.installed-dev
	@PYTHONPATH=tests $(BIN)/python tests/faults/soak.py $(HOURS)

# Minutes: it prints a row for each engine.
test-study: $(VENV)/.installed-dev
	@PYTHONPATH=tests $(BIN)/python tests/study/kills.py
	@GUIDE_SEEDS=30 $(BIN)/pytest -q -m 'long or not long' tests/test_study_report.py -k "guide or notebook"

bench: $(VENV)/.installed-dev $(PEERS)/.installed
	$(BIN)/python benchmarks/bench.py --write

# Other engines, which the table of `bench` has beside this one; without them it says so.
$(PEERS)/.installed:
	@$(PYTHON) -m venv $(PEERS) && $(PEERS)/bin/python -m pip install --quiet --no-compile --disable-pip-version-check \
	  ag2==0.14.0 autogen-agentchat==0.7.5 langgraph==1.2.22 && touch $@ \
	  || { rm -rf $(PEERS); echo 'The peers cannot be installed here: the table is made without them.' >&2; }

many: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/many.py --write

study: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/study.py --write

# Minutes: of debates of up to 1,000 messages. Without --messages each takes 60 only.
cost: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/dollars.py --messages 60 200 1000 --write
	$(BIN)/python benchmarks/evidence.py $(CORPORA) --messages 60 200 1000 --write

eval: $(VENV)/.installed-dev
	@test -n "$(CORPORA)" || { echo 'Name the folder of annotated conversations: make eval CORPORA=DIR' >&2; exit 2; }
	$(BIN)/python benchmarks/eval.py $(CORPORA) --write

deliberation: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/deliberation.py --write

# Under ten minutes on two processors; `make test` runs a short form of each proof.
reproduce: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/reproduce.py $(if $(PEOPLE),--people $(PEOPLE))

house: $(VENV)/.installed
	$(BIN)/python benchmarks/house.py --write

# With uv where it is installed, else with one that pip fetches: both together take a third of the time of pip alone, which
# is used where uv does not reach the index. A pip in the environment takes as long as all the rest: who develops has uv.
define install
	@if test -n "$(UV)" && $(UV) venv --quiet --allow-existing --python ">=3.11" $(VENV) \
	  && $(UV) pip install --quiet --python $(BIN)/python -c constraints.txt -e "$(1)"; then :; else \
	  $(PYTHON) -c 'import sys; sys.exit("EDA needs Python 3.11 or newer: make PYTHON=..." if sys.version_info < (3, 11) else 0)' \
	  && { { { { $(PYTHON) -m venv $(2) $(VENV) \
	  && $(PYTHON) -m pip --python $(BIN)/python $(PIP) --retries 0 -c constraints.txt uv; } \
	  || { $(PYTHON) -m venv $(VENV) && $(BIN)/python -m pip $(PIP) --retries 0 -c constraints.txt uv; }; } \
	  && $(BIN)/uv pip install --system-certs --quiet --python $(BIN)/python -c constraints.txt -e "$(1)"; } 2>/dev/null \
	  || { $(PYTHON) -m venv $(VENV) && $(BIN)/python -m pip $(PIP) -c constraints.txt -e "$(1)"; }; }; fi
	@touch $@
endef

$(VENV)/.installed: pyproject.toml constraints.txt
	$(call install,.)

$(VENV)/.installed-dev: pyproject.toml constraints.txt
	$(call install,.[dev],--without-pip)
	@touch $(VENV)/.installed

# The decision rules against an independent implementation, in an environment of its own: it is large.
test-voting: $(VOTING)/.installed
	$(VOTING)/bin/python tests/oracle/compare.py

$(VOTING)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VOTING)
	$(VOTING)/bin/python -m pip install --quiet --no-compile --disable-pip-version-check -e . pref_voting==1.18.2
	@touch $@

clean:
	rm -rf $(VENV) $(VOTING) $(PEERS) $(DOCS) site .pytest_cache .mypy_cache .ruff_cache dist build
