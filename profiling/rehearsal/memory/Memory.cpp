// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/memory/Memory.h"

#include "profiling/rehearsal/Clock.h"
#include "profiling/rehearsal/Lock.h"
#include "profiling/rehearsal/memory/MemoryMap.h"
#include "profiling/rehearsal/memory/TrueValues.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

namespace headroom::rehearsal {

namespace {

std::uintptr_t addressOf(const void* pointer)
{
    return reinterpret_cast<std::uintptr_t>(pointer);
}

struct Entry {
    MemoryRange range;
    TrueValues values;
};

/// Device memory is read and written piece by piece: a tensor may lie over several mapped stretches of an expandable
/// segment.
class Map {
public:
    void add(MemoryRange range);
    MemoryRange remove(std::uintptr_t begin, MemoryKind kind, MemoryOrigin origin);
    Entry* around(std::uintptr_t address);

    void write(std::uintptr_t at, const char* source, std::size_t bytes);
    void read(char* destination, std::uintptr_t at, std::size_t bytes);
    void forget(std::uintptr_t at, std::size_t bytes);

private:
    template <typename Piece> void forPieces(std::uintptr_t at, std::size_t bytes, Piece piece);

    std::map<std::uintptr_t, Entry> m_entries;
    std::uint64_t m_lastId = 0;
};

void Map::add(MemoryRange range)
{
    range.id = ++m_lastId;
    m_entries.insert_or_assign(range.begin, Entry{range, TrueValues(range.begin, range.bytes)});
}

MemoryRange Map::remove(std::uintptr_t begin, MemoryKind kind, MemoryOrigin origin)
{
    const auto found = m_entries.find(begin);
    if (found == m_entries.end() || found->second.range.kind != kind || found->second.range.origin != origin)
        return {};
    const MemoryRange range = found->second.range;
    m_entries.erase(found);
    return range;
}

Entry* Map::around(std::uintptr_t address)
{
    const auto after = m_entries.upper_bound(address);
    if (after == m_entries.begin())
        return nullptr;
    Entry& entry = std::prev(after)->second;
    return address - entry.range.begin < entry.range.bytes ? &entry : nullptr;
}

template <typename Piece> void Map::forPieces(std::uintptr_t at, std::size_t bytes, Piece piece)
{
    const std::uintptr_t begin = at;
    const std::uintptr_t end = at + bytes;
    while (at < end) {
        Entry* entry = around(at);
        if (entry == nullptr || entry->range.kind != MemoryKind::Device)
            return;
        const auto until = std::min(end, entry->range.begin + entry->range.bytes);
        piece(entry->values, at, at - begin, until - at);
        at = until;
    }
}

void Map::write(std::uintptr_t at, const char* source, std::size_t bytes)
{
    forPieces(at, bytes, [&](TrueValues& values, std::uintptr_t from, std::size_t offset, std::size_t length) {
        values.write(from, source + offset, length);
    });
}

void Map::read(char* destination, std::uintptr_t at, std::size_t bytes)
{
    forPieces(at, bytes, [&](const TrueValues& values, std::uintptr_t from, std::size_t offset, std::size_t length) {
        values.read(destination + offset, from, length);
    });
}

void Map::forget(std::uintptr_t at, std::size_t bytes)
{
    forPieces(at, bytes,
        [](TrueValues& values, std::uintptr_t from, std::size_t, std::size_t length) { values.forget(from, length); });
}

constinit Lock mapLock;

Map& memoryMap()
{
    static Map& only = *new Map;
    return only;
}

template <typename Work> auto withMap(Work work)
{
    const LockScope scope(mapLock);
    return work(memoryMap());
}

MemoryKind kindOf(Map& map, const void* pointer)
{
    const Entry* entry = map.around(addressOf(pointer));
    return entry == nullptr ? MemoryKind::Unregistered : entry->range.kind;
}

/// What a copy to the host brings instead of what is in the memory.
struct Answer {
    std::size_t bytes = 0; ///< 0: none
    char value[kAnswerBytes] = {};
};

constinit thread_local Answer answer;

bool takeAnswer(void* destination, std::size_t bytes)
{
    if (answer.bytes == 0 || answer.bytes != bytes)
        return false;
    std::memcpy(destination, answer.value, bytes);
    answer.bytes = 0;
    return true;
}

void moveWithDevice(Map& map, void* destination, const void* source, std::size_t bytes, bool toDevice, bool fromDevice)
{
    if (bytes > kTrueBytes) {
        if (toDevice)
            map.forget(addressOf(destination), bytes);
        return;
    }
    if (!toDevice) {
        if (takeAnswer(destination, bytes))
            return;
        map.read(static_cast<char*>(destination), addressOf(source), bytes);
        return;
    }
    if (!fromDevice) {
        map.write(addressOf(destination), static_cast<const char*>(source), bytes);
        return;
    }
    std::vector<char> values(bytes);
    map.read(values.data(), addressOf(source), bytes);
    map.write(addressOf(destination), values.data(), bytes);
}

} // namespace

MemoryRange rangeAround(const void* address)
{
    return withMap([&](Map& map) {
        const Entry* entry = map.around(addressOf(address));
        return entry == nullptr ? MemoryRange{} : entry->range;
    });
}

MemoryRange rangeAt(std::uintptr_t begin)
{
    return withMap([&](Map& map) {
        const Entry* entry = map.around(begin);
        return entry == nullptr || entry->range.begin != begin ? MemoryRange{} : entry->range;
    });
}

void addRange(MemoryRange range)
{
    withMap([&](Map& map) { map.add(range); });
}

MemoryRange removeRange(std::uintptr_t begin, MemoryKind kind, MemoryOrigin origin)
{
    return withMap([&](Map& map) { return map.remove(begin, kind, origin); });
}

void tellMemory(bool taken, const MemoryRange& range, std::uint32_t stream)
{
    if (Observer* looking = observer()) {
        const auto* address = reinterpret_cast<const void*>(range.begin); // NOLINT(performance-no-int-to-ptr)
        looking->changed(MemoryChange{taken, range.kind, range.device, address, range.askedBytes, nowNs(),
            currentCorrelation(), range.origin == MemoryOrigin::Pool ? range.owner : nullptr, stream, stream != 0});
    }
}

void moveValues(void* destination, const void* source, std::size_t bytes)
{
    const bool isDone = withMap([&](Map& map) {
        const MemoryKind to = kindOf(map, destination);
        const MemoryKind from = kindOf(map, source);
        const bool isManaged = to == MemoryKind::Managed || from == MemoryKind::Managed;
        if (to == MemoryKind::Device || from == MemoryKind::Device)
            moveWithDevice(map, destination, source, bytes, to == MemoryKind::Device, from == MemoryKind::Device);
        else if (!isManaged || bytes <= kTrueBytes)
            return false;
        return true;
    });
    // Between host and host there is no card to keep from.
    if (!isDone)
        std::memmove(destination, source, bytes);
}

void readValues(void* destination, const void* source, std::size_t bytes)
{
    withMap([&](Map& map) { map.read(static_cast<char*>(destination), addressOf(source), bytes); });
}

void writeValues(void* destination, const void* source, std::size_t bytes)
{
    withMap([&](Map& map) { map.write(addressOf(destination), static_cast<const char*>(source), bytes); });
}

bool answerNextRead(const void* value, std::size_t bytes)
{
    const bool wasWaiting = answer.bytes != 0;
    answer.bytes = bytes <= kAnswerBytes ? bytes : 0;
    if (answer.bytes != 0)
        std::memcpy(answer.value, value, bytes);
    return wasWaiting;
}

void forgetValues(void* destination, std::size_t bytes)
{
    withMap([&](Map& map) { map.forget(addressOf(destination), bytes); });
}

void fillValues(void* destination, const void* pattern, std::size_t patternBytes, std::size_t bytes)
{
    if (bytes > kTrueBytes) {
        forgetValues(destination, bytes);
        return;
    }
    std::vector<char> values(bytes);
    for (std::size_t at = 0; at < bytes; at += patternBytes)
        std::memcpy(values.data() + at, pattern, std::min(patternBytes, bytes - at));
    moveValues(destination, values.data(), bytes);
}

} // namespace headroom::rehearsal
