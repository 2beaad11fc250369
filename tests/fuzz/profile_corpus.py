#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the corpus of tests/fuzz/corpus/profile: device profiles named "profile", runtime profiles without a name (the fuzzer
adds that of its file), and hostile ones.

Usage: profile_corpus.py FOLDER
"""

import re
import sys
from pathlib import Path

RESOURCES = Path(__file__).resolve().parents[2] / "resources"

RATES = """
[[speed.rates]]
work = "product"
type = "float32"
smallest_dimension = 64
points = [[1e6, 1e12, 0.1], [1e9, 5e12, 0]]
source = "measured"
"""


def shipped(name):
    return (RESOURCES / name).read_text()


def device(name):
    return re.sub(r'(?m)^name = .*', 'name = "profile"', shipped(f"devices/{name}.toml"), count=1)


def corpus():
    t4 = device("t4")
    runtime = re.sub(r"(?m)^name = .*\n", "", shipped("runtimes/torch-2.5.toml"))
    files = {"caching": t4, "exact": device("cpu"), "runtime": runtime, "rates": t4 + RATES}
    files["empty"] = ""
    files["cut"] = t4[:700]
    files["key_twice"] = t4 + '\n[compute]\n'
    files["unknown_key"] = 'nmae = "x"\n' + t4
    files["no_source"] = t4.replace('{ value = 40,', '{ value = 40, sauce = 1,')
    files["wrong_type"] = t4.replace("value = 40", 'value = "forty"')
    files["negative"] = t4.replace("value = 40", "value = -40")
    files["not_finite"] = t4.replace("value = 5e-6", "value = nan")
    files["integer_beyond"] = t4.replace("value = 40", "value = 99999999999999999999")
    files["date"] = t4.replace("value = 40", "value = 1979-05-27T07:32:00Z")
    files["rates_descend"] = t4 + RATES.replace("1e9", "1e3")
    files["rates_ragged"] = t4 + RATES.replace(", 0.1]", "]")
    files["capability"] = t4.replace('"7.5"', '"7.5.9999999999"')
    files["deep_key"] = "x" + ".a" * 8_000 + " = 1"
    files["deep_quoted_key"] = "x" + '."a"' * 3_000 + " = 1"
    files["deep_table"] = "[x" + ".a" * 8_000 + "]"
    files["deep_list"] = "x = " + "[" * 8_000
    files["deep_inline_table"] = "x = " + "{a = " * 2_000
    files["open_text"] = 'name = """profile'
    files["escapes"] = 'name = "\\u0000\\U0010ffff\\x"\n'
    files["letter_in_middle"] = 'a = 0"\u0451"\n'
    files["letter_in_key"] = "n\u00e4me = 1\n"
    files["letter_after_value"] = b"a = 3 \xf5\n"
    files["letter_escaped"] = 'name = """a\\\u00e4"""\n'
    files["letter_after_break"] = 'name = """a\\\n  \u00e4"""\n'
    files["no_utf8"] = b"name = \"\xff\xfe\"\n"
    files["mark"] = b"\xef\xbb\xbf" + t4.encode()
    return files


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in corpus().items():
        (folder / f"{name}.toml").write_bytes(content if isinstance(content, bytes) else content.encode())


if __name__ == "__main__":
    sys.exit(main())
