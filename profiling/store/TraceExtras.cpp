// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/RecordReader.h"
#include "profiling/store/TraceReader.h"

namespace headroom::store {

trace::OwnerTable TraceReader::owners(std::int64_t repeat) const
{
    return trace::OwnerTable(RecordReader(m_file, repeat).owners());
}

std::vector<trace::CategoryBucket> TraceReader::categories(
    std::int64_t, const std::string&, std::int64_t, std::int64_t, std::size_t) const
{
    return {};
}

trace::DeviceRecords TraceReader::records(std::int64_t repeat, std::int64_t fromNs, std::int64_t toNs) const
{
    return RecordReader(m_file, repeat).records(fromNs, toNs);
}

} // namespace headroom::store
