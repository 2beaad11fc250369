// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace headroom::rehearsal {

struct Extent {
    unsigned x = 1, y = 1, z = 1;
};

/// One kernel as it was launched. Names live as long as the process (kernels are registered once; a library's product
/// is a literal or comes from `internedName`).
struct Launch {
    const char* name = "";
    Extent grid;
    Extent block;
    std::size_t sharedBytes = 0;
    int registers = 0;
    void** arguments = nullptr; ///< as cudaLaunchKernel got them; null for what a library launches
    CUstream_st* stream = nullptr;
    double seconds = 0; ///< how long it takes; 0: the card's kernelSeconds
};

/// Puts the kernel on its stream: advances the stream's virtual clock, records it in a graph while the stream captures,
/// and tells those that look (CUPTI). Nothing is computed.
void launch(const Launch& launch);

/// `text` as a name that stays, the same pointer for the same text.
const char* internedName(const char* text);

} // namespace headroom::rehearsal
