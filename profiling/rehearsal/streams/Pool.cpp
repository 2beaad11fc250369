// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/streams/Pool.h"

#include "profiling/rehearsal/Account.h"
#include "profiling/rehearsal/memory/DeviceMemory.h"

#include <iterator>

namespace headroom::rehearsal {

namespace {

/// What a pool takes at a time: cudaMemPoolAttrReservedMemCurrent grows in these steps on real cards.
constexpr std::size_t kPoolChunkBytes = 32 << 20;
constexpr std::size_t kPartAlignment = 512;

} // namespace

std::size_t Pool::partBytes(std::size_t bytes)
{
    return (bytes + kPartAlignment - 1) / kPartAlignment * kPartAlignment;
}

bool Pool::mayReuse(const PoolPart& part, const Stream& stream) const
{
    return part.freedOn == 0 || part.freedOn == stream.id || addsDependencies != 0;
}

std::map<std::uintptr_t, PoolPart>::iterator Pool::bestFit(std::size_t bytes, const Stream& stream)
{
    auto best = parts.end();
    for (auto part = parts.begin(); part != parts.end(); ++part) {
        const bool fits = part->second.isFree && part->second.bytes >= bytes && mayReuse(part->second, stream);
        if (fits && (best == parts.end() || part->second.bytes < best->second.bytes))
            best = part;
    }
    return best;
}

bool Pool::addChunk(std::size_t bytes)
{
    bytes = (bytes + kPoolChunkBytes - 1) / kPoolChunkBytes * kPoolChunkBytes;
    if ((mostBytes != 0 && reserved.current + bytes > mostBytes) || !takeDeviceBytes(device, bytes))
        return false;
    const std::uintptr_t begin = placeDevice(device, bytes);
    chunks[begin] = bytes;
    parts[begin].bytes = bytes;
    reserved.add(bytes);
    return true;
}

std::uintptr_t Pool::take(std::size_t bytes, Stream& stream)
{
    auto part = bestFit(bytes, stream);
    if (part == parts.end()) {
        if (!addChunk(bytes))
            return 0;
        part = bestFit(bytes, stream);
    }
    if (part->second.freedOn != stream.id)
        extend(stream, part->second.freedNs);
    if (part->second.bytes > bytes) {
        PoolPart rest = part->second;
        rest.bytes -= bytes;
        parts[part->first + bytes] = rest;
        part->second.bytes = bytes;
    }
    part->second.isFree = false;
    used.add(bytes);
    return part->first;
}

void Pool::giveBack(std::uintptr_t address, const Stream& stream)
{
    const auto part = parts.find(address);
    part->second.isFree = true;
    part->second.freedOn = stream.id;
    part->second.freedNs = beginOn(stream);
    used.current -= part->second.bytes;
    join(part);
}

bool Pool::isSameChunk(std::uintptr_t left, std::uintptr_t right) const
{
    return std::prev(chunks.upper_bound(left)) == std::prev(chunks.upper_bound(right));
}

/// With its free neighbours that any stream may have as soon as this one.
void Pool::join(std::map<std::uintptr_t, PoolPart>::iterator part)
{
    const auto joins = [&](const auto& left, const auto& right) {
        return left->second.isFree && right->second.isFree && left->second.freedOn == right->second.freedOn
            && isSameChunk(left->first, right->first);
    };
    if (const auto next = std::next(part); next != parts.end() && joins(part, next)) {
        part->second.bytes += next->second.bytes;
        part->second.freedNs = std::max(part->second.freedNs, next->second.freedNs);
        parts.erase(next);
    }
    if (part == parts.begin())
        return;
    if (const auto previous = std::prev(part); joins(previous, part)) {
        previous->second.bytes += part->second.bytes;
        previous->second.freedNs = std::max(previous->second.freedNs, part->second.freedNs);
        parts.erase(part);
    }
}

void Pool::trim(std::size_t keptBytes)
{
    for (auto& [address, part] : parts)
        part.freedOn = part.isFree ? 0 : part.freedOn;
    for (auto part = parts.begin(); part != parts.end();) {
        const auto next = std::next(part);
        const bool joins =
            next != parts.end() && part->second.isFree && next->second.isFree && isSameChunk(part->first, next->first);
        if (!joins) {
            part = next;
            continue;
        }
        part->second.bytes += next->second.bytes;
        parts.erase(next);
    }
    for (auto chunk = chunks.begin(); chunk != chunks.end() && reserved.current > keptBytes;) {
        const auto part = parts.find(chunk->first);
        if (!part->second.isFree || part->second.bytes != chunk->second) {
            ++chunk;
            continue;
        }
        parts.erase(part);
        unplaceDevice(device, chunk->first, chunk->second);
        giveDeviceBytes(device, chunk->second);
        reserved.current -= chunk->second;
        chunk = chunks.erase(chunk);
    }
}

} // namespace headroom::rehearsal
