// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/casting/UnitUpcast.h"

#include "core/recompute/Recomputation.h"

#include <algorithm>

namespace headroom::techniques {

CastPrefetch::CastPrefetch(Upcaster& upcaster, c10::Device device, std::shared_ptr<CastCount> count)
    : m_upcaster(upcaster)
    , m_count(std::move(count))
    , m_stream(device)
{
}

bool CastPrefetch::isActive() const
{
    return m_isRunning && !tensor::isRecomputing();
}

void CastPrefetch::forwardBegins()
{
    if (tensor::isRecomputing())
        return;
    m_isRunning = true;
    m_next = 0;
    if (m_isLearned && !m_order.empty())
        start(m_order.front());
}

void CastPrefetch::forwardEnds() noexcept
{
    if (!isActive())
        return;
    drop();
    m_isRunning = false;
    m_isLearned = true;
}

std::optional<UpcastScratch::Lease> CastPrefetch::take(Unit unit)
{
    if (!isActive() || !m_ahead)
        return std::nullopt;
    if (m_ahead->unit != unit) {
        drop();
        return std::nullopt;
    }
    m_stream.letComputeWait();
    ++m_count->streamSyncs;
    auto lease = std::move(m_ahead->lease);
    m_ahead.reset();
    return lease;
}

void CastPrefetch::opened(Unit unit)
{
    if (!isActive())
        return;
    if (!m_isLearned) {
        m_order.push_back(unit);
        return;
    }
    const bool isInOrder = m_next < m_order.size() && m_order[m_next] == unit;
    m_next = isInOrder ? m_next + 1 : m_order.size();
    if (m_next < m_order.size())
        start(m_order[m_next]);
}

// The buffer may be one that the unit before read: what computes it has to be done.
void CastPrefetch::start(Unit unit)
{
    const auto isStored = [this](const at::Tensor& tensor) { return m_upcaster.isStored(tensor); };
    if (!std::ranges::all_of(*unit, isStored))
        return;
    std::vector<at::Tensor> stored;
    for (const at::Tensor& tensor : *unit)
        stored.push_back(tensor.variable_data());
    m_ahead = Ahead{unit, m_upcaster.room(*unit)};
    m_stream.waitForCompute();
    ++m_count->streamSyncs;
    m_upcaster.count(m_ahead->lease.copies());
    m_stream.run([stored, copies = m_ahead->lease.copies()] { Upcaster::fill(stored, copies); });
}

// Memory that is still written must not be given to others. What the work threw is told where its copies are used.
void CastPrefetch::drop() noexcept
{
    if (!m_ahead)
        return;
    try {
        m_stream.synchronise();
    } catch (const std::exception&) {
    }
    m_ahead.reset();
}

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
