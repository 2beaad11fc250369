// SPDX-License-Identifier: Apache-2.0
#include "ui/segments/SegmentsView.h"

#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "ui/look/ElidedLabel.h"
#include "ui/plot/PlotActions.h"
#include "ui/plot/PlotShare.h"
#include "ui/segments/BlockTableModel.h"
#include "ui/segments/SegmentLegend.h"
#include "ui/segments/SegmentMap.h"
#include "ui/segments/SegmentTableModel.h"
#include "ui/segments/SegmentWords.h"

#include <QHeaderView>
#include <QLabel>
#include <QSlider>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::ui {
namespace {

const QString kNothingChosen = QStringLiteral(
    "The segments of an allocator are shown here: select a trial that has a trace, or open a recording (File > Open a "
    "recording).");
constexpr int kSegmentLookMs = 100;
constexpr int kSideLetters = 58; ///< width of the blocks beside the picture
constexpr int kSegmentsBesideFrom = 900; ///< px of width from which the blocks are beside the picture
constexpr int kPages = 100; ///< page keys through the whole trace

QString sumsText(const SegmentMoment& moment)
{
    const auto size = [](Bytes bytes) { return QString::fromStdString(sizeText(bytes)); };
    const trace::SegmentSums& sums = moment.sums;
    const auto segments = static_cast<std::int64_t>(moment.state.segments.size());
    QString text = QStringLiteral("%1 allocated of %2 reserved in %3. %4 are stuck in gaps")
                       .arg(size(sums.allocatedBytes), size(sums.reservedBytes),
                           QString::fromStdString(counted(segments, "segment")), size(sums.stuckBytes));
    if (sums.largestGapBytes > 0)
        text += QStringLiteral(", the largest free stretch is %1").arg(size(sums.largestGapBytes));
    text += QStringLiteral("; a flush of the cache gives back %1.").arg(size(sums.releasableBytes));
    if (!moment.state.isComplete())
        text += QStringLiteral(" The trace began late: not all segments are known.");
    return text;
}

} // namespace

SegmentsView::SegmentsView(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_pages(new QStackedWidget)
    , m_empty(new QLabel(kNothingChosen))
    , m_sums(new QLabel)
    , m_slider(new QSlider(Qt::Horizontal))
    , m_when(new ElidedLabel)
    , m_order(new ChoiceField)
    , m_legend(new SegmentLegend(theme))
    , m_pictures(new QStackedWidget)
    , m_map(new SegmentMap(theme))
    , m_model(new SegmentTableModel(this))
    , m_sorted(new QSortFilterProxyModel(this))
    , m_table(makeTable("segmentTable", QStringLiteral("Segments"), m_sorted))
    , m_chosen(new QLabel)
    , m_blockModel(new BlockTableModel(theme, this))
    , m_blocks(makeTable("segmentBlocks", QStringLiteral("Blocks of the chosen segment"), m_blockModel))
    , m_splitter(new QSplitter(Qt::Horizontal))
{
    setObjectName(QStringLiteral("segmentsView"));
    makeActions();
    m_empty->setObjectName(QStringLiteral("segmentsEmpty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setMargin(fontMetrics().height());
    m_sums->setObjectName(QStringLiteral("segmentsSums"));
    m_sums->setWordWrap(true);
    m_sums->setProperty("inPicture", true);
    m_sums->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sums->setMargin(fontMetrics().averageCharWidth() / 2);
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(SegmentTableModel::kSortRole);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(SegmentTableModel::Stuck, Qt::DescendingOrder);
    m_pictures->addWidget(m_map);
    m_pictures->addWidget(m_table);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(m_pictures);
    m_splitter->addWidget(makeSide());
    m_splitter->setStretchFactor(0, 1);
    m_splitter->installEventFilter(this);
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_draggedAt = size(); });
    auto* shown = new QWidget;
    auto* column = new QVBoxLayout(shown);
    column->setContentsMargins({});
    column->setSpacing(2);
    column->addWidget(makeBar());
    column->addWidget(m_sums);
    column->addWidget(m_legend);
    column->addWidget(m_splitter, 1);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(shown);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_pages);
    setFocusProxy(m_map);
    connectSource();
}

SegmentsView::~SegmentsView() = default;

QTableView* SegmentsView::makeTable(const char* name, const QString& words, QAbstractItemModel* model)
{
    auto* table = new QTableView;
    table->setObjectName(QLatin1String(name));
    table->setAccessibleName(words);
    table->setModel(model);
    table->setShowGrid(false);
    table->setFrameShape(QFrame::NoFrame);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->setWordWrap(false);
    table->setTextElideMode(Qt::ElideMiddle);
    table->verticalHeader()->hide();
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->setDefaultSectionSize(fontMetrics().lineSpacing() + 4);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setStretchLastSection(true);
    return table;
}

void SegmentsView::makeActions()
{
    ActionMaker maker(*this, m_actions);
    m_peak = maker.make("segmentsPeak", QStringLiteral("&Reserved peak"), {Qt::Key_P},
        QStringLiteral("Go to the moment at which most memory is reserved"));
    m_failure = maker.make("segmentsFailure", QStringLiteral("Out of &memory"), {Qt::Key_O},
        QStringLiteral("Go to the next request that failed"));
    QAction* earlier = maker.make(
        "segmentsEarlier", QStringLiteral("&Previous event"), {Qt::Key_Comma}, QStringLiteral("Go back by one event"));
    QAction* later = maker.make(
        "segmentsLater", QStringLiteral("&Next event"), {Qt::Key_Period}, QStringLiteral("Go on by one event"));
    maker.separate();
    m_asTable = maker.makeSwitch(
        "segmentsTable", QStringLiteral("As &table"), {}, QStringLiteral("Show the segments as a table"));
    connect(m_peak, &QAction::triggered, this, [this] {
        if (m_trace)
            chooseEvents(m_trace->eventsAtReservedPeak);
    });
    connect(m_failure, &QAction::triggered, this, &SegmentsView::stepFailure);
    connect(earlier, &QAction::triggered, this, [this] { stepEvents(-1); });
    connect(later, &QAction::triggered, this, [this] { stepEvents(1); });
    connect(m_asTable, &QAction::toggled, this, [this](bool isOn) {
        m_pictures->setCurrentIndex(isOn ? 1 : 0);
        setFocusProxy(isOn ? static_cast<QWidget*>(m_table) : m_map);
    });
}

QToolBar* SegmentsView::makeBar()
{
    auto* bar = new QToolBar;
    bar->setObjectName(QStringLiteral("segmentsBar"));
    for (QAction* action : {m_peak, m_failure, m_asTable})
        bar->addAction(action);
    m_order->setObjectName(QStringLiteral("segmentsOrder"));
    m_order->setAccessibleName(QStringLiteral("Order of the segments"));
    m_order->offer({{QStringLiteral("address"), QStringLiteral("By address")},
        {QStringLiteral("stuck"), QStringLiteral("Most stuck first")},
        {QStringLiteral("size"), QStringLiteral("Largest first")}});
    connect(m_order, &ChoiceField::currentIndexChanged, this, [this] {
        const QString chosen = m_order->chosen();
        m_map->setOrder(chosen == QLatin1String("stuck") ? SegmentOrder::Stuck
                : chosen == QLatin1String("size")        ? SegmentOrder::Size
                                                         : SegmentOrder::Address);
    });
    bar->addWidget(m_order);
    m_slider->setObjectName(QStringLiteral("segmentsMoment"));
    m_slider->setAccessibleName(QStringLiteral("Moment, in events of the allocator"));
    m_slider->setMinimumWidth(20 * fontMetrics().averageCharWidth());
    m_slider->setMaximumWidth(60 * fontMetrics().averageCharWidth());
    connect(m_slider, &QSlider::valueChanged, this,
        [this](int events) { chooseEvents(static_cast<std::uint64_t>(events)); });
    bar->addWidget(m_slider);
    m_when->setObjectName(QStringLiteral("segmentsWhen"));
    m_when->setMargin(fontMetrics().averageCharWidth());
    m_when->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_when->setMinimumWidth(1);
    bar->addWidget(m_when);
    return bar;
}

QWidget* SegmentsView::makeSide()
{
    m_chosen->setObjectName(QStringLiteral("segmentsChosen"));
    m_chosen->setAccessibleName(QStringLiteral("The chosen segment"));
    m_chosen->setWordWrap(true);
    m_chosen->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_chosen->setMargin(fontMetrics().averageCharWidth() / 2);
    m_chosen->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    QHeaderView& head = *m_blocks->horizontalHeader();
    head.setStretchLastSection(false);
    head.setSectionResizeMode(QHeaderView::ResizeToContents);
    head.setSectionResizeMode(BlockTableModel::Where, QHeaderView::Stretch);
    m_blocks->setTextElideMode(Qt::ElideLeft); // the end of a path tells most
    auto* side = new QWidget;
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins({});
    column->setSpacing(2);
    column->addWidget(m_chosen);
    column->addWidget(m_blocks, 1);
    return side;
}

void SegmentsView::connectSource()
{
    connect(&m_source, &SegmentSource::opened, this, &SegmentsView::takeTrace);
    connect(&m_source, &SegmentSource::momentRead, this, &SegmentsView::takeMoment);
    connect(&m_source, &SegmentSource::failed, this, &SegmentsView::say);
    connect(m_map, &SegmentMap::chosenChanged, this, &SegmentsView::describeChosen);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &SegmentsView::chooseRow);
    connect(&m_look, &QTimer::timeout, this, [this] {
        m_empty->setText(QStringLiteral("Reading the trace: %1 %").arg(static_cast<int>(100 * m_source.progress())));
    });
}

QString SegmentsView::sentence() const
{
    return m_pages->currentWidget() == m_empty ? m_empty->text() : m_sums->text();
}

void SegmentsView::setSubject(const std::optional<SegmentSubject>& subject)
{
    if (subject == m_subject)
        return;
    m_subject = subject;
    m_trace.reset();
    m_moment.reset();
    m_wantedTime.reset();
    m_told.reset();
    m_cursor.reset();
    say(kNothingChosen);
    if (isVisible())
        open();
}

void SegmentsView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (!m_trace)
        open();
    else if (m_trace->missing.empty() && std::exchange(m_isBehind, false) && m_wantedTime)
        m_source.readAt(*m_subject, *m_wantedTime);
}

void SegmentsView::open()
{
    if (!m_subject)
        return;
    say(QStringLiteral("Reading the trace…"));
    m_look.start(kSegmentLookMs);
    m_source.open(*m_subject);
}

void SegmentsView::say(const QString& message)
{
    m_look.stop();
    m_empty->setText(message);
    m_pages->setCurrentWidget(m_empty);
    Q_EMIT shown();
}

// Where memory ran out is what one looks for; else where most of it is reserved.
std::uint64_t SegmentsView::firstMoment() const
{
    return m_trace->failures.empty() ? m_trace->eventsAtReservedPeak : m_trace->failures.back();
}

void SegmentsView::takeTrace(const SegmentTracePtr& trace)
{
    if (trace->subject != m_subject)
        return;
    m_trace = trace;
    if (!trace->missing.empty())
        return say(QString::fromStdString(trace->missing));
    const QSignalBlocker quiet(m_slider);
    const int events = static_cast<int>(std::min<std::uint64_t>(trace->events, std::numeric_limits<int>::max()));
    m_slider->setRange(0, events);
    m_slider->setPageStep(std::max(1, events / kPages));
    m_failure->setEnabled(!trace->failures.empty());
    m_isBehind = false;
    if (m_wantedTime)
        m_source.readAt(*m_subject, *m_wantedTime);
    else
        m_source.readAfter(*m_subject, firstMoment());
}

void SegmentsView::takeMoment(const SegmentMomentPtr& moment)
{
    if (moment->trace != m_trace)
        return;
    m_look.stop();
    m_moment = moment;
    m_pages->setCurrentIndex(1);
    {
        const QSignalBlocker quiet(m_slider);
        m_slider->setValue(static_cast<int>(moment->state.events));
    }
    m_when->setLine(momentSentence(*moment));
    m_when->setShortLine(m_when->text().section(QStringLiteral(", "), 0, 0)); // which event
    m_sums->setText(sumsText(*moment));
    m_legend->setMoment(moment);
    m_model->setMoment(moment);
    m_map->setMoment(moment);
    m_told = moment->timeNs();
    if (std::exchange(m_isOwnChoice, false)) {
        m_isTelling = true;
        Q_EMIT timeChosen(*m_told);
        m_isTelling = false;
    }
    Q_EMIT shown();
}

// The timeline follows this view too, as far as its own times go: where it went then is not asked for. It tells its
// cursor when other marks change as well, which must not take back what was chosen here since.
void SegmentsView::showTime(std::int64_t timeNs)
{
    const bool hasMoved = std::exchange(m_cursor, timeNs) != timeNs;
    if (m_isTelling)
        m_told = timeNs;
    if (!hasMoved || timeNs == m_told)
        return;
    m_wantedTime = timeNs;
    m_told = timeNs;
    m_isBehind = !isVisible();
    m_isOwnChoice = false;
    if (m_trace && m_trace->missing.empty() && !m_isBehind)
        m_source.readAt(*m_subject, timeNs);
}

void SegmentsView::chooseEvents(std::uint64_t events)
{
    if (!m_trace || !m_trace->missing.empty())
        return;
    m_isOwnChoice = true;
    m_source.readAfter(*m_subject, std::min(events, m_trace->events));
}

void SegmentsView::stepEvents(int by)
{
    m_slider->setValue(m_slider->value() + by);
}

void SegmentsView::stepFailure()
{
    if (!m_trace || m_trace->failures.empty())
        return;
    const auto now = static_cast<std::uint64_t>(m_slider->value());
    const auto next = std::ranges::upper_bound(m_trace->failures, now);
    chooseEvents(next == m_trace->failures.end() ? m_trace->failures.front() : *next);
}

void SegmentsView::describeChosen()
{
    const auto chosen = m_map->chosen();
    m_blockModel->show(m_moment, chosen);
    m_blocks->setVisible(chosen.has_value());
    m_chosen->setText(chosen ? segmentSentence(*m_moment, *chosen)
                             : QStringLiteral("Choose a segment to see its blocks: who holds them, and since when."));
    for (int column = 0; column + 1 < SegmentTableModel::ColumnCount && m_table->isVisible(); ++column)
        m_table->resizeColumnToContents(column);
    if (!chosen)
        return;
    const QModelIndex row = m_sorted->mapFromSource(m_model->index(static_cast<int>(*chosen), 0));
    if (m_table->currentIndex().row() != row.row())
        m_table->setCurrentIndex(row);
}

void SegmentsView::chooseRow()
{
    const QModelIndex row = m_sorted->mapToSource(m_table->currentIndex());
    if (row.isValid())
        m_map->choose(static_cast<std::size_t>(row.row()));
}

// The view's own resize is too early: the page with the splitter is laid out when it is shown, and its sums may wrap.
bool SegmentsView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_splitter && event->type() == QEvent::Resize && size() != m_draggedAt)
        fitSide();
    return QWidget::eventFilter(watched, event);
}

void SegmentsView::fitSide()
{
    // A tool bar that shows what it hid lays out the whole window at once, in the middle of a layout for an older size,
    // which goes on afterwards: what is as wide as the column no more is laid out again.
    if (m_splitter->width() != m_splitter->parentWidget()->width())
        return m_splitter->updateGeometry();
    const bool isWide = width() >= kSegmentsBesideFrom;
    m_splitter->setOrientation(isWide ? Qt::Horizontal : Qt::Vertical);
    const int wanted = isWide ? kSideLetters * fontMetrics().averageCharWidth() : height() / 3;
    const int side = std::clamp(mostBeside(size(), m_splitter->size(), m_splitter->orientation()), 0, wanted);
    m_splitter->setSizes({(isWide ? m_splitter->width() : m_splitter->height()) - side, side});
}

} // namespace headroom::ui
