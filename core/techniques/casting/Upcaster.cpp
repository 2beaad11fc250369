// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/casting/Upcaster.h"

#include "core/config/techniques/CastingDescriptor.h"
#include "core/memory/MemoryScopes.h"
#include "core/memory/ParameterHome.h"

#include <algorithm>

namespace headroom::techniques {
namespace {

// What CUDA's allocator gives, and what vector loads and matrix kernels ask for.
constexpr std::int64_t kAlignmentBytes = 256;

std::int64_t aligned(std::int64_t elements, c10::ScalarType type)
{
    const std::int64_t step = kAlignmentBytes / static_cast<std::int64_t>(c10::elementSize(type));
    return (elements + step - 1) / step * step;
}

std::vector<at::Tensor> laidOut(const at::Tensor& memory, const std::vector<at::Tensor>& tensors, c10::ScalarType type)
{
    std::vector<at::Tensor> copies;
    std::int64_t begin = 0;
    for (const at::Tensor& tensor : tensors) {
        copies.push_back(memory.narrow(0, begin, tensor.numel()).view(tensor.sizes()));
        begin += aligned(tensor.numel(), type);
    }
    return copies;
}

at::Tensor memoryFor(std::int64_t elements, const at::Tensor& like, c10::ScalarType type)
{
    return at::empty({elements}, at::TensorOptions().dtype(type).device(like.device()));
}

// What is allocated while it lives is copies.
struct CopyLabel {
    tensor::MemoryScope technique{config::kCastingKey};
    tensor::MemoryScope category{config::MemoryCategory::UpcastCopies};
};

at::Tensor emptyCopy(const at::Tensor& tensor, c10::ScalarType type)
{
    return at::empty(tensor.sizes(), at::TensorOptions().dtype(type).device(tensor.device()));
}

void countCopy(CastCount& count, const at::Tensor& copy)
{
    ++count.casts;
    count.castBytes += static_cast<std::int64_t>(copy.nbytes());
}

} // namespace

UpcastScratch::UpcastScratch(std::size_t buffers)
{
    for (std::size_t i = 0; i < buffers; ++i)
        m_buffers.push_back(std::make_shared<Buffer>());
}

UpcastScratch::Lease UpcastScratch::take(
    const std::vector<at::Tensor>& tensors, c10::ScalarType type, std::int64_t elements)
{
    const torch::NoGradGuard noGradients;
    const std::int64_t needed = elementsFor(tensors, type);
    const auto buffer = std::ranges::find_if(m_buffers, [](const auto& item) { return !item->isTaken; });
    if (buffer == m_buffers.end())
        return {laidOut(memoryFor(needed, tensors.front(), type), tensors, type), nullptr};
    at::Tensor& memory = (*buffer)->memory;
    if (!memory.defined() || memory.numel() < needed) {
        memory.reset();
        memory = memoryFor(std::max(needed, elements), tensors.front(), type);
    }
    return {laidOut(memory, tensors, type), *buffer};
}

std::int64_t UpcastScratch::elementsFor(const std::vector<at::Tensor>& tensors, c10::ScalarType type)
{
    std::int64_t elements = 0;
    for (const at::Tensor& tensor : tensors)
        elements += aligned(tensor.numel(), type);
    return elements;
}

void UpcastScratch::release()
{
    for (const auto& buffer : m_buffers)
        if (!buffer->isTaken)
            buffer->memory.reset();
}

UpcastScratch::Lease::Lease(std::vector<at::Tensor> copies, std::shared_ptr<Buffer> buffer)
    : m_copies(std::move(copies))
    , m_buffer(std::move(buffer))
{
    if (m_buffer)
        m_buffer->isTaken = true;
}

UpcastScratch::Lease::~Lease()
{
    giveBack();
}

UpcastScratch::Lease& UpcastScratch::Lease::operator=(Lease&& other) noexcept
{
    giveBack();
    m_copies = std::move(other.m_copies);
    m_buffer = std::move(other.m_buffer);
    return *this;
}

void UpcastScratch::Lease::giveBack() noexcept
{
    m_copies.clear();
    if (m_buffer)
        m_buffer->isTaken = false;
    m_buffer.reset();
}

Upcaster::Upcaster(
    const CastRules& rules, BackwardCopies backward, std::size_t buffers, std::shared_ptr<CastCount> count)
    : m_storage(rules.storage)
    , m_compute(rules.compute)
    , m_backward(backward)
    , m_count(std::move(count))
    , m_scratch(buffers)
{
}

void Upcaster::reserveFor(const std::vector<at::Tensor>& tensors)
{
    m_elements = std::max(m_elements, UpcastScratch::elementsFor(tensors, m_compute));
}

bool Upcaster::isStored(const at::Tensor& tensor) const
{
    return tensor.scalar_type() == m_storage && m_storage != m_compute;
}

UpcastScratch::Lease Upcaster::room(const std::vector<at::Tensor>& tensors)
{
    const bool mayBeKept = at::GradMode::is_enabled() && m_backward == BackwardCopies::Kept;
    const torch::NoGradGuard noGradients;
    const CopyLabel label;
    if (!mayBeKept)
        return m_scratch.take(tensors, m_compute, m_elements);
    std::vector<at::Tensor> copies;
    for (const at::Tensor& tensor : tensors)
        copies.push_back(emptyCopy(tensor, m_compute));
    return {std::move(copies), nullptr};
}

void Upcaster::fill(const std::vector<at::Tensor>& stored, const std::vector<at::Tensor>& copies)
{
    const torch::NoGradGuard noGradients;
    for (std::size_t i = 0; i < copies.size(); ++i)
        at::Tensor(copies[i]).copy_(stored[i]);
}

void Upcaster::count(const std::vector<at::Tensor>& copies)
{
    for (const at::Tensor& copy : copies)
        countCopy(*m_count, copy);
}

// Owns what it refers to: the graph may outlive the technique. The stored data are where an offload keeps them by then.
tensor::WorkingCopies::Rebuild Upcaster::rebuildOf(const at::Tensor& parameter) const
{
    if (m_backward == BackwardCopies::Kept)
        return {};
    return [parameter, compute = m_compute, count = m_count] {
        const at::Tensor stored = tensor::dataOnDevice(parameter);
        const CopyLabel label;
        at::Tensor copy = emptyCopy(stored, compute);
        copy.copy_(stored);
        countCopy(*count, copy);
        return copy;
    };
}

} // namespace headroom::techniques
