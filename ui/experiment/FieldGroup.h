// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/experiment/SettingRow.h"

#include <QWidget>

class QVBoxLayout;

namespace headroom::ui {

/// Rows for a set of fields of one table: those that matter are seen at once, the others under an expander with search.
class FieldGroup : public QWidget {
    Q_OBJECT

public:
    /// What is seen while the group is not expanded: all fields, or those that were changed.
    enum class Shown { All, Changed };

    FieldGroup(const std::string& table, Shown shown, SpecSession& session, Theme& theme, EditorGuard& guard,
        QWidget* parent = nullptr);

    /// Rebuilds the rows where the fields or their defaults are others than before.
    void setFields(const std::vector<config::Field>& fields);
    void showValues(const PlanView& view);
    /// Null where there is no such field.
    SettingRow* row(const std::string& field) const;
    const std::vector<SettingRow*>& rows() const { return m_rows; }
    int changedCount() const;
    bool hasProblem() const;

private:
    void addRow(const config::Field& field);
    void orderStops();
    void refresh();
    bool isSeen(const SettingRow& row) const;

    std::string m_table;
    Shown m_shown;
    SpecSession& m_session;
    Theme& m_theme;
    EditorGuard& m_guard;
    std::vector<config::Field> m_fields;
    std::vector<SettingRow*> m_rows;
    QVBoxLayout* m_layout;
    QLineEdit* m_search;
    QToolButton* m_expander;
};

} // namespace headroom::ui
