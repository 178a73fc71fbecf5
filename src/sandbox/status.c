/* Answers that are a Status object, worded as the API server words them. */
#include "sandbox/priv.h"

const char *sb_reason_of(int code)
{
    static const struct {
        int code;
        char reason[24];
    } rows[] = {{400, "BadRequest"},
                {401, "Unauthorized"},
                {403, "Forbidden"},
                {404, "NotFound"},
                {405, "MethodNotAllowed"},
                {406, "NotAcceptable"},
                {409, "Conflict"},
                {410, "Expired"},
                {413, "RequestEntityTooLarge"},
                {415, "UnsupportedMediaType"},
                {422, "Invalid"},
                {429, "TooManyRequests"},
                {500, "InternalError"},
                {503, "ServiceUnavailable"},
                {504, "Timeout"}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (rows[i].code == code)
            return rows[i].reason;
    return "";
}

static void status_head(int code, str message, struct buf *out)
{
    buf_addf(out,
             "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"%s\","
             "\"message\":",
             code < 400 ? "Success" : "Failure");
    doc_json_quote(message, 0, out);
}

void sb_status_of(int code, const char *reason, str message, struct buf *out)
{
    status_head(code, message, out);
    if (reason && *reason)
        buf_addf(out, ",\"reason\":\"%s\"", reason);
    buf_addf(out, ",\"code\":%d}\n", code);
}

int sb_fail(struct sb_req *r, int code, const char *reason, const char *fmt, ...)
{
    AUTO(buf_done) struct buf message = {0};
    va_list args;

    va_start(args, fmt);
    buf_addv(&message, fmt, args);
    va_end(args);
    buf_clear(&r->out);
    r->status = code;
    sb_status_of(code, reason ? reason : sb_reason_of(code), buf_view(&message), &r->out);
    return -1;
}

/* With details that name the object. */
static int fail_object(struct sb_req *r, int code, const char *reason, const struct sb_kind *kind,
                       str name, str message)
{
    buf_clear(&r->out);
    r->status = code;
    status_head(code, message, &r->out);
    buf_addf(&r->out, ",\"reason\":\"%s\",\"details\":{\"name\":", reason);
    doc_json_quote(name, 0, &r->out);
    if (kind->group.len)
        buf_addf(&r->out, ",\"group\":\"%.*s\"", STR_ARG(kind->group));
    buf_addf(&r->out, ",\"kind\":\"%.*s\"},\"code\":%d}\n", STR_ARG(kind->res->plural), code);
    return -1;
}

int sb_fail_not_found(struct sb_req *r, const struct sb_kind *kind, str name)
{
    return fail_object(r, 404, "NotFound", kind, name,
                       arena_printf(&r->arena, "%.*s \"%.*s\" not found",
                                    STR_ARG(sb_kind_resource(kind, &r->arena)), STR_ARG(name)));
}

int sb_fail_exists(struct sb_req *r, const struct sb_kind *kind, const struct sb_slot *slot)
{
    str name = slot->name;

    return fail_object(r, 409, "AlreadyExists", kind, name,
                       arena_printf(&r->arena, "%s%.*s \"%.*s\" already exists",
                                    slot->brief.is_deleting ? "object is being deleted: " : "",
                                    STR_ARG(sb_kind_resource(kind, &r->arena)), STR_ARG(name)));
}

int sb_fail_conflict(struct sb_req *r, const struct sb_kind *kind, str name, const char *why)
{
    return fail_object(r, 409, "Conflict", kind, name,
                       arena_printf(&r->arena, "Operation cannot be fulfilled on %.*s \"%.*s\": %s",
                                    STR_ARG(sb_kind_resource(kind, &r->arena)), STR_ARG(name),
                                    why));
}

int sb_fail_gone(struct sb_req *r, const char *message)
{
    return sb_fail(r, 410, "Expired", "%s", message);
}

/* ---- causes */

void sb_cause(struct sb_causes *c, const char *reason, str field, const char *fmt, ...)
{
    va_list args;

    if (c->len == ARRAY_LEN(c->v))
        return;
    va_start(args, fmt);
    c->v[c->len].reason = reason;
    c->v[c->len].field = arena_dup(&c->arena, field);
    c->v[c->len++].message = arena_vprintf(&c->arena, fmt, args);
    va_end(args);
}

void sb_causes_done(struct sb_causes *c) { arena_done(&c->arena); }

int sb_fail_invalid(struct sb_req *r, const struct sb_kind *kind, str name, struct sb_causes *c)
{
    AUTO(buf_done) struct buf message = {0};

    buf_addf(&message, "%.*s%s%.*s \"%.*s\" is invalid: ", STR_ARG(kind->kind),
             kind->group.len ? "." : "", STR_ARG(kind->group), STR_ARG(name));
    if (c->len > 1)
        buf_add_char(&message, '[');
    for (size_t i = 0; i < c->len; i++)
        buf_addf(&message, "%s%.*s: %.*s", i ? ", " : "", STR_ARG(c->v[i].field),
                 STR_ARG(c->v[i].message));
    if (c->len > 1)
        buf_add_char(&message, ']');
    buf_clear(&r->out);
    r->status = 422;
    status_head(422, buf_view(&message), &r->out);
    buf_add_cstr(&r->out, ",\"reason\":\"Invalid\",\"details\":{\"name\":");
    doc_json_quote(name, 0, &r->out);
    if (kind->group.len)
        buf_addf(&r->out, ",\"group\":\"%.*s\"", STR_ARG(kind->group));
    buf_addf(&r->out, ",\"kind\":\"%.*s\",\"causes\":[", STR_ARG(kind->kind));
    for (size_t i = 0; i < c->len; i++) {
        buf_addf(&r->out, "%s{\"reason\":\"%s\",\"message\":", i ? "," : "", c->v[i].reason);
        doc_json_quote(c->v[i].message, 0, &r->out);
        buf_add_cstr(&r->out, ",\"field\":");
        doc_json_quote(c->v[i].field, 0, &r->out);
        buf_add_char(&r->out, '}');
    }
    buf_add_cstr(&r->out, "]},\"code\":422}\n");
    return -1;
}
