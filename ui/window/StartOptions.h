// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"

#include <QString>

#include <optional>

namespace headroom::ui {

/// Whether the window looks as it did when it was closed.
enum class Restore { Layout, Nothing };

/// How the desktop program was started. Paths are absolute.
struct StartOptions {
    QString spec; ///< an experiment file to open; empty: none
    QString workspace; ///< empty: the last one, else the user's own
    std::optional<ColourScheme> scheme; ///< wins over the preferences for this start
    Restore restore = Restore::Layout;
    QString preferencesFile; ///< empty: the user's
};

} // namespace headroom::ui
