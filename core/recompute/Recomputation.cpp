// SPDX-License-Identifier: Apache-2.0
#include "core/recompute/Recomputation.h"

#include "core/base/Error.h"
#include "core/memory/MemoryAttribution.h"

namespace headroom::tensor {
namespace {

thread_local int t_recomputations = 0;

class RecomputingScope {
public:
    RecomputingScope() { ++t_recomputations; }
    ~RecomputingScope() { --t_recomputations; }
    RecomputingScope(const RecomputingScope&) = delete;
    RecomputingScope& operator=(const RecomputingScope&) = delete;
};

// Ends a repetition early. It derives from std::exception because it passes through the engine if the region runs a
// backward pass of its own: the engine cleans up only for those, and rethrows the same object.
class EverythingRebuilt final : public std::exception { };

std::string textOf(const SavedTensorTraits& traits)
{
    std::string sizes;
    for (const std::int64_t size : traits.sizes)
        sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
    return std::string(c10::toString(traits.dtype)) + " [" + sizes + "] on " + traits.device.str() + " at version "
        + std::to_string(traits.version);
}

} // namespace

// Holds the tensor too: a region may run its own backward pass inside.
class Recomputation::RebuiltHooks final : public torch::autograd::SavedVariableHooks {
public:
    explicit RebuiltHooks(Recomputation& recomputation)
        : m_recomputation(recomputation)
    {
    }
    void call_pack_hook(const at::Tensor& tensor) override
    {
        m_tensor = tensor.tensor_data();
        m_recomputation.accept(m_tensor);
    }
    at::Tensor call_unpack_hook() override { return m_tensor; }

private:
    Recomputation& m_recomputation; // packs only while it runs
    at::Tensor m_tensor;
};

SavedTensorTraits traitsOf(const at::Tensor& tensor)
{
    return {tensor.sizes().vec(), tensor.scalar_type(), tensor.device(), tensor._version()};
}

Recomputation::Recomputation(const std::string& where, const std::vector<SavedPosition>& positions, EarlyStop earlyStop)
    : m_where(where)
    , m_positions(positions)
    , m_earlyStop(earlyStop)
    , m_tensors(positions.size())
{
    for (std::size_t position = 0; position < positions.size(); ++position)
        if (positions[position].isNeeded || earlyStop == EarlyStop::Off)
            m_end = position + 1;
}

std::unique_ptr<torch::autograd::SavedVariableHooks> Recomputation::makeHooks()
{
    return std::make_unique<RebuiltHooks>(*this);
}

void Recomputation::run(const std::function<void()>& region)
{
    const RecomputingScope recomputing;
    try {
        const SavedTensorHookScope hooks(*this);
        region();
    } catch (const EverythingRebuilt&) {
        return;
    }
    if (m_next < m_end)
        refuse("saved " + std::to_string(m_next) + " tensors instead of " + std::to_string(m_positions.size()));
}

void Recomputation::accept(const at::Tensor& tensor)
{
    if (m_next >= m_end)
        refuse("saved more than the " + std::to_string(m_positions.size()) + " tensors of the forward pass");
    compare(traitsOf(tensor));
    if (m_positions[m_next].isNeeded) {
        m_tensors[m_next] = tensor;
        relabel(tensor, {{config::MemoryCategory::RecomputedActivations}, LabelChange::Rule::Keep});
    }
    if (++m_next == m_end && m_earlyStop == EarlyStop::On)
        throw EverythingRebuilt{};
}

void Recomputation::compare(const SavedTensorTraits& found) const
{
    const SavedTensorTraits& expected = m_positions[m_next].traits;
    if (found != expected)
        refuse("saved " + textOf(found) + " in position " + std::to_string(m_next) + " of "
            + std::to_string(m_positions.size()) + ", instead of " + textOf(expected));
}

void Recomputation::refuse(const std::string& what) const
{
    throw TrialError("run again for the backward pass, it " + what, m_where,
        "a forward that does the same each time; look for branches on values or on the step, state kept between calls, "
        "weights changed before the backward pass");
}

bool isRecomputing()
{
    return t_recomputations > 0;
}

} // namespace headroom::tensor
