"""Values as YAML text: in blocks, always the same, or in the many styles that people write."""
import json
import re

PLAIN = re.compile(r"^[A-Za-z][A-Za-z0-9._/-]*$")
WORDS = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}


def is_plain(text):
    return bool(PLAIN.match(text)) and text.lower() not in WORDS


def scalar(value):
    if not isinstance(value, str):
        return json.dumps(value)
    return value if is_plain(value) else json.dumps(value, ensure_ascii=False)


def emit(value, indent=0):
    """A value as YAML, in blocks."""
    pad = "  " * indent
    if isinstance(value, dict) and value:
        out = ""
        for key, item in value.items():
            nested = isinstance(item, (dict, list)) and item
            out += f"{pad}{scalar(key)}:" + ("\n" + emit(item, indent + 1) if nested else f" {emit(item)}\n")
        return out
    if isinstance(value, list) and value:
        out = ""
        for item in value:
            nested = isinstance(item, (dict, list)) and item
            out += f"{pad}-" + ("\n" + emit(item, indent + 1) if nested else f" {emit(item)}\n")
        return out
    return scalar(value) if not isinstance(value, (dict, list)) else json.dumps(value)


class Styled:
    """One text in one hand: quotes, indents, comments, blocks, flow and anchors by a chance drawn from r."""

    def __init__(self, r):
        self.r = r
        self.step = r.choice([2, 2, 2, 3, 4])
        self.lists_in = r.random() < 0.5  # the dash right below its key, or indented
        self.comments, self.flow, self.quoted, self.shared = (r.choice([0, 0, 0.1]) for _ in range(4))
        self.folded = r.choice([0, 0, 0.3])
        self.end = r.choice(["\n"] * 7 + ["\r\n"])
        self.anchors = {}  # text of a value -> its name

    def maybe(self, chance):
        return self.r.random() < chance

    def comment(self, pad):
        return f"{pad}# {self.r.choice(['a note', 'x: y', '- one'])}\n" if self.maybe(self.comments) else ""

    def text(self, value):
        if not isinstance(value, str):
            return json.dumps(value)
        if "\n" not in value and self.maybe(self.quoted):
            return "'" + value.replace("'", "''") + "'" if self.maybe(0.5) else json.dumps(value, ensure_ascii=False)
        return scalar(value)

    def inline(self, value):
        """In one line."""
        if isinstance(value, dict):
            return "{" + ", ".join(f"{scalar(k)}: {self.inline(v)}" for k, v in value.items()) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(self.inline(v) for v in value) + "]"
        return json.dumps(value, ensure_ascii=False)

    def literal(self, value, pad):
        """A text of several lines as a block, where it may be one."""
        body = value.rstrip("\n")
        if not body or body[0] in " \n\t" or any(c in body for c in "\r\t") or any(line != line.rstrip() for line in body.split("\n")):
            return None
        tail = len(value) - len(body)
        mark = "|-" if tail == 0 else "|" if tail == 1 else "|+"
        lines = "\n".join(pad + line if line else "" for line in body.split("\n"))
        if self.maybe(self.folded) and "\n" not in body:
            mark = ">" + mark[1:]
        return f" {mark}\n{lines}\n" + "\n" * max(0, tail - 1)

    def after(self, value, indent, is_item):
        """What follows `key:` or `-`, with its line break."""
        anchor = ""
        if isinstance(value, (dict, list)) and value and self.maybe(self.shared):
            name = self.anchors.get(json.dumps(value))
            if name:
                return f" *{name}\n"
            name = f"a{len(self.anchors)}"
            self.anchors[json.dumps(value)] = name
            anchor = f" &{name}"
        if isinstance(value, str) and ("\n" in value and self.maybe(0.7) or value and self.maybe(self.folded)):
            block = self.literal(value, " " * (indent + self.step))
            if block:
                return block
        if not isinstance(value, (dict, list)) or not value:
            return f" {self.text(value) if not isinstance(value, (dict, list)) else json.dumps(value)}" + (
                " # why\n" if self.maybe(self.comments) else "\n")
        if self.maybe(self.flow):
            return f"{anchor} {self.inline(value)}\n"
        inner = indent + self.step
        if isinstance(value, list) and not is_item and not self.lists_in:
            inner = indent
        return f"{anchor}\n" + self.block(value, inner)

    def block(self, value, indent):
        pad, out = " " * indent, ""
        if isinstance(value, dict):
            for key, item in value.items():
                out += self.comment(pad) + f"{pad}{scalar(key)}:" + self.after(item, indent, False)
        else:
            for item in value:
                first = next(iter(item.values())) if isinstance(item, dict) and item else {}
                if isinstance(item, dict) and item and not isinstance(first, (dict, list)) and self.maybe(0.7):
                    body = self.block(item, indent + 2)  # the first key beside the dash
                    out += self.beside(body, pad)
                else:
                    out += self.comment(pad) + f"{pad}-" + self.after(item, indent, True)
        return out

    @staticmethod
    def beside(body, pad):
        """A block with the dash of its item before the first line that is no comment."""
        lines = body.split("\n")
        at = next(i for i, line in enumerate(lines) if not line.lstrip().startswith("#"))
        lines[at] = pad + "- " + lines[at][len(pad) + 2:]
        return "\n".join(lines)

    def documents(self, values):
        """Divided, now and then with one that is empty or only a comment."""
        made = [self.document(v) for v in values]
        for odd in ("", "# nothing\n", "\n"):
            if self.maybe(0.05):
                made.insert(self.r.randint(0, len(made)), odd)
        divider = self.r.choice(["---\n", "---\n", "--- # next\n"])
        return ("---\n" if self.maybe(0.2) else "") + divider.join(made)

    def document(self, value):
        self.anchors = {}
        return self.block(value, 0)


def text_of(content, r=None):
    """A file: documents, a mapping, or text as it is; in any style where r is given."""
    if isinstance(content, str):
        return content
    if r is None:
        return "---\n".join(emit(d) for d in content) if isinstance(content, list) else emit(content)
    style = Styled(r)
    made = style.documents(content) if isinstance(content, list) else style.document(content)
    return made.replace("\n", style.end)
