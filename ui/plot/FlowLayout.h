// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLayout>
#include <QList>

#include <memory>
#include <vector>

namespace headroom::ui {

/// Widgets one after another, on further lines where the width is used up.
class FlowLayout : public QLayout {
    Q_OBJECT

public:
    explicit FlowLayout(QWidget* parent = nullptr);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override;
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    /// Returns the height that is used; `place` is called for each item with its place.
    template <typename Place> int flow(const QRect& rect, const Place& place) const;

    std::vector<std::unique_ptr<QLayoutItem>> m_items;
};

} // namespace headroom::ui
