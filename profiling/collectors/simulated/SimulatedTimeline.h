// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/DeviceTimeline.h"
#include "profiling/simulator/rules/CostModel.h"
#include "profiling/simulator/rules/FreshMemory.h"
#include "profiling/simulator/rules/StepClock.h"

#include <functional>
#include <optional>

namespace headroom::collectors {

/// The time of a simulated device: ops and transfers, each on its stream.
///
/// Transfers in one direction share the link to the host, one after the other. On a device without a speed profile each
/// op and each transfer advances the clock by a tick, so that time only orders events. On a device that computes inline
/// the host does what the compute stream does, and waits for it.
class SimulatedTimeline final : public tensor::DeviceTimeline {
public:
    explicit SimulatedTimeline(std::optional<simulator::CostModel> costModel);

    bool measuresTime() const { return m_costModel.has_value(); }
    double elapsedSeconds() const { return m_clock.elapsedSeconds(); }
    void synchronise() { m_clock.synchronizeAll(); }
    /// Runs an op on the current stream. Ops inside a transfer are part of the transfer.
    void spend(const simulator::OpCost& cost);
    /// The bytes that are live after that op, for a device on which memory that was never touched costs time.
    void holds(Bytes live);
    /// How often it was asked for something besides ops so far: side streams, waits, transfers.
    std::int64_t otherUses() const { return m_otherUses; }
    /// Is told of each of them; doing it again has the same effect.
    using Use = std::function<void(SimulatedTimeline&)>;
    void setUseListener(std::function<void(const Use&)> listener) { m_useListener = std::move(listener); }
    bool countsFreshMemory() const { return m_freshMemory.has_value(); }

    SideTrack addSideStream() override;
    void enterSideStream(SideTrack track) override;
    void leaveSideStream() override;
    void sideWaitsForCompute(SideTrack track) override;
    void computeWaitsForSide(SideTrack track) override;
    void hostWaitsForSide(SideTrack track) override;
    void hostWaits() override;
    void transferBegins(tensor::TransferDirection direction, Bytes bytes, tensor::TransferWait wait) override;
    void transferEnds() override;

private:
    void used(const Use& use);
    void copy(tensor::TransferDirection direction, Bytes bytes, tensor::TransferWait wait);
    bool isInline() const { return m_costModel && m_costModel->execution() == simulator::Execution::Inline; }
    void computeInline(double seconds);

    std::optional<simulator::CostModel> m_costModel;
    std::optional<simulator::FreshMemory> m_freshMemory;
    simulator::StepClock m_clock;
    simulator::Stream m_current = simulator::kDefaultStream;
    SideTrack m_lastTrack = simulator::kDefaultStream;
    bool m_isTransferring = false;
    std::int64_t m_otherUses = 0;
    std::function<void(const Use&)> m_useListener;
};

} // namespace headroom::collectors
