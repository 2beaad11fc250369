// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/LibraryHandle.h"

#include "profiling/rehearsal/Launches.h"

namespace headroom::rehearsal {

bool isHandleOf(const void* handle, Library library)
{
    return handle != nullptr && static_cast<const LibraryHandle*>(handle)->library == library;
}

int launchNamed(const char* name, CUstream_st* stream)
{
    Launch launched;
    launched.name = name;
    launched.block = {256, 1, 1};
    launched.stream = stream;
    return launch(launched);
}

} // namespace headroom::rehearsal
