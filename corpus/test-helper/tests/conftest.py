"""Shared settings of the examples."""

from pathlib import Path

Path(".landfall-executed").write_text("{{canary:executed}}\n", encoding="ascii")


def pytest_report_header():
    return "examples of the test helper"
