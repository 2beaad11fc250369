# SPDX-License-Identifier: Apache-2.0
"""docs/measurements/same-step.md from the peaks that scripts/same-step found."""

from cases import CARD, STEPS

HEAD = f"""# The same step three times

What a model of the catalogue asks of the card, simulated (`sim:{CARD}`) and rehearsed (`rehearsal:{CARD}`), beside what the library's own
class asks in a script under `headroom rehearse`. The scripts are `tests/field/same/step.py`: random weights made on the card from
the configuration, bfloat16, a full training step, the same loss, `torch.optim.AdamW(foreach=True)`, {STEPS} steps. Headroom and the scripts
have PyTorch 2.11.0 with CUDA 13. Peaks of all {STEPS} steps and of loading, from PyTorch's allocator.

- *Requested* is what was asked for: a difference is one of the program.
- *Allocated* counts the blocks that served it, which may be up to 1 MiB larger where a cached one was at hand.
- *Reserved* is what the allocator took of the card.

"""
WHATS = "requested", "allocated", "reserved"


def difference(ours, other):
    if ours == other:
        return "equal"
    share = 100 * (other - ours) / ours
    return f"{other - ours:+,}" + (f" ({share:+.2f} %)" if abs(share) >= 0.005 else "")


def row(case, found):
    simulated, rehearsed, library = (found[kind] for kind in ("sim", "rehearsal", "library"))
    between = [difference(*pair) for pair in zip(simulated, rehearsed)]
    kinds = "equal" if set(between) == {"equal"} else ", ".join(f"{what} {one}" for what, one in zip(WHATS, between) if one != "equal")
    sizes = " | ".join(f"{number:,}" for number in simulated)
    return f"| {shape(case)} | {sizes} | {kinds} | {' | '.join(difference(*pair) for pair in zip(simulated, library))} |"


def shape(case):
    words = ", ".join(f"{name} {value}" for name, value in {**case.fields, **case.shapes}.items()).replace("_", " ")
    return f"{case.model}: {words}"


def as_page(cases, kept):
    lines = [HEAD, "| step | requested on `sim:` | allocated | reserved | `rehearsal:` | script: requested | allocated | reserved |\n",
             "|---|---:|---:|---:|---|---:|---:|---:|\n"]
    lines += [row(case, kept[case.name]) + "\n" for case in cases if case.name in kept]
    causes = [f"- **{case.model}**: {cause}\n" for case in cases for cause in case.causes]
    if causes:
        lines += ["\n## What differs\n\n", *causes]
    lines += ["\nRegenerate with `scripts/same-step`.\n"]
    return "".join(lines)
