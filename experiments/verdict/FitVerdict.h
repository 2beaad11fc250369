// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/config/catalogue/Configuration.h"
#include "core/protocol/RepeatResult.h"
#include "profiling/simulator/profiles/DeviceProfile.h"

#include <optional>
#include <string>

namespace headroom::experiments {

/// Whether a predicted trial fits a card, and by how much. All bytes refer to the card's usable memory.
struct FitVerdict {
    /// Tight: the trial runs, but leaves less than the margin free (DeviceFit::kMarginDivisor), or runs only because
    /// the allocator flushes its cache on the way, or would not fit if segments lay in the other address order.
    /// Unknown: the prediction failed.
    enum class Kind { Fits, Tight, DoesNotFit, Unknown };

    Kind kind = Kind::Unknown;
    Bytes usableBytes = 0; ///< of the card, less what a memory limit withholds
    Bytes contextBytes = 0; ///< taken by the driver
    Bytes marginBytes = 0;
    /// The maximum over the whole trial; if the trial does not fit, that of a card without the limit. nullopt: unknown.
    std::optional<Bytes> reservedBytes;
    /// The same with segments in the other address order: how far the driver's choice can change it.
    std::optional<Bytes> reservedOtherBytes;
    std::optional<Bytes> allocatedBytes; ///< peak after warm-up; like reservedBytes if the trial does not fit
    std::int64_t cacheFlushes = 0; ///< allocations that succeeded only after the cache was flushed
    std::optional<protocol::OutOfMemoryFacts> outOfMemory; ///< the request that failed on the card

    /// Includes the driver's context, as a record's `memory.needed_bytes` does; nullopt if the peak is unknown.
    std::optional<Bytes> neededBytes() const;
    /// What is left of the usable memory; if negative, at least that much is missing. nullopt if unknown.
    std::optional<Bytes> freeBytes() const;
    /// How much is missing if segments lie in the other address order; 0: nothing, or unknown.
    Bytes missingInOtherOrder() const;
};

/// `result` is the trial's result on the card. If it ran out of memory, the total need comes from `unlimited`, the
/// result of the same trial without the card's limit, or else from `result` itself.
FitVerdict judgeFit(const config::Trial& trial, const simulator::MemoryProfile& card,
    const protocol::RepeatResult& result, const std::optional<protocol::RepeatResult>& unlimited = std::nullopt);

/// "Fits: needs 10.8 of 23.6 GiB, 12.8 GiB free",
/// "Does not fit: needs 35.4 GiB, 11.7 more than usable; first failed in forward for 96 MiB".
std::string sentenceFor(const FitVerdict& verdict);

/// What sentenceFor leaves out: the total need, the first failed request, and what counts as tight.
std::string detailsFor(const FitVerdict& verdict);

} // namespace headroom::experiments
