# SPDX-License-Identifier: Apache-2.0
"""Reads a pickle as Python does, checks its form with pickletools, and prints the value.

Usage: read_pickle.py FILE
"""

import io
import pickle
import pickletools
import sys

with open(sys.argv[1], "rb") as file:
    data = file.read()
pickletools.dis(data, io.StringIO())
print(ascii(pickle.loads(data)))
