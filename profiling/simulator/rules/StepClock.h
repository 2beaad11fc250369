// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/simulator/Stream.h"

#include <map>

namespace headroom::simulator {

/// Host and device as two timelines: the host enqueues work and continues; a stream runs its work in order and not
/// before it was enqueued. So a step of many short kernels takes as long as the host needs to launch them, and one of
/// long kernels takes as long as they run. Seconds since construction or reset().
class StepClock {
public:
    /// The host spends `hostSeconds` enqueueing work of `deviceSeconds` on a stream. Returns when that work ends.
    double enqueue(double hostSeconds, double deviceSeconds, Stream stream = kDefaultStream);

    /// Work enqueued on `waiting` from now on starts after everything now enqueued on `awaited` is done.
    void waitFor(Stream waiting, Stream awaited);

    /// The host waits for a stream, or for all.
    void synchronize(Stream stream);
    void synchronizeAll();

    /// Adds host work that launches nothing.
    void spendOnHost(double seconds) { m_hostSeconds += seconds; }

    double hostSeconds() const { return m_hostSeconds; }
    /// The time when the host and all enqueued work are done.
    double elapsedSeconds() const;
    void reset();

private:
    double m_hostSeconds = 0.0;
    std::map<Stream, double> m_streamSeconds;
};

} // namespace headroom::simulator
