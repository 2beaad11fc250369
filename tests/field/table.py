# SPDX-License-Identifier: Apache-2.0
"""The page of the rehearsed scripts, from the answers that `headroom rehearse` gave."""

import datetime
import os
import platform

GIB = 1 << 30
HEAD = """# Scripts of the field, rehearsed

Each script below stands in `tests/field` as a user would write it, knows nothing of Headroom, and was rehearsed unchanged by
`scripts/rehearse-field` ({command}) on {date}, {machine}, no GPU, with stock PyTorch {torch} from PyPI (where
another one is named, that one) and Python {python}. Nothing here was compared with a real card: the table says what runs and what it would take.

Sizes are GiB. *Needs* is with the context and what other libraries take. *Again*: whether a second run gave the same bytes.
*Reads* are reads of values of the card: computed / by rule / unknown. Seconds are those of the whole command, imports included.

"""
COLUMNS = ("Script", "Libraries", "Card", "Verdict", "Allocated", "Reserved", "Needs", "Peak in", "s", "Reads", "Again",
           "Remarks")


def gib(count):
    return f"{count / GIB:.3f}" if count else "-"


def needs(rank):
    """One figure, or a range where the ends differ as they are printed."""
    low, high = (f"{(rank.get(key) or 0) / GIB:.2f}" for key in ("needed_bytes", "needed_high_bytes"))
    return low if low == high else f"{low} to {high}"


def versions(row, rank):
    known = {name.replace("-", "_"): version for name, version in (rank.get("libraries") or {}).items()}
    return ", ".join(f"{name} {known[name]}" for name in row.libraries.split() if name in known) or "-"


def reads(rank):
    tally = rank.get("reads")
    return " / ".join(str(tally[key]) for key in ("computed", "by_rule", "unknown")) if tally else "-"


def place(where):
    return f"{os.path.basename(where[0]['file'])}:{where[0]['line']}" if where else "?"


def remarks(row, rank):
    said = [row.note] if row.note else []
    if rank["outcome"] not in ("completed",):
        reason = (rank.get("reason") or rank["outcome"].replace("_", " ")).splitlines()[0]
        said.append(reason if len(reason) < 200 else reason[:200] + " …")
    memory = rank.get("out_of_memory")
    if memory:
        said.append(f"{gib(memory['requested_bytes'])} asked for at {place(memory['where'])}")
    said += [f"`{refused['function']}` is not rehearsed ({place(refused.get('where'))})"
             for refused in rank.get("refused") or []]
    guessed = [guess for guess in rank.get("guesses") or [] if guess.get("size")]
    said += [f"size guessed: {guess['what']} ({place(guess.get('where'))})" for guess in guessed]
    libraries = sorted({entry["library"] for entry in rank.get("not_counted") or []})
    if libraries and needs(rank).count(" "):
        said.append("the range is memory of " + ", ".join(libraries))
    return "; ".join(said).replace("|", "\\|")


def cells(row, run):
    answer = run["answer"]
    if not answer:
        return (row.what, "-", row.device, f"ended with {run['exit_code']}", *["-"] * 7, row.note)
    rank = answer["ranks"][0]
    peak = rank.get("peak") or {}
    reached = f"step {peak['step']}, {peak['phase']}" if peak.get("phase") else "-"
    again = {True: "yes", False: "**no**"}.get(run.get("same_again"), "")
    return (row.what, versions(row, rank), row.device, answer["verdict"], gib(peak.get("allocated_bytes")),
            gib(peak.get("reserved_bytes")), needs(rank), reached, f"{run['seconds']:.0f}", reads(rank),
            again, remarks(row, rank))


def works(run):
    return bool(run["answer"]) and run["answer"]["verdict"] in ("fits", "tight", "no")


def of_first(runs, key):
    for run in runs.values():
        found = run["answer"] and (run["answer"]["ranks"][0].get("libraries") or {}).get(key)
        if found:
            return found
    return "?"


def as_table(rows, runs):
    rows = [row for row in rows if row.name in runs]
    text = HEAD.format(command="`headroom rehearse`", date=datetime.date.today().isoformat(),
                       machine=f"{os.cpu_count()} cores ({platform.machine()})", torch=of_first(runs, "torch"),
                       python=of_first(runs, "python"))
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    lines += ["| " + " | ".join(map(str, cells(row, runs[row.name]))) + " |" for row in rows]
    count = sum(works(runs[row.name]) for row in rows)
    again = [runs[row.name]["same_again"] for row in rows if "same_again" in runs[row.name]]
    summary = (f"\n{count} of {len(rows)} got a verdict of memory; {sum(again)} of {len(again)} that were run twice gave "
               "the same bytes.\n")
    return text + "\n".join(lines) + "\n" + summary
