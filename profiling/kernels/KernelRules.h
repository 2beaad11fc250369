// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/profiles/ProfileCatalogue.h"
#include "profiling/simulator/rules/AttentionRules.h"

namespace headroom::collectors {

/// Which device's kernels a simulated trial imitates.
class KernelRules {
public:
    explicit KernelRules(const simulator::SimulatedDevice& device);

    /// True for the kernels of LibTorch's CPU, as on `sim:cpu`; otherwise they are those of CUDA.
    bool imitatesCpu() const { return m_device.device.kind == simulator::AllocatorKind::Exact; }

    simulator::KernelForm form(simulator::KernelOp op) const;
    /// Chooses among the allowed backends; math if none of them can run.
    simulator::AttentionBackend attention(
        const simulator::AttentionCall& call, const std::vector<simulator::AttentionBackend>& allowed) const;
    std::int64_t multiprocessors() const;
    simulator::ComputeCapability capability() const;
    const simulator::RuntimeProfile& runtime() const { return m_device.runtime; }

    /// During its lifetime, meta kernels on this thread follow these rules. Scopes do not nest.
    class Scope {
    public:
        explicit Scope(const KernelRules& rules);
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
    };

    /// The rules of this thread's scope; null outside a scope.
    static const KernelRules* active();
    /// The same if the rules are those of CUDA; null if they are the CPU's.
    static const KernelRules* activeOfCuda();

private:
    simulator::SimulatedDevice m_device;
};

/// Registers Headroom's meta kernels with LibTorch's dispatcher, once per process: for ops that LibTorch lacks on meta,
/// and for those that take different memory on meta than on the imitated device. Outside a scope they behave as
/// LibTorch's own kernels, where those exist.
void registerMetaKernels();

} // namespace headroom::collectors
