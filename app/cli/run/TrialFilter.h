// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/sweep/Sweep.h"

#include <string>
#include <vector>

namespace headroom::cli {

/// An expression that selects trials (`--filter`, `--trace-filter`): terms separated by blanks, all of which a trial
/// must satisfy. A term is `PATH=VALUE` or `PATH!=VALUE` with a path of the spec; several values separated by commas
/// mean any of them ("split_ffn=off,4 device.name!=cpu").
class TrialFilter {
public:
    /// An empty expression keeps everything. Throws UsageError at `option` for an invalid term.
    TrialFilter(std::string expression, std::string option);

    /// The selected trials, in the same order. Throws UsageError for paths and values that no trial has, and if no
    /// trial is left.
    std::vector<experiments::PlannedTrial> kept(std::vector<experiments::PlannedTrial> trials) const;

private:
    enum class Sense { Equal, Unequal };
    struct Term {
        Sense sense = Sense::Equal;
        std::vector<experiments::ExcludeRule> rules; ///< one rule, which matches trials that have the value
    };
    Term termOf(const std::string& text) const;
    void keepMatching(const Term& term, std::vector<experiments::PlannedTrial>& trials) const;

    std::string m_expression;
    std::string m_option;
    std::vector<Term> m_terms;
};

} // namespace headroom::cli
