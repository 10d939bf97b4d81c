"""Starts `oncue-fake` with a script, and counts what does not fit. Shared by the oracles."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile


class Check:
    """Expectations of one oracle; the process fails where one does not hold."""

    def __init__(self, name):
        self.name = name
        self.held = 0
        self.broken = 0

    def equal(self, got, expected, what):
        if got == expected:
            self.held += 1
        else:
            self.broken += 1
            print(f"{self.name}: {what}\n  got {got!r}\n want {expected!r}", file=sys.stderr)

    def true(self, holds, what):
        self.equal(bool(holds), True, what)

    @contextlib.contextmanager
    def raises(self, kind, what, **fields):
        """The body raises exactly this kind, with these fields."""
        try:
            yield
        except Exception as error:
            self.equal(type(error), kind, f"{what}: the exception ({error})")
            for name, value in fields.items():
                self.equal(getattr(error, name, None), value, f"{what}: {name}")
        else:
            self.equal(None, kind, f"{what}: the exception")

    def done(self):
        print(f"{self.name}: {self.held} expectations hold, {self.broken} do not")
        return 1 if self.broken or not self.held else 0


@contextlib.contextmanager
def serving(script, *options):
    """Serves this script and gives the address; the program is the first argument of the oracle."""
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} PATH-OF-oncue-fake")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        os.environ.pop(name, None)
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
        json.dump(script, file)
    process = subprocess.Popen(
        [sys.argv[1], "--script", file.name, *options], stdout=subprocess.PIPE, text=True
    )
    try:
        yield json.loads(process.stdout.readline())["url"]
    finally:
        process.terminate()
        process.wait()
        os.unlink(file.name)
