// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QVBoxLayout;

namespace headroom::ui {

class EditorGuard;
class FieldGroup;
class FoldingSection;
class ModelSection;
class PlanView;
class SettingRow;
class SpecSession;
class TechniqueCard;
class Theme;

/// The spec as a form, built from the catalogues of models, techniques and devices: an entry added there appears here.
class ExperimentForm : public QWidget {
    Q_OBJECT

public:
    ExperimentForm(SpecSession& session, Theme& theme, QWidget* parent = nullptr);

    /// The label of the setting's field, or the title of its card; empty if neither is visible.
    QString fieldName(const std::string& path) const;
    /// Scrolls to the field and gives it the focus.
    void showField(const std::string& path);

private:
    SettingRow* seenRow(const std::string& path) const;
    void build();
    void addSection(QWidget* section, const char* name);
    void addDevice();
    void addTechniques(FoldingSection* section);
    void showPlan();
    void showSettings(const PlanView& view);
    void showParts(const PlanView& view);
    void showProblem(const PlanView& view);
    void showDevices();
    void refreshColours();

    SpecSession& m_session;
    Theme& m_theme;
    EditorGuard* m_guard;
    QVBoxLayout* m_layout;
    QLabel* m_problem;
    QComboBox* m_parts;
    QWidget* m_settings; ///< disabled while the text cannot be read
    ModelSection* m_model = nullptr;
    FieldGroup* m_workload = nullptr;
    FieldGroup* m_protocol = nullptr;
    FoldingSection* m_workloadSection = nullptr;
    FoldingSection* m_protocolSection = nullptr;
    SettingRow* m_device = nullptr;
    FoldingSection* m_deviceSettings = nullptr;
    SettingRow* m_memoryLimit = nullptr;
    SettingRow* m_segmentAddresses = nullptr;
    SettingRow* m_allocator = nullptr;
    std::vector<TechniqueCard*> m_techniques;
};

} // namespace headroom::ui
