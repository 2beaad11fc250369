// SPDX-License-Identifier: Apache-2.0
//
// What the rehearsal's Python asks of the card of values: to read and write them without a copy on a stream, which
// would take time and be traced, and to let an operator that reads its own result's size read the right one. Declared
// here alone, since they are called by name.
#include "profiling/rehearsal/memory/Memory.h"

using namespace headroom::rehearsal; // NOLINT: what follows is C

extern "C" {

void headroomCardRead(void* host, const void* device, std::size_t bytes)
{
    readValues(host, device, bytes);
}

void headroomCardWrite(void* device, const void* host, std::size_t bytes)
{
    writeValues(device, host, bytes);
}

int headroomCardAnswer(const void* value, std::size_t bytes)
{
    return answerNextRead(value, bytes) ? 1 : 0;
}

} // extern "C"
