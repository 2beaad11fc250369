// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>

namespace headroom::ui {

/// A line of text that may be wider than its place. If it is, a shorter line is shown, or its beginning with "…", or
/// nothing where there is room for a few letters only. The tooltip has the whole text.
class ElidedLabel : public QLabel {
    Q_OBJECT

public:
    using QLabel::QLabel;

    /// The tooltip shows `details` below the text.
    void setLine(const QString& text, const QString& details = {});
    /// Shown instead if the line is too wide.
    void setShortLine(const QString& text) { m_short = text; }
    /// Whether it asks for the room of the shorter line, so that what stands beside it follows that at once.
    void setShort(bool isShort);
    /// Of the full line, px.
    int wholeWidth() const { return fontMetrics().horizontalAdvance(text()) + 1; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_short;
    bool m_isShort = false;
};

} // namespace headroom::ui
