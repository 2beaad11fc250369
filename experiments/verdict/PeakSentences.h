// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "core/config/catalogue/TechniqueRelief.h"
#include "core/protocol/MemoryBreakdown.h"
#include "profiling/trace/peaks/PeakProfile.h"
#include "profiling/trace/peaks/TechniqueRegions.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::experiments {

/// The peak of a record, without the peaks of its phases, which a record does not have. A category that we do not know
/// counts as unknown memory.
trace::PeakProfile profileOf(const protocol::MemoryBreakdown& breakdown);

/// A peak and the name that sentences use for it.
struct NamedPeak {
    std::string name;
    trace::PeakProfile profile;
};

/// Why one trial peaks above another, in one or two sentences with numbers: "none peaks 5.1 GiB above all: 4.9 GiB more
/// saved activations in transformer_blocks.*. Both peak in backward." The order of the two does not matter.
std::string whyAbove(const NamedPeak& one, const NamedPeak& other);

/// "saved activations in transformer_blocks.*"
std::string ownerText(config::MemoryCategory category, const std::string& part);

/// How one enabled technique relates to the peak.
struct TechniqueAtPeak {
    std::string key;
    std::string notation;
    Bytes heldBytes = 0; ///< what the technique holds at the peak
    trace::TechniqueRegion region{}; ///< empty if the trace has nothing of the technique
    std::optional<Bytes> belowPeakBytes{}; ///< how far its own region lies below the peak
};

/// The largest part of a peak.
struct PeakOwner {
    trace::ShareDifference share; ///< compared with nothing: `higherBytes` is what it holds
    std::vector<config::Relief> reliefs; ///< techniques that would reduce it, without those that are on
};

/// The largest part of a trial's peak, and what would reduce it; nullopt for an empty peak.
std::optional<PeakOwner> ownerOf(const trace::PeakProfile& peak, const config::Configuration& configuration);

/// For a technique that changes nothing at the peak: the largest part of the peak, how far below the peak the
/// technique's region lies, and what would reduce that part.
std::string whyWithoutEffect(
    const trace::PeakProfile& peak, const std::optional<PeakOwner>& owner, const TechniqueAtPeak& technique);

} // namespace headroom::experiments
