// SPDX-License-Identifier: Apache-2.0
#include "core/memory/CpuMemory.h"

#include "core/memory/HostMemory.h"

#include <c10/core/CPUAllocator.h>

#include <cstring>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

namespace headroom::tensor {
namespace {

// The place in LibTorch that asked for an allocation: the return address of the call.
using CallSite = const void*;

struct Block {
    std::shared_ptr<MemoryBackend> backend;
    MemoryBackend::Handle handle = 0;
    CallSite site = nullptr;
};

void releaseTensorBlock(void* data);
void releaseRawBlock(void* data);

// LibTorch keeps one allocator per device type for the life of the process, so this one lives as long.
//
// Blocks are identified by their address, which is all that a DataPtr carries: oneDNN gets its scratch memory through
// raw_allocate and raw_deallocate, which only work with such allocators. That scratch is not tensor memory and depends
// on the processor's instruction set, so it is not accounted for. An allocation does not show whether it is raw, but
// its release does: once a block is released raw, its call site is treated as raw.
class AccountedCpuAllocator final : public c10::Allocator {
public:
    explicit AccountedCpuAllocator(c10::Allocator* inner)
        : m_inner(inner)
    {
    }

    void setBackend(std::shared_ptr<MemoryBackend> backend)
    {
        const std::scoped_lock lock(m_mutex);
        m_backend = std::move(backend);
    }

    __attribute__((noinline)) c10::DataPtr allocate(size_t bytes) override
    {
        const CallSite site = __builtin_return_address(0);
        Block block{backendFor(site), 0, site};
        if (bytes == 0)
            return m_inner->allocate(bytes);
        if (block.backend)
            block.handle = allocateScoped(*block.backend, static_cast<Bytes>(bytes));
        void* data = taken(bytes, block);
        remember(data, std::move(block));
        return {data, data, &releaseTensorBlock, c10::Device(c10::DeviceType::CPU)};
    }

    c10::DeleterFnPtr raw_deleter() const override { return &releaseRawBlock; }

    void copy_data(void* destination, const void* source, std::size_t count) const override
    {
        std::memcpy(destination, source, count);
    }

    // Blocks from before this allocator was installed are not accounted for.
    Block release(void* data)
    {
        Block block = forget(data);
        m_inner->raw_deallocate(data);
        if (block.backend)
            block.backend->release(block.handle);
        return block;
    }

    void relabel(void* data, const LabelChange& change)
    {
        const std::scoped_lock lock(m_mutex);
        const auto found = m_blocks.find(data);
        if (found != m_blocks.end() && found->second.backend)
            found->second.backend->relabel(found->second.handle, change);
    }

    void noteRawSite(CallSite site)
    {
        const std::scoped_lock lock(m_mutex);
        m_rawSites.insert(site);
    }

private:
    std::shared_ptr<MemoryBackend> backendFor(CallSite site)
    {
        const std::scoped_lock lock(m_mutex);
        return m_rawSites.contains(site) ? nullptr : m_backend;
    }

    // LibTorch reports a failed malloc as a general error.
    void* taken(size_t bytes, const Block& block)
    {
        try {
            return m_inner->raw_allocate(bytes);
        } catch (const std::exception&) {
            if (block.backend)
                block.backend->release(block.handle);
            throw HostMemoryExhausted(static_cast<Bytes>(bytes));
        }
    }

    void remember(void* data, Block block)
    {
        const std::scoped_lock lock(m_mutex);
        m_blocks.emplace(data, std::move(block));
    }

    Block forget(void* data)
    {
        const std::scoped_lock lock(m_mutex);
        auto node = m_blocks.extract(data);
        return node ? std::move(node.mapped()) : Block{};
    }

    c10::Allocator* m_inner;
    std::mutex m_mutex;
    std::shared_ptr<MemoryBackend> m_backend;
    std::unordered_map<void*, Block> m_blocks;
    std::unordered_set<CallSite> m_rawSites;
};

// Never destroyed: tensors in other static objects may outlive it whatever the order of destruction.
AccountedCpuAllocator& installedCpuAllocator()
{
    static AccountedCpuAllocator& allocator = []() -> AccountedCpuAllocator& {
        auto* instance = new AccountedCpuAllocator(c10::GetCPUAllocator());
        c10::SetCPUAllocator(instance, 1);
        return *instance;
    }();
    return allocator;
}

void releaseTensorBlock(void* data)
{
    if (data != nullptr)
        installedCpuAllocator().release(data);
}

void releaseRawBlock(void* data)
{
    if (data == nullptr)
        return;
    if (const CallSite site = installedCpuAllocator().release(data).site)
        installedCpuAllocator().noteRawSite(site);
}

// Runs one oneDNN primitive with scratch memory, so that its call site is known before any measurement.
void learnRawSites()
{
    const c10::impl::ExcludeDispatchKeyGuard plain(c10::autograd_dispatch_keyset);
    const at::Tensor factor = at::ones({64, 64}, at::kBFloat16);
    at::mm(factor, factor);
    at::gelu(factor);
}

} // namespace

CpuMemory::CpuMemory(std::shared_ptr<MemoryBackend> backend)
{
    installedCpuAllocator();
    learnRawSites();
    installedCpuAllocator().setBackend(std::move(backend));
}

CpuMemory::~CpuMemory()
{
    installedCpuAllocator().setBackend(nullptr);
}

void relabelCpuStorage(const c10::DataPtr& data, const LabelChange& change)
{
    if (data.get_deleter() == &releaseTensorBlock && data.get() != nullptr)
        installedCpuAllocator().relabel(data.get_context(), change);
}

} // namespace headroom::tensor
