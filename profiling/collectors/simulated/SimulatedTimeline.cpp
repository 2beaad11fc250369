// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/simulated/SimulatedTimeline.h"

#include "core/memory/HostMemory.h"

#include <utility>

namespace headroom::collectors {
namespace {

// Only orders the events of a device without a speed profile.
constexpr double kTickSeconds = 1e-6;

// The two directions of the link are streams of the clock, numbered below those of the device.
simulator::Stream linkOf(tensor::TransferDirection direction)
{
    return direction == tensor::TransferDirection::ToDevice ? -1 : -2;
}

} // namespace

SimulatedTimeline::SimulatedTimeline(std::optional<simulator::CostModel> costModel)
    : m_costModel(std::move(costModel))
{
    if (m_costModel && m_costModel->freshMemory())
        m_freshMemory.emplace(*m_costModel->freshMemory());
}

void SimulatedTimeline::spend(const simulator::OpCost& cost)
{
    if (m_isTransferring)
        return;
    if (isInline())
        return computeInline(m_costModel->hostSeconds(cost) + m_costModel->deviceSeconds(cost));
    // What the host computes in its own memory is not work of the device, and no GPU's profile states how fast a host
    // is.
    if (m_costModel && tensor::HostMemoryScope::current() != nullptr)
        m_clock.spendOnHost(m_costModel->hostSeconds(cost));
    else if (m_costModel)
        m_clock.enqueue(m_costModel->hostSeconds(cost), m_costModel->deviceSeconds(cost), m_current);
    else
        m_clock.spendOnHost(kTickSeconds);
}

// A side stream is a thread of its own; everything else is done when the op returns.
void SimulatedTimeline::computeInline(double seconds)
{
    m_clock.enqueue(0, seconds, m_current);
    if (m_current == simulator::kDefaultStream)
        m_clock.synchronize(m_current);
}

void SimulatedTimeline::holds(Bytes live)
{
    if (m_freshMemory)
        computeInline(m_freshMemory->secondsFor(live));
}

void SimulatedTimeline::used(const Use& use)
{
    ++m_otherUses;
    if (m_useListener)
        m_useListener(use);
}

SimulatedTimeline::SideTrack SimulatedTimeline::addSideStream()
{
    used([=](SimulatedTimeline& timeline) { timeline.addSideStream(); });
    return ++m_lastTrack;
}

void SimulatedTimeline::enterSideStream(SideTrack track)
{
    used([=](SimulatedTimeline& timeline) { timeline.enterSideStream(track); });
    m_current = track;
}

void SimulatedTimeline::leaveSideStream()
{
    used([=](SimulatedTimeline& timeline) { timeline.leaveSideStream(); });
    m_current = simulator::kDefaultStream;
}

void SimulatedTimeline::sideWaitsForCompute(SideTrack track)
{
    used([=](SimulatedTimeline& timeline) { timeline.sideWaitsForCompute(track); });
    m_clock.waitFor(track, simulator::kDefaultStream);
}

void SimulatedTimeline::computeWaitsForSide(SideTrack track)
{
    used([=](SimulatedTimeline& timeline) { timeline.computeWaitsForSide(track); });
    m_clock.waitFor(simulator::kDefaultStream, track);
}

void SimulatedTimeline::hostWaitsForSide(SideTrack track)
{
    used([=](SimulatedTimeline& timeline) { timeline.hostWaitsForSide(track); });
    m_clock.synchronize(track);
}

void SimulatedTimeline::hostWaits()
{
    used([=](SimulatedTimeline& timeline) { timeline.hostWaits(); });
    m_clock.synchronizeAll();
}

void SimulatedTimeline::transferBegins(tensor::TransferDirection direction, Bytes bytes, tensor::TransferWait wait)
{
    used([=](SimulatedTimeline& timeline) { timeline.transferBegins(direction, bytes, wait); });
    m_isTransferring = true;
    if (!m_costModel)
        return m_clock.spendOnHost(kTickSeconds);
    copy(direction, bytes, wait);
    if (wait == tensor::TransferWait::Blocking || (isInline() && m_current == simulator::kDefaultStream))
        m_clock.synchronize(m_current);
}

// Enqueued like one kernel. Copies that need not be waited for are those of pinned memory.
void SimulatedTimeline::copy(tensor::TransferDirection direction, Bytes bytes, tensor::TransferWait wait)
{
    const bool isPinned = wait == tensor::TransferWait::NonBlocking;
    const double seconds =
        m_costModel->copySeconds(bytes, isPinned ? simulator::HostLink::Pinned : simulator::HostLink::Pageable);
    const simulator::Stream link = linkOf(direction);
    m_clock.waitFor(m_current, link);
    m_clock.enqueue(m_costModel->hostSeconds({}), seconds, m_current);
    m_clock.waitFor(link, m_current);
}

void SimulatedTimeline::transferEnds()
{
    used([=](SimulatedTimeline& timeline) { timeline.transferEnds(); });
    m_isTransferring = false;
}

} // namespace headroom::collectors
