#include "cli/template_table.h"

/* Code in a cell: line ends show as a sign. */
void template_table_code(const char *text, struct buf *out)
{
    buf_add_cstr(out, "`` ");
    for (const char *p = text; *p; p++)
        if (*p == '\n')
            buf_add_cstr(out, "⏎");
        else if (*p == '|')
            buf_add_cstr(out, "\\|");
        else
            buf_add_char(out, *p);
    buf_add_cstr(out, " ``");
}

static void add_row(const struct tmpl_doc_row *row, struct buf *out)
{
    buf_addf(out, "| `%s`%s | %s | ", row->name, row->is_pure ? "" : " ●", row->summary);
    if (row->example)
        template_table_code(row->example, out);
    buf_add_cstr(out, " | ");
    if (row->result && row->result[0])
        template_table_code(row->result, out);
    buf_add_cstr(out, " |\n");
}

void template_table(enum tmpl_profile profile, struct buf *out)
{
    const char *group = "";
    struct tmpl_doc_row row;

    for (size_t i = 0; tmpl_function_row(profile, i, &row); i++) {
        if (strcmp(group, row.group) != 0)
            buf_addf(out,
                     "%s### %s\n\n| function | result | example | prints |\n"
                     "| --- | --- | --- | --- |\n",
                     i ? "\n" : "", row.group);
        group = row.group;
        add_row(&row, out);
    }
}
