// SPDX-License-Identifier: Apache-2.0
#include "core/memory/HostMemory.h"

#include <utility>

namespace headroom::tensor {
namespace {

thread_local const HostMemory* t_kind = nullptr;

PinnedAllocation& replacedAllocation()
{
    static PinnedAllocation allocation;
    return allocation;
}

// For CUDA, host memory is ordinary CPU memory; other devices use memory of the device's kind, accounted separately.
at::TensorOptions hostOptions(c10::ScalarType dtype, c10::Device device)
{
    return at::TensorOptions().dtype(dtype).device(device.is_cuda() ? c10::Device(c10::kCPU) : device);
}

at::Tensor emptyOf(HostMemory kind, at::IntArrayRef sizes, const at::TensorOptions& options)
{
    const HostMemoryScope scope(kind);
    return at::empty(sizes, options);
}

at::Tensor emptyPinned(at::IntArrayRef sizes, const at::TensorOptions& options, c10::Device device)
{
    if (replacedAllocation())
        return replacedAllocation()(sizes, options);
    return device.is_cuda() ? at::empty(sizes, options.pinned_memory(true))
                            : emptyOf(HostMemory::Pinned, sizes, options);
}

std::string firstLine(const std::string& text)
{
    return text.substr(0, text.find('\n'));
}

} // namespace

HostMemoryScope::HostMemoryScope(HostMemory kind)
    : m_outer(t_kind)
    , m_kind(kind)
{
    t_kind = &m_kind;
}

HostMemoryScope::~HostMemoryScope()
{
    t_kind = m_outer;
}

const HostMemory* HostMemoryScope::current()
{
    return t_kind;
}

MemoryBackend::Handle allocateScoped(MemoryBackend& backend, Bytes bytes)
{
    return t_kind == nullptr ? backend.allocate(bytes) : backend.allocateHost(*t_kind, bytes);
}

HostTensor emptyOnHost(at::IntArrayRef sizes, c10::ScalarType dtype, c10::Device device, HostMemory kind)
{
    const at::TensorOptions options = hostOptions(dtype, device);
    std::string reason;
    if (kind == HostMemory::Pinned) {
        try {
            return {emptyPinned(sizes, options, device), HostMemory::Pinned, {}};
        } catch (const c10::Error& error) {
            reason = firstLine(error.what_without_backtrace());
        }
    }
    return {emptyOf(HostMemory::Pageable, sizes, options), HostMemory::Pageable, reason};
}

PinnedAllocationScope::PinnedAllocationScope(PinnedAllocation allocation)
{
    replacedAllocation() = std::move(allocation);
}

PinnedAllocationScope::~PinnedAllocationScope()
{
    replacedAllocation() = nullptr;
}

} // namespace headroom::tensor
