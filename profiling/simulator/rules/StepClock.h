// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/Stream.h"

#include <map>

namespace headroom::simulator {

/// Host and device as two tracks: the host enqueues and goes on, a stream runs its work in order and not before it was
/// enqueued. So a step of many short kernels takes as long as the host needs to launch them, one of long kernels as
/// long as these run. Seconds since construction or reset().
class StepClock {
public:
    /// The host spends `hostSeconds` enqueueing work of `deviceSeconds` on a stream. Returns when that work ends.
    double enqueue(double hostSeconds, double deviceSeconds, Stream stream = kDefaultStream);

    /// Work enqueued on `waiting` from now on starts when `awaited` has done what it has now.
    void waitFor(Stream waiting, Stream awaited);

    /// The host waits for a stream, or for all.
    void synchronize(Stream stream);
    void synchronizeAll();

    /// Host work that launches nothing.
    void spendOnHost(double seconds) { m_hostSeconds += seconds; }

    double hostSeconds() const { return m_hostSeconds; }
    /// When all that was enqueued and the host are done.
    double elapsedSeconds() const;
    void reset();

private:
    double m_hostSeconds = 0.0;
    std::map<Stream, double> m_streamSeconds;
};

} // namespace headroom::simulator
