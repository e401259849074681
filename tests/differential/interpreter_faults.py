"""Where Triton's interpreter is wrong and not corrected: one line why, by the family of the kernel, a mark in the text
of the failure and one in the kernel's note."""

KNOWN = (("atomic", "Unsupported data type", "xchg f", "atomic_xchg of floats is not implemented"),)


def explain(text, case):
    """The failure itself, or "known: ..."."""
    for family, mark, note, why in KNOWN:
        if family == case.family and mark in text and note in case.note:
            return "known: " + why
    return text
