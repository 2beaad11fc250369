// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/runs/QueuedRun.h"

#include <QString>

namespace headroom::ui {

class RunService;

/// What a trial is doing: "backward, step 3 of 7", "forward, warm-up", "1 of 3 repeats".
QString doingText(const QueuedRun& run, std::size_t trial);
/// Why the trial ended as it did. Out of memory:
/// "needs 35.4 GiB, 11.7 more than usable; first failed in forward for 96 MiB".
QString reasonText(const TrialProgress& progress);
/// "needs 10.8 GiB", the need on the device; "132 MiB allocated" if there is no such figure; empty if nothing is known.
QString peakText(const TrialProgress& progress);
/// "needs 10.8 GiB, 10.4 GiB reserved, 10.1 GiB allocated"
QString peakDetails(const TrialProgress& progress);
/// How long a trial has taken so far, in seconds.
double secondsSpent(const TrialProgress& progress);

/// "running", "waiting, 2nd in the queue"
QString stateText(const QueuedRun& run);
/// "2 of 8 trials, 1 failed"
QString countsText(const QueuedRun& run);
/// "2 of 8 trials, about 40 s left"
QString overallText(const RunService& service);

} // namespace headroom::ui
