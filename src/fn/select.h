/* Which items a function gets to see (KRM functions spec 5.4). Pure. */
#pragma once
#include "base/vec.h"
#include "fn/resource_list.h"

struct fn_pair {
    str key, value;
};
struct fn_selector {
    str api_version, kind, name, ns; /* empty: any */
    VEC(struct fn_pair) labels, annotations;
};
void fn_selector_done(struct fn_selector *s); /* leaves {0} */
AUTO_VALUE(struct fn_selector, fn_selector_done)

struct fn_selection {
    VEC(struct fn_selector) selectors; /* any of them; none: everything */
    VEC(struct fn_selector) exclude;   /* none of them; empty ones are ignored */
};
void fn_selection_done(struct fn_selection *s); /* leaves {0} */
AUTO_VALUE(struct fn_selection, fn_selection_done)

bool fn_selector_is_empty(const struct fn_selector *s);
/* Is nothing left out? */
bool fn_selects_all(const struct fn_selection *s);
/* Appends the selected items, each once, in order. */
void fn_select(const struct fn_selection *s, const struct doc_list *items, struct doc_list *ret);
/* Puts what a run made of the selected items in their place: unselected ones stay where they are,
 * selected ones that are missing go, new ones come last. */
void fn_select_merge(const struct doc_list *selected, const struct doc_list *output,
                     struct doc_list *items);
