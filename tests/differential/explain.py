"""Differences that stay: docs/howto/compare-with-kustomize.md says why. Each has a name and a narrow test; what none fits has no explanation.

A test gets the case: the files, their style, the sort of difference, what both gave, and the pair that builds more."""
import copy
import os
import re

from builders import build


class Case:
    def __init__(self, pair, files, style, sort, theirs, ours):
        self.pair, self.files, self.style, self.sort, self.theirs, self.ours = pair, files, style, sort, theirs, ours

    def is_equal_with(self, change):
        """Are both the same once the cause is taken out? change: gets the files to change."""
        files = copy.deepcopy(self.files)
        return change(files) and self.pair.outcome(files, self.style)[0] == ""


def is_plugin(files, folder, entry, kind):
    """Is an entry of transformers, a text or the name of a file, an object of the kind?"""
    body = files.get(os.path.normpath(os.path.join(folder, entry)), entry)
    return body.get("kind") == kind if isinstance(body, dict) else f"kind: {kind}" in body


def drop_replacements(files):
    """Takes all replacements out. False when there are none."""
    found = False
    for path, content in files.items():
        if not isinstance(content, dict) or os.path.basename(path) != "kustomization.yaml":
            continue
        found |= content.pop("replacements", None) is not None
        entries = content.get("transformers", [])
        kept = [e for e in entries if not is_plugin(files, os.path.dirname(path), e, "ReplacementTransformer")]
        found |= len(kept) < len(entries)
        content["transformers"] = kept
    return found


def refused_early(case):
    """We refuse at once what kustomize refuses when it prints, or not at all when something else sets the field before that."""
    words = r"cannot decode !!\w+ `.*` as a !!|missing metadata.name in object: a replacement"
    return case.sort == "we fail" and re.search(words, case.ours[1], re.S) and case.is_equal_with(drop_replacements)


def change_texts(part, change):
    """Puts change(text) in the place of all texts below part. False when that changes nothing."""
    found = False
    for key in list(part) if isinstance(part, dict) else range(len(part)):
        if isinstance(part[key], (dict, list)):
            found |= change_texts(part[key], change)
        elif isinstance(part[key], str):
            text = change(part[key])
            found |= text != part[key]
            part[key] = text
    return found


def drop_tabs(files):
    return change_texts(files, lambda text: text.replace("\t", "").replace("\\\\t", "").replace("\\t", ""))


def peer_cannot_read(case):
    """A text that starts with a tab: kustomize writes it in a way that it does not read again."""
    return case.sort == "only the peer fails" and "found a tab character where an indentation" in case.theirs[1] and case.is_equal_with(drop_tabs)


def peer_panics(case):
    return case.sort == "only the peer fails" and re.search(r"^panic: .*^goroutine ", case.theirs[1], re.M | re.S)


def peer_varies(case):
    """kustomize's program gives one thing now and another then, and one of them is ours."""
    case.pair.write(case.files, case.style)
    return any(build(case.pair.peer, case.pair.folder)[0] == case.ours[0] for _ in range(8))


def hashed_names(text):
    """(kind, name without its suffix) -> suffix, of the kinds whose hash goes over how they are laid out."""
    found = {}
    for document in text.split("\n---\n"):
        kind, name = re.search(r"^kind: (.*)$", document, re.M), re.search(r"^  name: (.+)-([0-9a-z]{10})$", document, re.M)
        if kind and name and kind[1] not in ("ConfigMap", "Secret"):
            found[kind[1], name[1]] = name[2]
    return found


def hash_of_layout(case):
    """What our warning KD-10 says, and nothing else: the suffix of a kind other than ConfigMap and Secret."""
    if case.sort != "output" or "KD-10" not in case.ours[1]:
        return False
    text, theirs = case.ours[0], hashed_names(case.theirs[0])
    for (kind, name), suffix in hashed_names(text).items():
        text = text.replace(f"{name}-{suffix}", f"{name}-{theirs.get((kind, name), suffix)}")
    return text == case.theirs[0]


EXPLAINED = [
    ("refused early", refused_early),
    ("peer panics", peer_panics),
    ("peer reads no tab", peer_cannot_read),
    ("hash of layout", hash_of_layout),
    ("peer varies", peer_varies),
]
SORTS = {name for name, _ in EXPLAINED}


def explanation(case):
    """The name of the explanation, or None."""
    return next((name for name, fits in EXPLAINED if fits(case)), None)
