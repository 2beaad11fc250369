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

} // namespace headroom::tensor
