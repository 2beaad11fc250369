# SPDX-License-Identifier: Apache-2.0
"""Reads from a checkout what the rules of check_architecture.py ask about."""

import os
import re

SOURCE_FOLDERS = ["core", "profiling", "experiments", "ui", "app", "tests"]
SCRIPT_FOLDERS = ["cmake", "scripts", ".ci"]
CODE = (".cpp", ".h")

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)
CMAKE_COMMENT = re.compile(r"#[^\n]*")
LINKED = re.compile(r"headroom::([a-z0-9-]+)")


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


class SourceTree:
    """Paths are relative to the root and use forward slashes."""

    def __init__(self, root):
        self.root = root
        self.files = sorted(self._walk(SOURCE_FOLDERS))
        self.scripts = sorted(self._walk(SCRIPT_FOLDERS))
        self.code = [path for path in self.files if path.endswith(CODE)]
        self.texts = {path: read(root, path) for path in self.files + self.scripts if self._is_text(path)}
        self.includes = {path: INCLUDE.findall(self.texts[path]) for path in self.code}

    def _walk(self, folders):
        for folder in folders:
            for directory, subfolders, names in os.walk(os.path.join(self.root, folder)):
                subfolders[:] = [name for name in subfolders if name != "__pycache__"]
                for name in names:
                    yield os.path.relpath(os.path.join(directory, name), self.root).replace(os.sep, "/")

    @staticmethod
    def _is_text(path):
        name = os.path.basename(path)
        return path.endswith(CODE + (".py", ".cmake", ".sh")) or name == "CMakeLists.txt" or "." not in name

    def rooted_includes(self, path):
        """The headers of this repository that a file includes; what Qt's compiler makes of a test is none."""
        return [header for quote, header in self.includes[path] if quote == '"' and not header.endswith(".moc")]

    def cmake(self, folder):
        """The CMakeLists.txt of a folder without comments, or None."""
        text = self.texts.get(f"{folder}/CMakeLists.txt")
        return None if text is None else CMAKE_COMMENT.sub("", text)

    def links(self, folder):
        return LINKED.findall(self.cmake(folder) or "")

    def listing(self, path):
        """(folder, entry): the nearest folder above a source that has a CMakeLists.txt, and the source as seen there."""
        folder = os.path.dirname(path)
        while folder and f"{folder}/CMakeLists.txt" not in self.texts:
            folder = os.path.dirname(folder)
        return folder, os.path.relpath(path, folder or ".")
