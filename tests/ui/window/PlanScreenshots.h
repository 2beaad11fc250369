// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/ui/window/ShownWindow.h"

namespace headroom::ui {

/// The first page's question, its answer as it is found and at the end, why another combination loses, and the settings
/// for a trainer.
void takePlan(const Look& look, const Photographer& photographer);

/// What the techniques of a sweep do by themselves and together.
void takeEffects(const Look& look, const Photographer& photographer);

} // namespace headroom::ui
