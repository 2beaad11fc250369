// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/sweep/Sweep.h"
#include "ui/answer/AnswerRemark.h"
#include "ui/answer/CardChooser.h"
#include "ui/answer/FitPanel.h"
#include "ui/answer/MemoryBar.h"
#include "ui/answer/Predictor.h"
#include "ui/look/ElidedLabel.h"
#include "ui/look/Theme.h"

#include <QPushButton>
#include <QToolButton>
#include <QVariantMap>
#include <QWidget>

namespace headroom::ui {

/// The predicted peak and speed of one combination of the plan, before anything has run: a line with the verdict and
/// the effect of the last change, and a thin bar against the card's memory, which unfolds to one with a legend.
class LiveAnswer : public QWidget {
    Q_OBJECT

public:
    LiveAnswer(Theme& theme, Predictor& predictor, QWidget* parent = nullptr);

    using Trials = std::shared_ptr<const std::vector<experiments::PlannedTrial>>;

    /// Sets the plan, which is not copied, as it may have many thousands of trials. Shows its first combination that
    /// can run, or the one at the same place as before if the number of combinations is the same. `obstacle` explains
    /// why there are none. `experiment` is a different number for each experiment: a difference between two experiments
    /// is not a change that the user made.
    void setTrials(Trials trials, const QString& obstacle = {}, int experiment = 0);
    /// Sets a sentence on what the answer is for while a field holds text that the spec does not have; empty if none
    /// does.
    void setDraft(const QString& words);

    /// Whether words before the verdict say that it is of the experiment on the left, as where another question is in
    /// front.
    void setSubjectShown(bool isShown);

    /// The chosen card (empty for that of the plan), and whether the line is unfolded. The window remembers both.
    QVariantMap state() const;
    void restore(const QVariantMap& state);

    /// The last answer; null before the first one of the experiment.
    const Answer& answer() const { return m_answer; }
    /// The trial that was asked about last, on the chosen card; none where there is nothing to ask about.
    const std::optional<config::Trial>& asked() const { return m_asked; }
    bool isComputing() const { return m_isComputing; }
    /// Everything that is shown, in sentences.
    QString sentence() const;

public Q_SLOTS:
    void showPrevious() { step(-1); }
    void showNext() { step(1); }
    /// Searches for the smallest changes that make the shown combination fit, if it does not.
    void makeItFit();

public:
    /// Whether a search could improve the shown combination.
    bool canBeMadeToFit() const { return m_makeItFit->isEnabled(); }

Q_SIGNALS:
    void answered(const headroom::ui::Answer& answer);
    /// There is no prediction; `message` explains why.
    void failed(const QString& message);
    void cardChoiceChanged(const QString& choice);
    /// The user has chosen these settings, given as spec paths with values.
    void changeChosen(const headroom::ui::SettingValues& values);

private:
    void buildWidgets();
    void buildLayout();
    void connectWidgets();
    QToolButton* stepButton(const char* name, const QString& text, Qt::ArrowType arrow);
    void unfold(bool isUnfolded);
    void step(int by);
    void showPlace();
    void askOnItsCard();
    void ask();
    void showComputing();
    void showAnswer(const Answer& answer);
    void showFailure(const QString& message);
    void showFigures(const Prediction& prediction);
    void clearFigures();
    void showVerdict(experiments::FitVerdict::Kind kind, const QString& text, const QString& details);
    void showEmpty(const QString& text, const QString& advice);
    void showNothing(const QString& obstacle);
    void showNoExperiment();
    void restyle();
    const experiments::PlannedTrial* current() const;

    Theme& m_theme;
    Predictor& m_predictor;
    Trials m_trials; ///< null before the first plan
    std::vector<std::size_t> m_runnable; ///< indices of those that can run
    std::size_t m_place = 0; ///< in m_runnable
    std::optional<config::Trial> m_asked;
    Answer m_answer;
    int m_experiment = 0; ///< number of the experiment that the trials belong to
    QString m_change; ///< the effect of the last change
    bool m_isComputing = false;
    experiments::FitVerdict::Kind m_shownKind = experiments::FitVerdict::Kind::Unknown;

    QLabel* m_subject; ///< what the verdict is of, before it
    QLabel* m_icon;
    ElidedLabel* m_verdict;
    QLabel* m_draft; ///< below the verdict
    QPushButton* m_makeItFit;
    QToolButton* m_unfold;
    MemoryBar* m_bar;
    ElidedLabel* m_speed;
    ElidedLabel* m_lastChange;
    AnswerRemark* m_remark;
    QToolButton* m_previous;
    QToolButton* m_next;
    ElidedLabel* m_placeLabel;
    CardChooser* m_chooser;
    FitPanel* m_panel;
};

} // namespace headroom::ui
