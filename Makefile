# Two commands do everything: `make demo` and `make test`. Both set up .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MODEL ?= qwen2.5-coder-1.5b-instruct
STAMP := $(VENV)/.ready
# Test files that run side by side.
WORKERS ?= 2
COVERED ?= 85
FAST := "not browser and not model and not process and not slow"
# Compiled modules are kept: hundreds of commands that tests start would each compile all of them.
PYTEST := env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

.PHONY: help setup demo test test-fast coverage check format bench browser voice postgres pictures container clean

help: ## Show this help
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[bench,encrypted,mcp,media,notebook,postgres,dev]'
	@touch $(STAMP)

setup: $(STAMP) ## Make .venv with everything in it

demo: $(STAMP) ## Set up, get a model, load the sample corpus, open the chat page
	$(BIN)/minirag-chat models get $(MODEL) || echo "No model could be fetched: the page starts with the extractive reader."
	$(BIN)/minirag-chat page$(if $(PORT), --port $(PORT))

check: $(STAMP) ## Lint, types, layering
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	cd training && ../$(BIN)/mypy --config-file ../pyproject.toml *.py
	$(BIN)/lint-imports

test: check browser voice postgres ## Everything that CI checks
	$(BIN)/minirag-chat models get qwen2.5-coder-0.5b-instruct || echo "The tests with a real language model will be skipped: it could not be fetched."
	$(BIN)/minirag-chat models get multilingual-e5-small || echo "The tests with the real multilingual embedder will be skipped: it could not be fetched."
	$(BIN)/minirag-chat media get || echo "The tests with a real speech model will be skipped: it could not be fetched."
	$(PYTEST) --durations=10

test-fast: $(STAMP) ## The tests that need no browser, no model, no process of their own, nor long
	MINIRAG_CHAT_EXAMPLES=10 $(PYTEST) -m $(FAST)

coverage: $(STAMP) ## Which lines the tests of test-fast do not reach; fails below COVERED percent
	MINIRAG_CHAT_EXAMPLES=10 $(PYTEST) -m $(FAST) --cov=minirag_chat --cov=minirag_chat_jupyter --cov-fail-under=$(COVERED) \
	  --cov-report=term:skip-covered --cov-report=html

browser: ## Chromium for the browser tests, where Debian's package may be installed
	@command -v chromedriver >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium chromium-driver; } \
	  || echo "No Chromium with ChromeDriver here: the browser tests will be skipped."

voice: ## espeak-ng for the tests of voice notes, where Debian's package may be installed
	@command -v espeak-ng >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq espeak-ng; } \
	  || echo "No espeak-ng here: the tests of voice notes will be skipped."

postgres: ## PostgreSQL for the tests of messages kept there, where Debian's package may be installed
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null \
	  || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql; } \
	  || echo "No PostgreSQL here: the tests of messages kept there will be skipped."
	@for pg in /usr/lib/postgresql/*; do ls $$pg/lib/vector.so >/dev/null 2>&1 || { [ "$$(id -u)" = 0 ] \
	  && apt-get install -y -qq postgresql-$${pg##*/}-pgvector >/dev/null 2>&1; } \
	  || echo "No pgvector for PostgreSQL $${pg##*/} here: the tests of its index will be skipped."; done

LIHUAWORLD ?= ../shared/lihuaworld
bench: $(STAMP) ## Measure everything on LiHuaWorld (LIHUAWORLD=folder, BENCH='--only retrieval')
	$(BIN)/minirag-chat bench lihuaworld --from $(LIHUAWORLD) $(BENCH)

pictures: $(STAMP) browser ## Make the README's screenshots with the installed model
	MINIRAG_CHAT_PICTURES=docs/images $(BIN)/python -m pytest tests/show/test_page_look.py -k pictures

CONTAINER ?= /tmp/minirag-chat-container
container: ## Run the Dockerfile's steps without docker in CONTAINER=folder (installs torch again)
	$(PYTHON) .ci/container.py $(CONTAINER)

format: $(STAMP) ## Format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean: ## Remove what make made
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage htmlcov
