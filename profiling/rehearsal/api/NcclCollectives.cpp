// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Launches.h"
#include "profiling/rehearsal/Ledger.h"
#include "profiling/rehearsal/api/Exported.h"
#include "profiling/rehearsal/api/Nccl.h"
#include "profiling/rehearsal/api/NcclValues.h"
#include "profiling/rehearsal/memory/Memory.h"

#include <array>
#include <cstdio>
#include <vector>

/// Ranks that are not there are taken to send what this one sends. Messages of at most kTrueBytes carry values by that
/// rule, as scripts compare shapes, gather objects and agree on flags through them; larger ones move nothing.
namespace headroom::rehearsal::nccl {
namespace {

/// One collective call.
struct Message {
    const char* operation;
    Communicator* communicator;
    int dataType;
    std::size_t count; ///< that this rank puts in
    CUstream_st* stream;

    std::size_t bytes() const { return count * elementBytes(dataType); }
};

int checked(const Message& message)
{
    return message.communicator == nullptr || elementBytes(message.dataType) == 0 ? InvalidArgument : Success;
}

int launched(const Message& message)
{
    if (message.count == 0)
        return Success;
    const Collective collective{message.operation, message.bytes(), message.communicator->ranks};
    std::array<char, 128> name{};
    std::snprintf(name.data(), name.size(), "nccl %s %s %zu bytes %d ranks", message.operation,
        elementName(message.dataType), collective.bytes, collective.ranks);
    Launch launch;
    launch.name = internedName(name.data());
    launch.block = {512, 1, 1};
    launch.stream = message.stream;
    launch.collective = collective;
    return headroom::rehearsal::launch(launch) == 0 ? Success : UnhandledCudaError;
}

// What N equal contributions give.
void reduceValues(void* values, std::size_t count, int dataType, int reduction, const Communicator& among)
{
    const auto own = static_cast<std::size_t>(reduction - FirstOwn);
    if (reduction == Sum)
        scale(values, count, dataType, among.ranks);
    else if (reduction == Product)
        raise(values, count, dataType, among.ranks);
    else if (reduction >= FirstOwn && own < among.ownReductions.size())
        scale(values, count, dataType, among.ranks * among.ownReductions[own].factor);
}

bool isReduction(int reduction, const Communicator& among)
{
    return reduction >= Sum
        && (reduction < FirstOwn || static_cast<std::size_t>(reduction - FirstOwn) < among.ownReductions.size());
}

void carryReduced(const Message& message, const void* from, void* to, std::size_t count, int reduction)
{
    const std::size_t bytes = count * elementBytes(message.dataType);
    if (bytes > kTrueBytes) {
        moveValues(to, from, bytes);
        return;
    }
    std::vector<char> values(bytes);
    moveValues(values.data(), from, bytes);
    reduceValues(values.data(), count, message.dataType, reduction, *message.communicator);
    moveValues(to, values.data(), bytes);
}

const char* at(const void* buffer, std::size_t bytes)
{
    return static_cast<const char*>(buffer) + bytes;
}

char* at(void* buffer, std::size_t bytes)
{
    return static_cast<char*>(buffer) + bytes;
}

// Where the number of slots is not known, only this rank's is sure to be there.
void fillSlots(const Message& message, const void* from, void* to)
{
    const Communicator& among = *message.communicator;
    const std::size_t bytes = message.bytes();
    if (bytes == 0)
        return;
    std::vector<char> values(bytes <= kTrueBytes ? bytes : 0);
    if (!values.empty())
        moveValues(values.data(), from, bytes); // the slots may hold the source
    const void* source = values.empty() ? from : values.data();
    if (!among.isSizeKnown) {
        moveValues(at(to, static_cast<std::size_t>(among.rank) * bytes), source, bytes);
        noteUnknownRead(message.operation, bytes);
        return;
    }
    for (int rank = 0; rank < among.ranks; ++rank)
        moveValues(at(to, static_cast<std::size_t>(rank) * bytes), source, bytes);
}

/// A send or a receive of a group of calls.
struct Part {
    const Communicator* communicator;
    const void* sent;
    void* received;
    std::size_t bytes;
    int peer;
};

/// The calls of this thread between ncclGroupStart() and ncclGroupEnd(). Other calls than these are carried out as they
/// come: no other rank waits for them.
struct Group {
    int depth = 0;
    std::vector<Part> sends;
    std::vector<Part> receives;
};

thread_local Group* t_group = nullptr; // without a destructor, which older C libraries do not call for threads

// What comes in is what this rank sends: in an exchange among all each of the others keeps for this one what this one
// keeps for itself, and in a ring the neighbour passes on what this one does.
const Part* sourceOf(const Part& receive, const Group& group)
{
    const Part* found = nullptr;
    for (const Part& send : group.sends)
        if (send.communicator == receive.communicator && send.bytes == receive.bytes
            && (found == nullptr || send.peer == send.communicator->rank))
            found = &send;
    return found;
}

void carry(const Group& group)
{
    for (const Part& receive : group.receives)
        if (const Part* const send = sourceOf(receive, group); send != nullptr && receive.bytes <= kTrueBytes)
            moveValues(receive.received, send->sent, receive.bytes);
}

int exchanged(const Message& message, int peer, const void* sent, void* received)
{
    if (checked(message) != Success || peer < 0 || peer >= message.communicator->ranks)
        return InvalidArgument;
    notePeer(*message.communicator, peer);
    if (t_group != nullptr && message.count > 0)
        (sent != nullptr ? t_group->sends : t_group->receives)
            .push_back({message.communicator, sent, received, message.bytes(), peer});
    return launched(message);
}

int reduced(const Message& message, const void* from, void* to, std::size_t firstElement, std::size_t count,
    int reduction, bool isReceiver)
{
    if (const int result = checked(message); result != Success)
        return result;
    if (!isReduction(reduction, *message.communicator))
        return InvalidArgument;
    if (isReceiver && count > 0)
        carryReduced(message, at(from, firstElement * elementBytes(message.dataType)), to, count, reduction);
    return launched(message);
}

} // namespace
} // namespace headroom::rehearsal::nccl

using namespace headroom::rehearsal;
using namespace headroom::rehearsal::nccl;

HEADROOM_CARD_API int ncclAllReduce(
    const void* from, void* to, std::size_t count, int dataType, int reduction, void* communicator, CUstream_st* stream)
{
    const Message message{"AllReduce", communicatorOf(communicator), dataType, count, stream};
    return reduced(message, from, to, 0, count, reduction, true);
}

HEADROOM_CARD_API int ncclReduce(const void* from, void* to, std::size_t count, int dataType, int reduction, int root,
    void* communicator, CUstream_st* stream)
{
    const Message message{"Reduce", communicatorOf(communicator), dataType, count, stream};
    const bool isReceiver = message.communicator != nullptr && message.communicator->rank == root;
    return reduced(message, from, to, 0, count, reduction, isReceiver);
}

HEADROOM_CARD_API int ncclReduceScatter(
    const void* from, void* to, std::size_t count, int dataType, int reduction, void* communicator, CUstream_st* stream)
{
    Communicator* own = communicatorOf(communicator);
    if (own == nullptr)
        return InvalidArgument;
    const Message message{"ReduceScatter", own, dataType, count * static_cast<std::size_t>(own->ranks), stream};
    return reduced(message, from, to, count * static_cast<std::size_t>(own->rank), count, reduction, true);
}

HEADROOM_CARD_API int ncclAllGather(
    const void* from, void* to, std::size_t count, int dataType, void* communicator, CUstream_st* stream)
{
    const Message message{"AllGather", communicatorOf(communicator), dataType, count, stream};
    if (const int result = checked(message); result != Success)
        return result;
    fillSlots(message, from, to);
    return launched(message);
}

HEADROOM_CARD_API int ncclGather(
    const void* from, void* to, std::size_t count, int dataType, int root, void* communicator, CUstream_st* stream)
{
    const Message message{"Gather", communicatorOf(communicator), dataType, count, stream};
    if (const int result = checked(message); result != Success)
        return result;
    if (message.communicator->rank == root)
        fillSlots(message, from, to);
    return launched(message);
}

// This rank's part is that of its number: what a root sends to others is taken to be of the same kind.
HEADROOM_CARD_API int ncclScatter(
    const void* from, void* to, std::size_t count, int dataType, int root, void* communicator, CUstream_st* stream)
{
    const Message message{"Scatter", communicatorOf(communicator), dataType, count, stream};
    if (const int result = checked(message); result != Success)
        return result;
    if (message.communicator->rank == root)
        moveValues(to, at(from, static_cast<std::size_t>(root) * message.bytes()), message.bytes());
    return launched(message);
}

HEADROOM_CARD_API int ncclBroadcast(
    const void* from, void* to, std::size_t count, int dataType, int, void* communicator, CUstream_st* stream)
{
    const Message message{"Broadcast", communicatorOf(communicator), dataType, count, stream};
    if (const int result = checked(message); result != Success)
        return result;
    if (from != to && from != nullptr)
        moveValues(to, from, message.bytes());
    return launched(message);
}

HEADROOM_CARD_API int ncclBcast(
    void* buffer, std::size_t count, int dataType, int root, void* communicator, CUstream_st* stream)
{
    return ncclBroadcast(buffer, buffer, count, dataType, root, communicator, stream);
}

HEADROOM_CARD_API int ncclAlltoAll(
    const void* from, void* to, std::size_t count, int dataType, void* communicator, CUstream_st* stream)
{
    const Message message{"AlltoAll", communicatorOf(communicator), dataType, count, stream};
    if (const int result = checked(message); result != Success)
        return result;
    for (int peer = 0; peer < message.communicator->ranks; ++peer)
        notePeer(*message.communicator, peer);
    fillSlots(message, at(from, static_cast<std::size_t>(message.communicator->rank) * message.bytes()), to);
    return launched(message);
}

HEADROOM_CARD_API int ncclSend(
    const void* from, std::size_t count, int dataType, int peer, void* communicator, CUstream_st* stream)
{
    return exchanged({"Send", communicatorOf(communicator), dataType, count, stream}, peer, from, nullptr);
}

// What another rank would send is known where this one sends the like in the same group; else the memory stays as it
// is.
HEADROOM_CARD_API int ncclRecv(
    void* to, std::size_t count, int dataType, int peer, void* communicator, CUstream_st* stream)
{
    return exchanged({"Recv", communicatorOf(communicator), dataType, count, stream}, peer, nullptr, to);
}

HEADROOM_CARD_API int ncclGroupStart()
{
    if (t_group == nullptr)
        t_group = new Group;
    ++t_group->depth;
    return Success;
}

HEADROOM_CARD_API int ncclGroupEnd()
{
    if (t_group == nullptr)
        return InvalidUsage;
    if (--t_group->depth > 0)
        return Success;
    carry(*t_group);
    delete t_group;
    t_group = nullptr;
    return Success;
}
