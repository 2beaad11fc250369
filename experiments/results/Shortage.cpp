// SPDX-License-Identifier: Apache-2.0
#include "experiments/results/Shortage.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"

namespace headroom::experiments {
namespace {

using Extent = Shortage::Extent;

std::optional<Bytes> shortageBytes(const RecordView& record, const std::string& key)
{
    const OrderedJson& value = record.value(key);
    return value.is_number_integer() ? std::optional(value.get<Bytes>()) : std::nullopt;
}

// The unit once where both have the same.
std::string excessText(Bytes missing, std::optional<Bytes> needed)
{
    const SizeUnit unit = sizeUnitOf(missing);
    const bool isOfOneUnit = needed && unit.bytes == sizeUnitOf(*needed).bytes;
    return (isOfOneUnit ? sizeIn(missing, unit) : sizeText(missing)) + " more than usable";
}

std::string firstFailureText(const Shortage& shortage)
{
    if (shortage.phase.empty())
        return {};
    return "; first failed in " + inWords(shortage.phase)
        + (shortage.requested ? " for " + requestSizeText(*shortage.requested) : std::string());
}

// Beside what the allocator has: context and others' memory.
std::optional<Bytes> outsideBytes(const RecordView& record)
{
    const auto device = shortageBytes(record, "memory.after_load.device_bytes");
    const auto reserved = shortageBytes(record, "memory.after_load.reserved_bytes");
    if (device && reserved)
        return *device - *reserved;
    const bool reserves = shortageBytes(record, "memory.whole_run_peak.reserved_bytes").has_value();
    return reserves ? std::nullopt : std::optional<Bytes>(0);
}

// What the device has told until the first request that failed. Where the host was what had no more memory to give, the
// device lacks nothing that is known.
void addLeast(Shortage& shortage, const RecordView& record)
{
    const auto limit = shortageBytes(record, "memory.limit_bytes");
    const auto peak = shortageBytes(record, "memory.whole_run_peak.reserved_bytes");
    const auto outside = outsideBytes(record);
    shortage.missing = shortageBytes(record, "oom.missing_bytes");
    if (shortage.missing && limit && outside)
        shortage.needed = *limit + *outside + *shortage.missing;
    else if (!shortage.missing && !shortage.requested && peak)
        shortage.needed = *peak + outside.value_or(0);
}

} // namespace

std::optional<Shortage> shortageOf(const RecordView& record)
{
    if (!record.hasOutcome("out_of_memory"))
        return std::nullopt;
    Shortage shortage{.phase = record.text("oom.phase"), .requested = shortageBytes(record, "oom.requested_bytes")};
    const auto missing = shortageBytes(record, "memory.missing_bytes");
    if (missing.value_or(0) > 0) {
        shortage.extent = Extent::Whole;
        shortage.needed = shortageBytes(record, "memory.needed_bytes");
        shortage.missing = missing;
    } else {
        addLeast(shortage, record);
    }
    return shortage.needed || shortage.missing ? std::optional(shortage) : std::nullopt;
}

std::string sentenceFor(const Shortage& shortage)
{
    std::string text = shortage.extent == Extent::Whole ? "needs " : "needs at least ";
    if (shortage.needed)
        text += sizeText(*shortage.needed) + (shortage.missing ? ", " : "");
    if (shortage.missing)
        text += excessText(*shortage.missing, shortage.needed);
    return text + firstFailureText(shortage);
}

std::string shortageText(const OrderedJson& record)
{
    const auto shortage = shortageOf(RecordView(record));
    return shortage ? sentenceFor(*shortage) : std::string();
}

} // namespace headroom::experiments
