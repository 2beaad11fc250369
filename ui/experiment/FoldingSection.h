// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QHBoxLayout;
class QToolButton;
class QVBoxLayout;

namespace headroom::ui {

/// A part of a form that can be folded away by its heading.
class FoldingSection : public QWidget {
    Q_OBJECT

public:
    enum class State { Open, Folded };

    FoldingSection(const QString& title, State state, QWidget* parent = nullptr);

    void add(QWidget* widget);
    /// Shown between heading and body, folded or not.
    void addAlways(QWidget* widget);
    /// A widget that takes the heading into itself stands in its place.
    void setHead(QWidget* head);
    /// At the end of the heading's line.
    void addTool(QWidget* tool);
    QToolButton* heading() const { return m_heading; }
    void setOpen(State state);
    bool isOpen() const;
    /// Shown after the title: "2 changed".
    void setRemark(const QString& remark);

private:
    void refresh();

    QString m_title;
    QString m_remark;
    State m_state;
    QToolButton* m_heading;
    QHBoxLayout* m_line; ///< with the heading
    QVBoxLayout* m_always;
    QWidget* m_body;
    QVBoxLayout* m_layout;
};

} // namespace headroom::ui
