// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/TradeoffView.h"

#include <QLabel>
#include <QVBoxLayout>

namespace headroom::ui {
namespace {

figures::Figure withoutResults(const std::string& text)
{
    figures::Figure figure;
    figure.kind = "tradeoff";
    figure.title = "Peak memory against speed";
    figure.description = text;
    figure.emptyText = text;
    return figure;
}

} // namespace

TradeoffView::TradeoffView(Theme& theme, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_controls(new TradeoffControls)
    , m_plot(new FigurePlot(theme))
    , m_about(new QLabel)
    , m_jobs(QStringLiteral("tradeoff"))
{
    setObjectName(QStringLiteral("tradeoffView"));
    m_plot->setObjectName(QStringLiteral("tradeoffPlot"));
    m_plot->setTitleLines(figures::TitleLines::Hidden);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(m_controls);
    layout->addWidget(m_plot, 1);
    layout->addWidget(m_about);
    m_about->setObjectName(QStringLiteral("tradeoffSentence"));
    m_about->setWordWrap(true);
    m_about->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_about->setContentsMargins(8, 2, 8, 4);
    setFocusProxy(m_plot);
    setFocusPolicy(Qt::StrongFocus); // so that who looks for the first widget of the view finds the marks
    connect(m_controls, &TradeoffControls::edited, this, &TradeoffView::recompute);
    connect(m_plot, &FigurePlot::activated, this, &TradeoffView::activated);
    connect(&m_plot->gestures(), &FigureGestures::referenceDropped, this, [this](double value) {
        if (m_picture)
            m_controls->setBudget(m_picture->bytesAt(value));
    });
    connectSelection();
    showNothing();
}

TradeoffView::~TradeoffView() = default;

void TradeoffView::connectSelection()
{
    connect(m_plot, &FigurePlot::hovered, &m_selection, &Selection::setHovered);
    connect(m_plot, &FigurePlot::clicked, this, &TradeoffView::click);
    connect(m_plot, &FigurePlot::lassoed, this, &TradeoffView::takeLasso);
    connect(&m_selection, &Selection::changed, this, &TradeoffView::followSelection);
    connect(&m_selection, &Selection::hoverChanged, this, [this] { m_plot->setHovered(m_selection.hovered()); });
}

void TradeoffView::setResults(Results results)
{
    m_isOther = m_isOther || !areOfSameExperiments(m_results, results);
    m_results = std::move(results);
    recompute();
}

void TradeoffView::recompute()
{
    if (!m_results)
        return showNothing();
    const auto keep = m_isOther ? FigureCanvas::Keep::Nothing : FigureCanvas::Keep::Window;
    m_jobs.runNewest(
        QStringLiteral("picture"), this,
        [results = m_results, panel = m_controls->panel(), choice = m_controls->choice(),
            withBudget = !m_controls->wantsNoBudget()](const std::stop_token&) {
            return std::make_shared<const TradeoffPicture>(results, panel, choice, withBudget);
        },
        [this, keep, results = m_results](std::shared_ptr<const TradeoffPicture> picture) {
            if (results == m_results) // nothing may be shown by now
                present(std::move(picture), keep);
        },
        [this](const QString& message) {
            m_plot->setFigure(std::make_shared<const figures::Figure>(
                withoutResults("The trials could not be compared: " + message.toStdString())));
        });
}

void TradeoffView::present(std::shared_ptr<const TradeoffPicture> picture, FigureCanvas::Keep keep)
{
    const bool sameAxes = m_picture && m_picture->figure()->x.label == picture->figure()->x.label
        && m_picture->figure()->y.label == picture->figure()->y.label;
    m_picture = std::move(picture);
    m_isOther = false;
    m_controls->setEnabled(true);
    m_controls->offer(m_picture->offers());
    const auto& budget = m_picture->budget();
    m_controls->showBudget(budget ? std::optional(budget->bytes) : std::nullopt, m_picture->unit());
    m_plot->setFigure(m_picture->figure(), sameAxes ? keep : FigureCanvas::Keep::Nothing);
    m_plot->gestures().setDraggable(
        m_picture->budgetLine(), [picture = m_picture](double value) { return picture->underBudget(value); });
    m_plot->setSelected(m_selection.trials());
    explain();
    Q_EMIT shown();
}

// The place stays where a trial is selected, so that the plot does not jump between selections.
void TradeoffView::explain()
{
    const QString text = m_picture ? m_picture->about(m_selection.current()) : QString();
    m_about->setText(text);
    m_about->setVisible(!text.isEmpty());
}

void TradeoffView::showNothing()
{
    m_picture.reset();
    explain();
    m_isOther = true;
    m_controls->setEnabled(false);
    m_plot->gestures().setDraggable(std::nullopt);
    m_plot->setFigure(std::make_shared<const figures::Figure>(
        withoutResults("Nothing to compare yet. Open an experiment of this workspace, or set one up and run it: each "
                       "trial becomes a mark here, less memory to the left, more speed to the top.")));
    Q_EMIT shown();
}

// A click beside all marks only gives the focus: what is selected is shown in other views, too.
void TradeoffView::click(const QString& trial, Qt::KeyboardModifiers modifiers)
{
    if (trial.isEmpty())
        return;
    if (modifiers.testFlag(Qt::ControlModifier))
        m_selection.toggle(trial);
    else
        m_selection.select({trial});
}

void TradeoffView::takeLasso(const QStringList& trials, Qt::KeyboardModifiers modifiers)
{
    QStringList selected = modifiers.testFlag(Qt::ControlModifier) ? m_selection.trials() : QStringList();
    for (const QString& trial : trials)
        if (!selected.contains(trial))
            selected.append(trial);
    m_selection.select(selected);
}

// A trial that was selected elsewhere is shown, in whichever panel it is.
void TradeoffView::followSelection()
{
    m_plot->setSelected(m_selection.trials());
    explain();
    if (!m_picture)
        return;
    if (const auto panel = m_picture->panelOf(m_selection.current().toStdString());
        panel && *panel != m_controls->panel())
        m_controls->setPanel(*panel);
}

QVariantMap TradeoffView::state() const
{
    return {{QStringLiteral("controls"), m_controls->state()}, {QStringLiteral("plot"), m_plot->state()}};
}

void TradeoffView::restore(const QVariantMap& state)
{
    m_controls->restore(state.value(QStringLiteral("controls")).toMap());
    m_plot->restore(state.value(QStringLiteral("plot")).toMap());
}

} // namespace headroom::ui
