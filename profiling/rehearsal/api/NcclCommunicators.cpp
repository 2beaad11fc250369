// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Clock.h"
#include "profiling/rehearsal/Devices.h"
#include "profiling/rehearsal/Ledger.h"
#include "profiling/rehearsal/Lock.h"
#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/LibraryVersions.h"
#include "profiling/rehearsal/api/Nccl.h"
#include "profiling/rehearsal/api/NcclValues.h"
#include "profiling/rehearsal/memory/Memory.h"

#include <cuda_runtime_api.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>

namespace headroom::rehearsal::nccl {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

/// What the real library may take.
struct BufferRange {
    std::size_t low;
    std::size_t high;
};

// Published: 10 MiB with one channel and 388 to 470 MiB with all of them for a communicator of one rank (an RTX 3060,
// sgl-project/sglang#35538); 544 MiB for two ranks and 688 MiB for four (A100 with NVLink, NVIDIA/nccl#964); 4 MiB for
// each channel, direction and connection, of 2 to 32 channels, by its documentation.
constexpr BufferRange kAlone{10 * kMiB, 480 * kMiB};
constexpr BufferRange kTogether{16 * kMiB, 1024 * kMiB};
// Published: 3.3 GB more after the first all-to-all of eight H100 (NVIDIA/nccl#1685), of 32 channels to each of seven.
constexpr BufferRange kPeer{4 * kMiB, 480 * kMiB};
constexpr std::size_t kMostPeers = 7; // of a node; what goes to others shares its buffers

/// All that live at a time, and all connections of theirs.
class Buffers {
public:
    void add(const char* function, const BufferRange& range)
    {
        m_low += range.low;
        m_high += range.high;
        noteNotCounted("NCCL", function, m_low, m_high);
    }
    void remove(const BufferRange& range)
    {
        m_low -= range.low;
        m_high -= range.high;
    }

private:
    std::atomic<std::size_t> m_low = 0;
    std::atomic<std::size_t> m_high = 0;
};

Buffers& communicatorBuffers()
{
    static Buffers s_buffers;
    return s_buffers;
}

Buffers& peerBuffers()
{
    static Buffers s_buffers;
    return s_buffers;
}

const BufferRange& rangeOf(const Communicator& communicator)
{
    return communicator.ranks > 1 ? kTogether : kAlone;
}

int join(void** communicator, int ranks, int rank, bool isSizeKnown)
{
    if (communicator == nullptr || ranks < 1 || rank < 0 || rank >= ranks)
        return InvalidArgument;
    const int device = currentDevice();
    if (cudaFree(nullptr) != cudaSuccess)
        return UnhandledCudaError;
    auto* joined = new Communicator;
    joined->ranks = ranks;
    joined->rank = rank;
    joined->device = device;
    joined->isSizeKnown = isSizeKnown;
    communicatorBuffers().add("ncclCommInitRank", rangeOf(*joined));
    *communicator = joined;
    return Success;
}

int leave(void* communicator)
{
    Communicator* own = communicatorOf(communicator);
    if (own == nullptr)
        return InvalidArgument;
    communicatorBuffers().remove(rangeOf(*own));
    for (std::size_t i = 0; i < own->peers.size(); ++i)
        peerBuffers().remove(kPeer);
    own->magic = 0;
    delete own;
    return Success;
}

int isThere(void* communicator)
{
    return communicatorOf(communicator) == nullptr ? InvalidArgument : Success;
}

template <typename Value> int tell(Value value, Value* place)
{
    if (place == nullptr)
        return InvalidArgument;
    *place = value;
    return Success;
}

} // namespace

void notePeer(Communicator& communicator, int peer)
{
    static Lock s_lock;
    const LockScope scope(s_lock);
    if (peer == communicator.rank || communicator.peers.size() >= kMostPeers)
        return;
    if (communicator.peers.insert(peer).second)
        peerBuffers().add("ncclSend", kPeer);
}

} // namespace headroom::rehearsal::nccl

using namespace headroom::rehearsal;
using namespace headroom::rehearsal::nccl;

HEADROOM_CARD_API int ncclGetVersion(int* version)
{
    return tell(versionOf(Library::Nccl).number(10000), version);
}

HEADROOM_CARD_API const char* ncclGetErrorString(int result)
{
    switch (result) {
    case Success:
        return "no error";
    case UnhandledCudaError:
        return "unhandled cuda error (run with NCCL_DEBUG=INFO for details)";
    case SystemError:
        return "unhandled system error (run with NCCL_DEBUG=INFO for details)";
    case InternalError:
        return "internal error - please report this issue to the NCCL developers";
    case InvalidArgument:
        return "invalid argument (run with NCCL_DEBUG=WARN for details)";
    case InvalidUsage:
        return "invalid usage (run with NCCL_DEBUG=WARN for details)";
    case RemoteError:
        return "remote process exited or there was a network error";
    case InProgress:
        return "NCCL operation in progress";
    default:
        return "unknown result code";
    }
}

HEADROOM_CARD_API const char* ncclGetLastError(void*)
{
    return "";
}

HEADROOM_CARD_API int ncclGetUniqueId(UniqueId* id)
{
    static std::atomic<std::uint64_t> s_count = 0;
    if (id == nullptr)
        return InvalidArgument;
    const std::uint64_t parts[] = {
        static_cast<std::uint64_t>(::getpid()), static_cast<std::uint64_t>(nowNs()), ++s_count};
    std::memset(id->bytes, 0, sizeof(id->bytes));
    std::memcpy(id->bytes, parts, sizeof(parts));
    return Success;
}

HEADROOM_CARD_API int ncclCommInitRank(void** communicator, int ranks, UniqueId, int rank)
{
    return join(communicator, ranks, rank, true);
}

HEADROOM_CARD_API int ncclCommInitRankConfig(void** communicator, int ranks, UniqueId, int rank, void*)
{
    return join(communicator, ranks, rank, true);
}

HEADROOM_CARD_API int ncclCommInitRankScalable(void** communicator, int ranks, int rank, int, UniqueId*, void*)
{
    return join(communicator, ranks, rank, true);
}

HEADROOM_CARD_API int ncclCommInitAll(void** communicators, int count, const int* devices)
{
    if (communicators == nullptr || count < 1)
        return InvalidArgument;
    const int before = currentDevice();
    int result = Success;
    for (int rank = 0; rank < count && result == Success; ++rank) {
        if (setCurrentDevice(devices == nullptr ? rank : devices[rank]) != 0)
            result = InvalidUsage;
        else
            result = join(&communicators[rank], count, rank, true);
    }
    setCurrentDevice(before);
    return result;
}

// Only a part of which this rank is the sole member, or one that is not joined, has a size that is known here.
HEADROOM_CARD_API int ncclCommSplit(void* communicator, int colour, int key, void** part, void*)
{
    constexpr int kNoColour = -1;
    const Communicator* own = communicatorOf(communicator);
    if (own == nullptr || part == nullptr)
        return InvalidArgument;
    *part = nullptr;
    if (colour == kNoColour)
        return Success;
    return join(part, own->ranks, std::clamp(key, 0, own->ranks - 1), own->ranks == 1);
}

HEADROOM_CARD_API int ncclCommShrink(void* communicator, const int* excluded, int count, void** rest, void*, int)
{
    const Communicator* own = communicatorOf(communicator);
    if (own == nullptr || count < 0 || count >= own->ranks || (count > 0 && excluded == nullptr))
        return InvalidArgument;
    const auto before = std::count_if(excluded, excluded + count, [own](int rank) { return rank < own->rank; });
    return join(rest, own->ranks - count, own->rank - static_cast<int>(before), own->isSizeKnown);
}

HEADROOM_CARD_API int ncclCommFinalize(void* communicator)
{
    return isThere(communicator);
}

HEADROOM_CARD_API int ncclCommDestroy(void* communicator)
{
    return communicator == nullptr ? Success : leave(communicator);
}

HEADROOM_CARD_API int ncclCommAbort(void* communicator)
{
    return communicator == nullptr ? Success : leave(communicator);
}

HEADROOM_CARD_API int ncclCommRevoke(void* communicator, int)
{
    return isThere(communicator);
}

HEADROOM_CARD_API int ncclCommGetAsyncError(void* communicator, int* error)
{
    if (communicatorOf(communicator) == nullptr)
        return InvalidArgument;
    return tell<int>(Success, error);
}

HEADROOM_CARD_API int ncclCommCount(void* communicator, int* ranks)
{
    const Communicator* own = communicatorOf(communicator);
    return own == nullptr ? InvalidArgument : tell(own->ranks, ranks);
}

HEADROOM_CARD_API int ncclCommUserRank(void* communicator, int* rank)
{
    const Communicator* own = communicatorOf(communicator);
    return own == nullptr ? InvalidArgument : tell(own->rank, rank);
}

HEADROOM_CARD_API int ncclCommCuDevice(void* communicator, int* device)
{
    const Communicator* own = communicatorOf(communicator);
    return own == nullptr ? InvalidArgument : tell(own->device, device);
}

// Registered memory is known by its address: nothing is looked up by it.
HEADROOM_CARD_API int ncclCommRegister(void* communicator, void* buffer, std::size_t, void** handle)
{
    return communicatorOf(communicator) == nullptr ? InvalidArgument : tell(buffer, handle);
}

HEADROOM_CARD_API int ncclCommDeregister(void* communicator, void*)
{
    return isThere(communicator);
}

HEADROOM_CARD_API int ncclCommWindowRegister(void* communicator, void* buffer, std::size_t, void** window, int)
{
    return communicatorOf(communicator) == nullptr ? InvalidArgument : tell(buffer, window);
}

HEADROOM_CARD_API int ncclCommWindowDeregister(void* communicator, void*)
{
    return isThere(communicator);
}

HEADROOM_CARD_API int ncclMemAlloc(void** address, std::size_t bytes)
{
    return cudaMalloc(address, bytes) == cudaSuccess ? Success : UnhandledCudaError;
}

HEADROOM_CARD_API int ncclMemFree(void* address)
{
    return cudaFree(address) == cudaSuccess ? Success : UnhandledCudaError;
}

HEADROOM_CARD_API int ncclRedOpCreatePreMulSum(
    int* reduction, void* scalar, int dataType, int residence, void* communicator)
{
    constexpr int kOnDevice = 0;
    Communicator* own = communicatorOf(communicator);
    const std::size_t bytes = elementBytes(dataType);
    if (own == nullptr || reduction == nullptr || scalar == nullptr || bytes == 0)
        return InvalidArgument;
    char value[8] = {};
    if (residence == kOnDevice)
        moveValues(value, scalar, bytes);
    else
        std::memcpy(value, scalar, bytes);
    own->ownReductions.push_back({true, valueOf(value, dataType)});
    *reduction = FirstOwn + static_cast<int>(own->ownReductions.size()) - 1;
    return Success;
}

HEADROOM_CARD_API int ncclRedOpDestroy(int reduction, void* communicator)
{
    Communicator* own = communicatorOf(communicator);
    if (own == nullptr || reduction < FirstOwn
        || static_cast<std::size_t>(reduction - FirstOwn) >= own->ownReductions.size())
        return InvalidArgument;
    own->ownReductions[static_cast<std::size_t>(reduction - FirstOwn)].isUsed = false;
    return Success;
}
