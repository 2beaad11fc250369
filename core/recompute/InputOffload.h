// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"
#include "core/memory/HostMemory.h"
#include "core/tensor/SideStream.h"

#include <memory>
#include <string>

namespace headroom::tensor {

class CheckpointInputs;

/// Takes what checkpointed regions keep of their inputs to pinned host memory while the forward goes on, and back
/// before the backward pass needs it, on a side stream.
///
/// Regions line up in the order in which they run. `regionBegins`: inputs of earlier regions that nobody else holds by
/// now begin to leave; `regionEnds`: the compute stream waits for them and their memory is free. When the inputs of a
/// region are taken, those of the region before it are sent for. Used by one thread at a time; what is on its way keeps
/// this alive.
class InputOffload : public std::enable_shared_from_this<InputOffload> {
public:
    /// `technique`: whom the memory belongs to, a literal.
    InputOffload(c10::Device device, std::string_view technique);
    ~InputOffload();
    InputOffload(const InputOffload&) = delete;
    InputOffload& operator=(const InputOffload&) = delete;

    /// Another forward begins: what it leaves is not lined up with what earlier ones left.
    void forwardBegins();
    void regionBegins();
    void regionEnds();

    /// A region keeps its inputs; they leave later, those that may.
    void add(const std::shared_ptr<CheckpointInputs>& inputs);

    /// Memory for a tensor that leaves; pinned where that is possible.
    HostTensor hostMemoryFor(const at::Tensor& tensor);
    /// Memory for one that comes back: sizes and strides, uninitialised.
    at::Tensor deviceMemoryFor(at::IntArrayRef sizes, at::IntArrayRef strides, c10::ScalarType dtype) const;

    /// Copies a contiguous run of elements, after what the compute stream does now. Both have to live until `wait`.
    void copy(const at::Tensor& from, const at::Tensor& to, TransferDirection direction);
    /// What is computed from now on comes after all copies.
    void wait();

    Bytes bytesToHost() const { return m_bytesToHost; }
    void clearCount() { m_bytesToHost = 0; }
    /// Why host memory is not pinned although it should be; empty: it is.
    const std::string& whyPageable() const { return m_whyPageable; }

private:
    c10::Device m_device;
    std::string_view m_technique;
    std::vector<std::weak_ptr<CheckpointInputs>> m_waiting; ///< have not been asked to leave yet
    std::vector<std::weak_ptr<CheckpointInputs>> m_leaving;
    std::weak_ptr<CheckpointInputs> m_last; ///< that left
    Bytes m_bytesToHost = 0;
    std::string m_whyPageable;
    SideStream m_stream; ///< last: ends before what its work uses
};

} // namespace headroom::tensor
