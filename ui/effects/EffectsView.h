// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/effects/EffectsPicture.h"
#include "ui/jobs/JobThread.h"
#include "ui/look/Theme.h"

#include <QWidget>

#include <memory>

class QLabel;
class QTableView;
class QTabWidget;

namespace headroom::ui {

class ChoiceField;
class FigurePlot;
class PlotAndTable;
class ReportTableModel;

/// What each technique of the shown experiment changes of the peak and of the step, by itself and together with others:
/// bars, tables, an interaction plot for each pair that does more or less than the sum, and what that is in a sentence.
class EffectsView : public QWidget {
    Q_OBJECT

public:
    explicit EffectsView(Theme& theme, QWidget* parent = nullptr);
    ~EffectsView() override;

    /// Null: nothing is open.
    void setResults(Results results);

    FigurePlot& plot() { return *m_plot; }
    /// Null as long as nothing is computed, and where there is nothing to show.
    const std::shared_ptr<const EffectsPicture>& picture() const { return m_picture; }
    QString sentence() const;
    QTableView& mainTable() { return *m_mainTable; }
    QTableView& pairTable() { return *m_pairTable; }
    QTabWidget& tabs() { return *m_tabs; }

Q_SIGNALS:
    /// What was computed is shown.
    void shown();

private:
    ChoiceField* addChoice(const char* name, const QString& accessibleName);
    QTableView* addTable(const char* name, const QString& accessibleName, ReportTableModel* model);
    void buildLayout();
    void recompute();
    void present(std::shared_ptr<const EffectsPicture> picture);
    void showNothing(const QString& text);
    void offerPictures();
    void showPicture();
    void choosePicture(const QString& value);
    void explain();
    int heightOfTables() const;
    enum class Tabs { Stay, ToPairs };
    void chooseStrongest(Tabs tabs);

    Results m_results;
    std::shared_ptr<const EffectsPicture> m_picture;
    ReportTableModel* m_mainModel;
    ReportTableModel* m_pairModel;
    QWidget* m_bar;
    ChoiceField* m_group;
    ChoiceField* m_peak;
    ChoiceField* m_shownPicture;
    FigurePlot* m_plot;
    QTableView* m_mainTable;
    QTableView* m_pairTable;
    QTabWidget* m_tabs;
    PlotAndTable* m_both;
    QLabel* m_sentence;
    QLabel* m_cautions;
    JobThread m_jobs;
};

} // namespace headroom::ui
