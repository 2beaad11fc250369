// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"

#include <QSyntaxHighlighter>

namespace headroom::ui {

/// Colours of a spec's text: tables, keys, strings, numbers and comments of TOML, line by line.
class SpecHighlighter : public QSyntaxHighlighter {
    Q_OBJECT

public:
    SpecHighlighter(Theme& theme, QTextDocument* document);

protected:
    void highlightBlock(const QString& text) override;

private:
    void colourValue(const QString& text, int begin);
    int colourString(const QString& text, int begin);

    Theme& m_theme;
};

} // namespace headroom::ui
