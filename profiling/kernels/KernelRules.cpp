// SPDX-License-Identifier: Apache-2.0
#include "profiling/kernels/KernelRules.h"

#include "profiling/kernels/KernelFamilies.h"

namespace headroom::collectors {
namespace {

thread_local const KernelRules* t_active = nullptr;

} // namespace

KernelRules::KernelRules(const simulator::SimulatedDevice& device)
    : m_device(device)
{
    registerMetaKernels();
}

// The CPU has kernels of its own only for layer norm and element-wise ops.
simulator::KernelForm KernelRules::form(simulator::KernelOp op) const
{
    if (imitatesCpu() && op == simulator::KernelOp::RmsNorm)
        return simulator::KernelForm::Composite;
    return m_device.runtime.kernel(op);
}

simulator::AttentionBackend KernelRules::attention(
    const simulator::AttentionCall& call, const std::vector<simulator::AttentionBackend>& allowed) const
{
    return simulator::chooseAttention(call, allowed, m_device.runtime, capability());
}

simulator::ComputeCapability KernelRules::capability() const
{
    return m_device.device.compute.value().capability.value;
}

std::int64_t KernelRules::multiprocessors() const
{
    return m_device.device.compute.value().multiprocessors.value;
}

KernelRules::Scope::Scope(const KernelRules& rules)
{
    t_active = &rules;
}

KernelRules::Scope::~Scope()
{
    t_active = nullptr;
}

const KernelRules* KernelRules::active()
{
    return t_active;
}

const KernelRules* KernelRules::activeOfCuda()
{
    return t_active != nullptr && !t_active->imitatesCpu() ? t_active : nullptr;
}

// Kept for the life of the process, like the dispatcher's other kernels.
void registerMetaKernels()
{
    static const bool registered = [] {
        static torch::Library kernels(torch::Library::IMPL, "aten", c10::DispatchKey::Meta, __FILE__, __LINE__);
        static torch::Library composites(
            torch::Library::IMPL, "aten", c10::DispatchKey::AutogradMeta, __FILE__, __LINE__);
        registerNormKernels(kernels, composites);
        registerAttentionKernels(kernels, composites);
        registerConvolutionKernels(kernels);
        registerDropoutKernels(kernels, composites);
        registerIndexKernels(kernels);
        registerSelectKernels(kernels);
        registerOptimizerKernels(kernels);
        registerEmbeddingKernels(kernels);
        registerBatchNormKernels(kernels, composites);
        registerGroupNormKernels(kernels);
        registerElementwiseKernels(kernels);
        registerReductionKernels(kernels);
        registerPoolingKernels(kernels);
        registerGatherKernels(kernels);
        registerMaskedKernels(kernels);
        registerSortingKernels(kernels);
        registerLossKernels(kernels);
        registerFourierKernels(kernels);
        registerMatrixKernels(kernels);
        registerRefusals(kernels);
        return true;
    }();
    static_cast<void>(registered);
}

} // namespace headroom::collectors
