# SPDX-License-Identifier: Apache-2.0
"""Operators that read the size of their result from the card: what ours asks of the allocator is what the real one asks for when
it reads that size, without our package. Writes one line of JSON."""

import ctypes
import json

import torch

from compared_with_host import Records, flat, requests

# name -> the operator, and how wide the number is that it reads
CASES = {
    "nonzero": (lambda a: torch.nonzero(a > 0), 4),
    "nonzero of three dimensions": (lambda a: torch.nonzero(a.reshape(2, 3, -1)), 4),
    "boolean index": (lambda a: a[a > 3], 4),
    "rows": (lambda a: a.reshape(-1, 6)[a.reshape(-1, 6)[:, 0] > 3], 4),
    "masked_select": (lambda a: torch.masked_select(a, a > -5), 4),
    "unique": (lambda a: torch.unique(a), 8),
    "unique with counts": (lambda a: torch.unique(a, return_inverse=True, return_counts=True), 8),
    "unique_consecutive": (lambda a: torch.unique_consecutive(a, return_inverse=True), 8),
    "unique of truths": (lambda a: torch.unique(a > 0), 4),
}
LENGTHS = (6, 600, 66000)


def number_read(name, expected, host):
    return int((host > 0).sum()) if name == "unique of truths" else expected[0].shape[0]


def cases():
    for length in LENGTHS:
        for name, (function, width) in CASES.items():
            host = torch.randint(-9, 10, (length,), generator=torch.Generator().manual_seed(length))
            yield f"{name} of {length}", function, host, number_read(name, flat(function(host)), host).to_bytes(width, "little")


def main():
    from headroom_rehearsal import values

    answer = ctypes.CDLL(None).headroomCardAnswer
    without = {}
    for name, function, host, number in cases():
        device = host.to("cuda")
        answer(number, len(number))
        without[name] = requests(function, [device])
    values.install(Records())
    differs = []
    for name, function, host, _ in cases():
        asked, result = requests(function, [host.to("cuda")])
        asked_without, result_without = without[name]
        if [r.shape for r in result] != [r.shape for r in result_without]:
            differs.append(f"{name}: the real one gave {[list(r.shape) for r in result_without]}")
        elif asked != asked_without:
            differs.append(f"{name}: asks for {asked} instead of {asked_without}")
    print(json.dumps({"differs": differs, "compared": len(without)}))


if __name__ == "__main__":
    main()
