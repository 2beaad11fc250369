// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/catalogue/Configuration.h"
#include "core/models/Model.h"
#include "core/models/imported/ArchiveWeights.h"
#include "core/models/imported/GraphProgram.h"
#include "core/models/imported/GraphRun.h"

#include <memory>

namespace headroom::models {

/// Sets which values each node lets go, and returns for each value the node's index; the number of nodes for what lives
/// as long as the run: `kept` values, the graph's outputs, what outlives the graph in Python.
///
/// A value is let go as the capture recorded it, or else after its last use; without a record a value that is passed
/// into a module lives until that module's call ends, as a Python frame holds its arguments.
std::vector<std::size_t> setLifetimes(
    GraphProgram& program, const archive::ExportedModel& model, const std::vector<bool>& kept);

/// A model that was read from an archive of torch.export: the graph runs node by node through LibTorch's operators,
/// with autograd, on any device. Linears and attention are Headroom's own layers; blocks run through runBlock; every
/// module of the Python model has its place in the tree under its name there.
///
/// Inputs: those of the forward by name; numbers as tensors without dimensions, on the host. Result: the first output
/// that is a floating-point tensor.
class ImportedModel final : public Model {
public:
    /// `blocks` as archive::findBlocks has it. Throws TrialError for operators that LibTorch does not have, listed with
    /// their places. What a simulated device cannot run throws where it runs.
    ImportedModel(std::shared_ptr<const archive::ExportedModel> archive, const std::string& blocks,
        const at::TensorOptions& options);

    at::Tensor forward(const Inputs& inputs) override;
    /// First the output that archive::ownLoss finds.
    std::vector<at::Tensor> forwardToLoss(const Inputs& inputs) override;
    std::string tokenInput() const override;
    /// Those that were found by their shape (archive::findFeedForwards).
    std::vector<FeedForward*> feedForwards() override;
    std::vector<torch::nn::Module*> blocks() override { return m_blockModules; }
    /// A block is a part of the graph, of which its module does not tell all.
    std::vector<std::string> blockComputations() const override;
    std::set<std::string> hostInputs() const override;

private:
    void build(const archive::Blocks& blocks, const at::TensorOptions& options);
    GraphValues run(const Inputs& inputs);
    ValueId chosenOutput() const;
    GraphValues inputValues(const Inputs& inputs) const;
    void runGraphBlock(std::size_t index, GraphValues& values);
    BlockForward forwardOfBlock(
        std::size_t index, const GraphValues& values, std::shared_ptr<GraphValues> madeNumbers) const;
    RunMode mode() const { return is_training() ? RunMode::Training : RunMode::Evaluation; }

    std::shared_ptr<const archive::ExportedModel> m_archive;
    std::shared_ptr<ExecutableGraph> m_graph;
    ArchiveWeights m_values;
    std::vector<torch::nn::Module*> m_blockModules;
    std::vector<std::shared_ptr<ImportedFeedForward>> m_feedForwards;
    ValueId m_output = kNoValue;
};

/// A configuration's archive. Throws TrialError if it is gone.
std::shared_ptr<const archive::ExportedModel> archiveOf(const config::Configuration& configuration);

/// Synthetic inputs of the configured shapes: token ids within the vocabulary that reads them, masks of ones, normal
/// numbers elsewhere.
Inputs importedInputs(const config::Configuration& configuration, const at::TensorOptions& options);

} // namespace headroom::models
