// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace headroom::ui {

/// What is wrong at a place of a spec's text.
struct SpecRemark {
    enum class Kind {
        Error, ///< nothing runs as long as it stands there
        Conflict ///< some trials of the sweep cannot work
    };

    Kind kind = Kind::Error;
    int line = 1; ///< from 1
    int begin = 0; ///< letters of the line before what is underlined
    int length = 0; ///< of what is underlined
    QString text; ///< one sentence, with what would be right
};

} // namespace headroom::ui
