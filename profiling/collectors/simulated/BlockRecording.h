// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/collectors/AccountedMemory.h"
#include "profiling/collectors/simulated/BlockProgram.h"

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

/// What one block of a step was seen to do: its program in both passes, and what it takes and gives.
///
/// Memory that the block neither releases nor hands on where it can be known, or that it releases without having a
/// role, is a problem: the block then cannot be repeated.
class BlockRecording {
public:
    using Handle = tensor::MemoryBackend::Handle;

    explicit BlockRecording(std::vector<at::Tensor> parameters)
        : m_parameters(std::move(parameters))
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
    void allocated(Handle handle, Bytes bytes);
    void allocatedOnHost(Handle handle, tensor::HostMemory kind, Bytes bytes);
    void released(Handle handle);
    void spent(const simulator::OpCost& cost);
    void cannotRepeat(const std::string& why);

    bool isRunning() const { return m_running != nullptr; }
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
    TensorForm formWithRole(const at::Tensor& tensor, const char* what);
    bool isHandedOn(MemoryRole own) const;

    std::vector<at::Tensor> m_parameters;
    BlockProgram m_forward;
    BlockProgram m_backward;
    BlockProgram* m_running = nullptr;
    std::vector<TensorForm> m_inputForms;
    std::vector<TensorForm> m_outputForms;
    std::vector<TensorForm> m_arrived;
    std::vector<TensorForm> m_given;
    std::vector<LeftGradient> m_left;
    std::unordered_map<Handle, MemoryRole> m_roles; ///< of memory that is live
    std::vector<Handle> m_inputHandles; ///< 0: none
    std::size_t m_allocations = 0;
    bool m_hasBackward = false;
    std::string m_problem;
};

} // namespace headroom::collectors
