// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/casting/LayerwiseCasting.h"

#include "core/memory/ParameterHome.h"
#include "core/techniques/casting/StorageCast.h"

namespace headroom::techniques {

// Around the whole forward: prefetching begins and ends with it, and buffers are not held between steps.
class LayerwiseCasting::Root final : public tensor::ModuleHook {
public:
    Root(Upcaster& upcaster, CastPrefetch* prefetch)
        : m_upcaster(upcaster)
        , m_prefetch(prefetch)
    {
    }

    void before(const torch::nn::Module&) override
    {
        if (m_prefetch != nullptr)
            m_prefetch->forwardBegins();
    }

    void after(const torch::nn::Module&) noexcept override
    {
        if (m_prefetch != nullptr)
            m_prefetch->forwardEnds();
        m_upcaster.release();
    }

private:
    Upcaster& m_upcaster;
    CastPrefetch* m_prefetch;
};

StoredWeights& StoredWeights::operator+=(const StoredWeights& other)
{
    layers += other.layers;
    tensors += other.tensors;
    bytes += other.bytes;
    clipped += other.clipped;
    return *this;
}

StoredWeights store(const CastModule& module, c10::ScalarType storage)
{
    StoredWeights result;
    for (const at::Tensor& tensor : module.tensors) {
        if (tensor.scalar_type() == storage)
            continue;
        const StoredCopy stored = storedCopy(tensor.variable_data(), storage);
        at::Tensor(tensor).set_data(stored.tensor);
        result += {0, 1, static_cast<Bytes>(tensor.nbytes()), stored.clipped};
    }
    result.layers = result.tensors > 0 ? 1 : 0;
    return result;
}

StoredWeights store(const std::vector<CastUnit>& units, c10::ScalarType storage)
{
    StoredWeights result;
    for (const CastUnit& unit : units)
        for (const CastModule& module : unit.modules)
            result += store(module, storage);
    return result;
}

LayerwiseCasting::LayerwiseCasting(torch::nn::Module& root, const std::vector<CastUnit>& units, const CastRules& rules,
    const UpcastOptions& options, std::shared_ptr<CastCount> count)
    : m_upcaster(rules, options.backward, options.ahead == UpcastAhead::Yes ? 2 : 1, count)
{
    if (units.empty())
        return;
    if (options.ahead == UpcastAhead::Yes) // where the weights are used: offloaded ones already rest on the host
        m_prefetch.emplace(
            m_upcaster, tensor::deviceOf(units.front().modules.front().tensors.front()), std::move(count));
    CastPrefetch* prefetch = m_prefetch ? &*m_prefetch : nullptr;
    for (const CastUnit& unit : units)
        m_units.push_back(std::make_unique<UnitUpcast>(unit, m_upcaster, prefetch));
    m_root = std::make_unique<Root>(m_upcaster, prefetch);
    registerHooks(root);
}

LayerwiseCasting::~LayerwiseCasting() = default;

// The root's hook last: it is outermost where the root is a unit itself.
void LayerwiseCasting::registerHooks(torch::nn::Module& root)
{
    for (const auto& unit : m_units)
        for (const torch::nn::Module* module : unit->modules())
            m_registrations.emplace_back(*module, *unit);
    m_registrations.emplace_back(root, *m_root);
}

void LayerwiseCasting::release()
{
    m_upcaster.release();
}

} // namespace headroom::techniques
