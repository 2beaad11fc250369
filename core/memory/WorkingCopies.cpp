// SPDX-License-Identifier: Apache-2.0
#include "core/memory/WorkingCopies.h"

#include "core/memory/MemoryScopes.h"

#include "core/base/Error.h"

#include <optional>
#include <utility>
#include <vector>

namespace headroom::tensor {
namespace {

// A saved view of a copy, without the copy's memory.
struct Reference {
    WorkingCopies::Rebuild rebuild;
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides;
    std::int64_t offset = 0; ///< in elements from the start of the copy

    at::Tensor rebuilt() const
    {
        const torch::NoGradGuard noGradients;
        const at::Tensor copy = rebuild();
        return copy.as_strided(sizes, strides, copy.storage_offset() + offset);
    }
};

} // namespace

class WorkingCopies::Register {
public:
    void add(const at::Tensor& copy, Rebuild rebuild)
    {
        m_entries.push_back({copy.storage().getWeakStorageImpl(), copy.storage_offset(),
            copy.storage_offset() + copy.numel(), std::move(rebuild)});
    }

    std::optional<Reference> referenceTo(const at::Tensor& tensor) const
    {
        if (!tensor.has_storage())
            return std::nullopt;
        for (const Entry& entry : m_entries)
            if (entry.storage._unsafe_get_target() == tensor.storage().unsafeGetStorageImpl()
                && entry.begin <= tensor.storage_offset() && tensor.storage_offset() < entry.end)
                return Reference{
                    entry.rebuild, tensor.sizes().vec(), tensor.strides().vec(), tensor.storage_offset() - entry.begin};
        return std::nullopt;
    }

private:
    // Weak, so that the address identifies one storage even after it is gone.
    struct Entry {
        c10::weak_intrusive_ptr<c10::StorageImpl> storage;
        std::int64_t begin;
        std::int64_t end;
        Rebuild rebuild;
    };
    std::vector<Entry> m_entries;
};

class WorkingCopies::Hooks final : public torch::autograd::SavedVariableHooks {
public:
    Hooks(std::shared_ptr<Register> copies, std::unique_ptr<torch::autograd::SavedVariableHooks> outer)
        : m_copies(std::move(copies))
        , m_outer(std::move(outer))
    {
    }

    void call_pack_hook(const at::Tensor& tensor) override
    {
        m_reference = m_copies->referenceTo(tensor);
        m_copies.reset();
        if (m_reference)
            m_outer.reset();
        else if (m_outer)
            m_outer->call_pack_hook(tensor);
        else
            keep(tensor);
    }

    at::Tensor call_unpack_hook() override
    {
        if (m_reference)
            return m_reference->rebuilt();
        return m_outer ? m_outer->call_unpack_hook() : kept();
    }

private:
    // Keeps the tensor's current data, since a parameter's data change later, and without its graph, which would hold
    // these hooks.
    void keep(const at::Tensor& tensor)
    {
        m_kept = tensor.tensor_data();
        m_version = tensor._version();
    }

    // Autograd leaves the check for in-place changes to hooks.
    at::Tensor kept() const
    {
        if (m_kept._version() != m_version)
            throw TrialError("a saved tensor is changed in place after it is saved", "backward pass",
                "saved tensors that stay as they are until they are used");
        return m_kept;
    }

    std::shared_ptr<Register> m_copies;
    std::unique_ptr<torch::autograd::SavedVariableHooks> m_outer;
    std::optional<Reference> m_reference;
    at::Tensor m_kept;
    std::int64_t m_version = 0;
};

WorkingCopies::WorkingCopies()
    : m_register(std::make_shared<Register>())
    , m_outer(SavedTensorHookScope::currentFirst())
{
}

WorkingCopies::~WorkingCopies() = default;

void WorkingCopies::add(const at::Tensor& copy, Rebuild rebuild)
{
    if (rebuild)
        m_register->add(copy, std::move(rebuild));
}

void WorkingCopies::noteCast(const at::Tensor& from, const at::Tensor& cast)
{
    if (const auto reference = m_register->referenceTo(from))
        m_register->add(cast, [reference = *reference, type = cast.scalar_type()] {
            const MemoryScope category(config::MemoryCategory::UpcastCopies);
            return reference.rebuilt().to(type);
        });
    else if (m_outer != nullptr)
        m_outer->noteCast(from, cast);
}

std::unique_ptr<torch::autograd::SavedVariableHooks> WorkingCopies::makeHooks()
{
    SavedTensorHookSource* next = m_outer == nullptr ? SavedTensorHookScope::current() : m_outer;
    return std::make_unique<Hooks>(m_register, next == nullptr ? nullptr : next->makeHooks());
}

} // namespace headroom::tensor
