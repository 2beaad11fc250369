# SPDX-License-Identifier: Apache-2.0
"""Where LibTorch is on this machine, and the folders that the loader has to know."""

import importlib.util
import os
import pathlib
import re


class Missing(Exception):
    """The pack or LibTorch cannot be used; the message says what would be right."""


def find_torch():
    """The folder torch/ with lib/libtorch_cpu.so: of HEADROOM_TORCH_DIR, or else of this Python's package, or else where
    scripts/bootstrap puts it."""
    given = os.environ.get("HEADROOM_TORCH_DIR", "")
    if given:
        folders = [pathlib.Path(given), pathlib.Path(given) / "torch", pathlib.Path(given) / "libtorch"]
        wrong = (f"HEADROOM_TORCH_DIR={given} holds no LibTorch (valid: a folder with lib/libtorch_cpu.so, or one that has "
                 "torch/ or libtorch/ with it)")
    else:
        folders = packages() + [folder / "torch" for folder in sorted(cache().glob("libtorch-*"))]
        wrong = (f"neither this Python nor {cache()} has a torch with lib/libtorch_cpu.so (valid: run gpu-run with the "
                 "Python that has the package, or set HEADROOM_TORCH_DIR to its folder torch/)")
    for folder in folders:
        if (folder / "lib/libtorch_cpu.so").exists():
            return folder.resolve()
    raise Missing(wrong)


def packages():
    """Folders of this Python's package torch. Imports nothing."""
    found = importlib.util.find_spec("torch")
    return [pathlib.Path(place) for place in (found.submodule_search_locations or [])] if found else []


def cache():
    """Headroom's cache, as scripts/settings.sh has it."""
    given = os.environ.get("HEADROOM_CACHE")
    return pathlib.Path(given) if given else pathlib.Path(
        os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "headroom"


def version_of(torch):
    """The version as the package tells it, such as 2.11.0+cu130; None where it does not."""
    for name in ("version.py", "../build-version", "build-version"):
        path = torch / name
        if path.exists():
            text = path.read_text(encoding="utf-8")
            quoted = re.search(r"__version__\s*=\s*['\"]([^'\"]+)", text)
            return quoted.group(1) if quoted else text.strip()
    return None


def check_version(found, packed_for, torch):
    """LibTorch has no stable interface between minor versions: programs of 2.11 run with 2.11 alone."""
    def minor(version):
        return re.findall(r"\d+", version)[:2]
    if found and packed_for and minor(found) != minor(packed_for):
        raise Missing(f"{torch} is LibTorch {found}, but the programs were built for {packed_for} (valid: a package "
                      f"torch {'.'.join(minor(packed_for))}, named by HEADROOM_TORCH_DIR, or a pack built for {found})")


def library_folders(torch):
    """torch/lib and, of the CUDA libraries that come as packages beside it, every folder that is there."""
    beside = torch.parent / "nvidia"
    folders = [torch / "lib"] + sorted(path for path in beside.glob("*/lib") if path.is_dir())
    return [str(folder) for folder in folders]
