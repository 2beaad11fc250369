// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/OpInterceptor.h"

#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace headroom::collectors {

/// What the simulator knows of an op: what its time is made of, and that it takes no more memory than its results and
/// what the profile says of it.
enum class OpRule {
    Storage, ///< a view of its argument, or memory that nobody writes: no time
    Traffic, ///< one pass over what it reads and writes
    Product, ///< matrix products: arithmetic, and the library's workspace
    Attention, ///< by the backend's own rules
};

/// The rule of an op; none: there is no rule of its own, and one pass over its tensors is counted for it.
std::optional<OpRule> opRule(const c10::FunctionSchema& schema);

/// What a trial says of ops without a rule; nothing where there are none.
std::string remarkOn(const std::vector<std::string>& opsWithoutRule);

/// Notes the ops that have no rule.
class OpSurvey final : public tensor::OpObserver {
public:
    void before(const tensor::OpCall& call) override;
    void after(const tensor::OpCall&) override { }

    /// By the base name: "sort" for aten::sort and aten::sort.stable alike.
    const std::set<std::string>& withoutRule() const { return m_withoutRule; }

private:
    std::unordered_map<const c10::FunctionSchema*, bool> m_known;
    std::set<std::string> m_withoutRule;
};

} // namespace headroom::collectors
