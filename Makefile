# The commands of this project. `make` alone lists them.
CAMPUS = Examples/Campus
CLUB = Examples/Club
TOOLS = Tools

# The sizes of `load` and `soak`.
WINDOWS = 2000
CYCLES = 11
SIGN_INS = 1000

.DEFAULT_GOAL := help
.PHONY: help run test test-fast test-shapes screenshots lint api format docs docs-serve bench load rush soak outbox-torture vault-torture conformance verify

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

run: ## Start Campus and print its address; options in ARGS: make run ARGS='--port 8081'
	@scripts/setup --without-browser --without-nats
	@scripts/run $(ARGS)

test: ## Run every test: library, adapters, Campus, Club, tools, browser, samples of the documentation
	@scripts/setup
	@scripts/test . $(CAMPUS) $(CLUB) Tests/Shapes $(TOOLS); status=$$?; scripts/generated && exit $$status

test-shapes: ## Test what is written for SwiftUI and UIKit, against the declarations in Tests/Shapes
	@scripts/test Tests/Shapes

test-fast: ## Run the library's tests except those that run the compiler
	@scripts/setup --without-browser --without-nats
	@scripts/test --fast --skip CompilerTests .

screenshots: ## Take the pictures of Campus in Documentation/Screenshots
	@scripts/setup
	@BACKPLANE_SCREENSHOTS='$(CURDIR)/Documentation/Screenshots' \
		scripts/test --filter BrowserTests.ScreenshotTests $(CAMPUS)

lint: ## Check formatting, unsafe code, API levels, prose, rules and the public API
	@scripts/lint

api: ## Write the public API baseline, after a change that you mean
	@scripts/api update

format: ## Format all Swift
	@swift format --in-place --parallel --recursive Package.swift Sources Tests \
		$(wildcard Documentation/Site/Package.swift Documentation/Site/Sources Examples/*/Package.swift Examples/*/Apple Examples/*/Sources Examples/*/Tests) Benchmarks/Package.swift Benchmarks/Sources \
		Tools/Package.swift Tools/Sources Tools/Tests

docs: ## Build the site of the documentation into .build/docs/site; a warning or a dead link fails
	@scripts/docs

docs-serve: ## Build the site of the documentation, and serve it
	@scripts/docs --serve

bench: ## Measure boards, requests, the cache and the outbox against limits; for some figures: make bench ARGS='hop cycle'
	@scripts/bench $(ARGS)

load: ## Open many windows of Campus, and measure it against limits: make load WINDOWS=200 SESSIONS=40
	@scripts/setup --without-browser --without-nats
	@scripts/load load --windows $(WINDOWS) $(if $(SESSIONS),--sessions $(SESSIONS))

rush: ## Guess 600 passwords at once; a user's sign-in must not wait for long
	@scripts/setup --without-browser --without-nats
	@scripts/load rush

soak: ## Sign in to Campus over and over; its heap must not grow: make soak CYCLES=6 SIGN_INS=100
	@scripts/setup --without-browser --without-nats
	@scripts/load soak --cycles $(CYCLES) --sign-ins $(SIGN_INS)

outbox-torture: ## Kill 500 processes with an outbox, and compare histories with a model: make outbox-torture ARGS='--seed 7'
	@scripts/build --release . --product outbox-torture
	@torture=$$(scripts/swift --release build . --show-bin-path)/outbox-torture; \
	"$$torture" $(ARGS) && "$$torture" --kills 200 --ablation all

vault-torture: ## Kill processes that share a vault for 500 rounds, and compare histories: make vault-torture ARGS='--seed 7'
	@scripts/build --release . --product outbox-torture
	@torture=$$(scripts/swift --release build . --show-bin-path)/outbox-torture; \
	seed=$$(date +%s); for part in 1 2 3 4 5; do \
		"$$torture" vaults --seed $$((seed + 100 * part)) --rounds 100 $(ARGS) || exit 1; done; \
	for ablation in no-lock no-clear no-save; do "$$torture" vaults --rounds 60 --ablation $$ablation || exit 1; done

conformance: ## Run a suite of tests for HTTP caches: make conformance SUITE=cache-tests.json
	@test -n '$(SUITE)' || { echo 'conformance: name the suite, as in SUITE=cache-tests.json' && exit 64; }
	@scripts/build --fast . --product cache-conformance
	@"$$(scripts/swift --fast build . --show-bin-path)/cache-conformance" '$(SUITE)'

verify: ## Run all that takes long: full-size stress, random scripts and links, sanitizers, docs, figures, load
	@scripts/setup
	@seed=$$(date +%s) && echo "random scripts and links from seed $$seed" && \
		BACKPLANE_STRESS_SCALE=1 BACKPLANE_SEED=$$seed BACKPLANE_SEQUENCES=200000 BACKPLANE_REENTRANCY=20000 \
		BACKPLANE_LINKS=1000000 BACKPLANE_ROUTERS=100000 BACKPLANE_WIRE=1000000 BACKPLANE_ORACLE_TRACES=200000 \
		BACKPLANE_CHANGE_TRACES=200000 \
		scripts/test --release --filter '(Backplane|Oracle).*(Model|Reentrancy|Stress|Stack|HostileLink|LinkRouterProperty|Fuzz|Oracle|Trace)Tests' .
	@scripts/test --release --filter '(Window|View)TraceTests' Tests/Shapes
	@$(MAKE) --no-print-directory outbox-torture vault-torture
	@scripts/test --sanitize thread --skip CompilerTests .
	@scripts/translations || { echo 'verify: these translations are stale' && exit 1; }
	@scripts/docs --check
	@scripts/mistakes
	@scripts/test --sanitize address --skip CompilerTests .
	@scripts/bench
	@$(MAKE) --no-print-directory load WINDOWS=200
	@$(MAKE) --no-print-directory rush
	@$(MAKE) --no-print-directory soak CYCLES=6 SIGN_INS=100
