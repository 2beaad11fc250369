// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/memory/HostMemory.h"
#include "core/tensor/SideStream.h"

#include <memory>
#include <string>

namespace headroom::tensor {

class CheckpointInputs;

/// Copies what checkpointed regions keep of their inputs to pinned host memory while the forward continues, and back
/// before the backward pass needs it, on a side stream.
///
/// Regions are queued in the order in which they run. At `regionBegins`, inputs of earlier regions that nobody else
/// holds by then start to be copied out; at `regionEnds`, the compute stream waits for the copies and their memory is
/// freed. When the inputs of a region are taken, those of the region before it are prefetched. Used by one thread at a
/// time; inputs in transit keep this alive.
class InputOffload : public std::enable_shared_from_this<InputOffload> {
public:
    /// `technique`: the owner of the memory, a literal.
    InputOffload(c10::Device device, std::string_view technique);
    ~InputOffload();
    InputOffload(const InputOffload&) = delete;
    InputOffload& operator=(const InputOffload&) = delete;

    /// Another forward begins: its inputs are queued separately from those of earlier forwards.
    void forwardBegins();
    void regionBegins();
    void regionEnds();

    /// A region keeps its inputs; those that may move to the host do so later.
    void add(const std::shared_ptr<CheckpointInputs>& inputs);

    /// Host memory for a tensor that is copied out; pinned if possible.
    HostTensor hostMemoryFor(const at::Tensor& tensor);
    /// Device memory for a tensor that is copied back: uninitialised, with these sizes and strides.
    at::Tensor deviceMemoryFor(at::IntArrayRef sizes, at::IntArrayRef strides, c10::ScalarType dtype) const;

    /// Copies a contiguous run of elements between device and host, after the compute stream's work so far. Both must
    /// live until `wait`. The host waits where its memory is pageable: such a copy cannot run by itself.
    void copyOut(const at::Tensor& from, const HostTensor& to);
    void copyBack(const HostTensor& from, const at::Tensor& to);
    /// Computation from now on comes after all copies.
    void wait();

    Bytes bytesToHost() const { return m_bytesToHost; }
    void clearCount() { m_bytesToHost = 0; }
    /// Why host memory is not pinned although it should be; empty if it is.
    const std::string& whyPageable() const { return m_whyPageable; }

private:
    void copy(const at::Tensor& from, const at::Tensor& to, TransferDirection direction, HostMemory kind);

    c10::Device m_device;
    std::string_view m_technique;
    std::vector<std::weak_ptr<CheckpointInputs>> m_waiting; ///< not yet asked to move to the host
    std::vector<std::weak_ptr<CheckpointInputs>> m_leaving;
    std::weak_ptr<CheckpointInputs> m_last; ///< the last to have been copied out
    Bytes m_bytesToHost = 0;
    std::string m_whyPageable;
    SideStream m_stream; ///< last: ends before what its work uses
};

/// A tensor whose bytes are in host memory, or in transit to or from it.
class OffloadedTensor {
public:
    /// Whether a tensor can be offloaded: its elements must fill its storage, so that it can be restored exactly.
    static bool canLeave(const at::Tensor& tensor);

    /// Starts copying the tensor to the host.
    OffloadedTensor(std::shared_ptr<InputOffload> offload, const at::Tensor& tensor);
    ~OffloadedTensor();
    OffloadedTensor(const OffloadedTensor&) = delete;
    OffloadedTensor& operator=(const OffloadedTensor&) = delete;

    /// The copy is complete (InputOffload::wait): device memory is freed, unless the tensor is on its way back already.
    void left();

    /// Starts copying it back. Does nothing if it is on the device already.
    void sendFor();

    /// The tensor on the device again, for the caller only; starts the copy if `sendFor` was not called.
    at::Tensor take();

private:
    enum class Place { Leaving, Host, Returning };

    std::shared_ptr<InputOffload> m_offload;
    std::vector<std::int64_t> m_sizes;
    std::vector<std::int64_t> m_strides;
    HostTensor m_host;
    at::Tensor m_device; ///< during a copy
    at::Tensor m_elements; ///< of m_device, in memory order
    Place m_place = Place::Leaving;
};

/// The inputs of a checkpointed region, kept as autograd keeps what it saves: through the hooks that are current at
/// construction. So an outer checkpoint rebuilds them, and a counter of saved tensors sees them.
///
/// With an InputOffload, inputs that nobody else holds any more are moved to the host: one that other blocks use too,
/// or that is saved elsewhere, would stay on the device anyway.
class CheckpointInputs {
public:
    /// Whether inputs may move to the host later: use counts of their storages tell whether anyone else holds them.
    enum class Residency { Permanent, Offloadable };

    /// Undefined inputs stay undefined.
    explicit CheckpointInputs(const std::vector<at::Tensor>& inputs, Residency residency = Residency::Permanent);

    /// The detached inputs, requiring gradients as before, with their former storages (or, from the host, with equal
    /// new ones). Throws TrialError at `where` if one was changed in place since.
    std::vector<at::Tensor> unpack(const std::string& where);

    /// Allows the inputs to move to the host. Unpacking these prefetches `before`, which may be gone by then.
    void offloadThrough(std::shared_ptr<InputOffload> offload, std::weak_ptr<CheckpointInputs> before);

    // InputOffload calls these.
    /// Starts copying the inputs that may move to the host; false: there are none.
    bool leave();
    /// The copies to the host are complete.
    void left();
    /// Starts copying them back.
    void sendFor();

private:
    struct Input {
        torch::autograd::SavedVariable saved;
        c10::VariableVersion counter; ///< counts in-place changes; keeps no storage alive
        std::uint32_t version = 0;
        bool requiresGrad = false;
        at::Tensor waiting; ///< may move to the host; undefined: may not
        std::unique_ptr<OffloadedTensor> offloaded; ///< used instead of `saved`

        bool isHeldByNobodyElse() const;
        at::Tensor tensor() const { return offloaded ? offloaded->take() : saved.unpack(); }
    };

    static Input keep(const at::Tensor& input, Residency residency);

    std::vector<Input> m_inputs;
    std::shared_ptr<InputOffload> m_offload;
    std::weak_ptr<CheckpointInputs> m_before;
};

} // namespace headroom::tensor
