// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/autocast/AutocastLists.h"
#include "core/memory/MetaMemory.h"
#include "core/tensor/OpInterceptor.h"
#include "profiling/collectors/AccountedMemory.h"
#include "profiling/collectors/simulated/CublasWorkspaces.h"
#include "profiling/collectors/simulated/InPlaceAccumulation.h"
#include "profiling/collectors/simulated/OpCostCollector.h"
#include "profiling/collectors/simulated/ReductionBuffers.h"
#include "profiling/collectors/simulated/RepeatedBlocks.h"
#include "profiling/collectors/simulated/RepeatedStep.h"
#include "profiling/collectors/simulated/SimulatedTimeline.h"
#include "profiling/collectors/simulated/SoftmaxBuffers.h"
#include "profiling/kernels/KernelRules.h"
#include "profiling/kernels/OpRules.h"
#include "profiling/measurement/Instruments.h"

#include <optional>
#include <unordered_map>

namespace headroom::collectors {

/// Temporaries that LibTorch's CPU kernels allocate and meta kernels do not, for `sim:cpu`.
///
/// Rules, each with its source:
/// - mean: the number of elements, which divides the sum in place; in bfloat16 or float16 the whole input and its sum
///   in float32, for accuracy (aten/src/ATen/native/ReduceOps.cpp, mean_out).
/// - add, sub, mul and div of tensors of different types: a copy in the common type of each argument that has another
///   type; if the result is written into the first argument and that one has another type, a copy of it as argument and
///   as result (aten/src/ATen/TensorIterator.cpp, compute_types).
/// - the same ops, and comparisons, with a number: a tensor of the number in the type of its kind (8 bytes), and its
///   copy in the common type (aten/src/ATen/native/BinaryOps.cpp, wrapped_scalar_tensor). The _foreach_ forms take the
///   same for one tensor after the other (aten/src/ATen/native/ForeachOpsKernels.cpp).
class CpuTemporaries final : public tensor::OpObserver {
public:
    explicit CpuTemporaries(std::shared_ptr<AccountedMemory> memory);

    void before(const tensor::OpCall& call) override;
    void after(const tensor::OpCall& call) override;

    /// Which of the rules applies to an op.
    enum class Kind {
        Mean,
        Arithmetic, ///< of two tensors
        Number, ///< with a number, of one tensor or a list
    };

private:
    std::optional<Kind> kindOf(const c10::OperatorHandle& op);

    std::shared_ptr<AccountedMemory> m_memory;
    std::unordered_map<const c10::FunctionSchema*, std::optional<Kind>> m_kinds;
    Bytes m_temporaryBytes = 0;
    std::optional<std::int64_t> m_inputElements; ///< of a mean
};

/// Whether a simulated device runs out of memory where the real one does.
enum class DeviceLimit { Kept, Lifted };

/// A simulated device: tensors on meta, the simulator's allocator behind them, time from the cost model.
///
/// During its lifetime this thread's ops are intercepted and meta storages are accounted for.
class SimulatedInstruments final : public Instruments {
public:
    /// `limitBytes`: the most that the allocator may take, if less than the device offers. With `Lifted` there is no
    /// limit at all, to find out how much a trial would take.
    SimulatedInstruments(const simulator::SimulatedDevice& device, std::optional<Bytes> limitBytes,
        DeviceLimit deviceLimit = DeviceLimit::Kept);

    ~SimulatedInstruments() override;

    std::chrono::nanoseconds now() override;
    /// False if the profile has no speed: each op then advances the clock by a tick.
    bool measuresTime() const override { return m_timeline.measuresTime(); }
    void synchronise() override;
    protocol::MemoryFigures current() override;
    protocol::MemoryFigures peak() override;
    void resetPeak() override;
    void emptyCache() override;
    std::optional<std::int64_t> allocRetries() override;
    std::optional<Bytes> limit() override { return m_limit; }
    std::optional<config::SegmentAddresses> segmentAddresses() const override;
    std::vector<std::string> opsWithoutRule() const override;
    void observeAllocations(TraceObserver observer) override;
    /// Once; blocks that are alike are run twice in a step (RepeatedBlocks). `synchronise` then throws UnlikeBlocks
    /// where they turn out not to be.
    models::BlockShortcut* shortcutFor(models::Model& model, techniques::BlockAccounts* accounts) override;
    /// Runs of blocks that repeated others.
    std::int64_t repeatedRuns() const { return m_repeatedBlocks ? m_repeatedBlocks->repeats() : 0; }
    /// Once.
    training::StepShortcut* stepShortcut() override;
    /// Steps that repeated the one before them.
    std::int64_t repeatedSteps() const { return m_repeatedStep ? m_repeatedStep->repeats() : 0; }
    /// As CublasWorkspaces has them.
    std::int64_t recomputedLtProducts() const { return m_workspaces.recomputedLtProducts(); }
    Bytes recomputedLtBytes() const { return m_workspaces.recomputedLtBytes(); }
    void releaseRecomputedLt() { m_workspaces.releaseRecomputedLt(); }
    void phaseBegins(const std::string& phase, std::int64_t step) override;
    void phaseEnds(const std::string& phase, std::int64_t step) override;

private:
    struct Reserved {
        Bytes bytes;
        std::optional<Bytes> otherBytes; ///< if the segments had been placed in the other order
    };

    void spend(const simulator::OpCost& cost);
    protocol::MemoryFigures completed(protocol::MemoryFigures figures, const Reserved& reserved) const;

    simulator::SimulatedDevice m_device;
    std::optional<Bytes> m_limit;
    std::shared_ptr<AccountedMemory> m_memory;
    SimulatedTimeline m_timeline;
    std::unique_ptr<RepeatedBlocks> m_repeatedBlocks; ///< null: no shortcut
    std::unique_ptr<RepeatedStep> m_repeatedStep; ///< null: no shortcut
    CublasWorkspaces m_workspaces;
    ReductionBuffers m_reductions;
    SoftmaxBuffers m_softmax;
    CpuTemporaries m_cpuTemporaries;
    InPlaceAccumulation m_accumulation;
    OpCostCollector m_costs;
    OpSurvey m_survey;
    KernelRules m_rules;
    tensor::OpInterceptor m_interceptor;
    tensor::MetaMemory m_metaMemory;
    KernelRules::Scope m_kernels;
    tensor::MetaAutocastLists m_autocastLists;
    tensor::OpInterceptor::Scope m_interception;
    tensor::DeviceTimeline::Activation m_activeTimeline;
};

} // namespace headroom::collectors
