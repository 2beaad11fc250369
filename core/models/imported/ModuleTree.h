// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/models/imported/ArchiveWeights.h"
#include "core/models/imported/GraphRun.h"

#include <set>

namespace headroom::models {

/// Builds the modules of an imported model under their Python names, in the order in which the Python model has its
/// parameters, and fills in what the graph needs of them: its own tensors, and the layers that take an operator's place
/// at some nodes.
class ModuleTree {
public:
    /// All are borrowed. Parameters are made on the options' device, in the archive's types.
    ModuleTree(torch::nn::Module& root, ExecutableGraph& graph, const ArchiveWeights& values,
        const at::TensorOptions& options);

    /// Tensors, modules, Linears and attention. Once.
    void build();

    /// Those that were found between Linears; the graph's sites refer to them.
    std::vector<std::shared_ptr<ImportedFeedForward>> addFeedForwards(
        const std::vector<archive::FeedForwardNodes>& found);

    torch::nn::Module& moduleAt(const std::string& path);

private:
    struct LinearShape {
        std::int64_t in = 0;
        std::int64_t out = 0;
        at::ScalarType type = at::kFloat;
        Bias bias = Bias::Off;
        WeightLayout layout = WeightLayout::OutByIn;
    };

    void readCalls();
    void nameSharedModules();
    void addTensor(const archive::StoredTensor& stored);
    at::Tensor parameterOf(torch::nn::Module& module, const std::string& name, const archive::StoredTensor& stored);
    at::Tensor bufferOf(torch::nn::Module& module, const std::string& name, const archive::StoredTensor& stored);
    void addTies();
    void addLinears();
    void addAttention();
    void addOutsideReads();
    std::shared_ptr<Linear> madeLinear(const LinearShape& shape) const;
    std::shared_ptr<torch::nn::Module> madeModule(const std::string& path) const;

    torch::nn::Module& m_root;
    ExecutableGraph& m_graph;
    const ArchiveWeights& m_values;
    at::TensorOptions m_options;
    std::map<std::string, std::string> m_types; ///< class by path
    std::map<std::string, LinearShape> m_linears; ///< by path
    std::vector<archive::LinearNode> m_linearNodes;
    std::set<std::string> m_attentionPaths;
};

} // namespace headroom::models
