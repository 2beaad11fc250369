# SPDX-License-Identifier: Apache-2.0
"""The part of the corpus of recordings that names containers again, as pickles do it by memo numbers: what torch shares, and
what it never does; and of databases, by their pages."""

import gzip
import pickle
import struct


def pages_named_again(database):
    """A database of one table on page 2, which comes below two levels of pages that name the next one again and again."""
    size = struct.unpack(">H", database[16:18])[0]
    pages = [database[at:at + size] for at in range(0, len(database), size)]

    def pointing_to(page):
        cells = [struct.pack(">IB", page, key) for key in range(1, 60)]
        content = size - sum(map(len, cells))
        header = struct.pack(">BHHHBI", 5, 0, len(cells), content, 0, page)
        places = b"".join(struct.pack(">H", content + 5 * i) for i in range(len(cells)))
        return (header + places).ljust(content, b"\0") + b"".join(cells)

    changed = [pages[0], pointing_to(len(pages) + 1), *pages[2:], pointing_to(len(pages) + 2), pages[1]]
    first = bytearray(changed[0])
    first[28:32] = struct.pack(">I", len(changed))
    return bytes(first) + b"".join(changed[1:])


def named_many_times(whole):
    """`whole` makes a sound snapshot."""
    files = {}

    def add(name, change):
        snapshot = whole()
        change(snapshot)
        files[f"{name}.pickle"] = pickle.dumps(snapshot, 2)

    def refer(container):
        container.append(container[0])

    add("same_trace", lambda s: refer(s["device_traces"]))
    add("same_segment", lambda s: refer(s["segments"]))
    add("same_blocks", lambda s: s["segments"][0].update(blocks=s["segments"][1]["blocks"]))
    add("same_block", lambda s: refer(s["segments"][1]["blocks"]))
    add("same_entry", lambda s: refer(s["device_traces"][0]))
    add("same_annotation", lambda s: refer(s["external_annotations"]))
    add("same_empty_trace", lambda s: s["device_traces"].extend([[]] * 3))
    pool = (0, 3)
    notes = {"category": "weights", "module": "layers.0", "technique": "", "source": "", "frames": ""}

    def share(snapshot):
        for made in snapshot["segments"]:
            made["segment_pool_id"] = pool
        for event in snapshot["device_traces"][0]:
            event.update(user_metadata=notes, category="weights")

    add("same_notes", share)
    long = whole()
    long["segments"][1]["blocks"][0]["frames"] = [{"name": "f" * 70_000, "filename": "a.py", "line": 1}]
    files["long_frame.pickle.gz"] = gzip.compress(pickle.dumps(long, 2), mtime=0)
    deep = whole()
    deep["device_traces"][0][1]["frames"] = deep["device_traces"][0][1]["frames"][:1] * 5_000
    files["deep_stack.pickle.gz"] = gzip.compress(pickle.dumps(deep, 2), mtime=0)
    named = whole()
    for edge in named["external_annotations"]:
        edge["name"] = "n" * 70_000
    files["long_annotation.pickle.gz"] = gzip.compress(pickle.dumps(named, 2), mtime=0)
    return files
