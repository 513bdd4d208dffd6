# What there is to do here. `make` alone lists it.
CAMPUS = Examples/Campus

.DEFAULT_GOAL := help
.PHONY: help run test test-fast lint api freeze format docs bench verify

help: ## List what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

run: ## Start Campus and print its address; options in ARGS, as in make run ARGS='--port 8081'
	@scripts/setup
	@swift run --package-path $(CAMPUS) campus serve $(ARGS)

test: ## Test the library and Campus, browser included
	@scripts/setup
	@scripts/test . $(CAMPUS)

test-fast: ## Test the library without the tests that run the compiler
	@scripts/test --skip CompilerTests .

lint: ## Check formatting, the unsafe room, imports, the layout of features, the public API and its callers
	@scripts/lint

api: ## Write down what is public now, after a change that you mean
	@scripts/api update

freeze: ## Freeze new files of Tests/Callers and CampusCallers: they must compile unchanged from then on
	@scripts/callers freeze

format: ## Format all Swift
	@swift format --in-place --parallel --recursive Package.swift Sources Tests \
		$(CAMPUS)/Package.swift $(CAMPUS)/Sources $(CAMPUS)/Tests Benchmarks/Package.swift Benchmarks/Sources

docs: ## Build every product's documentation into .build/docs; a warning fails
	@scripts/docs

bench: ## Hold the figures of boards and requests against their limits; some only: make bench ARGS='hop cycle'
	@scripts/bench $(ARGS)

verify: ## Everything that takes long: stress at full size, many random scripts and links, sanitizers, documentation, figures
	@scripts/setup
	@seed=$$(date +%s) && echo "random scripts and links from seed $$seed" && \
		BACKPLANE_STRESS_SCALE=1 BACKPLANE_SEED=$$seed BACKPLANE_SEQUENCES=200000 BACKPLANE_REENTRANCY=20000 \
		BACKPLANE_LINKS=1000000 BACKPLANE_ROUTERS=100000 BACKPLANE_WIRE=1000000 BACKPLANE_ORACLE_TRACES=200000 \
		scripts/test --release --filter '(Backplane|Oracle).*(Model|Reentrancy|Stress|Stack|HostileLink|LinkRouterProperty|Fuzz|Oracle)Tests' .
	@scripts/test --sanitize thread --skip CompilerTests .
	@scripts/docs
	@scripts/test --sanitize address --skip CompilerTests .
	@scripts/bench
