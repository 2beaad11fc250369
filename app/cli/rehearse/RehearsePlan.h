// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/rehearsal/RehearsalArchive.h"
#include "experiments/spec/Budget.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom::cli {

/// The user's arguments to `headroom rehearse`, as text.
struct RehearseArguments {
    std::vector<std::string> command;
    std::vector<std::string> devices;
    std::vector<std::string> allocators;
    std::vector<std::string> axes; ///< "NAME=V,V"
    std::string fill; ///< "NAME=LOW..HIGH"; empty: none
    std::int64_t steps = 3;
    std::int64_t gpus = 1; ///< of a node, or of all where no nodes are given
    std::int64_t nodes = 1;
    std::vector<std::int64_t> ranks; ///< empty: the first
    bool noRanks = false;
    std::string assume = "balanced";
    std::string writes = "discard";
    bool network = false;
    std::optional<double> timeoutSeconds;
    std::int64_t jobs = 1;
    std::string workspace;
    std::string format = "table";
    std::string events;
    std::string budgets;
    std::string junit;
    std::string summary;
};

/// The values that one placeholder takes.
struct RehearsedAxis {
    std::string name;
    std::vector<std::string> values;
};

/// A placeholder whose largest fitting value is asked for.
struct FilledAxis {
    std::string name;
    std::int64_t low = 0;
    std::int64_t high = 0;
};

/// What the arguments ask for.
struct RehearsePlan {
    std::vector<experiments::PlannedRehearsal> rows; ///< of a fill: a row for each device and allocator, unfilled
    std::optional<FilledAxis> fill;
    std::vector<experiments::Budget> budgets;
};

/// Throws UsageError for what cannot be, naming the option, and FileError for a budget file that cannot be read.
RehearsePlan rehearsePlan(const RehearseArguments& arguments, const simulator::ProfileCatalogue& cards);

/// The row with the filled placeholder's value in its command, values and label.
experiments::PlannedRehearsal withValue(
    experiments::PlannedRehearsal row, const std::string& name, const std::string& value);

} // namespace headroom::cli
