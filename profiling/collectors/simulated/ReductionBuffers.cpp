// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/ReductionBuffers.h"

#include "core/memory/MemoryScopes.h"
#include "profiling/collectors/simulated/HeldBytes.h"
#include "profiling/kernels/OpArguments.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace headroom::collectors {
namespace {

using ReductionKind = ReductionBuffers::Kind;

// Ops with one input that run gpu_reduce_kernel (aten/src/ATen/native/cuda/Reduce*Kernel.cu).
constexpr std::array<std::pair<std::string_view, ReductionKind>, 18> kReductions{
    {{"sum", ReductionKind::Sum}, {"mean", ReductionKind::Sum}, {"nansum", ReductionKind::Sum},
        {"prod", ReductionKind::Sum}, {"linalg_vector_norm", ReductionKind::Sum}, {"amax", ReductionKind::Comparison},
        {"amin", ReductionKind::Comparison}, {"any", ReductionKind::Logic}, {"all", ReductionKind::Logic},
        {"aminmax", ReductionKind::Range}, {"max", ReductionKind::Place}, {"min", ReductionKind::Place},
        {"argmax", ReductionKind::Place}, {"argmin", ReductionKind::Place}, {"var", ReductionKind::Moments},
        {"std", ReductionKind::Moments}, {"var_mean", ReductionKind::Moments}, {"std_mean", ReductionKind::Moments}}};

std::optional<ReductionKind> lookUp(const c10::FunctionSchema& schema)
{
    if (schema.argumentIndexWithName("other"))
        return std::nullopt; // maximum and minimum under their old names
    const std::string name = baseName(schema);
    for (const auto& [reduction, kind] : kReductions)
        if (name == reduction)
            return kind == ReductionKind::Place && !schema.argumentIndexWithName("dim") ? ReductionKind::Comparison
                                                                                        : kind;
    return std::nullopt;
}

// at::opmath_type
Bytes sumBytes(c10::ScalarType type)
{
    return at::isReducedFloatingType(type) ? bytesPerElement(at::kFloat) : bytesPerElement(type);
}

Bytes accumulatorBytes(ReductionKind kind, c10::ScalarType type)
{
    constexpr Bytes kPlaced = 16; // thrust::pair of up to 8 bytes and a 64-bit index
    switch (kind) {
    case ReductionKind::Sum:
        return sumBytes(type);
    case ReductionKind::Comparison:
        return bytesPerElement(type);
    case ReductionKind::Logic:
        return 1;
    case ReductionKind::Range:
        return 2 * bytesPerElement(type);
    case ReductionKind::Place:
        return kPlaced;
    case ReductionKind::Moments:
        break;
    }
    return type == at::kDouble ? 32 : 16; // WelfordData
}

// ReduceSumProdKernel.cu: sums read 16-bit elements eight at once; ReduceMomentKernel.cu: moments read two.
std::int64_t inputVector(const c10::FunctionSchema& schema, ReductionKind kind, c10::ScalarType type)
{
    if (kind == ReductionKind::Moments)
        return 2;
    return schema.name() == "aten::sum" && bytesPerElement(type) == 2 ? 8 : 4;
}

// aten/src/ATen/native/ReduceOpsUtils.h, make_reduction: an input that is summed in another type is copied first,
// except for 16-bit elements that are summed in float32.
bool isConverted(ReductionKind kind, c10::ScalarType from, c10::ScalarType to)
{
    return kind == ReductionKind::Sum && from != to && !(at::isReducedFloatingType(from) && to == at::kFloat);
}

// The copy keeps the order of the input's elements if the input is dense.
std::vector<std::int64_t> stridesOfCopy(const at::Tensor& input)
{
    std::vector<std::int64_t> strides = input.strides().vec();
    if (input.is_non_overlapping_and_dense())
        return strides;
    std::int64_t stride = 1;
    for (std::size_t i = strides.size(); i-- > 0;) {
        strides[i] = stride;
        stride *= std::max<std::int64_t>(1, input.size(static_cast<std::int64_t>(i)));
    }
    return strides;
}

std::vector<std::int64_t> dimensionsArgument(const c10::FunctionSchema& schema, at::ArrayRef<c10::IValue> arguments)
{
    const std::optional<int> place = schema.argumentIndexWithName("dim");
    if (!place)
        return {};
    const c10::IValue& value = arguments[static_cast<std::size_t>(*place)];
    if (value.isInt())
        return {value.toInt()};
    return value.isIntList() ? value.toIntVector() : std::vector<std::int64_t>{};
}

simulator::ReducedTensor reducedTensor(const at::Tensor& input, const std::vector<std::int64_t>& dimensions)
{
    const auto count = static_cast<std::size_t>(input.dim());
    simulator::ReducedTensor reduced{input.sizes().vec(), input.strides().vec(),
        std::vector<bool>(count, dimensions.empty()), input.storage_offset()};
    for (const std::int64_t dimension : dimensions)
        if (count > 0)
            reduced.isReduced[static_cast<std::size_t>(at::maybe_wrap_dim(dimension, input.dim()))] = true;
    return reduced;
}

std::int64_t elementCount(const simulator::ReducedTensor& tensor)
{
    return c10::multiply_integers(tensor.sizes);
}

std::optional<simulator::ReductionDevice> reductionDevice(const simulator::DeviceProfile& device)
{
    if (!device.compute)
        return std::nullopt;
    return simulator::ReductionDevice{
        device.compute->multiprocessors.value, device.compute->threadsPerMultiprocessor.value};
}

} // namespace

ReductionBuffers::ReductionBuffers(const simulator::SimulatedDevice& device, std::shared_ptr<AccountedMemory> memory)
    : m_memory(std::move(memory))
    , m_device(reductionDevice(device.device))
{
}

std::optional<ReductionKind> ReductionBuffers::kindOf(const c10::OperatorHandle& op)
{
    const auto known = m_kinds.find(&op.schema());
    return known != m_kinds.end() ? known->second : m_kinds.emplace(&op.schema(), lookUp(op.schema())).first->second;
}

void ReductionBuffers::before(const tensor::OpCall& call)
{
    m_call.reset();
    const std::optional<ReductionKind> kind = m_device ? kindOf(call.op) : std::nullopt;
    if (!kind)
        return;
    const auto arguments = argumentsOf(call);
    const at::Tensor& input = arguments[0].toTensor();
    if (input.is_meta())
        m_call = Call{*kind, input.scalar_type(), reducedTensor(input, dimensionsArgument(call.op.schema(), arguments)),
            stridesOfCopy(input)};
}

void ReductionBuffers::after(const tensor::OpCall& call)
{
    std::optional<Call> reduction = std::exchange(m_call, std::nullopt);
    if (!reduction)
        return;
    const c10::ScalarType output = resultsOf(call)[0].toTensor().scalar_type();
    const bool converts = isConverted(reduction->kind, reduction->type, output);
    const c10::ScalarType type = converts ? output : reduction->type;
    const tensor::MemoryScope scope(config::MemoryCategory::Workspaces);
    std::optional<HeldBytes> copy;
    if (converts && elementCount(reduction->input) > 0) {
        reduction->input.strides = std::move(reduction->stridesOfCopy);
        reduction->input.offset = 0;
        copy.emplace(m_memory, elementCount(reduction->input) * bytesPerElement(type));
    }
    const simulator::ReductionTypes types{bytesPerElement(type), accumulatorBytes(reduction->kind, type),
        bytesPerElement(output), inputVector(call.op.schema(), reduction->kind, type)};
    take(simulator::reductionScratch(reduction->input, types, *m_device));
}

void ReductionBuffers::take(const simulator::ReductionScratch& scratch)
{
    std::optional<HeldBytes> accumulators;
    if (scratch.accumulators)
        accumulators.emplace(m_memory, *scratch.accumulators);
    for (const simulator::SplitReduction& launch : scratch.launches) {
        const HeldBytes buffer(m_memory, launch.buffer);
        const HeldBytes semaphores(m_memory, launch.semaphores);
    }
}

} // namespace headroom::collectors
