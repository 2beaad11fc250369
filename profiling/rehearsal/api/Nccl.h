// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <climits>
#include <cstddef>
#include <set>
#include <vector>

namespace headroom::rehearsal::nccl {

/// ncclResult_t.
enum Result : int {
    Success = 0,
    UnhandledCudaError = 1,
    SystemError = 2,
    InternalError = 3,
    InvalidArgument = 4,
    InvalidUsage = 5,
    RemoteError = 6,
    InProgress = 7,
};

struct UniqueId {
    char bytes[128];
};

/// ncclRedOp_t.
enum Reduction : int { Sum, Product, Maximum, Minimum, Average, FirstOwn };

struct PremultipliedSum {
    bool isUsed = false;
    double factor = 1;
};

/// One rank of several, of which the others are not there.
struct Communicator {
    unsigned magic = kMagic;
    int ranks = 1;
    int rank = 0;
    int device = 0;
    /// How many ranks a part of another communicator has is decided by ranks that are not there; then `ranks` is that
    /// of the other one.
    bool isSizeKnown = true;
    std::vector<PremultipliedSum> ownReductions;
    std::set<int> peers; ///< with which messages go to and fro beside the collectives

    static constexpr unsigned kMagic = 0x6e63636c;
};

inline Communicator* communicatorOf(void* communicator)
{
    auto* own = static_cast<Communicator*>(communicator);
    return own != nullptr && own->magic == Communicator::kMagic ? own : nullptr;
}

/// Notes what a connection to this peer may take, of sends and receives; each is noted once.
void notePeer(Communicator& communicator, int peer);

} // namespace headroom::rehearsal::nccl
