# SPDX-License-Identifier: Apache-2.0
"""Reads a JUnit file with a general XML parser, and prints its content as JSON.

Usage: read_junit.py FILE
"""

import json
import sys
import xml.etree.ElementTree as ElementTree


def properties(element):
    return {p.get("name"): p.get("value") for p in element.findall("properties/property")}


def case(element):
    found = {"name": element.get("name"), "classname": element.get("classname"), "properties": properties(element)}
    for kind in ("failure", "error", "skipped"):
        entry = element.find(kind)
        found[kind] = None if entry is None else {**entry.attrib, "text": entry.text}
    found["system_out"] = element.findtext("system-out")
    return found


root = ElementTree.parse(sys.argv[1]).getroot()
suite = root.find("testsuite")
assert root.tag == "testsuites" and root.attrib == suite.attrib
json.dump({"suite": suite.attrib, "properties": properties(suite), "cases": [case(c) for c in suite.findall("testcase")]},
          sys.stdout)
