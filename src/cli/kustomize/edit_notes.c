#include "cli/kustomize/edit_notes.h"

void cli_print_notes(str lines)
{
    AUTO(diag_list_done) struct diag_list list = {0};
    str line;

    while (str_next_line(&lines, &line)) {
        struct diag d = {.severity = DIAG_WARNING, .text = line};

        diag_add(&list, &d);
    }
    cli_print_diags(&list);
}
