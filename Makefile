# Rejoinder. `make run` starts the assistant on this machine; `make help` lists the rest.
.PHONY: help run build test check lint format web bench fuzz docs install clean
.DEFAULT_GOAL := help
export MODEL DATA LISTEN

PREFIX ?= /usr/local
SWIFT_FILES := Package.swift Sources Tests Examples

help: ## List what can be made
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1@\2/p' Makefile | column -t -s @

run: ## Install, build, fetch the model, serve (MODEL=light or tiny, DATA=folder, LISTEN=host:port)
	@exec scripts/run

build: ## Build the rejoin command in .build/release
	@scripts/setup run
	@scripts/build

test: ## Run all tests, with what they need installed first
	@scripts/setup test
	@$(MAKE) --no-print-directory web
	@scripts/test

check: lint build test ## What a change has to pass: lint, build, tests

lint: ## Check the formatting
	@swift format lint --strict --parallel --recursive $(SWIFT_FILES)

format: ## Format the sources
	@swift format -i --parallel --recursive $(SWIFT_FILES)

web: ## Compile the core for the browser
	@if [ -x scripts/web ]; then scripts/web; fi

bench: ## Measure speed against the published bars
	@swift build --package-path Benchmarks -c release
	@Benchmarks/run

fuzz: ## Feed the parsers random bytes for a minute each
	@Fuzz/run

docs: ## Write the reference pages into .build/docs
	@scripts/docs

install: build ## Install the command, its manual page and completion under $(PREFIX)
	@install -D -m 755 .build/release/rejoin "$(DESTDIR)$(PREFIX)/bin/rejoin"
	@cd "$(DESTDIR)$(PREFIX)" && mkdir -p share/man/man1 share/bash-completion/completions \
		share/zsh/site-functions share/fish/vendor_completions.d && \
	bin/rejoin man >share/man/man1/rejoin.1 && \
	bin/rejoin completion bash >share/bash-completion/completions/rejoin && \
	bin/rejoin completion zsh >share/zsh/site-functions/_rejoin && \
	bin/rejoin completion fish >share/fish/vendor_completions.d/rejoin.fish

clean: ## Remove what was built; models and data stay
	@rm -rf .build
