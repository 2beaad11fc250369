// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/casting/UpcastScratch.h"

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

} // namespace headroom::techniques
