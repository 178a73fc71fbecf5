#include "cli/cel_table.h"

#include "cli/template_table.h"
#include "expr/cel/cel.h"

void cel_table(struct buf *out)
{
    struct cel_doc_row row, last = {0};

    for (size_t i = 0;; i++) {
        AUTO(buf_done) struct buf forms = {0};

        if (!cel_function_row(i, &row, &forms))
            return;
        if (strcmp(last.group, row.group) != 0)
            buf_addf(out,
                     "%s### %s\n\n| function | result | example | prints |\n"
                     "| --- | --- | --- | --- |\n",
                     i ? "\n" : "", row.group);
        last = row;
        buf_add_cstr(out, "| ");
        template_table_code(buf_cstr(&forms), out);
        buf_addf(out, " | %s | ", row.summary);
        template_table_code(row.example, out);
        buf_add_cstr(out, " | ");
        template_table_code(row.result, out);
        buf_add_cstr(out, " |\n");
    }
}
