// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/Blocks.h"
#include "core/memory/MemoryScopes.h"
#include "core/models/imported/GraphProgram.h"
#include "core/models/imported/ImportedModule.h"
#include "core/models/layers/Linear.h"

#include <memory>
#include <vector>

namespace headroom::models {

/// A program with the modules and tensors that it needs; shared with the graphs of autograd that run parts of it again.
struct ExecutableGraph {
    /// What takes an operator's place at one node.
    struct Site {
        std::shared_ptr<Linear> linear; ///< null: none
        std::shared_ptr<ImportedAttention> attention; ///< null: none
    };
    /// A block's nodes, and the values that pass its border.
    struct Block {
        std::size_t first = 0; ///< both inclusive
        std::size_t last = 0;
        std::size_t depth = 0; ///< of its module call among those that enclose its nodes
        std::string key; ///< of that call
        std::vector<ValueId> reads; ///< made outside, or inputs; without the model's own tensors
        std::vector<ValueId> makes; ///< read later
    };

    std::shared_ptr<const archive::ExportedModel> archive;
    std::unique_ptr<GraphProgram> program;
    std::vector<c10::IValue> own; ///< parameters and buffers by value; nothing elsewhere
    std::vector<Site> sites; ///< by node
    std::map<std::string, std::shared_ptr<torch::nn::Module>> modules; ///< by path; "": not in it
    std::vector<Block> blocks; ///< in the order in which they run
};

/// Values of one run by id; a block has its own.
using GraphValues = std::vector<c10::IValue>;

/// Runs stretches of a graph. Opens a ModuleScope for each module call, so that memory belongs to modules and hooks of
/// techniques run.
class GraphRun {
public:
    /// `depth`: calls that are open already, and not opened here. `isTraining`: false turns dropout off and batch norms
    /// to their running statistics, as in evaluation mode.
    GraphRun(const ExecutableGraph& graph, GraphValues& values, std::size_t depth, bool isTraining);

    /// Runs nodes from `first` to `last`, both inclusive; with a `key` only calls within that one are opened.
    void run(std::size_t first, std::size_t last, const std::string& key = {});
    /// Opens the calls around a node up to a depth, and closes others.
    void enter(const std::vector<archive::ModuleCall>& calls, std::size_t upTo);

private:
    struct OpenCall {
        std::string key;
        std::unique_ptr<tensor::ModuleScope> scope; ///< null for a module without a place in the tree
    };

    void runNode(std::size_t index);

    const ExecutableGraph& m_graph;
    GraphValues& m_values;
    std::size_t m_depth;
    bool m_isTraining;
    std::vector<OpenCall> m_open;
};

} // namespace headroom::models
