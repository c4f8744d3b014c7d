# Octavo: the two commands of the README, and what stands behind them.
#
#   make ask Q="..."     sets everything up on a fresh machine, then asks
#   make test            sets up what tests need, then checks and tests

SHELL := bash
.DEFAULT_GOAL := help
.SUFFIXES:
.PHONY: help ask setup dev test check tools studio lock clean

# The question and its options reach the shell as environment variables, never as text of a command. Make would expand
# the dollar signs in them: $(value ...) takes the raw text, := keeps it from being expanded later. (Blanks before the
# first word are lost: make itself cuts them.)
TEXT := Q MODE DEADLINE JSON STREAM
raw = $(eval override $(1) := $$(value $(1)))$(eval export $(1))
$(foreach name,$(TEXT),$(if $(filter-out undefined,$(origin $(name))),$(call raw,$(name))))
# Without this they would travel a second time, inside MAKEFLAGS.
MAKEOVERRIDES :=

VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.ready-runtime
DEV := $(VENV)/.ready-dev
STUDIO_PORT ?= 2024

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-7s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

ask: $(RUNTIME) ## Q="your question" [MODE=auto|light|deep|1|2|4|8] [DEADLINE=seconds] [JSON=1] [STREAM=1]
	@[ -n "$${Q+given}" ] || { echo 'usage: make ask Q="your question" [MODE=deep]' >&2; exit 2; }
	@printf '%s\n' "$$Q" | $(BIN)/octavo ask \
	  $${MODE:+--mode "$$MODE"} $${DEADLINE:+--deadline "$$DEADLINE"} $${JSON:+--json} $${STREAM:+--stream} -

setup: $(RUNTIME) ## the environment that `make ask` uses, nothing else

dev: $(DEV) ## the environment that `make test` uses, nothing else

test: tools check ## lint, format, types, then every test; PYTEST_FLAGS="-k word" narrows them
	@$(BIN)/python -m pytest $(PYTEST_FLAGS)

check: $(DEV) ## lint, format and types only
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy

tools: ## Debian packages that tests need: installed when root, else named
	@bash .ci/tools

studio: $(DEV) ## LangGraph's server for Studio, offline and without a key
	@echo "Studio: https://smith.langchain.com/studio/?baseUrl=http://127.0.0.1:$(STUDIO_PORT)"
	@LANGGRAPH_CLI_NO_ANALYTICS=1 LANGGRAPH_NO_VERSION_CHECK=true LANGSMITH_TRACING=false LANGGRAPH_STRICT_MSGPACK=true \
	  $(BIN)/langgraph dev --no-browser --no-reload --n-jobs-per-worker 16 --port $(STUDIO_PORT)

# One lock for every platform and Python that pyproject.toml admits. No index address is written: pip installs from
# wherever the machine's configuration points. setuptools, because the project itself is built with it.
compile = printf 'setuptools>=77\n' | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
  --no-emit-index-url --no-emit-find-links --annotation-style line --custom-compile-command "make lock" \
  $(LOCK_FLAGS) $(2) --output-file $(1) pyproject.toml -

lock: $(DEV) ## write both locks anew from pyproject.toml; LOCK_FLAGS=--upgrade takes newer releases
	@$(call compile,requirements.lock,)
	@$(call compile,requirements-dev.lock,--extra dev --constraint requirements.lock)

clean: ## remove environment and caches; answers, records and models in .octavo stay
	@rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .langgraph_api
	@find . -name __pycache__ -type d -not -path './.octavo/*' -prune -exec rm -rf {} +

$(RUNTIME): requirements.lock pyproject.toml
	@bash .ci/environment requirements.lock $@

$(DEV): requirements-dev.lock pyproject.toml
	@bash .ci/environment requirements-dev.lock $(RUNTIME) $@
