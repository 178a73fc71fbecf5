"""Differences that stay: docs/howto/compare-with-kustomize.md says why."""
import re

# the sort, whose words tell it, a pattern
EXPLAINED = [
    ("refused early", "we fail", "ours", r"cannot decode !!\w+ `.*` as a !!|missing metadata.name in object: a replacement"),
    ("peer panics", "only the peer fails", "peer", r"^panic: "),
]


SORTS = {row[0] for row in EXPLAINED}


def explanation(pair, files, style, sort, theirs, ours):
    """The name of the explanation, or None."""
    for name, of, who, pattern in EXPLAINED:
        if sort == of and re.search(pattern, (ours if who == "ours" else theirs)[1], re.M | re.S):
            return name
    return None
