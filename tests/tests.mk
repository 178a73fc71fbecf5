# What is built and run to test and to measure; included by the Makefile, whose names it uses.

# A folder's unit tests link with the folder and what it uses (and they use), nothing else. tests/unit/FOLDER/libs names oracles.
define folder_test
$(OUT)/test/$1: $(call objects,$(wildcard tests/unit/$1/*.c tests/unit/$1/*.cc tests/support/*.c)) \
                $(foreach f,$(call used,$(call used,$(call used,$(call used,$1)))),$(if $(filter $f,$(BUILT)),$(call LIB,$f)))
	@mkdir -p $$(@D)
	$(CC) $(LINK) -o $$@ $$(filter %.o,$$^) -Wl,--start-group $$(filter %.a,$$^) -Wl,--end-group \
	    $(LIBS) $(shell cat tests/unit/$1/libs 2>/dev/null)
endef
$(foreach f,$(TESTED),$(eval $(call folder_test,$f)))
$(OUT)/obj/tests/%.o: ALL_CFLAGS += -iquote tests

## unit: the tests of each folder of src, as many programs at once as there are processors, the output of each in one piece
unit: $(addprefix $(OUT)/test/,$(TESTED))
	@printf '%s\n' $^ | xargs -P "$$(nproc)" -I{} sh -c '{} >{}.log 2>&1; rc=$$?; flock $(OUT)/test cat {}.log; exit $$rc'

## golden [CASES="AREA AREA/CASE"] [UPDATE=1]: whole commands and their exact output
golden: all
	@tests/golden/run $(OUT) $(CASES)

## scenarios [NAMED="..."]: against the sandbox; cluster-scenarios: the same against a real control plane
scenarios: all
	@tests/cluster/build kubectl helm
	@PROGRAMS=$(OUT) tests/scenarios/run sandbox $(NAMED)
cluster-scenarios: all cluster
	@tests/cluster/build helm
	@PROGRAMS=$(OUT) tests/scenarios/run cluster $(NAMED)

## registries: charts in real OCI registries and a chart repository on loopback, helm beside us
registries: all
	@tests/cluster/build helm
	@PROGRAMS=$(OUT) tests/registries/run

## containers: KRM functions of the C kit in real containers (podman)
containers: all kit
	@tests/containers/run $(OUT)

## cluster: builds the control plane's programs from Go modules, once; peers: the tools that benchmarks run beside ours
cluster:
	@tests/cluster/build
peers:
	@tests/cluster/build kustomize helm kubectl template-go yaml-v3

## conformance [SUITE=name] [DATA=folder] [CASE=part of an id] [UPDATE=1]: the cases beside the repository; UPDATE raises the floor
DATA ?= ../shared/conformance
$(OUT)/test/conformance: $(call objects,$(wildcard tests/conformance/*.c)) $(LIBRARIES)
	@mkdir -p $(@D)
	$(CC) $(LINK) -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(LIBS)
conformance: build-deps
	$(BUILD) all $(OUT)/test/conformance
	@mkdir -p $(OUT)/conformance
	@$(OUT)/test/conformance --data $(DATA) --out $(OUT)/conformance --program $(abspath $(OUT)/grapnel) $(if $(CASE),--only '$(CASE)') \
	    $(if $(filter default file,$(origin DATA)),--floor tests/conformance.floor $(if $(UPDATE),--update)) $(SUITE)

## out/test/cel-runs: CEL expressions from standard input, for tests/differential/cel/run
$(OUT)/test/cel-runs: $(call objects,tests/differential/cel/runs.c) $(LIBRARIES)
	@mkdir -p $(@D)
	$(CC) $(LINK) -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(LIBS)

## faults [FAULTS="cells kills signals certificates releases torture images"]: what survives failing servers, kill -9 between requests, signals
$(OUT)/test/faults: $(call objects,$(wildcard tests/faults/*.c)) $(LIBRARIES)
	@mkdir -p $(@D)
	$(CC) $(LINK) -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(LIBS)
$(OUT)/test/fail.so: tests/faults/preload/fail.c
	@mkdir -p $(@D)
	$(CC) -std=gnu17 -D_GNU_SOURCE -O2 -g $(WARN) -fPIC -shared -o $@ $<
faults: $(OUT)/test/faults $(OUT)/test/fail.so $(OUT)/grapnel
	@TSAN_OPTIONS=$$TSAN_OPTIONS:atexit_sleep_ms=0 $< --program $(OUT)/grapnel $(if $(SAN),,--preload $(abspath $(OUT)/test/fail.so)) $(FAULTS)

## malformed [BENCH_DATA=folder]: hostile inputs under `build` and `plan --offline`: time, memory, and a place in each message
malformed: all
	@tests/malformed/run $(OUT) $(BENCH_DATA)

## fuzz [T=name] [TIME=seconds|RUNS=n]: libFuzzer on the readers of outside data, 60 s each by default; RUNS: the same turn each time
FUZZED := $(basename $(notdir $(wildcard tests/fuzz/*.c)))
FUZZ_BUILD := OUT=out/fuzz/build CC="$(if $(shell command -v ccache),ccache )clang" SAN=fuzzer-no-link,address,undefined
TIME ?= 60
$(OUT)/fuzz/%: $(OUT)/obj/tests/fuzz/%.o $(LIBRARIES)
	@mkdir -p $(@D)
	$(CC) $(LINK) -fsanitize=fuzzer -o $@ $(filter %.o,$^) -Wl,--start-group $(LIBRARIES) -Wl,--end-group $(LIBS) $(shell cat tests/fuzz/$*.libs 2>/dev/null)
$(OUT)/fuzz/re: $(call objects,tests/unit/re/compare.c tests/unit/re/oracle.cc)
fuzz: deps
	$(BUILD) $(FUZZ_BUILD) $(addprefix out/fuzz/build/fuzz/,$(or $(T),$(FUZZED)))
	@tools/fuzz out/fuzz/build/fuzz $(if $(RUNS),$(RUNS)x,$(TIME)) $(or $(T),$(FUZZED))

## bench [B="yaml json start ..."] [BENCH_DATA=folder]: side by side with other tools and with floors, in one run
BENCH_DATA ?= ../shared/bench
BENCHES := $(basename $(notdir $(wildcard tests/bench/*_bench.c)))
BENCH_HELP := $(call objects,$(filter-out %_bench.c,$(wildcard tests/bench/*.c)))
$(OUT)/bench/%: $(OUT)/obj/tests/bench/%.o $(BENCH_HELP) $(LIBRARIES)
	@mkdir -p $(@D)
	$(CC) $(LINK) -o $@ $< $(BENCH_HELP) -Wl,--start-group $(LIBRARIES) -Wl,--end-group $(LIBS) \
	    $(shell cat tests/bench/$(*:_bench=).libs 2>/dev/null)
bench: deps
	$(BUILD) all peers $(addprefix $(OUT)/bench/,$(BENCHES))
	@tests/bench/run $(OUT) $(OUT)/bench $(BENCH_DATA) $(B)

## coverage: line coverage of the tests without a real control plane and the conformance suites, a row a folder
coverage:
	@find out/coverage -name '*.gcda' -delete 2>/dev/null || true
	@for part in unit golden scenarios registries $(if $(wildcard $(DATA)),conformance); do $(MAKE) -s OUT=out/coverage CFLAGS='-O1 -g --coverage' LDFLAGS=--coverage $$part || exit 1; done
	@tools/coverage out/coverage/obj
