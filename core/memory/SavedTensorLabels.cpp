// SPDX-License-Identifier: Apache-2.0
#include "core/memory/SavedTensorLabels.h"

#include "core/base/Error.h"
#include "core/memory/MemoryAttribution.h"
#include "core/memory/MemoryScopes.h"

#include <mutex>
#include <unordered_map>

namespace headroom::tensor {

// How often each storage is saved. A graph may be freed on another thread than the one that built it.
class SavedTensorLabels::Register {
public:
    void add(const at::Tensor& tensor)
    {
        {
            const std::scoped_lock lock(m_mutex);
            if (++m_counts[tensor.storage().unsafeGetStorageImpl()] > 1)
                return;
        }
        relabel(tensor,
            {{config::MemoryCategory::SavedActivations, kNoModule, scopedLabel().technique}, LabelChange::Rule::Keep});
    }

    void remove(const at::Tensor& tensor)
    {
        {
            const std::scoped_lock lock(m_mutex);
            const auto count = m_counts.find(tensor.storage().unsafeGetStorageImpl());
            if (--count->second > 0)
                return;
            m_counts.erase(count);
        }
        // If nobody else holds the storage, it dies with this.
        if (tensor.storage().use_count() > 1)
            relabel(tensor, {{}, LabelChange::Rule::Drop});
    }

private:
    std::mutex m_mutex;
    std::unordered_map<const c10::StorageImpl*, std::size_t> m_counts;
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

SavedTensorLabels::SavedTensorLabels()
    : m_register(std::make_shared<Register>())
{
}

SavedTensorLabels::~SavedTensorLabels() = default;

std::unique_ptr<torch::autograd::SavedVariableHooks> SavedTensorLabels::makeHooks()
{
    return std::make_unique<LabellingHooks>(m_register);
}

} // namespace headroom::tensor
