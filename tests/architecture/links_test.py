#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of check_links.py: each kind of broken link is found, and what is sound is let through."""

import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

import check_links


class LinksTest(unittest.TestCase):
    def broken(self, files):
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                path = os.path.join(root, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as stream:
                    stream.write(text)
            return [(os.path.relpath(path, root), number, link, reason) for path in check_links.markdown_files(root)
                    for number, link, reason in check_links.problems_of(path)]

    def test_sound_links_pass(self):
        files = {"a.md": "# A\n[b](sub/b.md#two-words-1) ![p](p.png) [w](https://example.org/x) [s](#a) [f](sub)\n",
                 "sub/b.md": "## Two *words*!\n## Two words\n[up](../a.md#a)\n", "p.png": ""}
        self.assertEqual(self.broken(files), [])

    def test_missing_files_images_and_headings_are_found(self):
        files = {"a.md": "# A\n\n[b](b.md) ![p](p.png)\n[h](#nowhere)\n[c](c.md#gone)\n[d]: d.md\n", "c.md": "# C\n"}
        self.assertEqual(self.broken(files), [
            ("a.md", 3, "b.md", "no such file"), ("a.md", 3, "p.png", "no such file"), ("a.md", 4, "#nowhere", "no such heading"),
            ("a.md", 5, "c.md#gone", "no such heading"), ("a.md", 6, "d.md", "no such file")])

    def test_code_is_no_link(self):
        files = {"a.md": "`[x](y.md)`\n```\n[x](y.md)\n# No heading\n```\n[z](#no-heading)\n"}
        self.assertEqual(self.broken(files), [("a.md", 6, "#no-heading", "no such heading")])

    def test_anchors_keep_underscores_and_hyphens(self):
        self.assertEqual(check_links.anchor_of("`split_ffn`: what it is, and why - briefly"), "split_ffn-what-it-is-and-why---briefly")


if __name__ == "__main__":
    unittest.main()
