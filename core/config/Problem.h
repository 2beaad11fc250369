// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Value.h"

#include <string>
#include <vector>

namespace headroom::config {

/// A change of one setting that makes a configuration work.
struct Repair {
    std::string label; ///< what it does, as text of a button: "Train LoRA adapters"
    std::string path; ///< the setting's path in a spec: "techniques.trainable"
    Value value;

    bool operator==(const Repair&) const = default;
};

/// Why a configuration cannot work: what is wrong, with which setting, and what would be right.
struct Problem {
    // Converts from a sentence: usually there is nothing else to give.
    Problem(std::string sentence, std::string at = {}, std::string works = {}, std::vector<Repair> changes = {})
        : text(std::move(sentence))
        , path(std::move(at))
        , valid(std::move(works))
        , repairs(std::move(changes))
    {
    }

    std::string text; ///< "frames = 120 is not one more than a multiple of 8"
    std::string path; ///< of the setting at fault, "workload.frames"; empty if no single setting is
    std::string valid; ///< values that work, "113 or 121"; may be empty
    std::vector<Repair> repairs; ///< the smallest change first; may be empty

    /// "frames = 120 is not one more than a multiple of 8 (valid: 113 or 121)"
    std::string sentence() const { return valid.empty() ? text : text + " (valid: " + valid + ")"; }

    bool operator==(const Problem&) const = default;
};

/// The sentences alone.
std::vector<std::string> sentencesOf(const std::vector<Problem>& problems);

} // namespace headroom::config
