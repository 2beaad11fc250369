// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/SqliteFile.h"
#include "profiling/trace/DeviceRecords.h"
#include "profiling/trace/MemoryOwner.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

namespace headroom::store {

/// Writes owners and records of one repeat, inside the caller's transaction. Each text is stored once.
class RecordWriter {
public:
    RecordWriter(SqliteFile& file, std::int64_t repeat);

    void addOwner(trace::OwnerId id, const trace::MemoryOwner& owner);
    void add(const trace::DeviceRecords& records);

private:
    template <typename Table> void addList(const trace::DeviceRecords& records);
    std::int64_t idOf(const std::string& text);

    // What SQL stores of a member.
    std::int64_t stored(const std::string& text) { return idOf(text); }
    template <typename Number> static std::int64_t stored(const Number& number)
    {
        return static_cast<std::int64_t>(number);
    }
    template <typename Number> static std::optional<Number> stored(const std::optional<Number>& number)
    {
        return number;
    }
    static std::optional<std::int64_t> stored(const std::optional<std::uint64_t>& bits);

    SqliteFile& m_file;
    std::int64_t m_repeat;
    std::unordered_map<std::string, std::int64_t> m_strings;
    std::map<std::string_view, std::int64_t> m_nextOrdinals;
};

} // namespace headroom::store
