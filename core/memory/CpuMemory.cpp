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

// Where in LibTorch an allocation was asked for: the return address of the call.
using CallSite = const void*;

struct Block {
    std::shared_ptr<MemoryBackend> backend;
    MemoryBackend::Handle handle = 0;
    CallSite site = nullptr;
};

void releaseTensorBlock(void* data);
void releaseRawBlock(void* data);

// LibTorch keeps one allocator per device type for the life of the process, so this one does too.
//
// Blocks are known by their address, and an address is all that a DataPtr carries: oneDNN takes its scratch through
// raw_allocate and raw_deallocate, which work with such allocators only. That scratch is no tensor and depends on the
// processor's instruction set, so it is not accounted for. An allocation does not tell whether it is raw, but giving it
// back does: a call site whose block came back raw is a raw one from then on.
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

    // A block from before this allocator was there is nobody's account.
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

    // LibTorch reports a refusal of malloc as a general error.
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

// Never destroyed: tensors in other static objects may outlive any order of destruction.
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

// Runs one oneDNN primitive with scratch, so that its call site is known before anything is measured.
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
