// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"

#include <QSyntaxHighlighter>

namespace headroom::ui {

/// Colours of a spec's text: tables, keys, strings, also those of several lines, numbers and comments of TOML.
class SpecHighlighter : public QSyntaxHighlighter {
    Q_OBJECT

public:
    SpecHighlighter(Theme& theme, QTextDocument* document);

protected:
    void highlightBlock(const QString& text) override;

private:
    /// Of a line's end; -1, as Qt has it, before anything was coloured.
    enum State { Code = 0, InString, InLiteral };

    void colourValue(const QString& text, int begin);
    int colourString(const QString& text, int begin);
    static bool isLongString(const QString& text, int begin);
    int colourLongString(const QString& text, int begin);
    int goOnWithLongString(const QString& text, int state);
    int colourUntilEnd(const QString& text, int begin, State state);

    Theme& m_theme;
};

} // namespace headroom::ui
