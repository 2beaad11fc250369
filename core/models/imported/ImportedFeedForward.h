// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/FeedForwards.h"
#include "core/models/imported/Interpreter.h"
#include "core/models/layers/FeedForward.h"

namespace headroom::models {

/// A feed-forward that was found in a graph: its Linears are those of the model's tree, and what lies between them are
/// nodes, which run on slices of the inner channels as on all of them. It takes part in a run only while a technique
/// has taken it over; its nodes run one by one otherwise.
class ImportedFeedForward final : public FeedForward {
public:
    /// The Linears are those of the nodes' projections, in their order, and of the output. `place`: the module with all
    /// of it; borrowed by the model that has both.
    ImportedFeedForward(const GraphProgram& program, const archive::FeedForwardNodes& nodes,
        const std::vector<std::shared_ptr<Linear>>& linears, const torch::nn::Module& place);

    /// Computes the whole of it at its first node, and stores the last one's result.
    void runIn(Interpreter& interpreter);

    at::Tensor inner(const at::Tensor& input) const override;
    at::Tensor activated(const Project& project) const override;
    const torch::nn::Module& place() const override { return m_place; }
    std::vector<ProjectedChannels> projectedChannels() const override { return m_channels; }

private:
    /// One after the other: channels are projected, or a node runs.
    struct Step {
        std::vector<std::size_t> projected{}; ///< indices into m_channels
        std::optional<ProgramNode> node{};
    };

    void addSteps(const GraphProgram& program, const archive::FeedForwardNodes& nodes);
    ProgramNode localised(const ProgramNode& node);
    ValueId localId(ValueId value);
    void releaseAfterLastUse();

    const torch::nn::Module& m_place;
    std::vector<ProjectedChannels> m_channels;
    std::vector<ValueId> m_values; ///< where each of m_channels goes
    std::vector<Step> m_steps;
    std::map<ValueId, ValueId> m_ids; ///< of the program's values among those of one run
    ValueId m_input = kNoValue; ///< in the program
    ValueId m_last = kNoValue; ///< the inner activation
    ProgramResult m_result; ///< of the last node, in the program
};

} // namespace headroom::models
