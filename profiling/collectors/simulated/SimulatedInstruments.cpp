// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/SimulatedInstruments.h"

#include "core/tensor/Torch.h"
#include "profiling/kernels/OpArguments.h"
#include "profiling/simulator/devices/AllocatorFactory.h"
#include "profiling/simulator/devices/Fit.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace headroom::collectors {
namespace {

using TemporariesKind = CpuTemporaries::Kind;

// The divisor of the sum has 64 bits and is copied in the sum's type; the input's copy is freed by then.
Bytes meanBytes(std::int64_t inputElements, const at::Tensor& mean)
{
    const bool isInFloat32 = at::isReducedFloatingType(mean.scalar_type());
    const Bytes number = bytesPerElement(at::kLong) + bytesPerElement(isInFloat32 ? at::kFloat : mean.scalar_type());
    return isInFloat32
        ? std::max(inputElements * bytesPerElement(at::kFloat), number) + mean.numel() * bytesPerElement(at::kFloat)
        : number;
}

Bytes promotedBytes(const at::Tensor& tensor, c10::ScalarType common)
{
    return tensor.scalar_type() != common ? tensor.numel() * bytesPerElement(common) : 0;
}

// A number that was converted to a tensor before the call is on the host, not on meta.
Bytes wrappedBytes(const at::Tensor& tensor)
{
    return tensor.unsafeGetTensorImpl()->is_wrapped_number() ? static_cast<Bytes>(tensor.nbytes()) : 0;
}

Bytes arithmeticBytes(const tensor::OpCall& call)
{
    const auto arguments = argumentsOf(call);
    const at::Tensor& first = arguments[0].toTensor();
    const at::Tensor& second = arguments[1].toTensor();
    const c10::ScalarType common = at::result_type(first, second);
    const bool isInPlace = call.op.schema().name().ends_with('_');
    return promotedBytes(first, common) * (isInPlace ? 2 : 1) + promotedBytes(second, common) + wrappedBytes(first)
        + wrappedBytes(second);
}

Bytes numberBytes(const at::Tensor& tensor, const at::Scalar& number)
{
    const c10::ScalarType common = at::result_type(tensor, number);
    const c10::ScalarType own = number.type();
    return bytesPerElement(own) + (own == common ? 0 : bytesPerElement(common)) + promotedBytes(tensor, common);
}

// The first tensor of a list represents all of them, as they are processed one after the other.
Bytes numberArgumentBytes(at::ArrayRef<c10::IValue> arguments)
{
    const c10::IValue& first = arguments[0];
    const std::vector<at::Tensor> tensors =
        first.isTensorList() ? first.toTensorVector() : std::vector<at::Tensor>{first.toTensor()};
    if (tensors.empty())
        return 0;
    if (arguments[1].isScalar())
        return numberBytes(tensors.front(), arguments[1].toScalar());
    const c10::List<c10::IValue> numbers = arguments[1].toList();
    return numbers.empty() ? 0 : numberBytes(tensors.front(), numbers.get(0).toScalar());
}

bool isIn(std::initializer_list<std::string_view> names, std::string_view name)
{
    return std::ranges::find(names, name) != names.end();
}

std::optional<TemporariesKind> temporariesOf(const c10::FunctionSchema& schema)
{
    if (schema.name() == "aten::mean")
        return TemporariesKind::Mean;
    const std::string& overload = schema.overload_name();
    const std::string name = baseName(schema);
    const bool isArithmetic = isIn({"add", "sub", "rsub", "mul", "div"}, name);
    if (isArithmetic && overload == "Tensor")
        return TemporariesKind::Arithmetic;
    const bool takesNumbers = overload == "Scalar" || overload == "ScalarList" || overload == "Scalar_mode";
    const bool copiesNumbers = isArithmetic || isIn({"eq", "ne", "lt", "le", "gt", "ge"}, name)
        || isIn({"_foreach_add", "_foreach_sub", "_foreach_mul", "_foreach_div"}, name);
    return takesNumbers && copiesNumbers ? std::optional(TemporariesKind::Number) : std::nullopt;
}

// What the allocator may take: the device's own limit, or the trial's if that is less.
std::optional<Bytes> effectiveLimit(
    const simulator::DeviceProfile& device, std::optional<Bytes> limit, DeviceLimit deviceLimit)
{
    if (deviceLimit == DeviceLimit::Lifted)
        return std::nullopt;
    const Bytes own = simulator::capacityOf(device).limitBytes;
    if (own == simulator::kUnlimitedBytes)
        return limit;
    return std::min(own, limit.value_or(own));
}

// Memory beyond the allocator's limit counts as taken by others. The same requests are also served in the other order
// of segment addresses: the difference is the uncertainty of reserved memory.
std::shared_ptr<AccountedMemory> makeSimulatedMemory(
    simulator::SimulatedDevice device, std::optional<Bytes> limit, DeviceLimit deviceLimit)
{
    if (deviceLimit == DeviceLimit::Lifted)
        device.device.memory.reset();
    const Bytes own = simulator::capacityOf(device.device).limitBytes;
    const Bytes others = own - limit.value_or(own);
    auto allocator = simulator::makeAllocator(device, device.allocator, others);
    if (device.device.kind == simulator::AllocatorKind::Exact)
        return std::make_shared<AccountedMemory>(std::move(allocator));
    device.device.segmentAddresses = config::otherThan(device.device.segmentAddresses);
    return std::make_shared<AccountedMemory>(
        std::move(allocator), simulator::makeAllocator(device, device.allocator, others));
}

// Where the host computes, each op takes its time, and a view is one.
OpCostCollector::Views viewsOn(const simulator::DeviceProfile& device)
{
    const bool isInline = device.kind == simulator::AllocatorKind::Exact && device.speed;
    return isInline ? OpCostCollector::Views::Reported : OpCostCollector::Views::LeftOut;
}

} // namespace

CpuTemporaries::CpuTemporaries(std::shared_ptr<AccountedMemory> memory)
    : m_memory(std::move(memory))
{
}

std::optional<TemporariesKind> CpuTemporaries::kindOf(const c10::OperatorHandle& op)
{
    const auto known = m_kinds.find(&op.schema());
    return known != m_kinds.end() ? known->second
                                  : m_kinds.emplace(&op.schema(), temporariesOf(op.schema())).first->second;
}

void CpuTemporaries::before(const tensor::OpCall& call)
{
    const std::optional<TemporariesKind> kind = kindOf(call.op);
    m_inputElements.reset();
    m_temporaryBytes = 0;
    if (kind == TemporariesKind::Mean)
        m_inputElements = argumentsOf(call)[0].toTensor().numel();
    else if (kind == TemporariesKind::Arithmetic)
        m_temporaryBytes = arithmeticBytes(call);
    else if (kind == TemporariesKind::Number)
        m_temporaryBytes = numberArgumentBytes(argumentsOf(call));
}

// The temporary is live together with the result.
void CpuTemporaries::after(const tensor::OpCall& call)
{
    if (m_inputElements)
        m_temporaryBytes = meanBytes(*m_inputElements, resultsOf(call)[0].toTensor());
    if (m_temporaryBytes > 0)
        m_memory->release(m_memory->allocate(m_temporaryBytes));
}

SimulatedInstruments::SimulatedInstruments(
    const simulator::SimulatedDevice& device, std::optional<Bytes> limitBytes, DeviceLimit deviceLimit)
    : m_device(device)
    , m_limit(effectiveLimit(device.device, limitBytes, deviceLimit))
    , m_memory(makeSimulatedMemory(device, m_limit, deviceLimit))
    , m_timeline(simulator::CostModel::of(device.device))
    , m_workspaces(device, m_memory)
    , m_reductions(device, m_memory)
    , m_softmax(m_memory)
    , m_cpuTemporaries(m_memory)
    , m_costs([this](const simulator::OpCost& cost) { spend(cost); }, viewsOn(device.device))
    , m_rules(device)
    , m_metaMemory(m_memory)
    , m_kernels(m_rules)
    , m_autocastLists(m_rules.imitatesCpu() ? tensor::AutocastLists::Cpu : tensor::AutocastLists::Cuda)
    , m_interception(m_interceptor)
    , m_activeTimeline(m_timeline)
{
    m_interceptor.addObserver(m_costs);
    m_interceptor.addObserver(m_survey);
    m_interceptor.addObserver(m_workspaces);
    if (device.device.kind == simulator::AllocatorKind::Exact) {
        m_interceptor.addObserver(m_cpuTemporaries);
    } else {
        m_interceptor.addObserver(m_reductions);
        m_interceptor.addObserver(m_softmax);
    }
    m_interceptor.setTransformer(&m_accumulation);
    m_memory->setClock([this] { return now().count(); });
}

SimulatedInstruments::~SimulatedInstruments()
{
    // Tensors that outlive this object still report to the memory, but there is no clock any more.
    m_memory->observe(nullptr, {});
    m_memory->setClock(nullptr);
}

void SimulatedInstruments::spend(const simulator::OpCost& cost)
{
    m_timeline.spend(cost);
    if (m_timeline.countsFreshMemory())
        m_timeline.holds(m_memory->stats().allocatedBytes.aggregate.current);
    if (m_repeatedBlocks)
        m_repeatedBlocks->spent(cost);
    if (m_repeatedStep)
        m_repeatedStep->spent(cost);
}

std::chrono::nanoseconds SimulatedInstruments::now()
{
    return std::chrono::nanoseconds(std::llround(m_timeline.elapsedSeconds() * 1e9));
}

void SimulatedInstruments::synchronise()
{
    m_timeline.synchronise();
    if (m_repeatedBlocks)
        m_repeatedBlocks->verify();
}

models::BlockShortcut* SimulatedInstruments::shortcutFor(models::Model& model, techniques::BlockAccounts* accounts)
{
    m_repeatedBlocks = std::make_unique<RepeatedBlocks>(
        model, accounts, m_memory, [this](const simulator::OpCost& cost) { spend(cost); },
        [this] { return m_timeline.otherUses(); });
    return m_repeatedBlocks.get();
}

training::StepShortcut* SimulatedInstruments::stepShortcut()
{
    m_repeatedStep = std::make_unique<RepeatedStep>(m_memory, [this](const simulator::OpCost& cost) { spend(cost); });
    m_timeline.setUseListener(
        [this](const SimulatedTimeline::Use& use) { m_repeatedStep->did([this, use] { use(m_timeline); }); });
    return m_repeatedStep.get();
}

protocol::MemoryFigures SimulatedInstruments::completed(protocol::MemoryFigures figures, const Reserved& reserved) const
{
    if (m_device.device.kind == simulator::AllocatorKind::Caching) {
        figures.reserved = reserved.bytes;
        figures.reservedOtherAddresses = reserved.otherBytes;
        figures.device = reserved.bytes + (m_device.device.memory ? m_device.device.memory->contextBytes.value : 0);
    }
    return figures;
}

protocol::MemoryFigures SimulatedInstruments::current()
{
    const simulator::DeviceStats stats = m_memory->stats();
    return completed(currentFigures(stats, m_memory->hostPool()),
        {stats.reservedBytes.aggregate.current, m_memory->mirroredBytes()});
}

protocol::MemoryFigures SimulatedInstruments::peak()
{
    const simulator::DeviceStats stats = m_memory->stats();
    return completed(
        peakFigures(stats, m_memory->hostPool()), {stats.reservedBytes.aggregate.peak, m_memory->mirroredPeakBytes()});
}

void SimulatedInstruments::resetPeak()
{
    m_memory->resetPeaks();
}

void SimulatedInstruments::emptyCache()
{
    m_memory->emptyCache();
}

std::optional<config::SegmentAddresses> SimulatedInstruments::segmentAddresses() const
{
    if (m_device.device.kind != simulator::AllocatorKind::Caching)
        return std::nullopt;
    return m_device.device.segmentAddresses;
}

std::vector<std::string> SimulatedInstruments::opsWithoutRule() const
{
    return {m_survey.withoutRule().begin(), m_survey.withoutRule().end()};
}

std::optional<std::int64_t> SimulatedInstruments::allocRetries()
{
    if (m_device.device.kind != simulator::AllocatorKind::Caching)
        return std::nullopt;
    return m_memory->stats().numAllocRetries;
}

void SimulatedInstruments::observeAllocations(TraceObserver observer)
{
    m_memory->observe(std::move(observer), now());
}

void SimulatedInstruments::phaseBegins(const std::string& phase, std::int64_t)
{
    if (phase == "backward")
        m_workspaces.setThread(OpThread::Backward);
    if (m_repeatedStep)
        m_repeatedStep->phaseBegins(phase);
}

void SimulatedInstruments::phaseEnds(const std::string& phase, std::int64_t)
{
    if (phase == "backward")
        m_workspaces.setThread(OpThread::Forward);
    if (m_repeatedStep)
        m_repeatedStep->phaseEnds();
}

} // namespace headroom::collectors
