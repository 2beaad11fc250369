// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/OpInterceptor.h"

#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace headroom::collectors {

/// What the simulator knows about an op: what determines its time. An op with a rule takes no memory beyond its results
/// and what the profile states.
enum class OpRule {
    Storage, ///< a view of its argument, or uninitialised memory: no time
    Traffic, ///< one pass over the memory that it reads and writes
    Product, ///< matrix products: arithmetic, and the library's workspace
    Attention, ///< by the rules of its backend
};

/// The rule of an op; nullopt: it has no rule of its own, and its cost is one pass over its tensors.
std::optional<OpRule> opRule(const c10::FunctionSchema& schema);

/// Whether a call is larger than its op's rule holds for: CUDA sorts long dimensions with CUB and finds the largest of
/// long rows in several blocks, which takes memory that is not modelled.
bool exceedsRule(const tensor::OpCall& call);

/// The remark in a trial's diagnostics about ops without a rule; empty if there are none.
std::string remarkOn(const std::vector<std::string>& opsWithoutRule);

/// Collects the ops that have no rule, or ran beyond it.
class OpSurvey final : public tensor::OpObserver {
public:
    void before(const tensor::OpCall& call) override;
    void after(const tensor::OpCall&) override { }

    /// By the base name: "sort" for aten::sort and aten::sort.stable alike.
    const std::set<std::string>& withoutRule() const { return m_withoutRule; }

private:
    enum class Rule { Lacking, OfCall, Known };
    static Rule ruleOf(const c10::FunctionSchema& schema);

    std::unordered_map<const c10::FunctionSchema*, Rule> m_rules;
    std::set<std::string> m_withoutRule;
};

} // namespace headroom::collectors
