// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/ui/window/ShownWindow.h"

#include <QString>

namespace headroom::ui {

/// A recording in the window: its timeline by frames, its segments where memory ran out, what would have helped.
/// Without the name of a file it is a made-up run that dies (dyingRunSnapshot).
void takeRecording(const Look& look, const QString& recording, const Photographer& photographer);

} // namespace headroom::ui
