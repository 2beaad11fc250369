# SPDX-License-Identifier: Apache-2.0
"""torch.distributed of one rank alone: its store, its groups, and objects that others would send."""

import functools
import inspect
import os
import sys

from headroom_rehearsal.ranks import _number, host
from headroom_rehearsal.ranks.imports import Afterwards
from headroom_rehearsal.ranks.launchers import modules
from headroom_rehearsal.ranks.messages import Messages
from headroom_rehearsal.ranks.store import AbsentRank, store_class


def install(torch, world, records):
    groups = Groups(torch, world, records)
    groups.replace()
    Afterwards(modules(torch, world)).install()


class Groups:
    def __init__(self, torch, world, records):
        self._dist = torch.distributed
        self._c10d = torch.distributed.distributed_c10d
        self._native = torch._C._distributed_c10d
        self._world = world
        self._records = records
        self._messages = Messages(world.messages, world.rank, world.rehearsed)
        self._kernels = host.carry_values()

    def replace(self):
        size = _number(os.environ.get("WORLD_SIZE")) or self._world.size
        store = store_class(self._dist, size)
        others = {self._native.TCPStore: store, self._native.FileStore: store}
        if hasattr(self._native, "ProcessGroupGloo"):
            others[self._native.ProcessGroupGloo] = host.backend_class(self._native)
        for name in ("init_process_group", "split_group", "monitored_barrier", "send_object_list", "recv_object_list",
                     "broadcast_object_list", "scatter_object_list", "gather"):
            original = getattr(self._c10d, name, None)
            if original is not None:
                others[original] = functools.wraps(original)(functools.partial(getattr(self, "_" + name), original))
        for name in ("AllreduceOptions", "AllreduceCoalescedOptions", "ReduceOptions", "ReduceScatterOptions"):
            others[getattr(self._native, name)] = host.noting_reduction(getattr(self._native, name))
        _replace_everywhere(others)
        # A part of a communicator has a size that its library is not told; a group of its own has.
        self._c10d._get_split_source = lambda group: None

    def _init_process_group(self, original, *arguments, **options):
        given = _bound(original, arguments, options)
        rank = given.get("rank", -1)
        rank = rank if rank is not None and rank >= 0 else _number(os.environ.get("RANK"))
        if self._world.is_absent(rank):
            self._records.write("absent", rank=rank)
            os._exit(0)
        result = original(*arguments, **options)
        self._records.write("rank", rank=self._c10d.get_rank(), world_size=self._c10d.get_world_size())
        return result

    def _split_group(self, original, parent_pg=None, split_ranks=None, timeout=None, pg_options=None, group_desc=None):
        parent = parent_pg or self._c10d._get_default_group()
        own = self._c10d.get_rank(parent)
        wanted = next((sorted(ranks) for ranks in split_ranks if own in ranks), None)
        if wanted is None:
            return None
        ranks = [self._c10d.get_global_rank(parent, rank) for rank in wanted]
        return self._c10d.new_group(ranks, timeout=timeout, pg_options=pg_options, use_local_synchronization=True,
                                    group_desc=group_desc)

    @staticmethod
    def _monitored_barrier(original, *arguments, **options):
        """Every rank is on time."""

    def _gather(self, original, *arguments, **options):
        work = original(*arguments, **options)
        given = _bound(original, arguments, options)
        tensor = given["tensor"]
        if given.get("gather_list") and tensor.is_cuda:
            if work is not None:
                work.wait()
            for place in given["gather_list"]:
                place.copy_(tensor)
        return work

    # Objects

    def _peer(self, given, name):
        """The rank in the world of who is named by its place in the world or in the group."""
        group = given.get("group") or self._c10d._get_default_group()
        if given.get("group_" + name) is not None:
            return self._c10d.get_global_rank(group, given["group_" + name]), group
        return (given[name] if given.get(name) is not None else 0), group

    def _ranks(self, group):
        return self._c10d.get_process_group_ranks(group)

    def _send_object_list(self, original, *arguments, **options):
        given = _bound(original, arguments, options)
        receiver, group = self._peer(given, "dst")
        self._messages.send(given["object_list"], receiver, self._ranks(group))
        return original(*arguments, **options)

    def _recv_object_list(self, original, *arguments, **options):
        """As this rank's neighbour sent it; where that is not rehearsed, as this one last sent to its other neighbour."""
        given = _bound(original, arguments, options)
        sender, group = self._peer(given, "src")
        objects = self._messages.receive(sender, self._world.rank, self._ranks(group))
        if objects is None:
            objects = self._messages.last_sent
        if objects is None or len(objects) != len(given["object_list"]):
            self._refuse("objects of rank %d" % sender)
        given["object_list"][:] = objects
        return sender

    def _broadcast_object_list(self, original, *arguments, **options):
        given = _bound(original, arguments, options)
        sender, group = self._peer(given, "src")
        if sender == self._world.rank:
            self._messages.send(given["object_list"], None, self._ranks(group))
            return original(*arguments, **options)
        objects = self._messages.receive(sender, None, self._ranks(group))
        if objects is not None:
            given["object_list"][:] = objects
        elif any(thing is None for thing in given["object_list"]):
            self._guess("objects of rank %d" % sender)
        return None

    def _scatter_object_list(self, original, *arguments, **options):
        given = _bound(original, arguments, options)
        names = list(given)  # its first two were renamed
        output, source = given[names[0]], given.get("scatter_object_input_list")
        sender, group = self._peer(given, "src")
        ranks = self._ranks(group)
        if sender == self._world.rank:
            self._messages.send(source, None, ranks)
        else:
            source = self._messages.receive(sender, None, ranks)
        if source is None:
            self._refuse("objects of rank %d" % sender)
        output[0] = source[ranks.index(self._world.rank)]

    def _refuse(self, what):
        self._records.write("problem", reason="absent_rank", found=what)
        raise AbsentRank("%s are not there: it is not rehearsed" % what)

    def _guess(self, what):
        from headroom_rehearsal import frames

        self._records.write("guess", kind="absent rank", what=what, count=1, where=frames.here(), size=False)


def _bound(function, arguments, options):
    return inspect.signature(function).bind(*arguments, **options).arguments


def _replace_everywhere(others):
    """Also where torch's own modules have taken them by name."""
    by_identity = {id(old): new for old, new in others.items()}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "torch":
            for key, value in list(vars(module).items()):
                new = by_identity.get(id(value))
                if new is not None:
                    setattr(module, key, new)
