// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Outcome.h"
#include "core/config/Value.h"
#include "core/config/imported/ImportedFacts.h"
#include "core/protocol/RepeatResult.h"
#include "experiments/results/ErrorBound.h"
#include "experiments/results/Shared.h"
#include "experiments/results/TrialNeed.h"
#include "experiments/results/TrialSpeed.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headroom::experiments {

/// Values by name, in the order of the contract.
using NamedValues = std::vector<std::pair<std::string, config::Value>>;

/// Counters of what each technique did in a step, by technique and counter name.
using Engagement = std::map<std::string, std::map<std::string, std::int64_t>>;

struct MeasuredModel {
    std::string name;
    Shared<NamedValues> overrides; ///< fields that differ from the model's defaults
    std::int64_t parameters = 0;
    std::optional<Bytes> weightBytes = {};
    double flopsPerStep = 0; ///< from the family's closed form
    std::optional<config::ImportedFacts> imported = {}; ///< of a model that was read from an archive

    bool operator==(const MeasuredModel&) const = default;
};

/// How one technique was set, and what it did.
struct TechniqueResult {
    std::string key;
    std::string notation;
    Shared<NamedValues> options;
    std::optional<std::string> effective = {}; ///< what it really did, in words

    bool operator==(const TechniqueResult&) const = default;
};

/// The largest memory figures of the repeats, and whether they fit the device.
struct TrialMemory : protocol::RepeatMemory {
    std::optional<bool> fits = {};
    TrialNeed need = {};

    /// What the measurement itself held; nullopt if no peak was recorded.
    std::optional<Bytes> harnessBytes() const;
    /// The allocated peak after warm-up, less the harness.
    std::optional<Bytes> ownPeak() const;

    bool operator==(const TrialMemory&) const = default;
};

/// How much a trial's results deviate from those of the same model without techniques.
struct TrialNumerics : protocol::Numerics {
    std::string baselineTrialId = {};

    bool operator==(const TrialNumerics&) const = default;
};

/// A property of a result that its readers have to know, and why it was flagged.
struct TrialFlag {
    std::string name; ///< "not_steady", "pressured", "no_effect", "implausible"
    std::string reason;

    bool operator==(const TrialFlag&) const = default;
};

/// The result of a trial: the contract's trial record ("headroom.trial/1") as data. TrialRecordJson.h converts it to
/// JSON and back.
struct TrialResult {
    std::string trialId;
    std::string configId;
    std::string experiment;
    std::string label;
    std::string device; ///< "cpu", "sim:t4"
    std::string runtime; ///< "torch-2.11" for a simulated device; else empty
    std::string allocator; ///< settings of LibTorch's caching allocator; empty: its defaults
    bool isPredicted = false;
    MeasuredModel model;
    Shared<NamedValues> workload; ///< step and dtype, the model's shapes, the rest
    Shared<std::vector<TechniqueResult>> techniques; ///< in the order of the catalogue
    std::vector<std::string> conflicts; ///< why the configuration cannot work
    Outcome outcome = Outcome::NotRun;
    std::vector<TrialFlag> flags;
    std::string reason; ///< for the outcome; empty if there is none
    std::optional<protocol::OutOfMemoryFacts> outOfMemory;
    TrialMemory memory;
    std::optional<protocol::MemoryBreakdown> breakdown;
    TrialSpeed speed;
    std::optional<TrialNumerics> numerics;
    Shared<Engagement> engagement;
    std::optional<ErrorBound> errorBound = {}; ///< of a prediction

    bool operator==(const TrialResult&) const = default;

    bool hasCompleted() const { return outcome == Outcome::Completed; }
    config::Provenance provenance() const { return config::provenanceOf(device, isPredicted); }
    /// "measured", "rehearsed" or "predicted": the word that every text about the result uses.
    const char* kind() const { return config::toText(provenance()); }
    /// "sim:t4@torch-2.11"
    std::string deviceNotation() const { return runtime.empty() ? device : device + "@" + runtime; }
    /// The first eight digits of the trial's id: what tables show.
    std::string shortId() const { return trialId.substr(0, 8); }
    /// A text value of the workload ("step", "dtype"); empty if it has none of this name.
    std::string workloadText(const std::string& name) const;

    bool hasFlag(const std::string& name) const;
    /// Has no effect if the same flag with the same reason is already present.
    void addFlag(const std::string& name, const std::string& reason);
    /// Each name once, in the order in which the flags were raised.
    std::vector<std::string> flagNames() const;
    /// "not_steady: repeat 0: the step time drifts", in the same order.
    std::vector<std::string> flagReasons() const;

    /// nullptr if the record has no such technique.
    const TechniqueResult* technique(const std::string& key) const;
    bool isOff(const std::string& technique) const;
    /// True if no lever is on; techniques that determine what is computed may be set.
    bool isBaseline() const;
    /// nullopt if the technique does not report this counter.
    std::optional<std::int64_t> counter(const std::string& technique, const std::string& name) const;

    /// Why there are no figures: the memory that the trial needs, else the reason for its outcome. Empty for a
    /// completed trial and if nothing is known.
    std::string cause() const;
    /// The outcome in words, with its cause: "timed out: no answer within 10 s".
    std::string ending() const;
};

/// The trials of a sweep, in sweep order; nullopt for one that has not finished.
using SweepResults = std::vector<std::optional<TrialResult>>;

/// Whether the technique determines what is computed rather than how; false for a name that is not in the catalogue.
bool isTask(const std::string& technique);

} // namespace headroom::experiments
