// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

struct CUstream_st;

namespace headroom::rehearsal {

struct Kernel;

struct Extent {
    unsigned x = 1, y = 1, z = 1;
};

/// A product of matrices, for those that estimate its time. Types are numbers of cudaDataType, the compute type one of
/// cublasComputeType_t.
struct Product {
    std::int64_t m = 0, n = 0, k = 0, batch = 1;
    int typeA = 0, typeB = 0, typeC = 0, computeType = 0;
    bool transposedA = false, transposedB = false;
};

/// What ranks say to each other, for those that estimate its time.
struct Collective {
    const char* operation = ""; ///< "AllReduce"
    std::size_t bytes = 0; ///< that this rank puts in
    int ranks = 1;
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
    std::optional<Collective> collective;
    std::optional<Product> product; ///< where it is one
    const Kernel* kernel = nullptr; ///< of the program's own ones
};

/// Puts the kernel on its stream: advances the stream's virtual clock, records it in a graph while the stream captures,
/// and tells those that look (CUPTI). Nothing is computed. A status of the runtime, 0 for success.
int launch(const Launch& launch);

/// Counts one that ran: launched outside of a capture, or as a node of a graph.
void countLaunch();
/// Kernels of this process that ran so far, on all its cards.
std::uint64_t launchCount();

/// `text` as a name that stays, the same pointer for the same text.
const char* internedName(const char* text);

} // namespace headroom::rehearsal
