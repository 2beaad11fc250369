// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"

#include <string>
#include <vector>

namespace headroom::config {

/// A change of one setting with which a configuration works.
struct Repair {
    std::string label; ///< what it does, for a button: "Train LoRA adapters"
    std::string path; ///< as a spec names it: "techniques.trainable"
    Value value;

    bool operator==(const Repair&) const = default;
};

/// Why a configuration cannot work: what is wrong, at which setting, and what would be right.
struct Problem {
    // A sentence is a problem: mostly there is no more to say.
    Problem(std::string sentence, std::string at = {}, std::string works = {}, std::vector<Repair> changes = {})
        : text(std::move(sentence))
        , path(std::move(at))
        , valid(std::move(works))
        , repairs(std::move(changes))
    {
    }

    std::string text; ///< "frames = 120 is not one more than a multiple of 8"
    std::string path; ///< of the setting at fault, "workload.frames"; empty where none is by itself
    std::string valid; ///< values that work, "113 or 121"; may be empty
    std::vector<Repair> repairs; ///< the nearest first; may be empty

    /// "frames = 120 is not one more than a multiple of 8 (valid: 113 or 121)"
    std::string sentence() const { return valid.empty() ? text : text + " (valid: " + valid + ")"; }

    bool operator==(const Problem&) const = default;
};

/// The sentences alone.
std::vector<std::string> sentencesOf(const std::vector<Problem>& problems);

} // namespace headroom::config
