// SPDX-License-Identifier: Apache-2.0
#include "core/memory/MetaMemory.h"

#include "core/memory/HostMemory.h"

#include <mutex>

namespace headroom::tensor {
namespace {

struct Storage {
    std::shared_ptr<MemoryBackend> backend;
    MemoryBackend::Handle handle;
};

void releaseStorage(void* context)
{
    const std::unique_ptr<Storage> storage(static_cast<Storage*>(context));
    storage->backend->release(storage->handle);
}

// LibTorch keeps one allocator per device type for the life of the process, so this one lives as long.
class AccountedMetaAllocator final : public c10::Allocator {
public:
    void setBackend(std::shared_ptr<MemoryBackend> backend)
    {
        const std::scoped_lock lock(m_mutex);
        m_backend = std::move(backend);
    }

    c10::DataPtr allocate(size_t bytes) override
    {
        const c10::Device device(c10::DeviceType::Meta);
        const auto backend = currentBackend();
        if (!backend || bytes == 0)
            return {nullptr, nullptr, &c10::detail::deleteNothing, device};
        auto storage = std::make_unique<Storage>(Storage{backend, 0});
        storage->handle = allocateScoped(*backend, static_cast<Bytes>(bytes));
        return {nullptr, storage.release(), &releaseStorage, device};
    }

    // Meta storages have no bytes to copy.
    void copy_data(void*, const void*, std::size_t) const override { }

private:
    std::shared_ptr<MemoryBackend> currentBackend()
    {
        const std::scoped_lock lock(m_mutex);
        return m_backend;
    }

    std::mutex m_mutex;
    std::shared_ptr<MemoryBackend> m_backend;
};

// LibTorch grows a meta storage by setting its new size (aten/src/ATen/native/Resize.cpp, resize_bytes_meta) without
// asking an allocator. On real devices the new bytes are allocated before the old ones are freed.
void growStorage(c10::StorageImpl& storage, std::size_t bytes)
{
    if (bytes <= storage.nbytes())
        return;
    TORCH_CHECK(storage.resizable(), "a storage that cannot be resized is too small for its tensor's new shape");
    storage.set_data_ptr_noswap(c10::GetAllocator(c10::DeviceType::Meta)->allocate(bytes));
    storage.set_nbytes(bytes);
}

// Sets the shape as LibTorch's kernel does: strides only change with the sizes, or if a memory format is given.
const at::Tensor& resizeAccounted(
    const at::Tensor& tensor, c10::SymIntArrayRef shape, std::optional<at::MemoryFormat> format)
{
    c10::TensorImpl& impl = *tensor.unsafeGetTensorImpl();
    const at::IntArrayRef sizes = C10_AS_INTARRAYREF_SLOW(shape);
    if (!impl.sizes().equals(sizes))
        impl.set_sizes_contiguous(sizes);
    const std::int64_t elements = impl.numel() == 0 ? 0 : impl.storage_offset() + impl.numel();
    growStorage(*tensor.storage().unsafeGetStorageImpl(), static_cast<std::size_t>(elements) * tensor.itemsize());
    if (format)
        impl.empty_tensor_restride(*format);
    return tensor;
}

// Every resize on meta goes through this op: those of results, of out arguments and of structured kernels.
void registerResize()
{
    static torch::Library library(torch::Library::IMPL, "aten", c10::DispatchKey::Meta, __FILE__, __LINE__);
    library.impl("resize_", TORCH_FN(resizeAccounted));
}

// Never destroyed: tensors in other static objects may outlive it whatever the order of destruction.
AccountedMetaAllocator& installedMetaAllocator()
{
    static AccountedMetaAllocator& allocator = []() -> AccountedMetaAllocator& {
        auto* instance = new AccountedMetaAllocator;
        c10::SetAllocator(c10::DeviceType::Meta, instance, 1);
        registerResize();
        return *instance;
    }();
    return allocator;
}

} // namespace

MetaMemory::MetaMemory(std::shared_ptr<MemoryBackend> backend)
{
    installedMetaAllocator().setBackend(std::move(backend));
}

MetaMemory::~MetaMemory()
{
    installedMetaAllocator().setBackend(nullptr);
}

std::optional<MemoryBackend::Handle> metaHandleOf(const at::Tensor& tensor)
{
    if (!tensor.defined() || !tensor.has_storage())
        return std::nullopt;
    const c10::DataPtr& data = tensor.storage().data_ptr();
    if (data.get_deleter() != &releaseStorage)
        return std::nullopt;
    return static_cast<const Storage*>(data.get_context())->handle;
}

c10::Storage metaStorage(std::shared_ptr<MemoryBackend> backend, MemoryBackend::Handle handle, Bytes bytes)
{
    auto* const context = new Storage{std::move(backend), handle};
    return {c10::Storage::use_byte_size_t(), static_cast<std::size_t>(bytes),
        c10::DataPtr(nullptr, context, &releaseStorage, c10::Device(c10::DeviceType::Meta)), &installedMetaAllocator(),
        /*resizable=*/true};
}

void relabelMetaStorage(const c10::DataPtr& data, const LabelChange& change)
{
    if (data.get_deleter() != &releaseStorage)
        return;
    const auto* storage = static_cast<const Storage*>(data.get_context());
    storage->backend->relabel(storage->handle, change);
}

} // namespace headroom::tensor
