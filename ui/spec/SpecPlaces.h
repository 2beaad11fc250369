// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/spec/Plan.h"
#include "ui/spec/SpecRemark.h"

#include <QList>
#include <QString>

class QTextDocument;

namespace headroom::ui {

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
