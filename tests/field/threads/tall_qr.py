# SPDX-License-Identifier: Apache-2.0
"""QR of a matrix with 58,720,256 rows: pytorch 134326."""

import argparse
import json

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--columns", type=int, required=True)
options = parser.parse_args()

rows = 2**13 * (2**14 + 2**13 + 2**12) // 4
matrix = torch.empty(rows, 1, device="cuda") @ torch.randn(1, options.columns, device="cuda")
result = torch.linalg.qr(matrix).Q
print("measured", json.dumps({"peak": torch.cuda.max_memory_allocated()}))
