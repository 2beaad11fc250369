// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/profiles/ProfileCatalogue.h"
#include "profiling/simulator/rules/AttentionRules.h"

namespace headroom::collectors {

/// Which device's kernels a simulated trial imitates.
class KernelRules {
public:
    explicit KernelRules(const simulator::SimulatedDevice& device);

    /// The kernels of LibTorch's CPU, as `sim:cpu` has them; otherwise those of CUDA.
    bool imitatesCpu() const { return m_device.device.kind == simulator::AllocatorKind::Exact; }

    simulator::KernelForm form(simulator::KernelOp op) const;
    /// Of those that are allowed; math where none of them can.
    simulator::AttentionBackend attention(
        const simulator::AttentionCall& call, const std::vector<simulator::AttentionBackend>& allowed) const;
    std::int64_t multiprocessors() const;
    simulator::ComputeCapability capability() const;

    /// While it lives, meta kernels on this thread follow these rules. Scopes do not nest.
    class Scope {
    public:
        explicit Scope(const KernelRules& rules);
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
    };

    /// The rules of this thread's scope; null outside of one.
    static const KernelRules* active();
    /// The same where they are those of CUDA; null where they are the CPU's, too.
    static const KernelRules* activeOfCuda();

private:
    simulator::SimulatedDevice m_device;
};

/// Registers Headroom's meta kernels with LibTorch's dispatcher, once per process: for ops that LibTorch lacks on meta,
/// and for those whose bytes on meta are not what the imitated device takes. Outside of a scope they behave as
/// LibTorch's, where LibTorch has one.
void registerMetaKernels();

} // namespace headroom::collectors
