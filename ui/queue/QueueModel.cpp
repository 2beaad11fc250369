// SPDX-License-Identifier: Apache-2.0
#include "ui/queue/QueueModel.h"

#include "ui/queue/QueueCells.h"

#include <QMimeData>

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr int kTickMilliseconds = 1000;
constexpr const char* kMimeType = "application/x-headroom-queue-rows";

} // namespace

QueueModel::QueueModel(RunService& service, Theme& theme, QObject* parent)
    : QAbstractItemModel(parent)
    , m_service(service)
    , m_icons(theme)
{
    for (const auto& run : service.queue().runs())
        m_shown.push_back({run, run->order(), {}});
    for (Shown& shown : m_shown)
        number(shown);
    connectQueue();
    connect(&theme, &Theme::changed, this, [this] {
        m_icons.clear();
        changeAll();
    });
    connect(&m_tick, &QTimer::timeout, this, &QueueModel::tick);
    m_tick.start(kTickMilliseconds);
}

void QueueModel::connectQueue()
{
    const RunQueue& queue = m_service.queue();
    connect(&queue, &RunQueue::added, this, &QueueModel::addRun);
    connect(&queue, &RunQueue::removed, this, &QueueModel::removeRun);
    connect(&queue, &RunQueue::reordered, this, &QueueModel::reorderRuns);
    connect(&queue, &RunQueue::changed, this, &QueueModel::changeRun);
    connect(&queue, &RunQueue::trialsChanged, this, &QueueModel::changeTrials);
    connect(&queue, &RunQueue::trialsReordered, this, &QueueModel::reorderTrials);
    connect(&queue, &RunQueue::trialsRemoved, this, &QueueModel::removeTrials);
}

void QueueModel::number(Shown& shown)
{
    shown.rows.assign(shown.run->request().trials.size(), -1);
    for (std::size_t row = 0; row < shown.trials.size(); ++row)
        shown.rows[shown.trials[row]] = static_cast<int>(row);
}

int QueueModel::rowOf(int run) const
{
    const auto found =
        std::find_if(m_shown.begin(), m_shown.end(), [run](const Shown& shown) { return shown.run->id() == run; });
    return found == m_shown.end() ? -1 : static_cast<int>(found - m_shown.begin());
}

// The internal id of a trial's row is the number of its experiment, that of an experiment's row is 0.
QModelIndex QueueModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    if (!parent.isValid())
        return createIndex(row, column, quintptr{0});
    return createIndex(row, column, static_cast<quintptr>(m_shown[static_cast<std::size_t>(parent.row())].run->id()));
}

QModelIndex QueueModel::parent(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == 0)
        return {};
    return createIndex(rowOf(static_cast<int>(index.internalId())), 0, quintptr{0});
}

int QueueModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_shown.size());
    if (parent.internalId() != 0 || parent.column() > 0)
        return 0;
    return static_cast<int>(m_shown[static_cast<std::size_t>(parent.row())].trials.size());
}

int QueueModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QModelIndex QueueModel::indexOf(int run) const
{
    const int row = rowOf(run);
    return row < 0 ? QModelIndex() : createIndex(row, 0, quintptr{0});
}

QModelIndex QueueModel::indexOf(int run, std::size_t trial) const
{
    const int row = rowOf(run);
    if (row < 0)
        return {};
    const int trialRow = m_shown[static_cast<std::size_t>(row)].rows.at(trial);
    return trialRow < 0 ? QModelIndex() : createIndex(trialRow, 0, static_cast<quintptr>(run));
}

const QueueModel::Shown& QueueModel::shownAt(const QModelIndex& index) const
{
    const int row = index.internalId() == 0 ? index.row() : rowOf(static_cast<int>(index.internalId()));
    return m_shown.at(static_cast<std::size_t>(row));
}

QVariant QueueModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Shown& shown = shownAt(index);
    if (role == RunIdRole)
        return shown.run->id();
    if (role == Qt::TextAlignmentRole)
        return QueueCells::alignment(index.column());
    if (index.internalId() == 0)
        return runData(*shown.run, index.column(), role);
    return trialData(*shown.run, shown.trials[static_cast<std::size_t>(index.row())], index.column(), role);
}

QVariant QueueModel::runData(const QueuedRun& run, int column, int role) const
{
    if (role == Qt::DecorationRole && column == State)
        return m_icons.icon(run.state());
    return QueueCells(m_service).of(run, column, role);
}

QVariant QueueModel::trialData(const QueuedRun& run, std::size_t trial, int column, int role) const
{
    if (role == TrialRole)
        return QVariant::fromValue(static_cast<qulonglong>(trial));
    if (role == TrialIdRole)
        return QString::fromStdString(run.planned(trial).trialId);
    if (role == Qt::DecorationRole && column == State)
        return m_icons.icon(run.progress(trial).state);
    return QueueCells(m_service).of(run, trial, column, role);
}

QVariant QueueModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QueueCells::alignment(section);
    return QueueCells::header(section, role);
}

Qt::ItemFlags QueueModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::ItemIsDropEnabled;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    const Shown& shown = shownAt(index);
    if (index.internalId() == 0)
        return flags | Qt::ItemIsDropEnabled
            | (shown.run->state() == RunState::Waiting ? Qt::ItemIsDragEnabled : Qt::NoItemFlags);
    flags |= Qt::ItemNeverHasChildren;
    if (shown.run->isMovable(shown.trials[static_cast<std::size_t>(index.row())]))
        flags |= Qt::ItemIsDragEnabled;
    return flags;
}

QStringList QueueModel::mimeTypes() const
{
    return {QString::fromLatin1(kMimeType)};
}

// "RUN" for an experiment, "RUN TRIAL TRIAL ..." for trials of one experiment.
QMimeData* QueueModel::mimeData(const QModelIndexList& indexes) const
{
    QByteArrayList words;
    for (const QModelIndex& index : indexes) {
        const QByteArray run = QByteArray::number(index.data(RunIdRole).toInt());
        if (words.isEmpty())
            words += run;
        if (index.column() == 0 && words.first() == run && index.internalId() != 0)
            words += QByteArray::number(index.data(TrialRole).toULongLong());
    }
    auto mime = std::make_unique<QMimeData>();
    mime->setData(QString::fromLatin1(kMimeType), words.join(' '));
    return mime.release();
}

bool QueueModel::canDropMimeData(
    const QMimeData* data, Qt::DropAction action, int row, int, const QModelIndex& parent) const
{
    if (action != Qt::MoveAction || !data->hasFormat(QString::fromLatin1(kMimeType)) || row < 0)
        return false;
    const QByteArrayList words = data->data(QString::fromLatin1(kMimeType)).split(' ');
    if (words.size() == 1)
        return !parent.isValid();
    return parent.isValid() && parent.internalId() == 0 && shownAt(parent).run->id() == words.first().toInt();
}

// It has moved when this returns; views must not remove the rows that were dragged.
bool QueueModel::dropMimeData(
    const QMimeData* data, Qt::DropAction action, int row, int column, const QModelIndex& parent)
{
    if (!canDropMimeData(data, action, row, column, parent))
        return false;
    const QByteArrayList words = data->data(QString::fromLatin1(kMimeType)).split(' ');
    const int run = words.first().toInt();
    RunQueue::TrialIndices trials;
    for (const QByteArray& word : words.mid(1))
        trials.push_back(word.toULongLong());
    if (trials.empty())
        m_service.queue().moveTo(run, static_cast<std::size_t>(row));
    else
        m_service.queue().moveTrialsTo(run, trials, static_cast<std::size_t>(row));
    return false;
}

void QueueModel::addRun(int id)
{
    const auto run = m_service.queue().find(id);
    const int row = rowCount();
    beginInsertRows({}, row, row);
    m_shown.push_back({run, run->order(), {}});
    number(m_shown.back());
    endInsertRows();
}

void QueueModel::removeRun(int id)
{
    const int row = rowOf(id);
    beginRemoveRows({}, row, row);
    m_shown.erase(m_shown.begin() + row);
    endRemoveRows();
}

void QueueModel::reorderRuns()
{
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    QList<int> runs;
    for (const QModelIndex& index : before)
        runs += shownAt(index).run->id();
    std::vector<Shown> shown;
    for (const auto& run : m_service.queue().runs())
        shown.push_back(m_shown[static_cast<std::size_t>(rowOf(run->id()))]);
    m_shown = std::move(shown);
    for (qsizetype i = 0; i < before.size(); ++i)
        if (before[i].internalId() == 0)
            changePersistentIndex(before[i], createIndex(rowOf(runs[i]), before[i].column(), quintptr{0}));
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

void QueueModel::reorderTrials(int id)
{
    Shown& shown = m_shown[static_cast<std::size_t>(rowOf(id))];
    const QList<QPersistentModelIndex> parents{indexOf(id)};
    Q_EMIT layoutAboutToBeChanged(parents, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    const std::vector<std::size_t> trials = std::exchange(shown.trials, shown.run->order());
    number(shown);
    for (const QModelIndex& index : before)
        if (index.internalId() == static_cast<quintptr>(id)) {
            const int row = shown.rows[trials[static_cast<std::size_t>(index.row())]];
            changePersistentIndex(index, createIndex(row, index.column(), index.internalId()));
        }
    Q_EMIT layoutChanged(parents, VerticalSortHint);
}

void QueueModel::removeTrials(int id, const std::vector<std::size_t>& trials)
{
    Shown& shown = m_shown[static_cast<std::size_t>(rowOf(id))];
    std::vector<int> rows;
    for (const std::size_t trial : trials)
        rows.push_back(shown.rows[trial]);
    std::sort(rows.rbegin(), rows.rend());
    for (const int row : rows) {
        beginRemoveRows(indexOf(id), row, row);
        shown.trials.erase(shown.trials.begin() + row);
        endRemoveRows();
    }
    number(shown);
}

void QueueModel::changeRun(int id)
{
    if (const int row = rowOf(id); row >= 0)
        Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

// Rows that follow one another are told at once.
void QueueModel::changeTrials(int id, const std::vector<std::size_t>& trials)
{
    const QModelIndex parent = indexOf(id);
    if (!parent.isValid())
        return;
    std::vector<int> rows;
    for (const std::size_t trial : trials)
        if (const int row = shownAt(parent).rows[trial]; row >= 0)
            rows.push_back(row);
    std::sort(rows.begin(), rows.end());
    for (std::size_t first = 0, next = 0; first < rows.size(); first = next) {
        for (next = first + 1; next < rows.size() && rows[next] <= rows[next - 1] + 1;)
            ++next;
        Q_EMIT dataChanged(index(rows[first], 0, parent), index(rows[next - 1], ColumnCount - 1, parent));
    }
}

void QueueModel::changeAll()
{
    for (int row = 0; row < rowCount(); ++row) {
        changeRun(m_shown[static_cast<std::size_t>(row)].run->id());
        changeTrials(m_shown[static_cast<std::size_t>(row)].run->id(), m_shown[static_cast<std::size_t>(row)].trials);
    }
}

void QueueModel::tick()
{
    const auto active = m_service.active();
    if (!active)
        return;
    changeRun(active->id());
    if (const auto running = active->running())
        changeTrials(active->id(), {*running});
}

} // namespace headroom::ui
