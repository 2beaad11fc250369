// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/autocast/AutocastRegion.h"
#include "core/memory/MemoryScopes.h"
#include "core/models/imported/ImportedFeedForward.h"
#include "core/models/imported/Interpreter.h"
#include "core/models/layers/AttentionLayer.h"
#include "core/models/layers/Initialised.h"
#include "core/models/layers/Linear.h"
#include "core/tensor/Torch.h"

#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace headroom::models {

/// Tables of values that no run uses. A block has one of its own, as long as the whole graph has values and nearly
/// empty: without spare ones each block of each step would make one and clear all of it.
class SpareValues {
public:
    /// One without values.
    GraphValues take(std::size_t count);
    /// `values` has none.
    void put(GraphValues values);

private:
    std::mutex m_mutex; ///< backward passes of a GPU run on another thread
    std::vector<GraphValues> m_spare;
};

/// The table of one run of a block. When it goes, so do its values, in their order.
class BlockValues {
public:
    /// `touched`: the values that the block's nodes read or make, ascending; borrowed, as `spare` is.
    BlockValues(SpareValues& spare, const std::vector<ValueId>& touched, std::size_t count);
    ~BlockValues();
    BlockValues(const BlockValues&) = delete;
    BlockValues& operator=(const BlockValues&) = delete;

    GraphValues& all() { return m_values; }
    c10::IValue& at(ValueId value) { return m_values[static_cast<std::size_t>(value)]; }

private:
    SpareValues& m_spare;
    const std::vector<ValueId>& m_touched;
    GraphValues m_values;
};

/// The deviation of initial weights in models whose own initialisation is not known.
inline constexpr double kInitialDeviation = 0.02;

/// A module of an imported model: its parameters and buffers, and its place in the tree. What it computes are nodes of
/// the graph. Its name is its Python class's.
class ImportedModule : public torch::nn::Module, public Initialised {
public:
    explicit ImportedModule(const std::string& type)
        : torch::nn::Module(type)
    {
    }

    /// Weights of vectors are 1 (norms), biases 0, tables and filters normal with a deviation of 0.02.
    void initialise() override;
};

/// One whose own nodes contain scaled dot-product attention.
class ImportedAttention final : public ImportedModule, public AttentionLayer {
public:
    using ImportedModule::ImportedModule;

    at::Tensor attention(const AttentionInputs& inputs) const { return attend(inputs); }
};

/// A program with the modules and tensors that it needs; shared with the graphs of autograd that run parts of it again.
struct ExecutableGraph {
    /// What a Linear reads and makes: its output is a value of its last node.
    struct LinearSite {
        ValueId input = kNoValue;
        ValueId output = kNoValue;
    };
    /// What takes an operator's place at one node.
    struct Site {
        std::shared_ptr<Linear> linear; ///< of which the node is a part; null: none
        std::optional<LinearSite> runs{}; ///< at a Linear's first node
        std::shared_ptr<ImportedAttention> attention; ///< null: none
        std::shared_ptr<ImportedFeedForward> feedForward; ///< of which the node is a part; null: none
        bool isFirstOfFeedForward = false;
        std::set<const torch::nn::Module*>
            outside{}; ///< modules that do not enclose the node, and whose weights it reads
    };
    bool isMade(ValueId value) const;

    /// A block's nodes, and the values that pass its border.
    struct Block {
        std::size_t first = 0; ///< both inclusive
        std::size_t last = 0;
        std::size_t depth = 0; ///< of its module call among those that enclose its nodes
        std::string key; ///< of that call
        const torch::nn::Module* module = nullptr;
        std::vector<ValueId> reads; ///< tensors made outside, or inputs; without the model's own
        std::vector<ValueId> readNumbers;
        std::vector<ValueId> makes; ///< tensors that are read later, or held beyond the block's end
        std::vector<ValueId> madeNumbers;
        std::vector<ValueId> released; ///< of those read
        std::vector<ValueId> touched; ///< all that its nodes read and make, ascending
    };

    std::shared_ptr<const archive::ExportedModel> archive;
    std::unique_ptr<GraphProgram> program;
    std::vector<c10::IValue> own; ///< parameters and buffers by value; nothing elsewhere
    std::vector<Site> sites; ///< by node
    std::set<ValueId> skipped; ///< that a Linear's nodes make on the way, and the Linear does not
    /// Values that only a feed-forward's own nodes read: where it is taken over, nobody has them.
    std::map<ValueId, std::shared_ptr<ImportedFeedForward>> inner;
    std::map<std::string, std::shared_ptr<torch::nn::Module>> modules; ///< by path, without the model itself
    std::vector<Block> blocks; ///< in the order in which they run
    std::unique_ptr<SpareValues> spareValues = std::make_unique<SpareValues>(); ///< of blocks that have run
    tensor::AutocastLists autocastLists = tensor::AutocastLists::Cpu; ///< of the device
};

/// Runs stretches of a graph. Opens a ModuleScope for each module call, so that memory belongs to modules and hooks of
/// techniques run, and the modes (autocast, gradients) that the model's forward enters.
class GraphRun {
public:
    /// `depth`: calls that are open already, and not opened here. Graph and values are borrowed.
    GraphRun(const ExecutableGraph& graph, GraphValues& values, std::size_t depth, RunMode mode);
    ~GraphRun();
    GraphRun(const GraphRun&) = delete;
    GraphRun& operator=(const GraphRun&) = delete;

    /// Runs nodes from `first` to `last`, both inclusive; with a `key` only calls within that one are opened.
    void run(std::size_t first, std::size_t last, const std::string& key = {});

    /// Closes and opens calls and modes as around a block, which opens those within it itself.
    void enterAround(const ExecutableGraph::Block& block);

private:
    struct OpenCall {
        std::string key;
        std::unique_ptr<tensor::ModuleScope> scope; ///< null for a module without a place in the tree
    };
    /// Objects that restore the surrounding mode when they go.
    struct OpenRegion {
        std::size_t id = 0;
        std::unique_ptr<at::AutoGradMode> gradients;
        std::unique_ptr<tensor::AutocastRegion> autocast;
    };

    bool isWithin(const archive::Node& node, const std::string& key) const;
    void enter(const archive::Node& node, std::size_t depth, const std::vector<archive::ModeRegion>& regions);
    void open(const archive::ModeRegion& region);
    void runNode(std::size_t index);
    void runLayer(Interpreter& interpreter, std::size_t index, bool isOfFeedForward) const;

    const ExecutableGraph& m_graph;
    GraphValues& m_values;
    std::size_t m_depth;
    RunMode m_mode;
    bool m_recordsGradients; ///< outside of all regions
    std::vector<OpenCall> m_calls;
    std::vector<OpenRegion> m_regions;
};

} // namespace headroom::models
