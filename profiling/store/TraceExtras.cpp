// SPDX-License-Identifier: Apache-2.0
#include "profiling/store/SpoolWriter.h"
#include "profiling/store/TraceReader.h"

namespace headroom::store {

void SpoolWriter::addOwner(trace::OwnerId, const trace::MemoryOwner&) { }

void SpoolWriter::addRecords(const trace::DeviceRecords&) { }

trace::OwnerTable TraceReader::owners(std::int64_t) const
{
    return trace::OwnerTable();
}

std::vector<trace::CategoryBucket> TraceReader::categories(
    std::int64_t, const std::string&, std::int64_t, std::int64_t, std::size_t) const
{
    return {};
}

trace::DeviceRecords TraceReader::records(std::int64_t, std::int64_t, std::int64_t) const
{
    return {};
}

} // namespace headroom::store
