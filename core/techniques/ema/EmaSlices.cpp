// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/ema/EmaSlices.h"

#include "core/base/Error.h"
#include "core/memory/ParameterHome.h"

#include <algorithm>

namespace headroom::techniques {
namespace {

constexpr Bytes kSliceAlignment = 64; // of every dtype, and of what kernels read at once

Bytes occupied(const at::Tensor& parameter)
{
    return roundUp(static_cast<Bytes>(parameter.nbytes()), kSliceAlignment);
}

void appendToSegment(EmaSegment& segment, std::size_t index, const at::Tensor& parameter, Bytes sliceBytes)
{
    segment.parameters.push_back(index);
    const auto element = static_cast<Bytes>(parameter.element_size());
    std::int64_t first = 0;
    while (first < parameter.numel()) {
        if (segment.slices.empty() || segment.slices.back().bytes + kSliceAlignment > sliceBytes)
            segment.slices.emplace_back();
        EmaSlice& slice = segment.slices.back();
        const std::int64_t count = std::min(parameter.numel() - first, (sliceBytes - slice.bytes) / element);
        slice.pieces.push_back({index, first, count, slice.bytes});
        slice.bytes += roundUp(count * element, kSliceAlignment);
        first += count;
    }
    segment.bytes += occupied(parameter);
}

bool fitsRun(const EmaRun& run, const at::Tensor& parameter, Bytes sliceBytes)
{
    return !run.segments.empty() && run.segments.back().bytes + occupied(parameter) <= sliceBytes;
}

EmaRun runOf(const Tensors& parameters, std::size_t first, Bytes sliceBytes)
{
    EmaRun run{{}, {}, first, parameters.size()};
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (!parameters[i].is_contiguous())
            throw TrialError("parameter " + std::to_string(first + i) + " is not contiguous", "ema = host:async",
                "contiguous parameters, or another placement");
        if (!parameters[i].requires_grad()) {
            run.frozen.push_back(first + i);
            continue;
        }
        if (!fitsRun(run, parameters[i], sliceBytes))
            run.segments.emplace_back();
        appendToSegment(run.segments.back(), first + i, parameters[i], sliceBytes);
    }
    return run;
}

Bytes largestSlice(const std::vector<EmaRun>& runs)
{
    Bytes largest = 0;
    for (const EmaRun& run : runs)
        for (const EmaSegment& segment : run.segments)
            for (const EmaSlice& slice : segment.slices)
                largest = std::max(largest, slice.bytes);
    return largest;
}

at::Tensor stretch(const at::Tensor& bytes, Bytes offset, std::int64_t count, c10::ScalarType type)
{
    return bytes.narrow(0, offset, count * static_cast<std::int64_t>(c10::elementSize(type))).view(type);
}

Tensors piecesOf(const EmaSlice& slice, const Tensors& data)
{
    Tensors pieces;
    for (const EmaPiece& piece : slice.pieces)
        pieces.push_back(data[piece.parameter].view({-1}).narrow(0, piece.first, piece.count));
    return pieces;
}

} // namespace

std::vector<EmaRun> emaRuns(const Tensors& parameters, Bytes sliceBytes)
{
    std::vector<EmaRun> runs;
    std::size_t first = 0;
    for (const Tensors& run : tensor::parameterRuns(parameters)) {
        runs.push_back(runOf(run, first, sliceBytes / kSliceAlignment * kSliceAlignment));
        first += run.size();
    }
    return runs;
}

EmaSlots::EmaSlots(const Tensors& parameters, Bytes sliceBytes, config::EmaMode mode)
    : m_runs(emaRuns(parameters, needsTemporary(mode) ? sliceBytes / 2 : sliceBytes))
    , m_device(parameters.empty() ? c10::Device(c10::kCPU) : tensor::dataOnDevice(parameters.front()).device())
    , m_largest(largestSlice(m_runs))
    , m_hasTemporaries(needsTemporary(mode))
{
    const std::int64_t bytes = m_hasTemporaries ? 2 * m_largest : m_largest;
    for (std::size_t slot = 0; slot < count(); ++slot) {
        m_memory[slot] = at::empty({bytes}, at::TensorOptions().dtype(at::kByte).device(m_device));
        m_streams[slot] = std::make_unique<tensor::SideStream>(m_device);
    }
}

Tensors EmaSlots::places(std::size_t slot, const EmaSlice& slice, const Tensors& shadows) const
{
    return views(m_memory.at(slot), slice, shadows);
}

Tensors EmaSlots::temporaries(std::size_t slot, const EmaSlice& slice, const Tensors& shadows) const
{
    return m_hasTemporaries ? views(m_memory.at(slot).narrow(0, m_largest, m_largest), slice, shadows) : Tensors();
}

at::Tensor EmaSlots::bytesOf(std::size_t slot, const EmaSlice& slice) const
{
    return m_memory.at(slot).narrow(0, 0, slice.bytes);
}

Tensors EmaSlots::views(const at::Tensor& memory, const EmaSlice& slice, const Tensors& shadows) const
{
    Tensors result;
    for (const EmaPiece& piece : slice.pieces)
        result.push_back(stretch(memory, piece.offset, piece.count, shadows[piece.parameter].scalar_type()));
    return result;
}

EmaSlicedShadow::EmaSlicedShadow(
    config::EmaMode mode, const Tensors& parameters, tensor::HostMemory kind, std::shared_ptr<EmaSlots> slots)
    : EmaShadow(mode)
    , m_slots(std::move(slots))
    , m_trainable(trainableFlags(parameters))
{
    m_tensors.resize(parameters.size());
    for (const EmaRun& run : m_slots->runs()) {
        std::vector<Job>& jobs = m_jobs.emplace_back();
        for (const std::size_t index : run.frozen)
            m_tensors[index] =
                hostMemory(parameters[index].sizes(), parameters[index].scalar_type(), m_slots->device(), kind);
        for (const EmaSegment& segment : run.segments)
            reserve(segment, parameters, kind, jobs);
    }
    for (std::size_t i = 0; i < parameters.size(); ++i)
        transfer(tensor::dataOnDevice(parameters[i]), m_tensors[i], tensor::TransferDirection::ToHost,
            tensor::TransferWait::Blocking);
}

// A side stream may still be at work with what is here.
EmaSlicedShadow::~EmaSlicedShadow()
{
    try {
        EmaSlicedShadow::finish();
    } catch (const std::exception&) {
        // It has been told of where it was waited for, or nobody will ask for the result any more.
    }
}

void EmaSlicedShadow::reserve(
    const EmaSegment& segment, const Tensors& parameters, tensor::HostMemory kind, std::vector<Job>& jobs)
{
    const at::Tensor memory = hostMemory({segment.bytes}, at::kByte, m_slots->device(), kind);
    Bytes offset = 0;
    for (const std::size_t index : segment.parameters) {
        const at::Tensor& parameter = parameters[index];
        m_tensors[index] = stretch(memory, offset, parameter.numel(), parameter.scalar_type()).view(parameter.sizes());
        offset += occupied(parameter);
    }
    offset = 0;
    for (const EmaSlice& slice : segment.slices) {
        const std::size_t slot = jobs.size() % EmaSlots::count();
        jobs.push_back({slot, slice, memory.narrow(0, offset, slice.bytes), m_slots->bytesOf(slot, slice),
            m_slots->places(slot, slice, m_tensors), m_slots->temporaries(slot, slice, m_tensors)});
        offset += slice.bytes;
    }
}

void EmaSlicedShadow::update(const Tensors& parameters, double weight)
{
    checkUnchanged(parameters, m_trainable);
    letComputeWait();
    for (std::size_t slot = 0; slot < EmaSlots::count(); ++slot)
        m_slots->stream(slot).waitForCompute();
    for (std::size_t run = 0; run < m_jobs.size(); ++run)
        updateRun(run, parameters, weight);
}

// Parameters that rest elsewhere are on the device no longer than this takes.
void EmaSlicedShadow::updateRun(std::size_t run, const Tensors& parameters, double weight)
{
    const EmaRun& plan = m_slots->runs()[run];
    const auto begin = parameters.begin() + static_cast<std::ptrdiff_t>(plan.first);
    const Tensors own(begin, begin + static_cast<std::ptrdiff_t>(plan.count));
    const auto storageBefore = own.front().storage().unsafeGetStorageImpl();
    const tensor::ParametersOnDevice onDevice(own, tensor::ParameterUse::Read);
    const bool isBrought = own.front().storage().unsafeGetStorageImpl() != storageBefore;
    Tensors data(parameters.size());
    for (std::size_t i = plan.first; i < plan.first + plan.count; ++i)
        m_reading.push_back(data[i] = parameters[i].tensor_data());
    if (isBrought)
        for (std::size_t slot = 0; slot < EmaSlots::count(); ++slot)
            m_slots->stream(slot).waitForCompute();
    for (const Job& job : m_jobs[run])
        submit(job, data, weight);
    for (std::size_t i = 0; i < plan.frozen.size(); ++i)
        submitCopy(i % EmaSlots::count(), data[plan.frozen[i]], m_tensors[plan.frozen[i]]);
    if (isBrought)
        finish();
}

void EmaSlicedShadow::submit(const Job& job, const Tensors& data, double weight)
{
    count(job.host, tensor::TransferDirection::ToDevice);
    count(job.host, tensor::TransferDirection::ToHost);
    const auto wait = isPinned() ? tensor::TransferWait::NonBlocking : tensor::TransferWait::Blocking;
    m_slots->stream(job.slot).run([&job, mode = m_mode, towards = piecesOf(job.slice, data), weight, wait] {
        tensor::transfer(job.host, job.device, tensor::TransferDirection::ToDevice, wait);
        moveTowards(mode, job.places, towards, weight, job.temporaries);
        tensor::transfer(job.device, job.host, tensor::TransferDirection::ToHost, wait);
    });
}

void EmaSlicedShadow::submitCopy(std::size_t slot, const at::Tensor& data, const at::Tensor& shadow)
{
    count(data, tensor::TransferDirection::ToHost);
    const auto wait = isPinned() ? tensor::TransferWait::NonBlocking : tensor::TransferWait::Blocking;
    m_slots->stream(slot).run(
        [data, shadow, wait] { tensor::transfer(data, shadow, tensor::TransferDirection::ToHost, wait); });
}

void EmaSlicedShadow::letComputeWait()
{
    if (m_reading.empty())
        return;
    for (std::size_t slot = 0; slot < EmaSlots::count(); ++slot)
        m_slots->stream(slot).letComputeWait();
    m_reading.clear();
}

void EmaSlicedShadow::finish()
{
    for (std::size_t slot = 0; slot < EmaSlots::count(); ++slot)
        m_slots->stream(slot).synchronise();
    m_reading.clear();
}

std::string EmaSlicedShadow::description() const
{
    return "in " + hostMemoryText() + ", updated on side streams through 2 slices of "
        + std::to_string(m_slots->slotBytes()) + " bytes on the device";
}

} // namespace headroom::techniques
