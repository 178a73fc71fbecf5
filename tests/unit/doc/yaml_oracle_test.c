#include "base/base.h"
#include "support/test.h"
#include "unit/doc/yaml_oracle.h"

/* Shapes of YAML, right and wrong; the mutations below start from these. */
static const char *const texts[] = {
    "a: 1\nb:\n  c: 'it''s'\n  d: \"x\\ty\"\ne:\n- f\n- g: h\n  i: j\n-\n  - k\n",
    ("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x # why\n  labels: {a: b, c: [d, "
     "e]}\ndata:\n"
     "  text: |\n    one\n     two\n\n    three\n  fold: >-\n    one\n    two\n\n     three\n"),
    ("%YAML 1.1\n%TAG !e! tag:example.com,2000:\n--- !e!map\na: !!str 1\nb: &x !local [1]\nc: "
     "*x\n...\n"),
    "? complex\n: value\n? - list\n  - key\n: {flow: map}\n?\n: \n",
    "plain text\n over lines\n\n and more\n",
    /* a next line ends an empty line that a plain scalar goes on behind */
    "a: 1\nb:\n- c\n- octet\n\xc2\x85\n  \n   e\n- \n",
    "- - - a\n    - b\n  - c\n-\t- d\n- ! e\n",
    "{a, b: , ? c : d, \"e\":f, g: [h: i, j], ? : }\n",
    "\"esc \\x41\\u00e9\\U0001F600 \\\n   joined \\N\\_\\L\\P\n\n folded\"\n",
    "--- |+2\n   kept\n\n\n--- >1\n x\n  y\n z\n...\n# end\n",
    "a: {}\n\"b\\\"c\": []\n'd''e': {}\n\"f\": 1\nk:\n  - \"x\"\n  - y: {}\nl: 'm' # n\n",
    "a: b: c\n",
    "a:\n  b\n c: d\n",
    "- a\nb: c\n",
    "[a, b\n",
    "key: [a, b]]\n",
    "a: 'open\n---\n",
    ("\xEF\xBB\xBF# bom\na: \xC3\xA9\xE2\x82\xAC\n\xEF\xBB\xBF"
     "b: 1\n"),
    ("a: x\xC2\x85"
     "b: y\xE2\x80\xA8"
     "c: z\r\nd: |\r\n  w\r\n"),
    "a:\n\t- b\n",
    "&a a: &b b\n*a : *b\n",
    "---\n---\n# c\n...\n...\n--- x\n",
    "a:\n- b\n- c\nd:\n  - e\n f\n",
    ("\xFF\xFE"
     "a\0:\0 \0b\0\n\0"),
    "a: \x01\n",
    "a: \xC3\n",
    "'single\n  folded\n\n  twice'  # c\n",
};

static void compare(str text)
{
    AUTO(buf_done) struct buf why = {0};

    if (!oracle_agrees(text, &why))
        test_fail(__FILE__, __LINE__, "%s", buf_cstr(&why));
}

static str text_of(size_t i)
{
    /* one of them has NUL bytes in it */
    return strncmp(texts[i], "\xFF\xFE", 2) == 0 ? (str){texts[i], 12} : str_of(texts[i]);
}

TEST(yaml_events_are_those_of_libyaml)
{
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        compare(text_of(i));
}

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Changes the text at a few places: a byte dropped, doubled, replaced, or a piece of another text
 * put in. */
static void mutate(struct buf *b, uint32_t *seed)
{
    static const char pieces[] = "\n\n\n  : -?,[]{}#&*!|>'\"%@`\t\r.ab01~\\";

    for (uint32_t count = 1 + next_random(seed) % 4; count > 0 && b->len; count--) {
        AUTO(buf_done) struct buf rest = {0};
        size_t at = next_random(seed) % b->len;
        uint32_t how = next_random(seed) % 4;

        buf_add(&rest, b->p + at + (how < 2), b->len - at - (how < 2));
        buf_trunc(b, at);
        if (how == 1 || how == 2)
            buf_add_char(b, pieces[next_random(seed) % (sizeof(pieces) - 1)]);
        if (how == 3) {
            str other = text_of(next_random(seed) % ARRAY_LEN(texts));
            size_t from = next_random(seed) % other.len;

            buf_add_str(b, str_sub(other, from, next_random(seed) % 12));
        }
        buf_add_str(b, buf_view(&rest));
    }
}

TEST(yaml_events_are_those_of_libyaml_for_mutations)
{
    uint32_t seed = 20240607;

    for (size_t round = 0; round < 12000; round++) {
        AUTO(buf_done) struct buf b = {0};

        buf_add_str(&b, text_of(round % ARRAY_LEN(texts)));
        mutate(&b, &seed);
        compare(buf_view(&b));
    }
}
