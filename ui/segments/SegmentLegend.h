// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/segments/SegmentMoment.h"

#include <QWidget>

#include <vector>

namespace headroom::ui {

/// What the patterns of the segments mean, and how much there is of each: categories, gaps, free segments.
class SegmentLegend : public QWidget {
    Q_OBJECT

public:
    explicit SegmentLegend(Theme& theme, QWidget* parent = nullptr);

    void setMoment(const SegmentMomentPtr& moment);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Entry {
        QBrush brush;
        QString text;
    };
    std::vector<QPointF> places(int width) const;
    double widthOf(const Entry& entry) const;
    void makeEntries();

    Theme& m_theme;
    SegmentMomentPtr m_moment;
    std::vector<Entry> m_entries;
};

} // namespace headroom::ui
