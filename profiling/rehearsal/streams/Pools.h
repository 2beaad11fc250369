// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <driver_types.h>

namespace headroom::rehearsal {

/// Pools of cudaMallocAsync. A pool takes physical memory in chunks, hands parts of them out in the order of a stream,
/// and gives whole free chunks back when the host waits for the card and it holds more than its release threshold.
struct Pool;

Pool* defaultPool(int device);
/// The one that cudaMallocAsync takes from.
Pool* currentPool(int device);
int setCurrentPool(int device, Pool* pool);
int makePool(int device, std::size_t mostBytes, Pool** pool);
int destroyPool(Pool* pool);
int deviceOfPool(Pool* pool, int* device);

/// `pool` null: the current one of the current device.
int allocateFromPool(Pool* pool, std::size_t bytes, cudaStream_t stream, void** address);
int freeToPool(void* address, cudaStream_t stream);
int trimPool(Pool* pool, std::size_t keptBytes);
int poolAttribute(Pool* pool, cudaMemPoolAttr attribute, void* value);
int setPoolAttribute(Pool* pool, cudaMemPoolAttr attribute, const void* value);

/// The host waited: pools of that device give back what exceeds their thresholds.
void releaseUnused(int device);

} // namespace headroom::rehearsal
