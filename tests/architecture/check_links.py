#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the links of all Markdown files of a checkout and prints each that leads nowhere.

Usage: check_links.py [CHECKOUT]

Relative links and images have to name a file or folder that is there, and an anchor has to be a heading of it, by the rule
that code hosts and mkdocs.yml share: lower case, without punctuation, blanks as hyphens. Nothing is asked of the network.
"""

import os
import re
import sys
import urllib.parse

sys.dont_write_bytecode = True

SKIPPED_FOLDERS = {".git", "build", "site", "node_modules"}
LINK = re.compile(r"\]\(\s*<?([^)>\s]+)>?(?:\s+\"[^\"]*\")?\s*\)")
DEFINITION = re.compile(r"^\s*\[[^\]]+\]:\s+(\S+)", re.MULTILINE)
HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*\s*$")


def markdown_files(root):
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in SKIPPED_FOLDERS)
        for name in sorted(files):
            if name.endswith(".md"):
                yield os.path.join(folder, name)


def prose_lines(text):
    """The lines outside of fenced code, with their numbers; code in backticks is blanked out."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if mark and (fence is None or line.strip().startswith(fence)):
            fence = None if fence else mark.group(1)
            continue
        if fence is None:
            yield number, line


def anchor_of(heading):
    """What a heading is called in a link."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", text.strip()))


def anchors_of(text):
    seen, anchors = {}, set()
    for _, line in prose_lines(text):
        found = HEADING.match(line)
        if not found:
            continue
        anchor = anchor_of(found.group(2))
        count = seen.get(anchor, 0)
        seen[anchor] = count + 1
        anchors.add(anchor if count == 0 else f"{anchor}-{count}")
    return anchors


def links_of(text):
    for number, line in prose_lines(text):
        bare = re.sub(r"`[^`]*`", lambda code: "`" * len(code.group(0)), line)
        for found in list(LINK.finditer(bare)) + list(DEFINITION.finditer(bare)):
            yield number, found.group(1)


def read(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


def problems_of(path):
    """Each link of a file that leads nowhere, as (line, link, reason)."""
    text = read(path)
    for number, link in links_of(text):
        target, _, anchor = urllib.parse.unquote(link).partition("#")
        if re.match(r"[a-z][a-z0-9+.-]*:|//", target):
            continue
        file = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
        if not os.path.exists(file):
            yield number, link, "no such file"
        elif anchor and file.endswith(".md") and anchor not in anchors_of(read(file)):
            yield number, link, "no such heading"


def main(root):
    files, links, broken = 0, 0, 0
    for path in markdown_files(root):
        files += 1
        links += sum(1 for _ in links_of(read(path)))
        for number, link, reason in problems_of(path):
            broken += 1
            print(f"{os.path.relpath(path, root)}:{number}: {link}: {reason}")
    print(f"{files} Markdown files, {links} links, {broken} broken", file=sys.stderr)
    return 1 if broken or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..", ".."))))
