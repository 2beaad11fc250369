// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/config/catalogue/Configuration.h"
#include "core/protocol/RepeatResult.h"
#include "profiling/simulator/profiles/DeviceProfile.h"

#include <optional>
#include <string>

namespace headroom::experiments {

/// Whether a predicted trial fits a card, and by how much. All bytes are of the card's usable memory.
struct FitVerdict {
    /// Tight: it runs, but leaves less than the margin (DeviceFit::kMarginDivisor), or only after the allocator has
    /// given memory back in between, or not where segments lie in the other order of addresses. Unknown: the prediction
    /// failed.
    enum class Kind { Fits, Tight, DoesNotFit, Unknown };

    Kind kind = Kind::Unknown;
    Bytes usableBytes = 0; ///< of the card, or what a memory limit leaves of it
    Bytes contextBytes = 0; ///< taken by the driver
    Bytes marginBytes = 0;
    /// The most over the whole trial; of a card without a limit where it does not fit; nothing: unknown.
    std::optional<Bytes> reservedBytes;
    /// The same, had the segments lain in the other order of addresses: how far the driver's choice can move it.
    std::optional<Bytes> reservedOtherBytes;
    std::optional<Bytes> allocatedBytes; ///< peak after warm-up, the same
    std::int64_t cacheFlushes = 0; ///< allocations that succeeded only after the cache was flushed
    std::optional<protocol::OutOfMemoryFacts> outOfMemory; ///< the request that fails on the card

    /// With the driver's part, as a record's `memory.needed_bytes`; nothing where the peak is unknown.
    std::optional<Bytes> neededBytes() const;
    /// What is left of the usable memory; negative: at least so much is missing. Nothing where nothing is known.
    std::optional<Bytes> freeBytes() const;
    /// What is missing where segments lie in the other order of addresses; 0: nothing, or not known.
    Bytes missingInOtherOrder() const;
};

/// `result` is the trial's on the card. Where it ran out of memory, its need says how much it takes in all, or else
/// `unlimited`, the result of the same trial without the card's limit.
FitVerdict judgeFit(const config::Trial& trial, const simulator::MemoryProfile& card,
    const protocol::RepeatResult& result, const std::optional<protocol::RepeatResult>& unlimited = std::nullopt);

/// "Fits: needs 10.8 of 23.6 GiB, 12.8 GiB free",
/// "Does not fit: needs 35.4 GiB, 11.7 more than usable; first failed in forward for 96 MiB".
std::string sentenceFor(const FitVerdict& verdict);

/// What the sentence leaves out: what is needed in all, the first request that fails, what counts as tight.
std::string detailsFor(const FitVerdict& verdict);

} // namespace headroom::experiments
