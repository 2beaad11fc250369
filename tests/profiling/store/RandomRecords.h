// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/RecordTables.h"

#include <algorithm>
#include <random>

namespace headroom::store {

/// Fills every member of every kind of record with anything that it can hold.
class RandomRecords {
public:
    explicit RandomRecords(std::uint32_t seed)
        : m_random(seed)
    {
    }

    /// `count` of each kind; times in [0, 1 ms), spans of up to a tenth of that.
    trace::DeviceRecords make(std::size_t count)
    {
        trace::DeviceRecords records;
        eachRecordTable([&](auto table) {
            using Table = decltype(table);
            auto& list = records.*Table::kList;
            list.resize(count);
            for (auto& record : list) {
                std::apply([&](const auto&... column) { (fill(record.*column.member), ...); }, Table::kColumns);
                setTimes<Table>(record);
            }
        });
        return records;
    }

private:
    template <typename Table> void setTimes(auto& record)
    {
        auto& begin = record.*std::get<0>(Table::kColumns).member;
        begin = static_cast<std::int64_t>(m_random() % 1'000'000);
        if constexpr (requires { record.endNs; })
            record.endNs = begin + static_cast<std::int64_t>(m_random() % 100'000);
    }

    void fill(bool& value) { value = m_random() % 2 == 0; }
    void fill(trace::VirtualMemoryRecord::Call& call)
    {
        call = static_cast<trace::VirtualMemoryRecord::Call>(m_random() % 5);
    }
    void fill(std::string& text)
    {
        static const char* const words[] = {"", "cudaMalloc_v3020", "libcudnn.so.9", "_Z6kernelPf", "Grüße 'quoted'"};
        text = words[m_random() % 5];
    }
    void fill(double& number) { number = static_cast<double>(m_random() % 1'000) / 8; }
    template <typename Number> void fill(Number& number) { number = static_cast<Number>(m_random()); }
    template <typename Value> void fill(std::optional<Value>& value)
    {
        if (m_random() % 3 != 0)
            fill(value.emplace());
    }

    std::mt19937_64 m_random;
};

/// What TraceReader::records() should give of them: a plain second implementation.
inline trace::DeviceRecords recordsInWindow(trace::DeviceRecords records, std::int64_t fromNs, std::int64_t toNs)
{
    eachRecordTable([&](auto table) {
        using Table = decltype(table);
        auto& list = records.*Table::kList;
        const auto begin = [](const auto& record) { return record.*std::get<0>(Table::kColumns).member; };
        std::erase_if(list, [&](const auto& record) {
            std::int64_t last = begin(record);
            if constexpr (requires { record.endNs; })
                last = std::max(last, record.endNs - 1);
            return begin(record) >= toNs || last < fromNs;
        });
        std::ranges::stable_sort(list, {}, begin);
    });
    return records;
}

} // namespace headroom::store
