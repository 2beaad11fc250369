// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/jobs/JobThread.h"
#include "ui/plot/FigurePlot.h"
#include "ui/plot/TradeoffPicture.h"
#include "ui/session/Selection.h"

#include <QVariantMap>
#include <QWidget>

class QLabel;

namespace headroom::ui {

/// Peak memory against speed of an experiment's trials: which of them are worth choosing, and what a budget leaves.
class TradeoffView : public QWidget {
    Q_OBJECT

public:
    TradeoffView(Theme& theme, Selection& selection, QWidget* parent = nullptr);
    ~TradeoffView() override;

    /// Null: nothing is open. What was zoomed to and chosen stays while results of the same experiment come in.
    void setResults(Results results);

    FigurePlot& plot() { return *m_plot; }
    /// What is said of the selected trial.
    TradeoffControls& controls() { return *m_controls; }

    QVariantMap state() const;
    void restore(const QVariantMap& state);

Q_SIGNALS:
    /// A trial is to be looked at closely: double click, Shift+Enter.
    void activated(const QString& trial);
    /// The plot shows the results that were set last, as they were chosen to be seen.
    void shown();

private:
    void connectSelection();
    void recompute();
    void present(std::shared_ptr<const TradeoffPicture> picture, FigureCanvas::Keep keep);
    void showNothing();
    void click(const QString& trial, Qt::KeyboardModifiers modifiers);
    void takeLasso(const QStringList& trials, Qt::KeyboardModifiers modifiers);
    void followSelection();
    void explain();

    Selection& m_selection;
    Results m_results;
    std::shared_ptr<const TradeoffPicture> m_picture; ///< what is shown; null for nothing
    bool m_isOther = true; ///< the results are of another experiment than the picture
    TradeoffControls* m_controls;
    FigurePlot* m_plot;
    QLabel* m_about; ///< the selected trial in a sentence
    JobThread m_jobs;
};

} // namespace headroom::ui
