# SPDX-License-Identifier: Apache-2.0
"""The rules that PyTorch's memory viewers rely on, and what a snapshot says of memory over time."""

import bisect
import pickle
import pickletools

# What the viewer's own unpickler knows.
VIEWER_OPCODES = {
    "PROTO", "FRAME", "STOP", "MARK", "EMPTY_DICT", "EMPTY_LIST", "EMPTY_TUPLE", "SETITEM", "SETITEMS", "APPEND",
    "APPENDS", "LIST", "DICT", "TUPLE", "TUPLE1", "TUPLE2", "TUPLE3", "BININT", "BININT1", "BININT2", "LONG1",
    "BINFLOAT", "NEWTRUE", "NEWFALSE", "NONE", "BINUNICODE", "SHORT_BINUNICODE", "BINGET", "LONG_BINGET", "BINPUT",
    "LONG_BINPUT", "MEMOIZE",
}  # fmt: skip
# One function call of the viewer takes what lies between two marks.
LARGEST_BATCH = 10_000
EXACT_IN_JAVASCRIPT = 2**53
ACTIONS = {
    "alloc", "free_requested", "free_completed", "segment_alloc", "segment_free", "segment_map", "segment_unmap",
    "snapshot", "oom",
}  # fmt: skip
STATES = {"active_allocated", "active_pending_free", "inactive"}


class BrokenRule(Exception):
    """A viewer would show nothing, or something else than what happened."""


def require(holds, *what):
    if not holds:
        raise BrokenRule(" ".join(str(part) for part in what))


class PlainUnpickler(pickle.Unpickler):
    def find_class(self, module, name):
        raise BrokenRule(f"names the class {module}.{name}")


def load(path):
    """The snapshot in a file, which no viewer refuses."""
    check_opcodes(path)
    with open(path, "rb") as file:
        snapshot = PlainUnpickler(file).load()
        require(file.read() == b"", "bytes follow the end")
    return snapshot


def check_opcodes(path):
    on_stack = [0]
    with open(path, "rb") as file:
        for opcode, argument, _ in pickletools.genops(file):
            require(opcode.name in VIEWER_OPCODES, "opcode", opcode.name)
            if opcode.name == "PROTO":
                require(2 <= argument <= 4, "protocol", argument)
            elif opcode.name == "MARK":
                on_stack.append(0)
            elif opcode.name in ("APPENDS", "SETITEMS"):
                require(on_stack.pop() <= LARGEST_BATCH, "a batch that is too large")
            elif opcode.name not in ("BINPUT", "LONG_BINPUT", "MEMOIZE"):
                on_stack[-1] += 1


def check(snapshot):
    """Raises BrokenRule."""
    require(isinstance(snapshot["segments"], list) and isinstance(snapshot["device_traces"], list), "lists")
    require(isinstance(snapshot["allocator_settings"], dict), "settings")
    for segment in snapshot["segments"]:
        check_segment(segment)
    for device, events in enumerate(snapshot["device_traces"]):
        check_events(events)
        Backwards(snapshot, device).run()
    check_categories(snapshot)


def check_frames(frames):
    require(isinstance(frames, list), "frames", frames)
    for frame in frames:
        require(isinstance(frame["filename"], str) and isinstance(frame["name"], str), "frame", frame)
        require(isinstance(frame["line"], int), "line", frame)


def check_number(number):
    require(isinstance(number, int) and abs(number) < EXACT_IN_JAVASCRIPT, "not exact in JavaScript:", number)


def check_segment(segment):
    for key in ("device", "address", "total_size", "allocated_size", "active_size", "requested_size", "stream"):
        check_number(segment[key])
    require(segment["total_size"] > 0, "an empty segment")
    require(segment["segment_type"] in ("small", "large"), segment["segment_type"])
    require(isinstance(segment["segment_pool_id"], tuple) and len(segment["segment_pool_id"]) == 2, "pool")
    require(isinstance(segment["is_expandable"], bool), "is_expandable")
    check_frames(segment["frames"])
    address = segment["address"]
    sums = {"active_allocated": 0, "active_pending_free": 0, "inactive": 0, "requested": 0}
    for block in segment["blocks"]:
        require(block["state"] in STATES, block["state"])
        require(block["address"] == address, "a gap or an overlap before", block["address"])
        require(block["size"] > 0, "an empty block")
        check_number(block["requested_size"])
        check_frames(block["frames"])
        address += block["size"]
        sums[block["state"]] += block["size"]
        sums["requested"] += block["requested_size"] if block["state"] == "active_allocated" else 0
    require(address == segment["address"] + segment["total_size"], "blocks do not fill the segment")
    require(segment["allocated_size"] == sums["active_allocated"], "allocated_size")
    require(segment["active_size"] == sums["active_allocated"] + sums["active_pending_free"], "active_size")
    require(segment["requested_size"] == sums["requested"], "requested_size")


def check_events(events):
    last = None
    for event in events:
        require(event["action"] in ACTIONS, event["action"])
        for key in ("device_free" if event["action"] == "oom" else "addr", "size", "stream", "time_us"):
            check_number(event[key])
        require(last is None or event["time_us"] >= last, "time runs backwards")
        last = event["time_us"]
        check_frames(event["frames"])


def check_categories(snapshot):
    categories = {e["category"] for events in snapshot["device_traces"] for e in events if "category" in e}
    require(not categories or "unknown" in categories, "no event of category unknown")


class Backwards:
    """The viewer's allocator state history: from the segments at the end back to the first event."""

    def __init__(self, snapshot, device):
        self.events = snapshot["device_traces"][device]
        self.segments = []
        self.blocks = {}
        for segment in (s for s in snapshot["segments"] if s["device"] == device):
            self.segments.append([segment["address"], segment["total_size"], segment["stream"]])
            for block in segment["blocks"]:
                if block["state"] != "inactive":
                    self.blocks[block["address"]] = [block["size"], block["state"] == "active_pending_free"]
        self.segments.sort()

    def run(self):
        self.every_block_lies_in_a_segment()
        for number, event in enumerate(reversed(self.events)):
            undo = getattr(self, "undo_" + event["action"])
            undo(event.get("addr"), event["size"], event["stream"])
            # The whole state now and then: every time would take hours.
            if number % 500 == 0:
                self.every_block_lies_in_a_segment()
        self.every_block_lies_in_a_segment()

    def undo_alloc(self, address, size, _):
        require(self.blocks.pop(address, None) == [size, False], "alloc of another block at", address)

    def undo_free_requested(self, address, size, _):
        require(self.blocks.get(address) == [size, True], "free_requested without free_completed at", address)
        self.blocks[address][1] = False

    def undo_free_completed(self, address, size, _):
        require(address not in self.blocks, "two blocks at", address)
        require(self.segment_around(address, size) is not None, "a block outside of all segments at", address)
        self.blocks[address] = [size, True]

    def undo_segment_free(self, address, size, stream):
        require(self.overlapping(address, size) == [], "two segments at", address)
        bisect.insort(self.segments, [address, size, stream])

    def undo_segment_unmap(self, address, size, stream):
        require(self.overlapping(address, size) == [], "mapped twice:", address)
        merged = [address, size, stream]
        for other in list(self.segments):
            if other[2] == stream and (other[0] + other[1] == merged[0] or merged[0] + merged[1] == other[0]):
                self.segments.remove(other)
                merged = [min(merged[0], other[0]), merged[1] + other[1], stream]
        bisect.insort(self.segments, merged)

    def undo_segment_alloc(self, address, size, stream):
        require([address, size, stream] in self.segments, "segment_alloc of no segment at", address)
        self.segments.remove([address, size, stream])

    def undo_segment_map(self, address, size, stream):
        around = self.segment_around(address, size)
        require(around is not None, "segment_map of no segment at", address)
        self.segments.remove(around)
        begin, end = around[0], around[0] + around[1]
        if begin < address:
            self.segments.append([begin, address - begin, around[2]])
        if address + size < end:
            self.segments.append([address + size, end - address - size, around[2]])
        self.segments.sort()

    def undo_snapshot(self, *_):
        pass

    undo_oom = undo_snapshot

    def overlapping(self, address, size):
        """They are sorted and do not overlap each other."""
        first = max(0, bisect.bisect_left(self.segments, [address]) - 1)
        last = bisect.bisect_left(self.segments, [address + size])
        return [s for s in self.segments[first:last] if address < s[0] + s[1]]

    def segment_around(self, address, size):
        found = self.overlapping(address, 1)
        return found[0] if found and address + size <= found[0][0] + found[0][1] else None

    def every_block_lies_in_a_segment(self):
        for address, (size, _) in self.blocks.items():
            require(self.segment_around(address, size) is not None, "a block outside of all segments at", address)


def curves(events):
    """(time_us, allocated, reserved, active) after each event that changes one of them."""
    allocated = reserved = active = 0
    points = []
    for event in events:
        size = event["size"]
        action = event["action"]
        if action == "alloc":
            allocated, active = allocated + size, active + size
        elif action == "free_requested":
            allocated -= size
        elif action == "free_completed":
            active -= size
        elif action in ("segment_alloc", "segment_map"):
            reserved += size
        elif action in ("segment_free", "segment_unmap"):
            reserved -= size
        else:
            continue
        points.append((event["time_us"], allocated, reserved, active))
    return points
