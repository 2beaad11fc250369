// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/RepeatResult.h"
#include "core/tensor/Torch.h"

#include <functional>

namespace headroom::collectors {

/// How many elements are converted to float64 at a time: copies of whole tensors would not fit on a device that the
/// trial just filled. More on a GPU, where each chunk costs launches: 32 MiB a copy, so that 13 billion parameters take
/// some 3,000 chunks.
std::int64_t chunkElements(c10::Device device);

/// The tensor's elements in chunks, one after the other, flat and in float64.
void forEachChunk(const at::Tensor& tensor, const std::function<void(const at::Tensor& chunk)>& action);

/// A sum in float64 of one-element tensors that stays where they are: each value that is read makes the host wait for a
/// device. Rounds as a sum of the values on the host does.
class SumOnDevice {
public:
    void add(const at::Tensor& part) { m_sum = m_sum.defined() ? m_sum.add(part) : part; }
    /// The sum as a tensor; undefined without parts.
    const at::Tensor& tensor() const { return m_sum; }
    /// Waits for the device; 0 without parts.
    double read() const { return m_sum.defined() ? m_sum.item<double>() : 0; }

private:
    at::Tensor m_sum;
};

/// The deviation of an output from the one it should equal, computed in float64 on the baseline's device (the output
/// may have been moved to host memory). Nullopt for meta tensors (they have no values) and for tensors of different
/// shapes.
std::optional<protocol::Numerics> compareOutputs(const at::Tensor& output, const at::Tensor& baseline);

} // namespace headroom::collectors
