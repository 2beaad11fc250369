// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/Losses.h"

#include <numeric>

namespace headroom::collectors::cupti {
namespace {

// "3 records …" if there are any.
void add(std::vector<std::string>& sentences, std::int64_t count, const std::string& meaning)
{
    if (count > 0)
        sentences.push_back("CUPTI: " + std::to_string(count) + " " + meaning);
}

std::int64_t total(const std::map<std::uint32_t, std::int64_t>& counts)
{
    return std::accumulate(counts.begin(), counts.end(), std::int64_t{0},
        [](std::int64_t sum, const auto& entry) { return sum + entry.second; });
}

} // namespace

std::vector<std::string> sentences(const Losses& losses)
{
    std::vector<std::string> list;
    add(list, losses.droppedRecords,
        "records were dropped: the driver's lanes are incomplete, their peaks lower bounds");
    add(list, losses.refusedBuffers, "requests for a buffer found none free");
    add(list, losses.foreignBuffers, "buffers were not ours: another client has used CUPTI in this process");
    add(list, losses.lostCalls, "virtual-memory calls were lost: mapped bytes are incomplete");
    add(list, losses.decoded.lostTimes, "records of kernels, copies or fills have no times, as device buffers ran out");
    add(list, losses.decoded.unfinished, "records of kernels, copies or fills had not ended");
    add(list, losses.decoded.smallRecords, "records are of an older version and were not read");
    add(list, total(losses.decoded.unknownKinds), "records are of kinds that are not read");
    add(list, losses.decoded.unreadableBytes, "bytes of records could not be read");
    add(list, losses.markerEndsWithoutBegin, "NVTX ranges began before the capture and were left out");
    return list;
}

} // namespace headroom::collectors::cupti
