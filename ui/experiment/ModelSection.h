// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/experiment/SettingRow.h"

#include <QWidget>

namespace headroom::ui {

class FieldGroup;
class FoldingSection;
struct ModelFacts;

/// The model, the figures from its closed forms, and its fields.
class ModelSection : public QWidget {
    Q_OBJECT

public:
    ModelSection(SpecSession& session, Theme& theme, EditorGuard& guard, QWidget* parent = nullptr);

    void showValues(const PlanView& view);

    /// "1.92 B parameters, 3.577 GiB of weights in bfloat16, 65.1 TFLOP and 4224 tokens per step".
    static QString factsText(const ModelFacts& facts);

private:
    void refreshColours();

    Theme& m_theme;
    SettingRow* m_name;
    QLabel* m_facts;
    QLabel* m_remarks; ///< of an exported model: what keeps it from something, and what is not known of it
    FoldingSection* m_shape;
    FieldGroup* m_fields;
};

} // namespace headroom::ui
