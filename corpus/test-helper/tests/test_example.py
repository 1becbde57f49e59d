def shorten(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "."


def test_leaves_short_text_alone():
    assert shorten("abc", 3) == "abc"


def test_marks_what_was_cut():
    assert shorten("abcdef", 4) == "abc."
