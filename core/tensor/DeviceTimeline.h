// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

namespace headroom::tensor {

enum class TransferDirection { ToHost, ToDevice };

/// A blocking copy comes back when it is done.
enum class TransferWait { Blocking, NonBlocking };

/// Told of what the ops themselves do not show: on which stream they run, what waits for what, which copies cross to
/// the host. A simulated device turns it into time. Called on the thread that runs the step.
class DeviceTimeline {
public:
    /// Names one side stream.
    using SideTrack = int;

    virtual ~DeviceTimeline() = default;

    virtual SideTrack addSideStream() = 0;
    /// Ops belong to the side stream from now on, or to the compute stream again.
    virtual void enterSideStream(SideTrack track) = 0;
    virtual void leaveSideStream() = 0;
    /// What is submitted to the side stream from now on starts when the compute stream has done what it has now; and
    /// the other way round.
    virtual void sideWaitsForCompute(SideTrack track) = 0;
    virtual void computeWaitsForSide(SideTrack track) = 0;
    /// The host waits for the side stream; for everything.
    virtual void hostWaitsForSide(SideTrack track) = 0;
    virtual void hostWaits() = 0;
    /// A copy across begins: the ops until it ends are no work of the device. Blocking ones keep the host waiting.
    virtual void transferBegins(TransferDirection direction, Bytes bytes, TransferWait wait) = 0;
    virtual void transferEnds() = 0;

    /// The one of this process's simulated device; null: time passes by itself.
    static DeviceTimeline* active();

    /// While it lives, `timeline` is the active one.
    class Activation {
    public:
        explicit Activation(DeviceTimeline& timeline);
        ~Activation();
        Activation(const Activation&) = delete;
        Activation& operator=(const Activation&) = delete;

    private:
        DeviceTimeline* m_outer;
    };
};

} // namespace headroom::tensor
