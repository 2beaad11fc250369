// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

namespace headroom::ui {

/// Which trials are selected, in every view alike. The last one is the current one: the timeline shows it.
class Selection : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Trial ids, in the order in which they were selected.
    const QStringList& trials() const { return m_trials; }
    /// Empty where nothing is selected.
    QString current() const { return m_trials.isEmpty() ? QString() : m_trials.last(); }
    bool holds(const QString& trial) const { return m_trials.contains(trial); }
    /// The trial under the pointer, in whichever view; empty for none.
    const QString& hovered() const { return m_hovered; }

    void select(const QStringList& trials);
    /// Adds the trial, or takes it away.
    void toggle(const QString& trial);
    void clear() { select({}); }
    void setHovered(const QString& trial);

Q_SIGNALS:
    void changed();
    void hoverChanged();

private:
    QStringList m_trials;
    QString m_hovered;
};

} // namespace headroom::ui
