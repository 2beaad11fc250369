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
#include <vector>

namespace headroom::store {

/// Writes owners and records of one repeat, inside the caller's transaction. Each text is stored once.
class RecordWriter {
public:
    RecordWriter(SqliteFile& file, std::int64_t repeat);

    void addOwner(trace::OwnerId id, const trace::MemoryOwner& owner);
    void add(const trace::DeviceRecords& records);

private:
    template <typename Table> void addList(const trace::DeviceRecords& records);
    template <typename Value> void addText(const Value& value);
    std::int64_t idOf(const std::string& text);

    SqliteFile& m_file;
    std::int64_t m_repeat;
    std::unordered_map<std::string, std::int64_t> m_strings;
    std::vector<std::int64_t> m_texts; ///< of the list that is being written, in order
    std::map<std::string_view, std::int64_t> m_nextOrdinals;
};

} // namespace headroom::store
