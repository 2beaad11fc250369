# SPDX-License-Identifier: Apache-2.0
"""Which simulated device a real one is compared with."""

import re


def words_of(title):
    """Words of a title, and up to four neighbours joined: "GeForce RTX 4070 Ti SUPER" has rtx4070tisuper."""
    words = re.findall(r"[a-z0-9]+", title.lower())
    return {"".join(words[first:first + count]) for count in range(1, 5) for first in range(len(words) - count + 1)}


def model_of(profile):
    return profile["name"].removeprefix("sim:").split("-")[0]


def simulated_like(device, devices):
    """The simulated device, of those that `headroom devices` lists, for cpu, cuda:N or rehearsal:CARD; None where none is alike.

    A profile is alike if the first part of its name (a100 of a100-80gb) is a word of the card's title; of several the
    one whose name says most of the title, and of these the one whose memory is nearest.
    """
    if device == "cpu":
        return "sim:cpu"
    if device.startswith("rehearsal:"):
        return "sim:" + device.removeprefix("rehearsal:")
    card = next((row for row in devices if row["name"] == device and row["usable"]), None)
    if card is None:
        return None
    words = words_of(card["title"] or "")
    alike = [row for row in devices if row["name"].startswith("sim:") and row["total_bytes"] and model_of(row) in words]
    if not alike:
        return None
    return min(alike, key=lambda row: (-len(model_of(row)), abs(row["total_bytes"] - (card["total_bytes"] or 0))))["name"]
