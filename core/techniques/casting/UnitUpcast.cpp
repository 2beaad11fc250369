// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/casting/UnitUpcast.h"

#include <algorithm>

namespace headroom::techniques {

// Tensors whose data are copies while it lives. A graph that is recorded meanwhile keeps the copies, or how to make
// them.
class UnitUpcast::Opening {
public:
    Opening(std::vector<at::Tensor> tensors, UpcastScratch::Lease lease, const Upcaster& upcaster)
        : m_tensors(std::move(tensors))
        , m_lease(std::move(lease))
    {
        if (at::GradMode::is_enabled())
            listen(upcaster);
        const torch::NoGradGuard noGradients;
        for (std::size_t i = 0; i < m_tensors.size(); ++i) {
            m_stored.emplace_back(m_tensors[i].variable_data());
            m_tensors[i].set_data(m_lease.copies()[i]);
        }
    }

    ~Opening()
    {
        const torch::NoGradGuard noGradients;
        for (std::size_t i = 0; i < m_stored.size(); ++i)
            m_tensors[i].set_data(m_stored[i]);
    }
    Opening(const Opening&) = delete;
    Opening& operator=(const Opening&) = delete;

private:
    void listen(const Upcaster& upcaster)
    {
        m_copies.emplace();
        for (std::size_t i = 0; i < m_tensors.size(); ++i)
            m_copies->add(m_lease.copies()[i], upcaster.rebuildOf(m_tensors[i]));
        m_scope.emplace(*m_copies);
    }

    std::vector<at::Tensor> m_tensors;
    std::vector<at::Tensor> m_stored;
    UpcastScratch::Lease m_lease;
    std::optional<tensor::WorkingCopies> m_copies;
    std::optional<tensor::SavedTensorHookScope> m_scope;
};

UnitUpcast::UnitUpcast(const CastUnit& unit, Upcaster& upcaster, CastPrefetch* prefetch)
    : m_upcaster(upcaster)
    , m_prefetch(prefetch)
    , m_root(unit.root)
{
    for (const CastModule& module : unit.modules) {
        m_own[module.module] = module.tensors;
        m_tensors.insert(m_tensors.end(), module.tensors.begin(), module.tensors.end());
    }
    m_upcaster.reserveFor(m_tensors);
}

UnitUpcast::~UnitUpcast() = default;

std::vector<const torch::nn::Module*> UnitUpcast::modules() const
{
    std::vector<const torch::nn::Module*> result{m_root};
    for (const auto& [module, tensors] : m_own)
        if (module != m_root)
            result.push_back(module);
    return result;
}

void UnitUpcast::before(const torch::nn::Module& module)
{
    m_openings.push_back(open(&module == m_root ? m_tensors : m_own.at(&module)));
}

void UnitUpcast::after(const torch::nn::Module&) noexcept
{
    m_openings.pop_back();
}

std::unique_ptr<UnitUpcast::Opening> UnitUpcast::open(const std::vector<at::Tensor>& tensors)
{
    std::vector<at::Tensor> stored;
    std::ranges::copy_if(
        tensors, std::back_inserter(stored), [this](const at::Tensor& t) { return m_upcaster.isStored(t); });
    if (stored.empty())
        return nullptr;
    const bool isWhole = m_prefetch != nullptr && stored.size() == m_tensors.size();
    UpcastScratch::Lease lease = copiesOf(stored, isWhole);
    auto opening = std::make_unique<Opening>(std::move(stored), std::move(lease), m_upcaster);
    if (isWhole)
        m_prefetch->opened(&m_tensors);
    return opening;
}

UpcastScratch::Lease UnitUpcast::copiesOf(const std::vector<at::Tensor>& tensors, bool isWhole)
{
    if (isWhole)
        if (auto made = m_prefetch->take(&m_tensors))
            return std::move(*made);
    UpcastScratch::Lease lease = m_upcaster.room(tensors);
    Upcaster::fill(tensors, lease.copies());
    m_upcaster.count(lease.copies());
    return lease;
}

} // namespace headroom::techniques
