// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/LibraryHandle.h"

#include "profiling/rehearsal/Launches.h"

namespace headroom::rehearsal {

bool isHandleOf(const void* handle, Library library)
{
    return handle != nullptr && static_cast<const LibraryHandle*>(handle)->library == library;
}

void launchNamed(const char* name, CUstream_st* stream)
{
    Launch launched;
    launched.name = name;
    launched.block = {256, 1, 1};
    launched.stream = stream;
    launch(launched);
}

} // namespace headroom::rehearsal
