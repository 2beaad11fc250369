// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/sweep/Sweep.h"

#include <string>
#include <vector>

namespace headroom::cli {

/// An expression that chooses trials (`--filter`, `--trace-filter`): terms separated by blanks, all of which a trial
/// has to meet. `PATH=VALUE` or `PATH!=VALUE` with the paths of the spec; several values separated by commas mean any
/// of them ("split_ffn=off,4 device.name!=cpu").
class TrialFilter {
public:
    /// An empty expression keeps everything. Throws UsageError at `option` for a term that is none.
    TrialFilter(std::string expression, std::string option);

    /// In the same order. Throws UsageError for paths and values that the trials do not know, and when nothing is left.
    std::vector<experiments::PlannedTrial> kept(std::vector<experiments::PlannedTrial> trials) const;

private:
    enum class Sense { Equal, Unequal };
    struct Term {
        Sense sense = Sense::Equal;
        std::vector<experiments::ExcludeRule> rules; ///< one: a trial that has the value
    };
    Term termOf(const std::string& text) const;
    void keepMatching(const Term& term, std::vector<experiments::PlannedTrial>& trials) const;

    std::string m_expression;
    std::string m_option;
    std::vector<Term> m_terms;
};

} // namespace headroom::cli
