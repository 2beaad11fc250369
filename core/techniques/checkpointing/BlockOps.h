// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/techniques/BlockList.h"
#include "core/recompute/OpSelection.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace headroom::techniques {

/// What is known of an op once it was looked at.
struct OpTraits {
    bool isSavable = false; ///< among those that are chosen from
    bool isFree = false; ///< gives a view, or memory that nothing was written to
    int rightOperand = -1; ///< position of a two-dimensional product's right operand; -1: no such product
    int dropout = -1; ///< position of the argument that makes the op draw random numbers; -1: none
    bool isPlainProduct = false; ///< mm: what `ops:mm/N` counts
};

/// Two extents of a product's right operand: [in, out] of a linear layer.
using OperandShape = std::pair<std::int64_t, std::int64_t>;

/// Which results `ops` keeps, for blocks of a model that have the same policy.
class OpRule {
public:
    /// `savedOps`: names without "aten::". Of `productPeriod` calls of mm in a row the first is kept; with `calls`
    /// those calls alone, counted from 0 in each run of a block over all that may be kept.
    explicit OpRule(const std::vector<std::string>& savedOps, std::int64_t productPeriod = 1,
        std::optional<config::BlockList> calls = {});

    const OpTraits& traitsOf(const c10::OperatorHandle& op);
    std::int64_t productPeriod() const { return m_productPeriod; }
    bool keepsCall(std::int64_t call) const { return !m_calls || m_calls->contains(call); }

private:
    OpTraits look(const c10::FunctionSchema& schema) const;

    std::set<std::string> m_savedOps;
    std::int64_t m_productPeriod;
    std::optional<config::BlockList> m_calls;
    std::unordered_map<const c10::FunctionSchema*, OpTraits> m_traits;
};

/// What became of a block's ops in its last forward, and in one step's repetitions.
struct BlockOpCount {
    std::int64_t ran = 0; ///< ops of the forward, free ones not counted
    std::map<std::string, std::int64_t> kept; ///< of them, by op
    std::int64_t recomputed = 0; ///< in repetitions
};

/// The choice for one run of a block. Products with weights of `recomputed` shapes are computed again, and do not count
/// where every Nth product is kept. What draws random numbers is never kept: the ops after it would draw others.
class BlockOpSelection final : public tensor::OpSelection {
public:
    BlockOpSelection(
        std::shared_ptr<OpRule> rule, std::vector<OperandShape> recomputed, std::shared_ptr<BlockOpCount> count);

    Choice choose(const c10::OperatorHandle& op, at::ArrayRef<c10::IValue> arguments) override;
    void kept(const c10::OperatorHandle& op) override;
    void dropped(const c10::OperatorHandle& op) override;
    void ranAgain(const c10::OperatorHandle& op) override;

private:
    bool isRecomputedByShape(const OpTraits& traits, at::ArrayRef<c10::IValue> arguments) const;

    std::shared_ptr<OpRule> m_rule;
    std::vector<OperandShape> m_recomputed;
    std::shared_ptr<BlockOpCount> m_count;
    std::int64_t m_products = 0; ///< so far
    std::int64_t m_calls = 0; ///< so far, of those that may be kept
};

} // namespace headroom::techniques
