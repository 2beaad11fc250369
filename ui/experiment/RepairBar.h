// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/Problem.h"

#include <QWidget>

#include <vector>

class QHBoxLayout;

namespace headroom::ui {

/// A button for each change that mends a problem; hidden where there is none.
class RepairBar : public QWidget {
    Q_OBJECT

public:
    explicit RepairBar(QWidget* parent = nullptr);

    void offer(const std::vector<config::Repair>& repairs);

Q_SIGNALS:
    /// The path of a setting and its value in TOML syntax.
    void chosen(const QString& path, const QString& value);

private:
    void add(const config::Repair& repair);

    QHBoxLayout* m_layout;
    std::vector<config::Repair> m_repairs;
};

} // namespace headroom::ui
