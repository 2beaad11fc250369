// SPDX-License-Identifier: Apache-2.0
#include "core/memory/SavedTensorLabels.h"

#include "core/base/Error.h"
#include "core/memory/MemoryAttribution.h"
#include "core/memory/MemoryScopes.h"
#include "core/memory/MetaMemory.h"

#include <mutex>
#include <unordered_map>
#include <utility>

namespace headroom::tensor {

// How often each storage is saved. A graph may be freed on another thread than the one that built it.
class SavedTensorLabels::Register {
public:
    void add(const at::Tensor& tensor)
    {
        if (isFirst(tensor.storage()))
            relabel(tensor,
                {{config::MemoryCategory::SavedActivations, kNoModule, scopedLabel().technique},
                    LabelChange::Rule::Keep});
    }

    void remove(const at::Tensor& tensor)
    {
        // If nobody else holds the storage, it dies with this.
        if (wasLast(tensor.storage().unsafeGetStorageImpl()) && tensor.storage().use_count() > 1)
            relabel(tensor, {{}, LabelChange::Rule::Drop});
    }

    bool isFirst(const c10::Storage& storage)
    {
        const std::scoped_lock lock(m_mutex);
        Saves& saves = m_saves[storage.unsafeGetStorageImpl()];
        saves.bytes = static_cast<Bytes>(storage.nbytes());
        return ++saves.count == 1;
    }

    bool wasLast(const c10::StorageImpl* storage)
    {
        const std::scoped_lock lock(m_mutex);
        const auto saves = m_saves.find(storage);
        if (--saves->second.count > 0)
            return false;
        m_saves.erase(saves);
        return true;
    }

    bool has(const c10::StorageImpl* storage) const
    {
        const std::scoped_lock lock(m_mutex);
        return m_saves.contains(storage);
    }

    Bytes bytes(const std::unordered_set<const c10::StorageImpl*>& except) const
    {
        const std::scoped_lock lock(m_mutex);
        Bytes sum = 0;
        for (const auto& [storage, saves] : m_saves)
            if (!except.contains(storage))
                sum += saves.bytes;
        return sum;
    }

private:
    struct Saves {
        std::size_t count = 0;
        Bytes bytes = 0;
    };

    mutable std::mutex m_mutex;
    std::unordered_map<const c10::StorageImpl*, Saves> m_saves;
};

// Holds the tensor without its graph: an op's saved output would otherwise hold the node that holds these hooks.
// Autograd leaves the check for in-place changes to hooks.
class SavedTensorLabels::LabellingHooks final : public torch::autograd::SavedVariableHooks {
public:
    explicit LabellingHooks(std::shared_ptr<Register> savedTensors)
        : m_register(std::move(savedTensors))
    {
    }
    ~LabellingHooks() override
    {
        if (m_tensor.defined() && m_tensor.has_storage())
            m_register->remove(m_tensor);
    }
    LabellingHooks(const LabellingHooks&) = delete;
    LabellingHooks& operator=(const LabellingHooks&) = delete;

    void call_pack_hook(const at::Tensor& tensor) override
    {
        m_tensor = tensor.tensor_data();
        m_version = tensor._version();
        if (m_tensor.has_storage())
            m_register->add(m_tensor);
    }

    at::Tensor call_unpack_hook() override
    {
        if (m_tensor._version() != m_version)
            throw TrialError("a saved tensor is changed in place after it is saved", "backward pass",
                "saved tensors that stay as they are until they are used");
        return m_tensor;
    }

private:
    std::shared_ptr<Register> m_register;
    at::Tensor m_tensor;
    std::int64_t m_version = 0;
};

SavedTensorLabels::Kept::Kept(
    std::shared_ptr<Register> savedTensors, const c10::Storage& storage, const LabelChange& change)
    : m_register(std::move(savedTensors))
    , m_storage(storage.unsafeGetStorageImpl())
{
    if (m_register->isFirst(storage))
        relabelMetaStorage(m_storage->data_ptr(), change);
}

SavedTensorLabels::Kept::~Kept()
{
    if (m_register)
        m_register->wasLast(m_storage);
}

void SavedTensorLabels::Kept::drop(const LabelChange& change)
{
    if (m_register && std::exchange(m_register, nullptr)->wasLast(m_storage))
        relabelMetaStorage(m_storage->data_ptr(), change);
}

SavedTensorLabels::SavedTensorLabels()
    : m_register(std::make_shared<Register>())
{
}

SavedTensorLabels::~SavedTensorLabels() = default;

std::unique_ptr<torch::autograd::SavedVariableHooks> SavedTensorLabels::makeHooks()
{
    return std::make_unique<LabellingHooks>(m_register);
}

std::unique_ptr<SavedTensorLabels::Kept> SavedTensorLabels::keep(const c10::Storage& storage, const LabelChange& change)
{
    return std::make_unique<Kept>(m_register, storage, change);
}

bool SavedTensorLabels::isKept(const at::Tensor& tensor) const
{
    return tensor.defined() && tensor.has_storage() && m_register->has(tensor.storage().unsafeGetStorageImpl());
}

Bytes SavedTensorLabels::keptBytes(const std::unordered_set<const c10::StorageImpl*>& except) const
{
    return m_register->bytes(except);
}

} // namespace headroom::tensor
