// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/experiment/SettingRow.h"
#include "ui/spec/Plan.h"

#include <QWidget>

#include <optional>

namespace headroom::ui {

class FieldGroup;
class FoldingSection;

/// The model, the figures from its closed forms, and its fields.
class ModelSection : public QWidget {
    Q_OBJECT

public:
    ModelSection(SpecSession& session, Theme& theme, EditorGuard& guard, QWidget* parent = nullptr);

    void showValues(const PlanView& view);

    /// "1.92 B parameters, 3.577 GiB of weights in bfloat16, 65.1 TFLOP and 4224 tokens per step".
    static QString factsText(const ModelFacts& facts);
    /// "1.92 billion parameters · 3.58 GiB".
    static QString shortFactsText(const ModelFacts& facts);

protected:
    void resizeEvent(QResizeEvent*) override { showFacts(); }

private:
    void showFacts();
    void refreshColours();

    Theme& m_theme;
    SettingRow* m_name;
    QLabel* m_facts;
    std::optional<ModelFacts> m_known; ///< what they say
    QLabel* m_remarks; ///< of an exported model: what keeps it from something, and what is not known of it
    FoldingSection* m_shape;
    FieldGroup* m_fields;
};

} // namespace headroom::ui
