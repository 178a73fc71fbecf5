# The C kit for KRM functions (include/grapnel/fn.h): one archive that shows gfn_ symbols only, and the native functions as
# programs of their own, which stand on it and on nothing else.
KIT := $(OUT)/libgrapnel_fn.a
KIT_LIBS := $(foreach f,sdk $(uses_sdk),$(call LIB,$f))
$(KIT): $(KIT_LIBS)
	@mkdir -p $(@D)
	$(CC) -r -nostdlib -o $(OUT)/kit.o -Wl,--whole-archive $(call LIB,sdk) -Wl,--no-whole-archive \
	    -Wl,--start-group $(filter-out %/sdk.a,$^) -Wl,--end-group
	objcopy --wildcard --keep-global-symbol='gfn_*' $(OUT)/kit.o
	@rm -f $@
	$(AR) rcs $@ $(OUT)/kit.o

.PHONY: kit functions install-kit
install: install-kit
install-kit: $(KIT)
	install -Dm644 $(KIT) $(DESTDIR)$(PREFIX)/lib/libgrapnel_fn.a
	install -Dm644 include/grapnel/fn.h $(DESTDIR)$(PREFIX)/include/grapnel/fn.h
	mkdir -p $(DESTDIR)$(PREFIX)/lib/pkgconfig
	printf '%s\n' 'prefix=$(PREFIX)' 'Name: grapnel-fn' 'Description: KRM functions in C' 'Version: $(VERSION)' \
	    'Cflags: -I$${prefix}/include' 'Libs: -L$${prefix}/lib -lgrapnel_fn' \
	    >$(DESTDIR)$(PREFIX)/lib/pkgconfig/grapnel-fn.pc

# kustomize-build and render-helm-chart need the engines and are not built alone.
FUNCTIONS := $(subst _,-,$(shell sed -n '/define FNLIB_FUNCTIONS/,/^$$/s/^ *X.\([a-z_]*\),.*/\1/p' src/fnlib/fnlib.h))
## kit-test: builds and runs functions in C11 against the installed kit
.PHONY: kit-test
kit-test: all functions
	@tests/kit/run $(OUT)

## functions: the native functions as programs, out/functions/grapnel-fn-NAME; kit: the C kit's archive
kit: $(KIT)
functions: $(addprefix $(OUT)/functions/grapnel-fn-,$(FUNCTIONS))
$(OUT)/functions/grapnel-fn-%: $(call LIB,fnlib) $(KIT)
	@mkdir -p $(@D)
	printf '#include "fnlib/fnlib.h"\nint main(int argc, char **argv) { return gfn_main(argc, argv, &fnlib_%s); }\n' \
	    $(subst -,_,$*) | $(CC) $(filter-out -D%,$(ALL_CFLAGS)) -x c - -x none $(LINK) -o $@ $^
