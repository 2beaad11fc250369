# SPDX-License-Identifier: Apache-2.0
"""The folder that scripts/gpu-pack has made: programs, resources, test data, and what they were built from."""

import json
import os
import shutil
import tarfile
import zlib

from .libtorch import Missing

MANIFEST = "pack.json"
PROGRAMS = "programs.tar.gz"


def unpacked(folder, scratch):
    """Where bin and lib of the pack are: beside the archive, from the first run on, or in `scratch` where the pack cannot be
    written."""
    place = folder if os.access(folder, os.W_OK) else scratch
    if (place / "bin").exists():
        return place
    part = place / "unpacking"
    shutil.rmtree(part, ignore_errors=True)
    try:
        with tarfile.open(folder / PROGRAMS) as archive:
            if hasattr(tarfile, "data_filter"):  # Python as old as 3.9 has none
                archive.extraction_filter = tarfile.data_filter
            archive.extractall(part)
        for name in ("lib", "bin"):  # bin last: it says that all is there
            os.replace(part / name, place / name)
        part.rmdir()
    except (OSError, EOFError, zlib.error, tarfile.TarError) as error:
        raise Missing(f"{folder / PROGRAMS} cannot be unpacked in {place}: {error} (valid: a folder made by scripts/gpu-pack, "
                      "on a disk with room)") from error
    return place


class Pack:
    """Throws Missing where the folder is no pack. `scratch`: a folder for what cannot be written in the pack."""

    def __init__(self, folder, scratch):
        self.folder = folder
        try:
            self.manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise Missing(f"{folder} holds no pack: {MANIFEST}: {error} (valid: a folder made by scripts/gpu-pack, named "
                          "by --pack)") from error
        self.programs = unpacked(folder, scratch)

    def program(self, name):
        path = self.programs / "bin" / name
        if not path.exists():
            raise Missing(f"{path} is not in the pack (valid: scripts/gpu-pack without a SUITE, or with this one)")
        return path

    def programs_of(self, suite):
        """(path, filter of its cases) of the programs that only this suite needs; Missing where it was left out."""
        names = self.manifest["programs"].get(suite)
        if not names:
            raise Missing(f"{self.folder} was packed without the suite {suite} (valid: {self._suites()})")
        return [(self.program(name), cases) for name, cases in names.items()]

    def environment(self, library_folders):
        """Everything is found in the pack and beside torch, whatever the programs were linked with."""
        environment = dict(os.environ)
        environment.pop("HEADROOM_WORKSPACE", None)
        known = environment.get("LD_LIBRARY_PATH", "")
        folders = library_folders + [str(self.programs / "lib")]
        environment.update(LD_LIBRARY_PATH=":".join(folders + ([known] if known else [])),
                           HEADROOM_RESOURCES=str(self.folder / "resources"),
                           HEADROOM_WORKER=str(self.program("headroom-worker")),
                           HEADROOM_SOURCE_DIR=str(self.folder), LC_ALL="C.UTF-8")
        return environment

    def _suites(self):
        return ", ".join(sorted(self.manifest["suites"]))
