// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/DecimalField.h"
#include "ui/recordings/WhatIfEngine.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QWidget>

#include <map>

namespace headroom::ui {

/// A card or a size of memory, and settings of PyTorch's allocator: chosen singly, or typed as PYTORCH_ALLOC_CONF has
/// them. Both show the same.
class AllocatorForm : public QWidget {
    Q_OBJECT

public:
    explicit AllocatorForm(QWidget* parent = nullptr);

    void setStart(const WhatIfStart& start);
    WhatIfTerms terms() const;
    void setAllocator(const QString& settings);

Q_SIGNALS:
    void edited();

private:
    QComboBox* addSetting(const char* key, const QString& title, const QStringList& values);
    void writeLine();
    void readLine();
    void showCard();

    QComboBox* m_card;
    DecimalField* m_memory; ///< in GiB
    std::map<QString, QComboBox*> m_settings; ///< by key
    QLineEdit* m_line;
    QCheckBox* m_withoutEmptyCache;
};

} // namespace headroom::ui
