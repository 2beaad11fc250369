# SPDX-License-Identifier: Apache-2.0
"""One rank of several: the script's launcher starts them all, and those that are not rehearsed end before they begin.

Every Python of such a rehearsal pays for this file alone; the rest is loaded with torch."""

import os


def _number(text):
    return int(text) if text is not None and text.isdigit() else None


class World:
    """The rank that is rehearsed here, of `nodes` times `gpus`."""

    def __init__(self, variables):
        self.rank = int(variables["HEADROOM_REHEARSAL_RANK"])
        self.gpus = int(variables["HEADROOM_REHEARSAL_NODE_GPUS"])
        self.nodes = int(variables["HEADROOM_REHEARSAL_NODES"])
        self.rehearsed = [int(rank) for rank in variables["HEADROOM_REHEARSAL_RANKS"].split(",")]
        self.messages = variables["HEADROOM_REHEARSAL_MESSAGES"]

    @classmethod
    def of(cls, variables):
        """None where the command is rehearsed without ranks."""
        return cls(variables) if variables.get("HEADROOM_REHEARSAL_RANK") else None

    @property
    def size(self):
        return self.nodes * self.gpus

    @property
    def node(self):
        return self.rank // self.gpus

    def number_on(self, variables):
        """A launcher that knows of its own node alone numbers its ranks from 0: here they get their place among all."""
        local = _number(variables.get("LOCAL_RANK"))
        if self.nodes == 1 or local is None or _number(variables.get("WORLD_SIZE")) != self.gpus:
            return
        rank = str(self.node * self.gpus + local)
        variables.update(RANK=rank, ROLE_RANK=rank, WORLD_SIZE=str(self.size), ROLE_WORLD_SIZE=str(self.size),
                         LOCAL_WORLD_SIZE=str(self.gpus), GROUP_RANK=str(self.node), NODE_RANK=str(self.node),
                         GROUP_WORLD_SIZE=str(self.nodes))

    def is_absent(self, rank):
        """Whether a process that is told to be this rank (None: it is told nothing) is not to run."""
        return rank is not None and rank != self.rank


# Its threads ask the store whether other ranks have died. They have not, and a store in Python must not be asked while
# the process ends.
_UNWATCHED = {"TORCH_NCCL_ENABLE_MONITORING": "0", "TORCH_NCCL_DUMP_ON_TIMEOUT": "0"}


def enter(variables, leave=os._exit):
    """At the start of a Python: the world, None without ranks. Does not return in a rank that is not rehearsed."""
    world = World.of(variables)
    if world is None:
        return None
    world.number_on(variables)
    if world.is_absent(_number(variables.get("RANK"))):
        leave(0)
    for name, value in _UNWATCHED.items():
        variables.setdefault(name, value)
    return world


def install(torch, records):
    """Once torch is loaded, before anything of the user's has seen it."""
    world = World.of(os.environ)
    if world is not None and hasattr(torch, "distributed") and torch.distributed.is_available():
        from headroom_rehearsal.ranks import groups

        groups.install(torch, world, records)
