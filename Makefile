# grapnel: sources and tests are found by folder, everything built lands in out/. `make help` lists the targets.
VERSION := $(shell cat VERSION)
comma   := ,
SAN     ?=
OUT     := out$(if $(SAN),/SAN/$(subst $(comma),-,$(SAN)))
CC      ?= gcc
ifeq ($(origin CC),default)
CC      := $(if $(shell command -v ccache),ccache )gcc
endif
PREFIX  ?= /usr/local
WARN    := -Wall -Wextra -Wshadow -Wvla -Wformat=2 -Wundef -Wstrict-prototypes -Wmissing-prototypes \
           -Wwrite-strings -fno-common $(if $(WERROR),-Werror)
HARDEN  := -fstack-protector-strong $(if $(SAN),,-D_FORTIFY_SOURCE=3) -fPIE
CFLAGS  ?= -O2 -g
ALL_CFLAGS := -std=gnu17 -D_GNU_SOURCE -DGRAPNEL_VERSION='"$(VERSION)"' -iquote src -Iinclude -iquote $(OUT)/gen $(WARN) $(HARDEN) $(CFLAGS) \
           $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
LINK    := -pie -Wl,-z,relro,-z,now -Wl,--as-needed $(if $(SAN),-fsanitize=$(SAN))
LIBS    := -lmd -lm
# Loaded on first use (sys/dl.h); their sonames are read from the development files.
LOADED  := curl microhttpd sqlite3

include src/layers.mk
FOLDERS := $(patsubst uses_%,%,$(filter uses_%,$(.VARIABLES)))
sources  = $(wildcard src/$1/*.c src/$1/*/*.c)
objects  = $(patsubst %.c,$(OUT)/obj/%.o,$1)
BUILT   := $(foreach f,$(FOLDERS),$(if $(call sources,$f),$f))
LIB      = $(OUT)/lib/$1.a
TESTED  := $(foreach f,$(FOLDERS),$(if $(wildcard tests/unit/$f/*.c),$f))
LIBRARIES := $(foreach f,$(filter-out cli,$(BUILT)),$(call LIB,$f))
NAMES   := khook

.PHONY: all unit conformance lint test clean
all: $(OUT)/grapnel $(addprefix $(OUT)/,$(NAMES))

$(OUT)/gen/sonames.h: Makefile
	@mkdir -p $(@D)
	@for l in $(LOADED); do \
	    n=$$(objdump -p "$$($(CC) -print-file-name=lib$$l.so)" 2>/dev/null | sed -n 's/^ *SONAME *//p'); \
	    [ "$$n" ] || { echo "lib$$l.so is missing: see packaging/debian-deps" >&2; exit 1; }; \
	    echo "#define SONAME_$$l \"$$n\""; done > $@.new && mv $@.new $@

$(OUT)/obj/%.o: %.c Makefile VERSION | $(OUT)/gen/sonames.h
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

define folder_lib
$(call LIB,$1): $(call objects,$(call sources,$1))
	@mkdir -p $$(@D)
	@rm -f $$@
	$(AR) rcs $$@ $$^
endef
$(foreach f,$(BUILT),$(eval $(call folder_lib,$f)))

$(OUT)/grapnel: $(foreach f,$(BUILT),$(call LIB,$f))
	$(CC) $(LINK) -o $@ $(call objects,$(call sources,cli)) -Wl,--start-group $(filter-out %/cli.a,$^) -Wl,--end-group $(LIBS)
$(addprefix $(OUT)/,$(NAMES)): $(OUT)/grapnel
	ln -sf grapnel $@

# A folder's unit tests link with the folder and what it uses, nothing else. tests/unit/FOLDER/libs names oracles.
define folder_test
$(OUT)/test/$1: $(call objects,$(wildcard tests/unit/$1/*.c tests/support/*.c)) \
                $(foreach f,$1 $(uses_$1),$(if $(filter $f,$(BUILT)),$(call LIB,$f)))
	@mkdir -p $$(@D)
	$(CC) $(LINK) -o $$@ $$(filter %.o,$$^) -Wl,--start-group $$(filter %.a,$$^) -Wl,--end-group \
	    $(LIBS) $(shell cat tests/unit/$1/libs 2>/dev/null)
endef
$(foreach f,$(TESTED),$(eval $(call folder_test,$f)))
$(OUT)/obj/tests/%.o: ALL_CFLAGS += -iquote tests

unit: $(addprefix $(OUT)/test/,$(TESTED))
	@for t in $^; do $$t || exit 1; done

# make conformance [SUITE=name] [DATA=folder] [CASE=part of an id] [UPDATE=1, raises the floor]
DATA ?= ../shared/conformance
$(OUT)/test/conformance: $(call objects,$(wildcard tests/conformance/*.c)) $(LIBRARIES)
	@mkdir -p $(@D)
	$(CC) $(LINK) -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(LIBS)
conformance: $(OUT)/test/conformance $(OUT)/grapnel
	@mkdir -p $(OUT)/conformance
	@$< --data $(DATA) --out $(OUT)/conformance --program $(abspath $(OUT)/grapnel) $(if $(CASE),--only '$(CASE)') \
	    $(if $(filter default file,$(origin DATA)),--floor tests/conformance.floor $(if $(UPDATE),--update)) $(SUITE)

# make lint [CHECK=name] [FILES=..., only the slow judges over these]
lint: $(OUT)/gen/sonames.h
	@LINT_FLAGS='$(filter-out -DGRAPNEL_VERSION%,$(ALL_CFLAGS)) -iquote tests' tools/lint/run $(if $(FILES),files $(FILES),$(CHECK))

test: all unit

clean:
	rm -rf out

-include $(shell find $(OUT)/obj -name '*.d' 2>/dev/null)
