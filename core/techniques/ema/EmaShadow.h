// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/techniques/EmaDescriptor.h"
#include "core/memory/HostMemory.h"
#include "core/tensor/SideStream.h"
#include "core/tensor/Torch.h"

#include <memory>
#include <string>
#include <vector>

namespace headroom::techniques {

using Tensors = std::vector<at::Tensor>;

/// Whether the mode holds the difference of all shadows and parameters at once, or of one at a time.
bool needsTemporary(config::EmaMode mode);

/// shadow -= weight * (shadow - parameter), in place, for pairs of equal shape, dtype and device. Only `Loop` rounds as
/// this is written: `Foreach` subtracts with a factor, `ForeachNoTemporary` interpolates (docs/techniques/ema.md).
/// `temporaries`: memory of the shadows' shapes for modes that need it; empty: allocated.
void moveTowards(config::EmaMode mode, const Tensors& shadows, const Tensors& parameters, double weight,
    const Tensors& temporaries = {});

/// shadow <- parameter for each pair.
void copyParameters(config::EmaMode mode, const Tensors& shadows, const Tensors& parameters);

/// What updates of a shadow moved and pinned.
struct EmaTraffic {
    std::int64_t bytesToHost = 0;
    std::int64_t bytesToDevice = 0;
    std::int64_t pinnedAllocations = 0;
};

/// Which of them require gradients.
std::vector<bool> trainableFlags(const Tensors& parameters);

/// A copy of a list of parameters, in order, and how it is brought up to date where it lives. Starts as they are.
///
/// Parameters that rest elsewhere (tensor::ParameterHome) are brought to the device for as long as they are read. The
/// list stays the same: an update of another number of parameters is refused.
class EmaShadow {
public:
    explicit EmaShadow(config::EmaMode mode)
        : m_mode(mode)
    {
    }
    virtual ~EmaShadow() = default;
    EmaShadow(const EmaShadow&) = delete;
    EmaShadow& operator=(const EmaShadow&) = delete;

    /// Moves the shadows of those that require gradients by `weight` towards them; the others' become copies. May be
    /// under way when this returns; the parameters must not be changed before `letComputeWait`.
    virtual void update(const Tensors& parameters, double weight) = 0;
    /// What is computed from now on may change the parameters.
    virtual void letComputeWait() { }
    /// The host may read and write `tensors`.
    virtual void finish() = 0;
    /// "in pinned host memory": where it lives, and how it is updated.
    virtual std::string description() const = 0;

    const Tensors& tensors() const { return m_tensors; }
    const EmaTraffic& traffic() const { return m_traffic; }
    void clearTraffic() { m_traffic = {}; }

protected:
    /// Throw TrialError for a list that is no longer the one of the beginning.
    void checkCount(const Tensors& parameters) const;
    void checkUnchanged(const Tensors& parameters, const std::vector<bool>& trainable) const;
    /// A copy across that counts.
    void transfer(
        const at::Tensor& from, const at::Tensor& to, tensor::TransferDirection direction, tensor::TransferWait wait);
    void count(const at::Tensor& moved, tensor::TransferDirection direction);
    /// Memory on the host that counts; what became of the wish to pin it is remembered.
    at::Tensor hostMemory(at::IntArrayRef sizes, c10::ScalarType dtype, c10::Device device, tensor::HostMemory kind);
    /// "pinned host memory", "pageable host memory, as REASON".
    std::string hostMemoryText() const;
    /// Whether host memory was really pinned.
    bool isPinned() const { return m_kind == tensor::HostMemory::Pinned; }

    config::EmaMode m_mode;
    Tensors m_tensors;

private:
    EmaTraffic m_traffic;
    tensor::HostMemory m_kind = tensor::HostMemory::Pageable;
    std::string m_reason;
};

/// One shadow for each schedule. They share what they need on the device. Throws TrialError for parameters that are not
/// contiguous, where they are to be cut.
std::vector<std::unique_ptr<EmaShadow>> makeEmaShadows(const config::EmaSettings& settings, const Tensors& parameters);

} // namespace headroom::techniques
