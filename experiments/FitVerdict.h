// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Configuration.h"
#include "core/protocol/RepeatResult.h"
#include "profiling/simulator/DeviceProfile.h"

#include <optional>
#include <string>

namespace headroom::experiments {

/// Whether a predicted trial fits a card, and by how much. All bytes are of the card's usable memory.
struct FitVerdict {
    /// Tight: it runs, but leaves less than the margin (DeviceFit::kMarginDivisor), or only after the allocator has
    /// given memory back in between. Unknown: the prediction failed.
    enum class Kind { Fits, Tight, DoesNotFit, Unknown };

    Kind kind = Kind::Unknown;
    Bytes usableBytes = 0; ///< of the card, or what a memory limit leaves of it
    Bytes contextBytes = 0; ///< taken by the driver
    Bytes marginBytes = 0;
    std::optional<Bytes> reservedBytes; ///< peak; of a card without a limit where it does not fit; nothing: unknown
    std::optional<Bytes> allocatedBytes; ///< peak, the same
    std::int64_t cacheFlushes = 0; ///< allocations that succeeded only after the cache was flushed
    std::optional<protocol::OutOfMemoryFacts> outOfMemory; ///< the request that fails on the card

    /// With the driver's part; nothing where the peak is unknown.
    std::optional<Bytes> neededBytes() const;
    /// What is left of the usable memory; negative: at least so much is missing. Nothing where nothing is known.
    std::optional<Bytes> freeBytes() const;
};

/// `result` is the trial's on the card, `need` the same without the card's limit where it ran out of memory.
FitVerdict judgeFit(const config::Trial& trial, const simulator::MemoryProfile& card,
    const protocol::RepeatResult& result, const std::optional<protocol::RepeatResult>& need = std::nullopt);

/// "10.8 GiB", "0.372 GiB", "86.4 MiB": three digits, for sentences.
std::string shortAmount(Bytes bytes);

/// "Fits: 10.8 of 23.6 GiB, 12.8 GiB free", "Does not fit: 4.61 GiB missing (in backward)".
std::string sentenceFor(const FitVerdict& verdict);

/// What the sentence leaves out: what is needed in all, the first request that fails, what counts as tight.
std::string detailsFor(const FitVerdict& verdict);

} // namespace headroom::experiments
