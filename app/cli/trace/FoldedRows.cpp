// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace/FoldedRows.h"

#include <algorithm>
#include <tuple>

namespace headroom::cli {

using experiments::WhatIfAnswer;
using experiments::WhatIfRow;

namespace {

constexpr std::size_t kMostOfOthers = 2; ///< lines of a device that did not die, where one did

auto figuresOf(const WhatIfRow& row)
{
    const auto& outcome = row.outcome;
    const std::int64_t failedAt = outcome.failure ? outcome.failure->timeNs : -1;
    return std::tuple(row.capacityBytes, outcome.peakAllocatedBytes, outcome.peakReservedBytes, row.unusedBytes(),
        outcome.flushes, outcome.retries, row.smallestCapacityBytes, row.smallestCard, failedAt, outcome.fittingNow);
}

// What serves all first, then what comes furthest, then what reserves least.
auto rankOf(const FoldedRow& folded)
{
    const WhatIfRow& row = *folded.rows.front();
    const std::int64_t failedAt = row.outcome.failure ? row.outcome.failure->timeNs : 0;
    return std::tuple(!row.fits(), -failedAt, row.outcome.peakReservedBytes, row.smallestCapacityBytes);
}

// All but the last value: what settings of one kind have in common.
std::string nameOf(const std::string& setting)
{
    return setting.substr(0, setting.rfind(':') + 1);
}

FoldedDevice foldedDevice(const WhatIfAnswer& answer, int device)
{
    FoldedDevice folded;
    folded.device = device;
    for (const WhatIfRow& row : answer.rows) {
        if (row.device != device)
            continue;
        folded.hasDied = folded.hasDied || (row.isRecorded && !row.fits());
        const auto same = std::ranges::find_if(folded.rows, [&](const FoldedRow& other) {
            return !row.isRecorded && !other.rows.front()->isRecorded
                && figuresOf(*other.rows.front()) == figuresOf(row);
        });
        if (same == folded.rows.end())
            folded.rows.push_back({{&row}});
        else
            same->rows.push_back(&row);
    }
    return folded;
}

void keepBest(FoldedDevice& device, std::size_t most)
{
    const auto first = std::ranges::stable_partition(
        device.rows, [](const FoldedRow& folded) { return folded.rows.front()->isRecorded; });
    std::ranges::stable_sort(first, {}, rankOf);
    while (device.rows.size() > std::max<std::size_t>(most, 1)) {
        device.left += device.rows.back().rows.size();
        device.rows.pop_back();
    }
}

} // namespace

std::string FoldedRow::settings() const
{
    std::string text;
    std::string name;
    for (const WhatIfRow* const row : rows) {
        const bool goesOn = !name.empty() && nameOf(row->allocator) == name;
        text += text.empty() ? "" : ", ";
        text += goesOn ? row->allocator.substr(name.size()) : row->allocator;
        name = nameOf(row->allocator);
    }
    return text + (rows.front()->isRecorded ? " (recorded)" : "");
}

std::vector<FoldedDevice> foldedRows(const WhatIfAnswer& answer, std::size_t most)
{
    std::vector<FoldedDevice> devices;
    for (const WhatIfRow& row : answer.rows)
        if (devices.empty() || devices.back().device != row.device)
            devices.push_back(foldedDevice(answer, row.device));
    const bool hasDied = std::ranges::any_of(devices, &FoldedDevice::hasDied);
    for (FoldedDevice& device : devices)
        keepBest(device, hasDied && !device.hasDied ? kMostOfOthers : most);
    return devices;
}

} // namespace headroom::cli
