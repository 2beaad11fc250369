// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QBoxLayout;
class QLayout;

namespace headroom::ui {

/// Two groups of widgets beside each other, or below each other where there is no room for that. ElidedLabels of the
/// first group change to their shorter lines as far as there is no room for the whole ones.
class AnswerLines : public QWidget {
    Q_OBJECT

public:
    AnswerLines(QLayout* first, QLayout* second, QWidget* parent = nullptr);

    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;

private:
    void choose();
    void shorten(int room);

    QWidget* m_first;
    QWidget* m_second;
    QBoxLayout* m_layout;
};

} // namespace headroom::ui
