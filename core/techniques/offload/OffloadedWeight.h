// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/HostMemory.h"
#include "core/memory/ParameterHome.h"
#include "core/memory/WorkingCopies.h"
#include "core/techniques/offload/OffloadPlan.h"
#include "core/tensor/DeviceTimeline.h"
#include "core/tensor/SideStream.h"

#include <memory>

namespace headroom::techniques {

/// Bytes of one step, shared with what a graph keeps.
struct OffloadCount {
    std::int64_t bytesToHost = 0;
    std::int64_t bytesToDevice = 0;
};

/// A parameter whose data rest in host memory. Weights do not change in a forward, so nothing is copied back after it:
/// the device's copy is dropped, and the parameter is the host's tensor again.
///
/// Two counts say what is where: the device's copy lives while somebody holds it, and is the parameter's data while
/// somebody uses it.
class OffloadedWeight {
public:
    OffloadedWeight(
        OwnedParameter parameter, c10::Device device, tensor::HostMemory kind, std::shared_ptr<OffloadCount> count);

    /// Moves the data to the host if they are not there: at first, and where others have replaced them.
    void moveToHost();

    /// The device's copy is needed from now on; true: it has just got its memory, and is to be filled.
    bool hold();
    /// Copies from the host on the current stream, on whichever thread; the copy must be held meanwhile.
    void fill() const;
    void letGo();

    /// The parameter's data are the device's copy, which is held.
    void use();
    void stopUsing();
    bool isUsed() const { return m_uses > 0; }

    /// The device's copy, which is in use, was changed: the host's is made equal.
    void takeBack() const;

    /// A copy on the device, for the caller alone.
    at::Tensor copyOnDevice() const;

    const at::Tensor& parameter() const { return m_parameter; }
    const at::Tensor& deviceCopy() const { return m_onDevice; }
    /// Why it rests in pageable memory although pinned memory was asked for; else empty.
    const std::string& reason() const { return m_host.reason; }
    tensor::HostMemory kind() const { return m_host.kind; }

private:
    at::Tensor emptyOnDevice() const;
    tensor::TransferWait wait() const;

    at::Tensor m_parameter;
    const torch::nn::Module* m_owner;
    c10::Device m_device;
    tensor::HostMemory m_wantedKind;
    tensor::RestingParameter m_registration;
    std::shared_ptr<OffloadCount> m_count;
    tensor::HostTensor m_host;
    at::Tensor m_onDevice;
    int m_holds = 0;
    int m_uses = 0;
};

using OffloadedWeights = std::vector<std::shared_ptr<OffloadedWeight>>;

} // namespace headroom::techniques
