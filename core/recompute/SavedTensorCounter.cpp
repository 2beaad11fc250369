// SPDX-License-Identifier: Apache-2.0
#include "core/recompute/SavedTensorCounter.h"

#include <mutex>
#include <unordered_map>
#include <unordered_set>

namespace headroom::tensor {
namespace {

using StorageKey = const c10::StorageImpl*;

StorageKey keyOf(const at::Tensor& tensor)
{
    return tensor.has_storage() ? tensor.storage().unsafeGetStorageImpl() : nullptr;
}

} // namespace

// The tensors that live hooks hold. A graph may be freed on another thread than the one that built it.
class SavedTensorCounter::Register {
public:
    void add(const void* hooks, const at::Tensor& tensor)
    {
        const std::scoped_lock lock(m_mutex);
        m_held[hooks] = {keyOf(tensor), tensor.has_storage() ? static_cast<Bytes>(tensor.storage().nbytes()) : 0};
    }

    void remove(const void* hooks)
    {
        const std::scoped_lock lock(m_mutex);
        m_held.erase(hooks);
    }

    Bytes bytes(std::unordered_set<StorageKey> counted) const
    {
        const std::scoped_lock lock(m_mutex);
        Bytes sum = 0;
        for (const auto& [hooks, storage] : m_held)
            if (counted.insert(storage.first).second)
                sum += storage.second;
        return sum;
    }

private:
    mutable std::mutex m_mutex;
    std::unordered_map<const void*, std::pair<StorageKey, Bytes>> m_held;
};

// Holds the tensor without its graph: an op's saved output would otherwise hold the node that holds these hooks.
// Autograd restores the unpacked tensor's place in the graph.
class SavedTensorCounter::CountedHooks final : public torch::autograd::SavedVariableHooks {
public:
    explicit CountedHooks(std::shared_ptr<Register> heldTensors)
        : m_register(std::move(heldTensors))
    {
    }
    ~CountedHooks() override { m_register->remove(this); }

    void call_pack_hook(const at::Tensor& tensor) override
    {
        m_tensor = tensor.detach();
        m_register->add(this, tensor);
    }
    at::Tensor call_unpack_hook() override { return m_tensor; }

private:
    std::shared_ptr<Register> m_register;
    at::Tensor m_tensor;
};

SavedTensorCounter::SavedTensorCounter()
    : m_register(std::make_shared<Register>())
{
}

SavedTensorCounter::~SavedTensorCounter() = default;

std::unique_ptr<torch::autograd::SavedVariableHooks> SavedTensorCounter::makeHooks()
{
    return std::make_unique<CountedHooks>(m_register);
}

Bytes SavedTensorCounter::heldBytes(const std::vector<at::Tensor>& except) const
{
    std::unordered_set<StorageKey> excluded{nullptr};
    for (const at::Tensor& tensor : except)
        excluded.insert(keyOf(tensor));
    return m_register->bytes(std::move(excluded));
}

} // namespace headroom::tensor
