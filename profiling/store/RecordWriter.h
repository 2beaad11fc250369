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

    using Strings = std::unordered_map<std::string, std::int64_t>;

private:
    template <typename Table> void addList(const trace::DeviceRecords& records);
    template <typename Value> void addTexts(const Value& value);
    void addText(const std::string& text);

    SqliteFile& m_file;
    std::int64_t m_repeat;
    Strings m_strings;
    std::map<std::string_view, std::int64_t> m_nextOrdinals;
};

} // namespace headroom::store
