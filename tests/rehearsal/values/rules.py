# SPDX-License-Identifier: Apache-2.0
"""Values that follow from floats of the card, and what is not known of it. Writes one line of JSON: what is wrong."""

import inspect
import json
import os

import torch

from compared_with_host import Records

ASSUME = os.environ["HEADROOM_REHEARSAL_ASSUME"]
wrong = []


def check(name, is_right):
    if not is_right:
        wrong.append(f"{name}, line {inspect.currentframe().f_back.f_lineno}")


def unknown_floats(*shape):
    """What a kernel has computed."""
    return torch.nn.functional.silu(torch.empty(shape, device="cuda"))


def numbers(values):
    x = unknown_floats(8, 16)
    check("a number is 1", x.sum().item() == 1.0 and float(x.norm()) == 1.0)
    check("a copy is of ones", bool((x.cpu() == 1).all()))
    check("all are finite", not x.isnan().any() and not x.isinf().any() and bool(torch.isfinite(x).all()))
    check("is itself, and another is not", bool((x == x).all()) and not (x == x + 1).any())
    check("a scalar compares as 1", bool(x.sum() < 5) and not x.sum() > 5)
    check("below infinity", bool((x < float("inf")).all()))
    share = {"balanced": 64, "all": 128, "none": 0}[ASSUME]
    check("assumed", (x > 0).sum().item() == share and x[x > 0].shape == (share,) and (x > 0).nonzero().shape == (share, 2))
    check("what came from the host is true", torch.tensor([0.25, 3.0]).to("cuda").tolist() == [0.25, 3.0])
    known = torch.tensor([0.25, 3.0]).to("cuda")
    known.mul_(unknown_floats(2))
    check("and is not when a kernel has written there", known.tolist() == [1.0, 1.0])


def large(values):
    x = unknown_floats(5 << 20)
    share = {"balanced": 5 << 19, "all": 5 << 20, "none": 0}[ASSUME]
    check("too large to be written", x.nonzero().shape == (share, 1))


def choices(values):
    scores = unknown_floats(32, 8)
    experts = scores.topk(2).indices
    hits = torch.bincount(experts.flatten(), minlength=8).tolist()
    check("balanced", hits == ([32, 32] + [0] * 6 if ASSUME == "all" else [8] * 8))
    check("each of a row is another", bool((experts[:, 0] != experts[:, 1]).all()))
    check("argmax", 0 <= int(scores.argmax(-1).min()) <= int(scores.argmax(-1).max()) < 8)
    check("an order", scores.sort(-1).indices[3].tolist() == list(range(8)) and scores.argsort(0)[:, 1].tolist() == list(range(32)))
    logits = unknown_floats(4, 32000)
    for ids in (torch.multinomial(logits.softmax(-1), 3), logits.argmax(-1), logits.topk(5).indices):
        check("inside the vocabulary and not at its ends", 1000 < int(ids.min()) and int(ids.max()) < 31000)


def levels(values):
    """Boxes are shared out to levels of a pyramid by a number that floats give."""
    x = unknown_floats(64)
    level = torch.clamp(torch.floor(4 + torch.log2(x)), 2, 5).to(torch.int64) - 2
    check("shared out", torch.bincount(level, minlength=4).tolist() == ([64, 0, 0, 0] if ASSUME == "all" else [16] * 4))
    before = values.tally()["unknown"]
    overwritten = x.clamp(0, 3)
    overwritten.mul_(x)
    for whole in (overwritten.long(), x.clamp(min=0).long(), x.clamp(0, 1 << 20).long(), (x.clamp(0, 3) + 1).long()):
        whole.tolist()
    check("any other whole number of floats is not known", values.tally()["unknown"] == before + 4)


def randoms(values):
    torch.manual_seed(3)
    expected = torch.rand(3)
    torch.manual_seed(3)
    drawn = torch.randint(5, 9, (100,), device="cuda")
    check("in range", 5 <= int(drawn.min()) and int(drawn.max()) < 9)
    check("a permutation", sorted(torch.randperm(50, device="cuda").tolist()) == list(range(50)))
    for kept in (torch.rand(100000, device="cuda") < 0.2, torch.rand(100, 1000, device="cuda").ge(0.8), torch.bernoulli(torch.full((100000,), 0.2, device="cuda")).bool(),
                 torch.empty(100000, device="cuda").uniform_(-8, 2) > 0, torch.empty(100000, device="cuda").bernoulli_(0.2).bool()):
        check("as many as their chance says", 19000 < kept.nonzero().shape[0] < 21000)
    share = {"balanced": 5000, "all": 10000, "none": 0}[ASSUME]
    changed = torch.rand(10000, device="cuda")
    changed.mul_(changed)
    for kept in (torch.bernoulli(unknown_floats(10000)).bool(), torch.rand(10000, device="cuda") < unknown_floats(10000), changed < 0.2):
        check("by a chance that is not known it is as assumed", kept.sum().item() == share)
    check("the host's numbers stay", torch.equal(torch.rand(3), expected))


def scaler(values):
    scaled = torch.amp.GradScaler("cuda")
    parameter = torch.nn.Parameter(torch.ones(4, device="cuda"))
    optimizer = torch.optim.SGD([parameter], lr=0.1, momentum=0.9)
    scaled.scale(parameter.sum()).backward()
    scaled.step(optimizer)
    scaled.update()
    check("no step is skipped", len(optimizer.state) == 1)
    check("the scale stays", scaled.get_scale() == 65536.0)


def not_known(values):
    before = values.tally()["unknown"]
    stale = torch.full((64,), 1 << 40, device="cuda")
    del stale
    fresh = torch.empty(64, dtype=torch.long, device="cuda")
    check("memory of another reads as nothing", fresh.tolist() == [0] * 64 and fresh.sum().item() == 0)
    check("is counted", values.tally()["unknown"] == before + 2)
    check("no bins", torch.bincount(fresh).shape == (1,))
    check("no repetitions", torch.repeat_interleave(fresh).shape == (0,))
    half = torch.empty(4, dtype=torch.long, device="cuda")
    half[:2] = 3
    check("a part is known", half[:2].tolist() == [3, 3])
    before = values.tally()["unknown"]
    half.tolist()
    check("the whole is not", values.tally()["unknown"] == before + 1)
    shrunk = torch.arange(8, device="cuda")
    shrunk.untyped_storage().resize_(0)
    shrunk.untyped_storage().resize_(64)
    before = values.tally()["unknown"]
    shrunk.tolist()
    check("other memory of the same storage is not", values.tally()["unknown"] == before + 1)


def inverted(values):
    """Permutations are inverted into memory that nobody wrote before."""
    order = torch.tensor([3, 0, 2, 1]).to("cuda")
    numbers = torch.arange(4, device="cuda")
    by_index, by_scatter, by_copy, half = (torch.empty_like(order) for _ in range(4))
    by_index[order] = numbers
    by_copy.index_copy_(0, order, numbers)
    for inverse in (by_index, by_copy, by_scatter.scatter_(0, order, numbers)):
        check("inverted", inverse.tolist() == [1, 3, 2, 0])
    before = values.tally()["unknown"]
    half[order[:2]] = numbers[:2]
    half.scatter_(0, order[:3], 7)
    half.tolist()
    check("the whole is not known where a part was not written", values.tally()["unknown"] == before + 1)
    packed = torch.nn.utils.rnn.pack_padded_sequence(torch.zeros(3, 5, 2, device="cuda"), torch.tensor([2, 5, 4]), batch_first=True, enforce_sorted=False)
    check("packed sequences have their lengths", torch.nn.utils.rnn.pad_packed_sequence(packed)[1].tolist() == [2, 5, 4])


def records_of_sizes(values, records):
    values.tally()
    sizes = {(keys["kind"], keys["what"]) for name, keys in records.written if keys.get("size")}
    check("sizes that are not known are told", sizes == {("unknown", "bincount"), ("unknown", "repeat_interleave"), ("unknown", "item")})
    line = next(keys["where"][0] for name, keys in records.written if keys.get("size"))
    check("with their line", line["file"] == __file__ and line["function"] == "not_known" and line["line"] > 0)
    check("the tally is written", records.written[-1][0] == "read" and records.written[-1][1]["by_rule"] > 10)


def autograd_thread(values):
    ids = torch.arange(12, device="cuda") % 3
    x = torch.nn.Parameter(torch.ones(12, 4, device="cuda"))
    image = torch.nn.Parameter(torch.ones(4, 4, device="cuda"))
    (x * 2).masked_scatter((ids == 1)[:, None].expand(12, 4), image).sum().backward()
    check("in backward", image.grad.shape == (4, 4))


def main():
    from headroom_rehearsal import values

    records = Records()
    values.install(records)
    for part in (numbers, large, choices, levels, randoms, scaler, inverted, not_known, autograd_thread):
        part(values)
    records_of_sizes(values, records)
    print(json.dumps({"wrong": wrong}))


if __name__ == "__main__":
    main()
