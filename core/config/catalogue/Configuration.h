// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/config/DeviceSpec.h"
#include "core/config/SegmentAddresses.h"
#include "core/config/TechniqueDescriptor.h"

#include <optional>

namespace headroom::config {

/// What a trial runs: model, workload and techniques. Complete: every field, shape, technique and option has a value.
struct Configuration {
    std::string model;
    ValueMap modelFields;
    Workload workload;
    std::map<std::string, TechniqueSetting> techniques;

    bool operator==(const Configuration&) const = default;
};

/// How a trial is measured.
struct MeasurementProtocol {
    int warmupSteps = 2; ///< full steps before the first timed one, at least this many
    int steps = 5; ///< timed steps
    int repeats = 1; ///< fresh processes
    int maxWarmupSteps = 1000; ///< warm-up ends here even if not steady; up to warmupSteps it is not tested
    double maxWarmupSeconds = 10; ///< the same limit in time; warmupSteps are run in any case
    double steadyWithin = 0.05; ///< relative change of the step time over a window that still counts as steady
    /// The first warmupSteps run without techniques, then the allocator's cache is emptied, as in published comparisons
    /// that sweep techniques in one process; on a simulated device no other warm-up follows.
    bool plainWarmup = false;
    /// The configuration without techniques runs first in the same process and its output is kept (harness bytes), as
    /// in published comparisons.
    bool keepBaselineOutput = false;
    /// A second model with its own weights stays resident (harness bytes), as in published comparisons.
    bool keepBaselineModel = false;
    /// A model whose weights also stay on the device but which never runs (harness bytes), such as a pipeline's text
    /// encoder; empty: none.
    std::string residentModel{};

    bool operator==(const MeasurementProtocol&) const = default;
};

/// One point of a sweep: a configuration on a device under a protocol.
struct Trial {
    Configuration configuration;
    DeviceSpec device;
    std::optional<Bytes>
        memoryLimitBytes; ///< the most bytes that the allocator may hand out; nothing: the device's own limit
    /// The platform of a simulated device; nothing: as its profile says.
    std::optional<SegmentAddresses> segmentAddresses = {};
    /// Settings of LibTorch's caching allocator, as PYTORCH_ALLOC_CONF has them; empty: LibTorch's defaults.
    std::string allocator{};
    MeasurementProtocol protocol;

    bool operator==(const Trial&) const = default;
};

/// The keys of [protocol].
const FieldSet& protocolFields();
MeasurementProtocol makeProtocol(const ValueMap& values, const std::string& where);
ValueMap toValues(const MeasurementProtocol& protocol);

/// The technique's setting from a notation and the given options; throws UsageError at `where`.
TechniqueSetting makeSetting(const TechniqueDescriptor& technique, const std::string& notation, const ValueMap& options,
    const std::string& where);

/// Whether a setting differs from the technique's default: in its notation, or in options that count.
bool isChosen(const TechniqueDescriptor& technique, const TechniqueSetting& setting);

/// A configuration of the model with every field, shape and technique at its default.
Configuration defaultConfiguration(const std::string& model, const std::string& where);

/// The same task without levers; techniques that decide what is computed are kept.
Configuration baselineOf(const Configuration& configuration);
bool isBaseline(const Configuration& configuration);

/// The number of steps after which the configuration's behaviour repeats, with option and event of the technique with
/// the longest period.
StepPeriod stepPeriodOf(const Configuration& configuration);

/// Why this configuration cannot work: problems of the model, of the workload and of each technique, each with its
/// setting; empty if it can.
std::vector<Problem> problemsOf(const Configuration& configuration);

/// The same of a trial: also why its device cannot run the model.
std::vector<Problem> problemsOf(const Trial& trial);

/// The same as sentences.
std::vector<std::string> conflicts(const Configuration& configuration);

/// The same except what depends on the workload's shapes, for inputs that have their own shapes.
std::vector<std::string> conflictsOfAnyShapes(const Configuration& configuration);

/// "split_ffn 4 (accumulate out_of_place)": the notation, and the options that differ from their default.
std::string settingLabel(const TechniqueDescriptor& technique, const TechniqueSetting& setting);

/// "every:2 | split_ffn 4 (accumulate out_of_place)": techniques that are on and options that differ from the default;
/// "baseline" if none is on.
std::string techniqueLabel(const Configuration& configuration);

} // namespace headroom::config
