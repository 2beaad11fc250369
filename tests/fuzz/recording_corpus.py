#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the corpus of tests/fuzz/corpus/recording: small recordings made by hand, whole ones and hostile ones.

Usage: recording_corpus.py FOLDER
"""

import base64
import copy
import gzip
import io
import json
import pickle
import sqlite3
import struct
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from named_many_times import named_many_times, pages_named_again

MIB = 1 << 20
FIRST = 0x7F1200000000
FRAMES = {
    "weights": [("convert", "torch/nn/modules/module.py", 1355), ("_apply", "torch/nn/modules/module.py", 928),
                ("to", "torch/nn/modules/module.py", 1369), ("main", "train.py", 12)],
    "forward": [("forward", "torch/nn/modules/linear.py", 125), ("_call_impl", "torch/nn/modules/module.py", 1750),
                ("step", "train.py", 31), ("main", "train.py", 60)],
    "optimizer": [("_init_group", "torch/optim/adamw.py", 130), ("step", "torch/optim/adamw.py", 210),
                  ("step", "train.py", 35), ("main", "train.py", 60)],
    "nobody": [("mystery", "train.py", 40), ("main", "train.py", 60)],
}


def frames(name):
    return [{"name": n, "filename": f, "line": line} for n, f, line in FRAMES[name]]


SHARED = {name: frames(name) for name in FRAMES}


def entry(action, addr, size, time, stack="nobody", stream=0):
    return {"action": action, "addr": addr, "size": size, "stream": stream, "time_us": 1_700_000_000_000_000 + time,
            "frames": SHARED[stack]}


def block(size, state, address, stack="nobody"):
    return {"address": address, "size": size, "requested_size": size if state != "inactive" else 0, "state": state,
            "frames": SHARED[stack] if state != "inactive" else []}


def segment(address, size, blocks, device=0, kind="large", stream=0):
    live = sum(b["size"] for b in blocks if b["state"] == "active_allocated")
    return {"device": device, "address": address, "total_size": size, "allocated_size": live, "active_size": live,
            "requested_size": live, "stream": stream, "segment_type": kind, "segment_pool_id": (0, 0),
            "is_expandable": False, "frames": [], "blocks": blocks}


def whole():
    """Weights, then an activation that comes and goes, then state of the optimizer: 20 MiB and 30 MiB of segments."""
    trace = [entry("segment_alloc", FIRST, 20 * MIB, 0, "weights"), entry("alloc", FIRST, 6 * MIB, 1, "weights"),
             entry("segment_alloc", FIRST - 32 * MIB, 30 * MIB, 10, "forward"),
             entry("alloc", FIRST - 32 * MIB, 30 * MIB, 11, "forward"),
             entry("free_requested", FIRST - 32 * MIB, 30 * MIB, 20, "forward"),
             entry("free_completed", FIRST - 32 * MIB, 30 * MIB, 21, "forward"),
             entry("alloc", FIRST + 6 * MIB, 8 * MIB, 30, "optimizer")]
    segments = [segment(FIRST - 32 * MIB, 30 * MIB, [block(30 * MIB, "inactive", FIRST - 32 * MIB)]),
                segment(FIRST, 20 * MIB, [block(6 * MIB, "active_allocated", FIRST, "weights"),
                                          block(8 * MIB, "active_allocated", FIRST + 6 * MIB, "optimizer"),
                                          block(6 * MIB, "inactive", FIRST + 14 * MIB)])]
    return {"segments": segments, "device_traces": [trace],
            "allocator_settings": {"PYTORCH_CUDA_ALLOC_CONF": "", "expandable_segments": False, "max_split_size": -1},
            "external_annotations": [
                {"stage": "START", "name": "Optimizer.step#AdamW.step", "device": 0, "time_us": 1_700_000_000_000_025},
                {"stage": "END", "name": "Optimizer.step#AdamW.step", "device": 0, "time_us": 1_700_000_000_000_040}]}


def middle():
    """The same, whose ring lost its first four entries."""
    snapshot = whole()
    snapshot["device_traces"][0] = snapshot["device_traces"][0][4:]
    return snapshot


def out_of_memory():
    """The same, and a request of 64 MiB that failed with 50 MiB free."""
    snapshot = whole()
    failed = entry("oom", 0, 64 * MIB, 50, "forward")
    del failed["addr"]
    failed["device_free"] = 50 * MIB
    snapshot["device_traces"][0].append(failed)
    return snapshot


def two_devices():
    snapshot = whole()
    other = [dict(e, addr=e["addr"] + (1 << 40)) for e in snapshot["device_traces"][0]]
    snapshot["device_traces"].append(other)
    for made in list(snapshot["segments"]):
        moved = [dict(b, address=b["address"] + (1 << 40)) for b in made["blocks"]]
        snapshot["segments"].append(dict(made, device=1, address=made["address"] + (1 << 40), blocks=moved))
    return snapshot


def inference():
    """Weights and an activation, nothing of an optimizer or a backward pass."""
    snapshot = whole()
    snapshot["device_traces"][0] = snapshot["device_traces"][0][:6]
    made = segment(FIRST, 20 * MIB, [block(6 * MIB, "active_allocated", FIRST, "weights"),
                                     block(14 * MIB, "inactive", FIRST + 6 * MIB)])
    snapshot["segments"][1] = made
    snapshot["external_annotations"] = []
    return snapshot


def expandable():
    """Two stretches of 20 MiB of one expandable segment; the cache is emptied at the end."""
    trace = [entry("segment_map", FIRST, 20 * MIB, 0, "weights"), entry("alloc", FIRST, 6 * MIB, 1, "weights"),
             entry("segment_map", FIRST + 20 * MIB, 20 * MIB, 10, "nobody"),
             entry("alloc", FIRST + 6 * MIB, 30 * MIB, 11, "nobody"),
             entry("free_requested", FIRST + 6 * MIB, 30 * MIB, 20), entry("free_completed", FIRST + 6 * MIB, 30 * MIB, 21),
             entry("segment_unmap", FIRST + 20 * MIB, 20 * MIB, 30)]
    made = segment(FIRST, 20 * MIB, [block(6 * MIB, "active_allocated", FIRST, "weights"),
                                     block(14 * MIB, "inactive", FIRST + 6 * MIB)])
    return {"segments": [dict(made, is_expandable=True)], "device_traces": [trace],
            "allocator_settings": {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True", "expandable_segments": True},
            "external_annotations": []}


def private_pool():
    """A block of 4 MiB in the pool of a graph, which takes a segment of its own beside 14 MiB that are free."""
    snapshot = whole()
    address = FIRST - 96 * MIB
    snapshot["device_traces"][0] += [entry("segment_alloc", address, 20 * MIB, 50), entry("alloc", address, 4 * MIB, 51)]
    made = segment(address, 20 * MIB, [block(4 * MIB, "active_allocated", address),
                                       block(16 * MIB, "inactive", address + 4 * MIB)])
    snapshot["segments"].append(dict(made, segment_pool_id=(0, 1)))
    return snapshot


def with_notes():
    """What a program noted itself, between two allocations."""
    snapshot = whole()
    note = entry("user_defined", 0, 0, 15)
    snapshot["device_traces"][0].insert(4, dict(note, user_metadata="epoch 3"))
    snapshot["device_traces"][0].insert(5, entry("snapshot", 0, 0, 16))
    return snapshot


def memory_timeline():
    """As export_memory_timeline() of torch.profiler: weights, then an activation that goes again in two parts."""
    def sizes(weights, activations, unknown):
        return [0, weights, 0, 0, 0, activations, 0, 0, unknown]
    return [[1_700_000_000, 1_700_000_010, 1_700_000_020, 1_700_000_030],
            [sizes(6 * MIB, 0, 0), sizes(6 * MIB, 30 * MIB, 0), sizes(6 * MIB, 10 * MIB, 4 * MIB), sizes(6 * MIB, 0, 0)]]


def raw_timeline():
    """The same program in the form that tells every change: the activation becomes a gradient before it goes."""
    return [[-1, 1, 6 * MIB, 0], [1_000, 2, 30 * MIB, 4], [2_000, 3, -30 * MIB, 4], [2_000, 3, 30 * MIB, 5],
            [3_000, 4, -30 * MIB, 5], [4_000, 2, 512, 7], [4_500, 3, -512, 7], [4_500, 3, 512, 7]]


def without_history():
    """As torch 1.13 wrote it: no trace, blocks without addresses."""
    snapshot = {"segments": whole()["segments"], "device_traces": [[]]}
    for made in snapshot["segments"]:
        made["blocks"] = [{"size": b["size"], "state": b["state"]} for b in made["blocks"]]
        for key in ("frames", "segment_pool_id", "is_expandable"):
            del made[key]
    return snapshot


def requested_beyond():
    """A request larger than its block, so large that two of them are no number."""
    snapshot = without_history()
    for made in snapshot["segments"]:
        for b in made["blocks"]:
            b["requested_size"] = 2**63 - 1
    return snapshot


def blocks_beyond():
    """Blocks larger than their segments."""
    snapshot = whole()
    for made in snapshot["segments"]:
        for b in made["blocks"]:
            b["size"] = b["requested_size"] = 2**63 - 1
    return snapshot


def page(snapshot):
    data = pickle.dumps(snapshot)
    data += b"\x00" * (3 - len(data) % 3)
    held = json.dumps([{"name": "snapshot.pickle", "base64": base64.b64encode(data).decode()}])
    return f"<!DOCTYPE html>\n<html><body><script>\nconst local_files = {held};\n</script></body></html>\n".encode()


def profiler():
    events = []

    def memory(time, address, size, allocated, reserved):
        events.append({"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 1, "tid": 7,
                       "ts": time, "args": {"Total Reserved": reserved, "Total Allocated": allocated, "Bytes": size,
                                            "Addr": address, "Device Id": 0, "Device Type": 1}})

    def span(name, cat, begin, length, **args):
        events.append({"ph": "X", "cat": cat, "name": name, "pid": 1, "tid": 7, "ts": begin, "dur": length,
                       "args": args})

    span("ProfilerStep#3", "user_annotation", 100.0, 900.0)
    span("nn.Module: Linear_0", "python_function", 105.5, 100.0)
    span("aten::addmm", "cpu_op", 110.25, 50.0)
    memory(120.125, FIRST, 4 * MIB, 9 * MIB, 40 * MIB)
    span("Optimizer.step#AdamW.step", "user_annotation", 300.0, 100.0)
    memory(310.0, FIRST + 64 * MIB, 2 * MIB, 11 * MIB, 60 * MIB)
    memory(500.0, FIRST, -4 * MIB, 7 * MIB, 60 * MIB)
    span("volta_sgemm", "kernel", 130.0, 20.0, device=0, context=1, stream=7, correlation=5, grid=[2, 3, 1],
         block=[128, 1, 1], **{"registers per thread": 64, "shared memory": 1024})
    span("Memcpy HtoD (Pinned -> Device)", "gpu_memcpy", 160.0, 5.0, device=0, stream=7, bytes=4096)
    return {"schemaVersion": 1, "traceEvents": events}


def database(statements, rows=()):
    connection = sqlite3.connect(":memory:")
    connection.execute("PRAGMA page_size = 512")
    for statement in statements:
        connection.execute(statement)
    for statement, values in rows:
        connection.executemany(statement, values)
    connection.commit()
    connection.execute("VACUUM")
    return connection.serialize() if hasattr(connection, "serialize") else dumped(connection)


def dumped(connection):
    import os
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.db")
        target = sqlite3.connect(path)
        target.execute("PRAGMA page_size = 512")
        connection.backup(target)
        target.close()
        return Path(path).read_bytes()


MEMORY = ("CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (start INTEGER, globalPid INTEGER, deviceId INTEGER, "
          "contextId INTEGER, address INTEGER, pc INTEGER, bytes INTEGER, memKind INTEGER, memoryOperationType INTEGER)")
INSERT = "INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES (?, 1, ?, 1, ?, 0, ?, ?, ?)"


def nsys():
    return database([MEMORY], [(INSERT, [(100, 0, FIRST, 20 * MIB, 2, 0), (200, 0, FIRST + 64 * MIB, 30 * MIB, 2, 0),
                                         (250, 0, 4096, 4096, 1, 0), (300, 0, FIRST, 20 * MIB, 2, 1)])])


def raw(*parts):
    return b"\x80\x04" + b"".join(parts) + b"."


def text(value):
    data = value.encode()
    return b"X" + struct.pack("<I", len(data)) + data


def corpus():
    files = {}
    for protocol in (2, 3, 4, 5):
        files[f"protocol_{protocol}.pickle"] = pickle.dumps(whole(), protocol)
    files["protocol_0.pickle"] = pickle.dumps(without_history(), 0)
    files["gzip.pickle.gz"] = gzip.compress(pickle.dumps(whole()), mtime=0)
    files["page.html"] = page(whole())
    files["snapshot.json"] = json.dumps(whole()).encode()
    files["middle.pickle"] = pickle.dumps(middle())
    files["out_of_memory.pickle"] = pickle.dumps(out_of_memory())
    files["two_devices.pickle"] = pickle.dumps(two_devices())
    files["expandable.pickle"] = pickle.dumps(expandable())
    files["inference.pickle"] = pickle.dumps(inference())
    files["private_pool.pickle"] = pickle.dumps(private_pool())
    files["without_history.pickle"] = pickle.dumps(without_history())
    files["requested_beyond.pickle"] = pickle.dumps(requested_beyond())
    files["blocks_beyond.pickle"] = pickle.dumps(blocks_beyond())
    files["bare_segments.pickle"] = pickle.dumps(whole()["segments"])
    files["profiler.json"] = json.dumps(profiler()).encode()
    files["profiler.json.gz"] = gzip.compress(json.dumps(profiler()).encode(), mtime=0)
    files["notes.pickle"] = pickle.dumps(with_notes())
    files["timeline.json"] = json.dumps(memory_timeline()).encode()
    files["timeline.raw.json.gz"] = gzip.compress(json.dumps(raw_timeline()).encode(), mtime=0)
    files["nsys.sqlite"] = nsys()
    files.update(hostile())
    files.update(named_many_times(whole))
    return files


class Payload:
    def __reduce__(self):
        return (print, ("executed",))


def hostile():
    files = {}
    files["code.pickle"] = pickle.dumps({"segments": Payload()})
    files["code_protocol_2.pickle"] = pickle.dumps({"segments": Payload()}, 2)
    files["code_global.pickle"] = b"cos\nsystem\n(S'echo executed'\ntR."
    files["code_instance.pickle"] = b"\x80\x02(S'echo executed'\nios\nsystem\n."
    files["empty.pickle"] = b""
    files["cut.pickle"] = pickle.dumps(whole())[:600]
    files["cut_in_text.pickle"] = pickle.dumps(whole())[:15]
    files["cut.pickle.gz"] = gzip.compress(pickle.dumps(whole()), mtime=0)[:300]
    files["lying_text.pickle"] = raw(b"X\xff\xff\xff\x7fabc")
    files["lying_long_text.pickle"] = raw(b"\x8d" + b"\xff" * 8)
    files["lying_integer.pickle"] = raw(b"\x8b\xff\xff\xff\x7f")
    files["memo_beyond.pickle"] = raw(b"]r\xff\xff\xff\xff")
    files["memo_missing.pickle"] = raw(b"h\x09")
    files["deep_marks.pickle"] = raw(b"(" * 5000)
    files["nothing_to_pop.pickle"] = raw(b"0")
    files["append_to_text.pickle"] = raw(text("a") + b"Na")
    files["key_without_value.pickle"] = raw(b"}(" + text("a") + b"u")
    files["tuple_of_nothing.pickle"] = raw(b"\x87")
    files["two_results.pickle"] = raw(b"NN")
    files["itself.pickle"] = raw(b"}\x94" + text("segments") + b"]\x94h\x01as" + text("device_traces") + b"h\x01s")
    files["other_protocol.pickle"] = b"\x80\x09N."
    files["unknown_opcode.pickle"] = raw(b"\xf0")
    files["no_snapshot.pickle"] = pickle.dumps({"weights": [1, 2, 3]})
    files["bomb.pickle.gz"] = gzip.compress(raw(b"](" + b"]" * 3_000_000 + b"e"), mtime=0)
    huge = whole()
    huge["device_traces"][0][1]["size"] = 10**30
    files["huge_integer.pickle"] = pickle.dumps(huge)
    files["huge_integer_0.pickle"] = pickle.dumps(huge, 0)
    files["huge_integer.json"] = json.dumps(huge).encode()
    real = whole()
    for event in real["device_traces"][0]:
        event["time_us"] = float(event["time_us"])
    files["real_times.json"] = json.dumps(real).encode()
    far = whole()
    far["device_traces"][0][-1]["time_us"] = 1 << 62
    far["external_annotations"][0]["time_us"] = -(1 << 62)
    files["far_times.pickle"] = pickle.dumps(far)
    far["device_traces"] = []
    files["annotations_alone.pickle"] = pickle.dumps(far)
    files["odd_numbers.pickle"] = pickle.dumps({"segments": [dict(whole()["segments"][0], total_size=-1),
                                                             dict(whole()["segments"][0], address=1 << 70),
                                                             dict(whole()["segments"][1], device=-5)]})
    strange = whole()
    strange["device_traces"][0] += [entry("alloc", 1 << 63, 1 << 62, 60), entry("alloc", FIRST, -7, 61),
                                    entry("dance", FIRST, 5, 62), {"action": "alloc"}, {"action": 7}, 12, None]
    files["strange_entries.pickle"] = pickle.dumps(strange)
    overlapping = whole()
    overlapping["segments"].append(copy.deepcopy(overlapping["segments"][1]))
    overlapping["device_traces"][0] += [dict(e) for e in overlapping["device_traces"][0] * 2]
    files["contradictions.pickle"] = pickle.dumps(overlapping)
    files["wrong_types.pickle"] = pickle.dumps({"segments": "abc", "device_traces": [5, None, {"a": 1}]})
    files["cut.json"] = json.dumps(profiler()).encode()[:200]
    uneven = memory_timeline()
    uneven[1].pop()
    files["timeline_uneven.json"] = json.dumps(uneven).encode()
    files["timeline_negative.json"] = json.dumps([[1, 2], [[0] * 9, [0, -5] + [0] * 7]]).encode()
    files["timeline_odd.raw.json"] = json.dumps([[1, 2, 512, 0], [2, 4, -1024, 0], [3, 2, 1 << 62, 99]]).encode()
    files["timeline_picture.html"] = b"<html><body><img src='data:image/png;base64,iVBORw0KGgo='></body></html>"
    files["deep.json"] = b"[" * 100_000
    files["no_events.json"] = b'{"traceEvents": []}'
    files["other.json"] = b'{"answer": 42}'
    files["no_memory.json"] = json.dumps({"traceEvents": [{"ph": "X", "name": "a", "ts": 1, "dur": 2}]}).encode()
    files["odd_numbers.json"] = json.dumps({"traceEvents": [
        {"ph": "i", "name": "[memory]", "ts": 1e300, "tid": "t",
         "args": {"Bytes": 1 << 62, "Addr": -1, "Total Allocated": -5, "Total Reserved": 1e30, "Device Type": 1,
                  "Device Id": -1}},
        {"ph": "i", "name": "[memory]", "ts": -3, "args": None},
        {"ph": "i", "name": "[memory]", "args": {"Bytes": -5, "Device Type": 1}}]}).encode()
    files["device_beyond.json"] = files["odd_numbers.json"].replace(b"5, \"Device Type\"", b"5, \"Device Id\": 4096, \"Device Type\"")
    memory = {"ph": "i", "name": "[memory]", "tid": 7, "ts": 2, "args": {"Bytes": 512, "Device Type": 1, "Device Id": 0}}
    files["name_of_number.json"] = json.dumps({"traceEvents": [
        {"ph": "X", "cat": "cpu_op", "name": 1 << 31, "tid": 7, "ts": 1, "dur": 9}, memory]}).encode()
    files["deep_spans.json.gz"] = gzip.compress(json.dumps({"traceEvents": [
        {"ph": "X", "cat": "cpu_op", "name": "f", "tid": 7, "ts": 1, "dur": 9} for _ in range(5_000)] + [memory]}).encode(),
        mtime=0)
    files["page_without_file.html"] = b"<html><body>nothing</body></html>"
    files["page_cut.html"] = page(whole())[:400]
    files["page_no_base64.html"] = b'<html>"base64": "AAAA*BBBB"</html>'
    files["cut.sqlite"] = nsys()[:700]
    files["same_pages.sqlite"] = pages_named_again(nsys())
    files["other.sqlite"] = database(["CREATE TABLE t (a)"])
    files["view.sqlite"] = database(["CREATE VIEW CUDA_GPU_MEMORY_USAGE_EVENTS AS WITH RECURSIVE n(x) AS "
                                     "(SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS start, x AS bytes FROM n"])
    files["odd_rows.sqlite"] = database([MEMORY], [(INSERT, [(None, None, None, 1 << 60, 2, 0)])])
    files["text_rows.sqlite"] = database([MEMORY], [(INSERT, [("a", "b", "c", "d", 2, "e")])])
    files["noise.bin"] = bytes(range(256)) * 4
    return files


def main():
    (folder := Path(sys.argv[1])).mkdir(parents=True, exist_ok=True)
    for name, data in corpus().items():
        (folder / name).write_bytes(data)


if __name__ == "__main__":
    sys.exit(main())
