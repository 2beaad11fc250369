// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>

namespace headroom::ui {

/// A line of text that may be wider than its place: it then ends in "…" and has the whole text as its tooltip.
class ElidedLabel : public QLabel {
    Q_OBJECT

public:
    using QLabel::QLabel;

    /// `details` follow the text in the tooltip.
    void setLine(const QString& text, const QString& details = {});
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace headroom::ui
