// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/base/Statistics.h"
#include "core/config/catalogue/Configuration.h"
#include "experiments/results/OrderedJson.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::report {

using experiments::OrderedJson;

/// A trial as a report shows it: its record, and how it was planned.
struct ReportTrial {
    OrderedJson record; ///< of the contract; the outcome is "not_run" where it has not been reached
    config::Trial planned;
    int repeats = 0; ///< that are there
    int expectedRepeats = 1;
    /// The techniques that are on, as a table beside the report's other trials shows them: "every:2 | split_ffn 4", or
    /// "baseline".
    std::string techniques{};

    /// A value of the record by JSON pointer ("/memory/fits"); null where there is none.
    const OrderedJson& at(const char* pointer) const;
    /// Empty where it is null.
    std::string text(const char* pointer) const;
    std::optional<Bytes> bytes(const char* pointer) const;
    std::optional<double> number(const char* pointer) const;

    std::string id() const { return text("/trial_id"); }
    std::string label() const { return text("/label"); }
    /// "sim:t4@torch-2.11"
    std::string device() const { return planned.device.notation(); }
    bool isPredicted() const { return at("/predicted") == true; }
    /// The model with the fields that were overridden: "ltx-video-2b (num_layers 8)".
    std::string model() const;
    /// "predicted" or "measured"; the same word everywhere in a report.
    std::string provenance() const { return isPredicted() ? "predicted" : "measured"; }

    std::string outcome() const { return text("/outcome"); }
    bool hasOutcome(const char* outcome) const { return text("/outcome") == outcome; }
    bool isCompleted() const { return hasOutcome("completed"); }
    std::vector<std::string> flags() const;
    bool hasFlag(const std::string& flag) const;
    /// Nothing where it is not known.
    std::optional<bool> fits() const;

    std::optional<double> stepsPerSecond() const { return number("/speed/steps_per_second"); }
    /// Of steps per second, from the interval of the step time.
    std::optional<Interval> stepsPerSecond95() const;
    /// Why it has no figures: what it needs of memory, else the reason of its outcome; empty for a completed one.
    std::string ending() const;
};

} // namespace headroom::report
