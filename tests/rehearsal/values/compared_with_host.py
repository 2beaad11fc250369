# SPDX-License-Identifier: Apache-2.0
"""Runs on a card that is not there: each operator's values and shapes are those of the host, and it asks the allocator for the same
as without our package. Writes one line of JSON: what differs."""

import json
import random

import torch

import operators

ROUNDS = 6
# Its temporaries have sizes that it reads, whatever its result has.
SIZED_WITHIN = ("isin",)


class Records:
    def __init__(self):
        self.written = []

    def write(self, name, **keys):
        self.written.append((name, keys))


def tensors(seed):
    chance = random.Random(seed)
    generator = torch.Generator().manual_seed(seed)
    shape = [chance.choice([2, 3, 17, 64]), chance.choice([2, 5, 33])]
    dtype = chance.choice([torch.int64, torch.int64, torch.int32])

    def one():
        values = torch.randint(-9, 10, shape, generator=generator).to(dtype)
        return values.T.contiguous().T if chance.random() < 0.3 else values

    return one(), one()


def flat(result):
    return list(result) if isinstance(result, (list, tuple)) else [result]


def requests(function, arguments):
    """What the function asks of the allocator, in order."""
    torch.cuda.memory._record_memory_history(max_entries=10000, context=None)
    try:
        result = flat(function(*arguments))
        trace = torch.cuda.memory._snapshot()["device_traces"][0]
    finally:
        torch.cuda.memory._record_memory_history(enabled=None)
    return [entry["size"] for entry in trace if entry["action"] == "alloc"], result


def cases():
    for seed in range(ROUNDS):
        for name, function in operators.UNARY.items():
            yield f"{name} {seed}", function, tensors(seed)[:1]
        for name, function in operators.BINARY.items():
            yield f"{name} {seed}", function, tensors(seed)


def compared(name, function, arguments):
    """What differs from the host in a case."""
    try:
        expected = flat(function(*arguments))
    except (RuntimeError, IndexError) as error:
        return None, [f"{name}: the host refuses it: {error}"]
    asked, result = requests(function, [argument.to("cuda") for argument in arguments])
    shapes = [list(r.shape) for r in result] == [list(e.shape) for e in expected]
    kinds = [r.dtype for r in result] == [e.dtype for e in expected]
    same = shapes and kinds and all(torch.equal(r.cpu(), e) for r, e in zip(result, expected))
    return asked, [] if same else [f"{name}: {[r.tolist() for r in result]} instead of {[e.tolist() for e in expected]}"[:400]]


def asked_without(function, arguments, expected):
    """Where results have the size that they get without our package too: what it asks for then."""
    try:
        asked, result = requests(function, [argument.to("cuda") for argument in arguments])
    except (RuntimeError, IndexError):
        return None
    return asked if [r.shape for r in result] == [e.shape for e in expected] else None


def main():
    from headroom_rehearsal import values

    without = {}
    for name, function, arguments in cases():
        without[name] = asked_without(function, arguments, flat(function(*arguments)))
    records = Records()
    values.install(records)
    differs, compared_requests, other = [], 0, []
    for name, function, arguments in cases():
        asked, found = compared(name, function, arguments)
        differs += found
        if without[name] is not None and not name.startswith(SIZED_WITHIN):
            compared_requests += 1
            if asked != without[name]:
                other.append(f"{name}: asks for {asked} instead of {without[name]}")
    print(json.dumps({"differs": differs, "requests": other, "compared_requests": compared_requests, "tally": values.tally(),
                      "sizes": [keys for _, keys in records.written if keys.get("size")]}))


if __name__ == "__main__":
    main()
