# grapnel: sources and tests are found by folder, everything built lands in out/. `make help` lists the targets.
VERSION := $(shell cat VERSION)
comma   := ,
SAN     ?=
# gcc 12's runtime takes the words before a library's thread-local block for a header when the block lies 16 bytes into a page.
export TSAN_OPTIONS := intercept_tls_get_addr=0:$(TSAN_OPTIONS)
OUT     := out$(if $(SAN),/SAN/$(subst $(comma),-,$(SAN)))
CC      ?= gcc
ifeq ($(origin CC),default)
CC      := $(if $(shell command -v ccache),ccache )gcc
endif
PREFIX  ?= /usr/local
WARN    := -Wall -Wextra -Wshadow -Wvla -Wformat=2 -Wundef -Wstrict-prototypes -Wmissing-prototypes \
           -Wwrite-strings -fno-common $(if $(WERROR),-Werror)
HARDEN  := -fstack-protector-strong $(if $(SAN),,-D_FORTIFY_SOURCE=3) -fPIE -fvisibility=hidden
CFLAGS  ?= -O2 -g
ALL_CFLAGS := -std=gnu17 -D_GNU_SOURCE -DGRAPNEL_VERSION='"$(VERSION)"' -iquote src -Iinclude -iquote $(OUT)/gen $(WARN) $(HARDEN) -fno-math-errno -ffunction-sections -fdata-sections $(CFLAGS) -ffile-prefix-map=$(CURDIR)=. \
           $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
LINK    := -pie $(LDFLAGS) -Wl,-z,relro,-z,now,-z,noseparate-code,-z,pack-relative-relocs -Wl,--as-needed,--gc-sections $(if $(SAN),-fsanitize=$(SAN))
# Each shared library costs 0.1 ms at start (docs/decisions/6-start.md): libmd and libdeflate are linked in, and of libm we use what compilers expand.
LIBS    := -l:libmd.a -l:libdeflate.a -lc -lm
# Loaded on first use (sys/dl.h); their sonames are read from the development files.
LOADED  := crypt crypto curl gnutls microhttpd sqlite3 z

include src/layers.mk
FOLDERS := $(patsubst uses_%,%,$(filter uses_%,$(.VARIABLES)))
sources  = $(wildcard src/$1/*.c src/$1/*/*.c)
objects  = $(patsubst %.cc,$(OUT)/obj/%.o,$(patsubst %.c,$(OUT)/obj/%.o,$1))
used     = $(sort $1 $(foreach f,$1,$(uses_$f)))
BUILT   := $(foreach f,$(FOLDERS),$(if $(call sources,$f),$f))
LIB      = $(OUT)/lib/$1.a
TESTED  := $(foreach f,$(FOLDERS),$(if $(wildcard tests/unit/$f/*.c),$f))
LIBRARIES := $(foreach f,$(filter-out cli,$(BUILT)),$(call LIB,$f))
NAMES   := khook kpt kustomize helm kubectl-grapnel

.PHONY: all unit golden scenarios registries containers cluster-scenarios cluster peers deps build-deps test demo start-order conformance faults malformed lint fuzz bench coverage install dist help clean
all: $(OUT)/grapnel $(addprefix $(OUT)/,$(NAMES))

$(OUT)/gen/sonames.h: Makefile
	@mkdir -p $(@D)
	@for l in $(LOADED); do \
	    n=$$(objdump -p "$$($(CC) -print-file-name=lib$$l.so)" 2>/dev/null | sed -n 's/^ *SONAME *//p'); \
	    [ "$$n" ] || { echo "lib$$l.so is missing: run make deps" >&2; exit 1; }; \
	    echo "#define SONAME_$$l \"$$n\""; done > $@.new && mv $@.new $@

$(OUT)/obj/%.o: %.c Makefile VERSION | $(OUT)/gen/sonames.h
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

# What `version` tells about the commit; only its file is built anew when it moves.
$(OUT)/gen/commit: FORCE
	@mkdir -p $(@D)
	@git log -1 --format='-DGRAPNEL_COMMIT="%h" -DGRAPNEL_DATE="%cs"' 2>/dev/null | sed 's/"/\\"/g' >$@.new; \
	    cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(OUT)/obj/src/cli/cmd_version.o: $(OUT)/gen/commit
$(OUT)/obj/src/cli/cmd_version.o: ALL_CFLAGS += @$(OUT)/gen/commit
FORCE:

# C++ appears in tests only, around oracles.
$(OUT)/obj/%.o: %.cc Makefile
	@mkdir -p $(@D)
	$(CXX) -Wall -Wextra $(if $(WERROR),-Werror) -fPIE $(CFLAGS) -iquote src -MMD -MP -c $< -o $@

define folder_lib
$(call LIB,$1): $(call objects,$(call sources,$1))
	@mkdir -p $$(@D)
	@rm -f $$@
	$(AR) rcs $$@ $$^
endef
$(foreach f,$(BUILT),$(eval $(call folder_lib,$f)))

# Copied at once, as install does: what a linker writes here and there lies in the page cache in small pieces, and each start maps them.
$(OUT)/grapnel: $(foreach f,$(BUILT),$(call LIB,$f)) src/start.ld
	$(CC) $(LINK) $(if $(SAN),,-Wl$(comma)-T$(comma)src/start.ld) -o $@.linked $(call objects,$(call sources,cli)) -Wl,--start-group $(filter-out %/cli.a src/start.ld,$^) -Wl,--end-group $(LIBS)
	cp $@.linked $@.new && mv $@.new $@ && rm $@.linked
$(addprefix $(OUT)/,$(NAMES)): $(OUT)/grapnel
	ln -sf grapnel $@

## start-order: which functions lie side by side in the program, as callgrind sees them (valgrind)
start-order: all
	tools/start-order $(OUT)/grapnel >$(OUT)/start.ld && mv $(OUT)/start.ld src/start.ld

include tests/tests.mk

## deps: installs the Debian packages that are missing; build-deps: those that only building needs
deps:
	@packaging/install-deps packaging/debian-deps packaging/debian-deps-dev
build-deps:
	@packaging/install-deps packaging/debian-deps
# What a fresh machine is asked for first installs, then builds on all processors unless -j was given.
BUILD = +@$(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$$(nproc))

## test [PARTS="unit golden kit-test faults scenarios registries containers cluster-scenarios"]: everything; needs nothing outside the repository
PARTS ?= unit golden kit-test faults scenarios registries containers cluster-scenarios
test: deps
	$(BUILD) all
	@status=0; for part in $(PARTS); do $(MAKE) --no-print-directory $$part || status=1; done; exit $$status

## demo [CLUSTER=1]: a walk through examples/bootstrap on the embedded API server, or on a real control plane
demo: $(if $(CLUSTER),deps,build-deps)
	$(BUILD) all
	@tools/demo $(if $(CLUSTER),cluster,sandbox)

## lint [CHECK=format|layers|size|words|scripts|headers|sources] [FILES="..."]: judges the source (FILES: only the slow judges)
lint: deps
	@$(MAKE) --no-print-directory -s $(OUT)/gen/sonames.h
	@LINT_FLAGS='$(filter-out -DGRAPNEL_VERSION% -ffile-prefix-map%,$(ALL_CFLAGS)) -iquote tests' tools/lint/run $(if $(FILES),files $(FILES),$(CHECK))

## install [DESTDIR=] [PREFIX=/usr/local] [STRIP=1]: the program, its names, man pages, completions
SHARE = $(DESTDIR)$(PREFIX)/share
ZSH   = $(SHARE)/zsh/$(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)
install: all
	install -Dm755 $(if $(STRIP),-s) $(OUT)/grapnel $(DESTDIR)$(PREFIX)/bin/grapnel
	for n in $(NAMES); do ln -sfn grapnel $(DESTDIR)$(PREFIX)/bin/$$n; done
	mkdir -p $(SHARE)/man/man1 $(SHARE)/bash-completion/completions $(ZSH) $(SHARE)/fish/vendor_completions.d
	$(OUT)/grapnel man $(SHARE)/man/man1
	set -e; for n in grapnel $(NAMES); do \
	    [ $$n = grapnel ] || ln -sfn grapnel.1 $(SHARE)/man/man1/$$n.1; \
	    $(OUT)/$$n completion bash >$(SHARE)/bash-completion/completions/$$n; \
	    $(OUT)/$$n completion zsh >$(ZSH)/_$$n; \
	    $(OUT)/$$n completion fish >$(SHARE)/fish/vendor_completions.d/$$n.fish; done
include packaging/kit.mk
## dist: a Debian package in out/dist; SOURCE_DATE_EPOCH is honoured
dist: all
	+@packaging/make-deb $(OUT)

help:
	@sed -n 's/^## /make /p' Makefile tests/tests.mk packaging/kit.mk

clean:
	rm -rf out

-include $(shell find $(OUT)/obj -name '*.d' 2>/dev/null)
