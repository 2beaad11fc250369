// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/techniques/OffloadDescriptor.h"
#include "core/memory/HostMemory.h"
#include "core/memory/ParameterHome.h"
#include "core/memory/WorkingCopies.h"
#include "core/models/Model.h"
#include "core/tensor/DeviceTimeline.h"
#include "core/tensor/SideStream.h"

#include <memory>

namespace headroom::techniques {

/// A parameter and the module that registered it.
struct OwnedParameter {
    const torch::nn::Module* owner = nullptr;
    at::Tensor parameter;
};

/// Parameters that are on the device together.
struct OffloadGroupPlan {
    /// The modules whose forwards need them, in the order of construction: they come with the first that runs and go
    /// after the last one.
    std::vector<const torch::nn::Module*> members;
    std::vector<OwnedParameter> parameters;
};

/// Upstream's groups. Blocks: consecutive runs of N blocks; everything else is one group of the root's. Leaf: each
/// Linear, convolution and embedding with all below it (an adapter), and each other module that has parameters of its
/// own. Model: one group. Groups without parameters are left out; a parameter that is registered twice is the first's.
std::vector<OffloadGroupPlan> offloadGroups(models::Model& model, const config::OffloadNotation& offload);

/// What has to be on the device where the module runs by itself, without the group's members around it, as it does in a
/// repetition for the backward pass: the parameters in and below it. For those of a leaf group, and for the root, the
/// group's.
std::vector<OwnedParameter> parametersAlone(
    const torch::nn::Module& module, const config::OffloadNotation& offload, const OffloadGroupPlan* group);

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
