// SPDX-License-Identifier: Apache-2.0
#include "core/techniques/casting/CastPrefetch.h"

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

} // namespace headroom::techniques
