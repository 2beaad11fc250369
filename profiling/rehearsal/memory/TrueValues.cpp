// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/memory/TrueValues.h"

#include "profiling/rehearsal/memory/Mapping.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace headroom::rehearsal {

namespace {

/// What is opened at once, so that scattered values do not cut a mapping into more pieces than a process may have.
constexpr std::uintptr_t kUnit = 64 * 1024;

char* bytesAt(std::uintptr_t address)
{
    return reinterpret_cast<char*>(address); // NOLINT(performance-no-int-to-ptr)
}

bool isZero(const void* source, std::size_t bytes)
{
    const char* first = static_cast<const char*>(source);
    return bytes == 0 || (*first == 0 && std::memcmp(first, first + 1, bytes - 1) == 0);
}

} // namespace

TrueValues::TrueValues(std::uintptr_t begin, std::size_t bytes)
    : m_begin(begin)
    , m_end(begin + bytes)
{
}

void TrueValues::write(std::uintptr_t at, const void* source, std::size_t bytes)
{
    if (isZero(source, bytes)) {
        forget(at, bytes);
        return;
    }
    // Parts of a pool begin and end within pages, which they share with their neighbours.
    const std::uintptr_t page = pageBytes();
    const auto begin = std::max(m_begin / page * page, at / kUnit * kUnit);
    const auto end = std::min((m_end + page - 1) / page * page, (at + bytes + kUnit - 1) / kUnit * kUnit);
    open(begin, end);
    std::memcpy(bytesAt(at), source, bytes);
}

void TrueValues::open(std::uintptr_t begin, std::uintptr_t end)
{
    auto next = m_open.upper_bound(begin);
    if (next != m_open.begin() && std::prev(next)->second >= begin)
        --next;
    if (next != m_open.end() && next->first <= begin && next->second >= end)
        return;
    openPages(begin, end - begin);
    while (next != m_open.end() && next->first <= end) {
        begin = std::min(begin, next->first);
        end = std::max(end, next->second);
        next = m_open.erase(next);
    }
    m_open[begin] = end;
}

void TrueValues::read(void* destination, std::uintptr_t at, std::size_t bytes) const
{
    std::memset(destination, 0, bytes);
    const std::uintptr_t end = at + bytes;
    auto next = m_open.upper_bound(at);
    if (next != m_open.begin())
        --next;
    for (; next != m_open.end() && next->first < end; ++next) {
        const auto from = std::max(at, next->first);
        const auto until = std::min(end, next->second);
        if (from < until)
            std::memcpy(static_cast<char*>(destination) + (from - at), bytesAt(from), until - from);
    }
}

void TrueValues::forget(std::uintptr_t at, std::size_t bytes)
{
    const std::uintptr_t end = at + bytes;
    auto next = m_open.upper_bound(at);
    if (next != m_open.begin())
        --next;
    for (; next != m_open.end() && next->first < end; ++next) {
        const auto from = std::max(at, next->first);
        const auto until = std::min(end, next->second);
        if (from >= until)
            continue;
        const std::uintptr_t page = pageBytes();
        const auto firstPage = (from + page - 1) / page * page;
        const auto lastPage = until / page * page;
        if (firstPage >= lastPage) {
            std::memset(bytesAt(from), 0, until - from);
            continue;
        }
        std::memset(bytesAt(from), 0, firstPage - from);
        emptyPages(firstPage, lastPage - firstPage);
        std::memset(bytesAt(lastPage), 0, until - lastPage);
    }
}

} // namespace headroom::rehearsal
