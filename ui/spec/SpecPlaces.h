// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/spec/Plan.h"

#include <QList>
#include <QString>

class QTextDocument;

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

/// The words that can stand at a place of a spec.
struct SpecPlace {
    QString table; ///< "techniques", "techniques.ema"; empty before the first heading
    QString key; ///< empty: a key is being typed; else its value is
};

/// The place at `column` of the line `line` (from 0). A value may go on over several lines.
SpecPlace placeAt(const QTextDocument& text, int line, int column);

/// The line (from 1) that sets "techniques.casting", under a heading or with the whole path; 0 where none does.
int lineOf(const QTextDocument& text, const QString& path);

/// What the plan finds wrong, at its places in the text. Problems without a place are left out.
QList<SpecRemark> remarksOf(const Plan& plan, const QTextDocument& text);

} // namespace headroom::ui
