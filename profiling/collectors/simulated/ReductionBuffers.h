// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/OpInterceptor.h"
#include "profiling/collectors/AccountedMemory.h"
#include "profiling/simulator/profiles/ProfileCatalogue.h"
#include "profiling/simulator/rules/ReductionRules.h"

#include <optional>
#include <unordered_map>

namespace headroom::collectors {

/// What CUDA's reductions take from the allocator beside their results: buffers and counters where the input of one
/// output is split over blocks (simulator::reductionScratch), and a copy of an input that is summed in another type.
///
/// The memory is taken when the result exists and returned when the kernel has been launched. On `sim:cpu` nothing is
/// taken.
class ReductionBuffers final : public tensor::OpObserver {
public:
    ReductionBuffers(const simulator::SimulatedDevice& device, std::shared_ptr<AccountedMemory> memory);

    void before(const tensor::OpCall& call) override;
    void after(const tensor::OpCall& call) override;

    /// How an op accumulates.
    enum class Kind {
        Sum, ///< in a type wide enough for sums
        Comparison, ///< one element of the input's type
        Logic, ///< a truth value
        Range, ///< two elements: the least and the most
        Place, ///< an element and its index
        Moments ///< mean, deviation and two counts
    };

private:
    struct Call {
        Kind kind;
        c10::ScalarType type;
        simulator::ReducedTensor input;
        std::vector<std::int64_t> stridesOfCopy; ///< of the copy in another type
    };

    std::optional<Kind> kindOf(const c10::OperatorHandle& op);
    void take(const simulator::ReductionScratch& scratch);

    std::shared_ptr<AccountedMemory> m_memory;
    std::optional<simulator::ReductionDevice> m_device;
    std::unordered_map<const c10::FunctionSchema*, std::optional<Kind>> m_kinds;
    std::optional<Call> m_call; ///< the one that is running now
};

} // namespace headroom::collectors
