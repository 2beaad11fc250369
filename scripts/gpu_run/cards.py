# SPDX-License-Identifier: Apache-2.0
"""Which simulated device a real one is compared with."""

import re


def words_of(title):
    """Words of a title, and neighbours joined: "GeForce RTX 4090" has rtx4090."""
    words = re.findall(r"[a-z0-9]+", title.lower())
    return set(words) | {first + second for first, second in zip(words, words[1:])}


def simulated_like(device, devices):
    """The simulated device, of those that `headroom devices` lists, for cpu, cuda:N or rehearsal:CARD; None where none is alike.

    A profile is alike if the first part of its name (a100 of a100-80gb) is a word of the card's title; of several the
    one whose memory is nearest.
    """
    if device == "cpu":
        return "sim:cpu"
    if device.startswith("rehearsal:"):
        return "sim:" + device.removeprefix("rehearsal:")
    card = next((row for row in devices if row["name"] == device and row["usable"]), None)
    if card is None:
        return None
    words = words_of(card["title"] or "")
    alike = [row for row in devices if row["name"].startswith("sim:") and row["total_bytes"]
             and row["name"].removeprefix("sim:").split("-")[0] in words]
    if not alike:
        return None
    return min(alike, key=lambda row: abs(row["total_bytes"] - (card["total_bytes"] or 0)))["name"]
