// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/TechniqueDescriptor.h"
#include "ui/experiment/SettingRow.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QToolButton;

namespace headroom::ui {

class NotationNumber;

/// A technique as one line: its toggle, its setting, a button for the sweep. What it does, its options and its help
/// unfold below; options that are not at their default are always shown.
class TechniqueCard : public QWidget {
    Q_OBJECT

public:
    /// `technique` must be in the catalogue and outlive the card.
    TechniqueCard(const config::TechniqueDescriptor& technique, SpecSession& session, Theme& theme, EditorGuard& guard,
        QWidget* parent = nullptr);

    const std::string& key() const { return m_technique.key; }
    QString title() const;
    void showValues(const PlanView& view);

private:
    void build(EditorGuard& guard);
    void makeToggle();
    void makeUnfoldButton();
    void switchTo(bool isOn);
    void showSwitch(const PlanView& view);
    void unfold(bool isUnfolded);
    void showOptions();
    void refreshColours();

    const config::TechniqueDescriptor& m_technique;
    SpecSession& m_session;
    Theme& m_theme;
    QCheckBox* m_toggle = nullptr;
    QToolButton* m_info = nullptr;
    QLabel* m_summary = nullptr;
    QLabel* m_help = nullptr;
    SettingRow* m_notation = nullptr;
    NotationNumber* m_number = nullptr;
    std::vector<SettingRow*> m_options;
    std::string m_lastNotation; ///< in TOML syntax: restored when the technique is switched on
    int m_document = 0; ///< number of the experiment that had it
    std::string m_firstNotation;
    bool m_isSet = false; ///< the key is set at the level that edits go to
    bool m_isOn = false;
};

} // namespace headroom::ui
