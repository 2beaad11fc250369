// SPDX-License-Identifier: Apache-2.0
#include "ui/effects/EffectsView.h"

#include "ui/effects/ReportTableModel.h"
#include "ui/plot/ChoiceField.h"
#include "ui/plot/FigurePlot.h"
#include "ui/plot/PlotAndTable.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr int kAroundRow = 5; ///< px
const QString kPeakBars = QStringLiteral("peak");
const QString kStepBars = QStringLiteral("step");
const QString kPairPlot = QStringLiteral("pair:");

const QString kNoResults =
    QStringLiteral("Nothing to take apart yet. Run a sweep over two techniques or more, such as "
                   "casting off, e4m3 with checkpointing none, all: then this view says what each "
                   "does by itself and with the others. The example four-levers is one.");
const QString kNothingVaries = QStringLiteral(
    "No two trials of this experiment differ in techniques alone. A sweep over techniques, such as casting off, e4m3 "
    "with checkpointing none, all, shows what each does by itself and with the others.");

FigurePtr figureWithoutEffects(const QString& text)
{
    figures::Figure figure;
    figure.kind = "effects";
    figure.title = "Effects";
    figure.description = text.toStdString();
    figure.emptyText = text.toStdString();
    return std::make_shared<const figures::Figure>(std::move(figure));
}

QString meaningOfPair()
{
    return QStringLiteral(
        "Two settings interact where both together change more or less than the sum of what each "
        "changes by itself. Lines that are not parallel show it: what one does depends on the other.");
}

} // namespace

EffectsView::EffectsView(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_mainModel(new ReportTableModel(this))
    , m_pairModel(new ReportTableModel(this))
    , m_bar(new QWidget(this))
    , m_group(addChoice("effectsGroup", QStringLiteral("Group of trials")))
    , m_peak(addChoice("effectsPeak", QStringLiteral("Which peak")))
    , m_shownPicture(addChoice("effectsPicture", QStringLiteral("Picture of the effects")))
    , m_plot(new FigurePlot(theme, this))
    , m_mainTable(addTable("effectsMain", QStringLiteral("What each technique does"), m_mainModel))
    , m_pairTable(addTable("effectsPairs", QStringLiteral("What two techniques do together"), m_pairModel))
    , m_tabs(new QTabWidget(this))
    , m_both(new PlotAndTable(m_plot, m_tabs, *this))
    , m_sentence(new QLabel(this))
    , m_cautions(new QLabel(this))
    , m_jobs(QStringLiteral("effects"))
{
    setObjectName(QStringLiteral("effectsView"));
    buildLayout();
    setFocusPolicy(Qt::StrongFocus);
    setFocusProxy(m_tabs);
    std::vector<ChoiceField::Offer> peaks{{QString(), QStringLiteral("auto (peak allocated or memory needed)")}};
    for (const auto peak : {report::EffectPeak::Allocated, report::EffectPeak::Reserved, report::EffectPeak::Needed})
        peaks.emplace_back(QString::fromStdString(name(peak)), QString::fromStdString(titleOf(peak)));
    m_peak->offer(peaks);
    connect(m_group, &ChoiceField::edited, this, &EffectsView::recompute);
    connect(m_peak, &ChoiceField::edited, this, &EffectsView::recompute);
    connect(m_shownPicture, &ChoiceField::edited, this, &EffectsView::showPicture);
    connect(m_tabs, &QTabWidget::currentChanged, this, &EffectsView::explain);
    for (const QTableView* table : {m_mainTable, m_pairTable})
        connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &EffectsView::explain);
    showNothing(kNoResults);
}

EffectsView::~EffectsView() = default;

ChoiceField* EffectsView::addChoice(const char* name, const QString& accessibleName)
{
    auto* field = new ChoiceField(m_bar);
    field->setObjectName(QLatin1String(name));
    field->setAccessibleName(accessibleName);
    return field;
}

QTableView* EffectsView::addTable(const char* name, const QString& accessibleName, ReportTableModel* model)
{
    auto* table = new QTableView(this);
    table->setObjectName(QLatin1String(name));
    table->setAccessibleName(accessibleName);
    table->setModel(model);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->setShowGrid(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    return table;
}

void EffectsView::buildLayout()
{
    m_plot->setObjectName(QStringLiteral("effectsPlot"));
    m_plot->setTitleLines(figures::TitleLines::Hidden); // the choice above it says the same
    m_sentence->setObjectName(QStringLiteral("effectsSentence"));
    m_sentence->setAccessibleName(QStringLiteral("What the selected row means"));
    m_cautions->setObjectName(QStringLiteral("effectsCautions"));
    m_tabs->setObjectName(QStringLiteral("effectsTabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_mainTable, QStringLiteral("By itself"));
    m_tabs->addTab(m_pairTable, QStringLiteral("Together"));
    m_tabs->setTabToolTip(1, meaningOfPair());
    for (QLabel* label : {m_sentence, m_cautions}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setContentsMargins(8, 2, 8, 4);
    }
    auto* bar = new QHBoxLayout(m_bar);
    bar->setContentsMargins(8, 4, 8, 4);
    for (ChoiceField* field : {m_shownPicture, m_peak, m_group})
        bar->addWidget(field);
    bar->addStretch();
    auto* tables = new QToolButton(m_bar);
    tables->setObjectName(QStringLiteral("effectsTables"));
    tables->setDefaultAction(m_both->tableAction());
    m_both->tableAction()->setText(QStringLiteral("&Tables"));
    bar->addWidget(tables);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_both, 1);
    layout->addWidget(m_sentence);
    layout->addWidget(m_cautions);
}

QString EffectsView::sentence() const
{
    return m_sentence->text();
}

void EffectsView::setResults(Results results)
{
    m_results = std::move(results);
    recompute();
}

void EffectsView::recompute()
{
    if (!m_results)
        return showNothing(kNoResults);
    EffectsChoice choice;
    choice.group = static_cast<std::size_t>(m_group->chosen().toUInt());
    if (!m_peak->chosen().isEmpty())
        choice.peak = report::effectPeakFromText(m_peak->chosen().toStdString(), "peak");
    m_jobs.runNewest(
        QStringLiteral("effects"), this,
        [results = m_results, choice](
            const std::stop_token&) { return std::make_shared<const EffectsPicture>(results, choice); },
        [this, results = m_results](std::shared_ptr<const EffectsPicture> picture) {
            if (results == m_results) // nothing may be shown by now
                present(std::move(picture));
        },
        [this](const QString& message) {
            showNothing(QStringLiteral("The effects could not be computed: %1").arg(message));
        });
}

void EffectsView::present(std::shared_ptr<const EffectsPicture> picture)
{
    if (picture->isEmpty())
        return showNothing(kNothingVaries);
    const auto strongest = m_picture ? m_picture->strongestPair() : std::nullopt;
    const int mainRow = m_mainTable->currentIndex().row();
    const int pairRow = m_pairTable->currentIndex().row();
    m_picture = std::move(picture);
    std::vector<ChoiceField::Offer> groups;
    for (qsizetype i = 0; i < m_picture->groups().size(); ++i)
        groups.emplace_back(QString::number(i), m_picture->groups().at(i));
    m_group->offer(groups);
    m_group->setVisible(groups.size() > 1);
    m_mainModel->setTable(m_picture->mainTable());
    m_pairModel->setTable(m_picture->pairTable());
    m_tabs->setTabEnabled(1, m_pairModel->rowCount() > 0);
    m_bar->show();
    m_both->setTableThere(true);
    m_cautions->setText(m_picture->cautions());
    m_cautions->setVisible(!m_picture->cautions().isEmpty());
    offerPictures();
    m_mainTable->selectRow(std::max(0, std::min(mainRow, m_mainModel->rowCount() - 1)));
    m_pairTable->selectRow(std::max(0, std::min(pairRow, m_pairModel->rowCount() - 1)));
    if (!strongest || static_cast<int>(*strongest) == pairRow)
        chooseStrongest(strongest ? Tabs::Stay : Tabs::ToPairs);
    showPicture();
    explain();
    m_both->setTableHeight(heightOfTables());
    Q_EMIT shown();
}

// What surprises most is what one looks for first, also while trials come in.
void EffectsView::chooseStrongest(Tabs tabs)
{
    const auto row = m_picture->strongestPair();
    if (!row)
        return;
    m_pairTable->selectRow(static_cast<int>(*row));
    if (tabs == Tabs::ToPairs)
        m_tabs->setCurrentWidget(m_pairTable);
}

void EffectsView::showNothing(const QString& text)
{
    m_picture.reset();
    m_bar->hide();
    m_both->setTableThere(false);
    m_sentence->hide();
    m_cautions->hide();
    m_mainModel->setTable({});
    m_pairModel->setTable({});
    m_plot->setFigure(figureWithoutEffects(text));
    Q_EMIT shown();
}

void EffectsView::offerPictures()
{
    std::vector<ChoiceField::Offer> offers{{kPeakBars, QStringLiteral("Effects on the peak")}};
    if (m_picture->stepBars())
        offers.emplace_back(kStepBars, QStringLiteral("Effects on the step time"));
    for (const auto& [row, figure] : m_picture->pairPlots())
        offers.emplace_back(kPairPlot + QString::number(row), QString::fromStdString(figure->title));
    m_shownPicture->offer(offers);
}

void EffectsView::showPicture()
{
    if (!m_picture)
        return;
    const QString chosen = m_shownPicture->chosen();
    FigurePtr figure = chosen == kStepBars ? m_picture->stepBars() : m_picture->peakBars();
    for (const auto& [row, plot] : m_picture->pairPlots())
        if (chosen == kPairPlot + QString::number(row)) {
            figure = plot;
            m_pairTable->selectRow(static_cast<int>(row));
            m_tabs->setCurrentWidget(m_pairTable);
        }
    m_plot->setFigure(figure);
}

void EffectsView::choosePicture(const QString& value)
{
    if (m_shownPicture->findData(value) < 0 || m_shownPicture->chosen() == value)
        return;
    m_shownPicture->setWish(value);
    showPicture();
}

// The sentence of the row; with a pair the plot is that of the pair, where there is one.
void EffectsView::explain()
{
    if (!m_picture)
        return;
    const bool isPair = m_tabs->currentWidget() == m_pairTable;
    const int row = (isPair ? m_pairTable : m_mainTable)->currentIndex().row();
    const QString text = row < 0 ? QString()
        : isPair                 ? m_picture->pairSentence(static_cast<std::size_t>(row))
                                 : m_picture->mainSentence(static_cast<std::size_t>(row));
    m_sentence->setText(text);
    m_sentence->setToolTip(isPair ? meaningOfPair() : QString());
    m_sentence->setVisible(!text.isEmpty());
    const QString pair = kPairPlot + QString::number(row);
    if (isPair && m_shownPicture->chosen().startsWith(kPairPlot))
        choosePicture(m_shownPicture->findData(pair) < 0 ? kPeakBars : pair);
}

int EffectsView::heightOfTables() const
{
    int most = 0;
    for (const QTableView* table : {m_mainTable, m_pairTable}) {
        const int rows = table->model()->rowCount();
        const int row = table->fontMetrics().height() + kAroundRow;
        most = std::max(most, table->horizontalHeader()->sizeHint().height() + rows * row);
    }
    return m_tabs->tabBar()->sizeHint().height() + most + 2 * m_mainTable->frameWidth() + fontMetrics().height() / 2;
}

} // namespace headroom::ui
