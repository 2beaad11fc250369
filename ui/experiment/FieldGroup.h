// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/experiment/SettingRow.h"

#include <QWidget>
#include <set>

class QVBoxLayout;

namespace headroom::ui {

/// Rows for a set of fields of one table. The important ones are always visible, the others are under an expander with
/// a search field.
class FieldGroup : public QWidget {
    Q_OBJECT

public:
    /// Which fields are visible while the group is not expanded: all of them, all but the rare ones, or only those that
    /// were changed. A changed one always is.
    enum class Shown { All, Usual, Changed };

    FieldGroup(const std::string& table, Shown shown, SpecSession& session, Theme& theme, EditorGuard& guard,
        QWidget* parent = nullptr);

    /// Rebuilds the rows if the fields or their defaults differ from before.
    void setFields(const std::vector<config::Field>& fields);
    void showValues(const PlanView& view);
    /// The fields that few people change.
    void setRare(const std::set<std::string>& names) { m_rare = names; }
    /// Null if there is no such field.
    SettingRow* row(const std::string& field) const;
    const std::vector<SettingRow*>& rows() const { return m_rows; }
    int changedCount() const;
    /// The button that shows all fields; whoever puts it elsewhere owns it there.
    QToolButton* expander() const { return m_expander; }
    bool hasProblem() const;

private:
    void addRow(const config::Field& field);
    void orderStops();
    void refresh();
    bool isSeen(const SettingRow& row) const;

    int hiddenCount() const;

    std::string m_table;
    std::set<std::string> m_rare;
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
