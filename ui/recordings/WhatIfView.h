// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/recordings/AllocatorForm.h"
#include "ui/recordings/WhatIfEngine.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace headroom::ui {

class WhatIfTableModel;

/// What other settings of the allocator, or another card, would have done with the requests of the shown trial. Answers
/// as the settings change; the sensible ones are tried beside it. Asks nothing while it is not seen.
class WhatIfView : public QWidget {
    Q_OBJECT

public:
    explicit WhatIfView(Theme& theme, QWidget* parent = nullptr);
    ~WhatIfView() override;

    /// nullopt shows nothing.
    void setSubject(const std::optional<WhatIfSubject>& subject);

    AllocatorForm& form() { return *m_form; }
    const WhatIfTableModel& model() const { return *m_model; }
    bool isIdle() const { return m_engine.isIdle() && !m_rest.isActive() && !m_isTrying; }
    /// What is said of the settings that are asked for, and of the ones that help most.
    QString sentence() const;
    QString suggestion() const;

Q_SIGNALS:
    void said(const QString& message);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeForm();
    QWidget* makeAnswers();
    void connectEngine();
    void begin();
    void take(const WhatIfStart& start);
    void ask();
    void takeAnswer(const WhatIfTerms& terms, const experiments::WhatIfAnswer& answer);
    void takeSuggestion(const std::optional<experiments::SettingSuggestion>& suggestion);
    void say(const QString& message);
    void copyLine();
    void useRow();
    void fitSettings();

    Theme& m_theme;
    std::optional<WhatIfSubject> m_subject;
    WhatIfStart m_start; ///< its recording is null before it has been read
    std::optional<WhatIfTerms> m_tried; ///< the memory for which the sensible settings are being tried
    WhatIfEngine m_engine;
    bool m_isTrying = false; ///< the sensible settings, one after another
    QTimer m_rest; ///< while one types
    QString m_line; ///< to export
    QStackedWidget* m_pages;
    QLabel* m_empty;
    AllocatorForm* m_form;
    QLabel* m_sentence;
    QLabel* m_suggestion;
    QPushButton* m_copy;
    QProgressBar* m_progress;
    WhatIfTableModel* m_model;
    QTableView* m_table;
    QLabel* m_remarks;
    QWidget* m_left;
};

} // namespace headroom::ui
