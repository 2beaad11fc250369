# SPDX-License-Identifier: Apache-2.0
"""torch's agent of one node, as torchrun and accelerate run it, and DeepSpeed's checks: without the other nodes and ranks."""

import functools


def modules(torch, world):
    """What is done to which module once it is loaded."""
    return {
        "torch.distributed.elastic.rendezvous.registry": functools.partial(_meet_nobody, torch, world),
        "torch.distributed.elastic.agent.server.api": functools.partial(_assign_by_number, world),
        "deepspeed.runtime.zero.utils": functools.partial(_agree, world),
    }


def _meet_nobody(torch, world, registry):
    """No node waits for others to come, whatever the launcher's rendezvous would be."""
    from torch.distributed.elastic.rendezvous import api

    class Handler(api.RendezvousHandler):
        def __init__(self, parameters):
            self._parameters = parameters
            self._nodes = max(world.nodes, parameters.max_nodes)

        def get_backend(self):
            return self._parameters.backend

        @property
        def use_agent_store(self):
            return True

        def next_rendezvous(self):
            meeting = api.RendezvousStoreInfo("127.0.0.1", 29500)
            return api.RendezvousInfo(torch.distributed.TCPStore("127.0.0.1", 29500), world.node, self._nodes, meeting)

        def is_closed(self):
            return False

        def set_closed(self):
            pass

        def num_nodes_waiting(self):
            return 0

        def get_run_id(self):
            return self._parameters.run_id

        def shutdown(self):
            return True

    registry.get_rendezvous_handler = Handler


def _assign_by_number(world, api):
    """The ranks of this node are those behind the nodes before it, which have as many."""

    def assign(self, store, group_rank, group_world_size, spec):
        count = spec.local_world_size
        size = count * group_world_size
        first = group_rank * count
        return [api.Worker(local_rank=i, global_rank=first + i, role_rank=first + i, world_size=size, role_world_size=size)
                for i in range(count)]

    api.SimpleElasticAgent._assign_worker_ranks = assign


def _agree(world, utils):
    """Others than rank 0 put in -1 and compare what it sent them with their own."""
    if world.rank == 0 or not hasattr(utils, "get_lst_from_rank0"):
        return
    utils.get_lst_from_rank0 = list
    utils.assert_lst_len_same_as_other_ranks = lambda values: None
