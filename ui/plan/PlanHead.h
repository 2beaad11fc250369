// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/verdict/FitVerdict.h"
#include "ui/look/Theme.h"

#include <QWidget>

#include <optional>

class QAction;
class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;

namespace headroom::ui {

class ElidedLabel;

/// The head of a plan: what it is for, the answer with a mark and in bold, below it how certain that is, and what
/// begins and ends a search.
class PlanHead : public QWidget {
    Q_OBJECT

public:
    /// The combination that an answer is about; none: there is no answer yet.
    using Kind = std::optional<experiments::FitVerdict::Kind>;

    explicit PlanHead(Theme& theme, QWidget* parent = nullptr);

    void setQuestion(const QString& text);
    /// Whether the plan is of another experiment than the one that is being set up: the line says so, and the answer is
    /// dimmed.
    void setOutdated(bool isOutdated);
    /// Before any search.
    void showIdle(const QString& text);
    void showSearching(const QString& sentence, const QString& details);
    void showProgress(std::size_t done, std::size_t of);
    /// After a search; `canGoOn`: more effort may find more.
    void showEnd(Kind kind, const QString& sentence, const QString& details, bool canGoOn);

    /// Adds a switch for a part of the plan before the buttons.
    void addSwitch(QAction* action);
    /// Whether it says how certain an answer is. As long as there is none it says what it does in any case.
    void setDetailed(bool isDetailed);

    /// What is said of the plan, with how certain it is.
    QString sentence() const;

    QPushButton* cancelButton() const { return m_cancel; }
    QPushButton* longerButton() const { return m_longer; }
    QPushButton* searchButton() const { return m_search; }

private:
    void build();
    void say(Kind kind, const QString& sentence, const QString& details);
    void showMark();
    void showQuestion();

    Theme& m_theme;
    Kind m_kind;
    bool m_isDetailed = true;
    bool m_isOutdated = false;
    QString m_asked; ///< what the plan is for
    QHBoxLayout* m_above;
    ElidedLabel* m_question;
    QLabel* m_mark;
    QLabel* m_sentence;
    QLabel* m_details;
    QProgressBar* m_progress;
    QPushButton* m_cancel;
    QPushButton* m_longer;
    QPushButton* m_search;
};

} // namespace headroom::ui
