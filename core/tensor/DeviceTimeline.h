// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

namespace headroom::tensor {

enum class TransferDirection { ToHost, ToDevice };

/// A blocking copy returns when it is complete.
enum class TransferWait { Blocking, NonBlocking };

/// Receives what the ops themselves do not show: the streams they run on, the waits between streams, and the copies
/// from and to the host. A simulated device turns it into time. Called on the thread that runs the step.
class DeviceTimeline {
public:
    /// Identifies a side stream.
    using SideTrack = int;

    virtual ~DeviceTimeline() = default;

    virtual SideTrack addSideStream() = 0;
    /// From now on, ops belong to the side stream, or to the compute stream again.
    virtual void enterSideStream(SideTrack track) = 0;
    virtual void leaveSideStream() = 0;
    /// Work submitted to the side stream from now on starts when the compute stream has finished its work so far; and
    /// the other way round.
    virtual void sideWaitsForCompute(SideTrack track) = 0;
    virtual void computeWaitsForSide(SideTrack track) = 0;
    /// The host waits for the side stream, or for everything.
    virtual void hostWaitsForSide(SideTrack track) = 0;
    virtual void hostWaits() = 0;
    /// A copy between host and device begins: until it ends, ops are not work of the device. The host waits for
    /// blocking copies.
    virtual void transferBegins(TransferDirection direction, Bytes bytes, TransferWait wait) = 0;
    virtual void transferEnds() = 0;

    /// The timeline of this process's simulated device; null: time passes by itself.
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
