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

/// The peak of a record; the peaks of its phases are not known. A category without a name of ours is unknown memory.
trace::PeakProfile profileOf(const protocol::MemoryBreakdown& breakdown);

/// A peak with the name that a sentence calls it by.
struct NamedPeak {
    std::string name;
    trace::PeakProfile profile;
};

/// Why one trial peaks above another, in one or two sentences with numbers: "none peaks 5.1 GiB above all: 4.9 GiB more
/// saved activations in transformer_blocks.*. Both peak in backward." The order of the two does not matter.
std::string whyAbove(const NamedPeak& one, const NamedPeak& other);

/// "saved activations in transformer_blocks.*"
std::string ownerText(config::MemoryCategory category, const std::string& part);

/// What one technique that is on has to do with the peak.
struct TechniqueAtPeak {
    std::string key;
    std::string notation;
    Bytes heldBytes = 0; ///< that it holds at the peak
    trace::TechniqueRegion region{}; ///< nothing in it where the trace has nothing of the technique
    std::optional<Bytes> belowPeakBytes{}; ///< how far its own region lies below the peak
};

/// The largest part of a peak.
struct PeakOwner {
    trace::ShareDifference share; ///< of nothing: `higherBytes` is what it holds
    std::vector<config::Relief> reliefs; ///< techniques that would make it less, those that are on left out
};

/// What owns the peak of a trial, and what would make it less. Nothing of a peak of nothing.
std::optional<PeakOwner> ownerOf(const trace::PeakProfile& peak, const config::Configuration& configuration);

/// For a technique that changes nothing at the peak: what owns the peak, how far below it the technique's region lies,
/// and what would bring it to the top.
std::string whyWithoutEffect(
    const trace::PeakProfile& peak, const std::optional<PeakOwner>& owner, const TechniqueAtPeak& technique);

} // namespace headroom::experiments
