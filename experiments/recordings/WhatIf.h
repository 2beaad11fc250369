// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "profiling/recordings/Recording.h"
#include "profiling/recordings/Replay.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headroom::experiments {

/// What is asked of a recording.
struct WhatIfQuestion {
    std::vector<std::string> allocators; ///< settings as PYTORCH_ALLOC_CONF has them; recordedSettings(): its own
    std::optional<Bytes>
        capacityBytes; ///< what segments may take together; nothing: what the recording tells, if anything
    recordings::ReplayAddresses addresses = recordings::ReplayAddresses::Recorded;
    bool emptiesCache = true;
    bool suggests = false;
};

/// How the recording's requests are served under one setting.
struct WhatIfRow {
    int device = 0;
    std::string allocator; ///< "default" for PyTorch's own settings
    bool isRecorded = false; ///< the settings of the recording
    std::optional<Bytes> capacityBytes;
    recordings::ReplayOutcome outcome;
    Bytes smallestCapacityBytes = 0; ///< with which everything is served, to 2 MiB
    std::string smallestCard; ///< that has as much; empty: none known

    /// Reserved memory that nobody uses when most is reserved.
    Bytes unusedBytes() const { return outcome.peakReservedBytes - outcome.allocatedAtReservedPeakBytes; }
    bool isServed() const { return !outcome.failure || outcome.failure->isRecorded; }
    /// Whether all is served, also what failed in the recording.
    bool fits() const { return !outcome.failure; }
};

/// The setting that helps most.
struct SettingSuggestion {
    std::string allocator;
    std::string text; ///< how much it helps
    std::string line; ///< to export
};

struct WhatIfAnswer {
    std::vector<WhatIfRow> rows;
    std::optional<SettingSuggestion> suggestion;
    bool wasAskedForSuggestion = false;
    std::vector<std::string> remarks; ///< what the answer assumes
};

/// The settings of a recording, as a row has them.
std::string recordedSettings(const recordings::Recording& recording);

/// Serves the requests of every device of a recording under each of the settings. Throws UsageError, naming the
/// setting, for one that is not simulated; Error where a stop was requested.
WhatIfAnswer askWhatIf(const recordings::Recording& recording, const WhatIfQuestion& question,
    const simulator::ProfileCatalogue& cards, const std::stop_token& stop = {});

} // namespace headroom::experiments
