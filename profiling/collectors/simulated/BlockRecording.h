// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/techniques/stack/BlockAccounts.h"
#include "profiling/collectors/AccountedMemory.h"
#include "profiling/collectors/simulated/BlockProgram.h"

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace headroom::collectors {

/// A gradient that a block's backward pass leaves with one of its parameters.
struct LeftGradient {
    std::size_t parameter = 0; ///< of the block's, in order
    TensorForm form;

    bool operator==(const LeftGradient&) const = default;
};

/// What was counted while a pass of a block ran; nothing where nobody counts.
struct BlockTally {
    techniques::StackCounters counted;
    Bytes kept = 0; ///< for the backward pass, inputs not counted; of the forward pass

    bool operator==(const BlockTally&) const = default;
};

/// What one block of a step was seen to do: its program in both passes, and what it takes and gives.
///
/// Memory that the block neither releases nor hands on where it can be known, or that it releases without having a
/// role, is a problem: the block then cannot be repeated.
class BlockRecording {
public:
    using Handle = tensor::MemoryBackend::Handle;

    /// How a label is written down; null: as it is.
    using Naming = std::function<tensor::MemoryLabel(const tensor::MemoryLabel&)>;

    explicit BlockRecording(std::vector<at::Tensor> parameters, Naming naming = {})
        : m_parameters(std::move(parameters))
        , m_naming(std::move(naming))
    {
    }

    void beginForward(const std::vector<at::Tensor>& inputs);
    void endForward(const std::vector<at::Tensor>& outputs);
    void beginBackward();
    /// The gradient of an output, when the node that made it is about to run.
    void gradientArrives(std::size_t output, const at::Tensor& gradient);
    void endBackward();
    /// The gradient that the block gave to the previous block's output of this number.
    void gave(std::size_t output, const at::Tensor& gradient);

    // What happens meanwhile.
    void allocated(Handle handle, Bytes bytes, const tensor::MemoryLabel& label);
    void allocatedOnHost(Handle handle, tensor::HostMemory kind, Bytes bytes);
    void released(Handle handle);
    void relabelled(Handle handle, const tensor::LabelChange& change);
    /// Of the pass that runs.
    void counted(const techniques::StackCounters& counters);
    void spent(const simulator::OpCost& cost);
    void cannotRepeat(const std::string& why);

    /// Others hold this input as long as the block does, and say what it is.
    void ignoreLabelsOf(std::size_t input);
    /// The block keeps this much of its own in the forward pass, and these inputs.
    void keeps(Bytes own, std::vector<bool> inputs);

    bool isRunning() const { return m_running != nullptr; }
    const BlockTally& forwardTally() const { return m_forwardTally; }
    const BlockTally& backwardTally() const { return m_backwardTally; }
    /// By input: whether the block is the first to keep it for the backward pass.
    const std::vector<bool>& keptInputs() const { return m_keptInputs; }
    /// Whether the block has no earlier input in the same memory.
    bool isOwnInput(std::size_t input) const;
    const BlockProgram& forward() const { return m_forward; }
    const BlockProgram& backward() const { return m_backward; }
    const std::vector<TensorForm>& inputs() const { return m_inputForms; }
    const std::vector<TensorForm>& outputs() const { return m_outputForms; }
    const std::vector<TensorForm>& arrived() const { return m_arrived; }
    const std::vector<TensorForm>& given() const { return m_given; }
    const std::vector<LeftGradient>& left() const { return m_left; }
    /// Whether the block's graph still holds the input, after the forward pass has gone on.
    bool holdsInput(std::size_t input) const;
    /// Allocations of both passes.
    std::size_t allocations() const { return m_allocations; }
    bool hasBackward() const { return m_hasBackward; }

    /// Empty: none.
    const std::string& problem() const { return m_problem; }
    /// Checks, once nothing more can happen, that all memory is accounted for.
    void close();

    bool repeatsForwardOf(const BlockRecording& other) const;
    bool repeatsBackwardOf(const BlockRecording& other) const { return differenceInBackward(other).empty(); }
    /// In words, empty: none.
    std::string differenceInBackward(const BlockRecording& other) const;

private:
    std::optional<MemoryRole> roleOf(const at::Tensor& tensor) const;
    void know(const at::Tensor& tensor, MemoryRole role);
    void take(Handle handle, ProgramStep step);
    bool isIgnored(MemoryRole role) const;
    tensor::MemoryLabel named(const tensor::MemoryLabel& label) const { return m_naming ? m_naming(label) : label; }
    TensorForm formWithRole(const at::Tensor& tensor, const char* what);
    bool isHandedOn(MemoryRole own) const;

    std::vector<at::Tensor> m_parameters;
    Naming m_naming;
    BlockProgram m_forward;
    BlockProgram m_backward;
    BlockProgram* m_running = nullptr;
    std::vector<TensorForm> m_inputForms;
    std::vector<TensorForm> m_outputForms;
    std::vector<TensorForm> m_arrived;
    std::vector<TensorForm> m_given;
    std::vector<LeftGradient> m_left;
    BlockTally m_forwardTally;
    BlockTally m_backwardTally;
    std::vector<bool> m_keptInputs;
    std::vector<bool> m_ignoredInputs;
    std::unordered_map<Handle, MemoryRole> m_roles; ///< of memory that is live
    std::vector<Handle> m_inputHandles; ///< 0: none
    std::size_t m_allocations = 0;
    bool m_hasBackward = false;
    std::string m_problem;
};

} // namespace headroom::collectors
