// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"

#include <QString>

#include <optional>

namespace headroom::ui {

/// Whether the window restores the layout that it had when it was closed.
enum class Restore { Layout, Nothing };

/// The options that the desktop program was started with. Paths are absolute.
struct StartOptions {
    QString spec; ///< an experiment file to open; empty if none
    QString workspace; ///< if empty: the last one, else the user's default
    std::optional<ColourScheme> scheme; ///< overrides the preferences for this session
    Restore restore = Restore::Layout;
    QString preferencesFile; ///< if empty: the user's
};

} // namespace headroom::ui
