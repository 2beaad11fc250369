# SPDX-License-Identifier: Apache-2.0
recorded = []


def _record_memory_history(**options):
    recorded.append(options)


def _snapshot():
    return {"recorded": recorded}
