// SPDX-License-Identifier: Apache-2.0
#include "ui/queue/QueueModel.h"

#include "ui/queue/QueueCells.h"

#include <QByteArrayList>
#include <QMimeData>
#include <QStringList>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

class QMimeData;

namespace headroom::ui {
namespace {

/// Rows of the queue that are being dragged: an experiment, or trials of one experiment.
struct QueueDrag {
    int run = 0;
    std::vector<std::size_t> trials; ///< empty: the experiment itself

    static QStringList mimeTypes();
    std::unique_ptr<QMimeData> toMime() const;
    /// nullopt if the data is of another type.
    static std::optional<QueueDrag> fromMime(const QMimeData& data);
};

QStringList QueueDrag::mimeTypes()
{
    return {QStringLiteral("application/x-headroom-queue-rows")};
}

std::unique_ptr<QMimeData> QueueDrag::toMime() const
{
    QByteArrayList words{QByteArray::number(run)};
    for (const std::size_t trial : trials)
        words += QByteArray::number(static_cast<qulonglong>(trial));
    auto data = std::make_unique<QMimeData>();
    data->setData(mimeTypes().first(), words.join(' '));
    return data;
}

std::optional<QueueDrag> QueueDrag::fromMime(const QMimeData& data)
{
    if (!data.hasFormat(mimeTypes().first()))
        return std::nullopt;
    const QByteArrayList words = data.data(mimeTypes().first()).split(' ');
    QueueDrag drag{.run = words.first().toInt(), .trials = {}};
    for (const QByteArray& word : words.mid(1))
        drag.trials.push_back(word.toULongLong());
    return drag;
}

constexpr int kTickMilliseconds = 1000;

} // namespace

QueueModel::QueueModel(RunService& service, Theme& theme, QObject* parent)
    : QAbstractItemModel(parent)
    , m_service(service)
    , m_icons(theme)
{
    for (const auto& run : service.queue().runs())
        m_rows.add(run);
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

// The internal id of a trial's row is the id of its experiment; that of an experiment's row is 0.
QModelIndex QueueModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    if (!parent.isValid())
        return createIndex(row, column, quintptr{0});
    return createIndex(row, column, static_cast<quintptr>(m_rows.at(parent.row()).run->id()));
}

QModelIndex QueueModel::parent(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == 0)
        return {};
    return createIndex(m_rows.rowOf(static_cast<int>(index.internalId())), 0, quintptr{0});
}

int QueueModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return m_rows.count();
    if (parent.internalId() != 0 || parent.column() > 0)
        return 0;
    return static_cast<int>(m_rows.at(parent.row()).trials.size());
}

int QueueModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QModelIndex QueueModel::indexOf(int run) const
{
    const int row = m_rows.rowOf(run);
    return row < 0 ? QModelIndex() : createIndex(row, 0, quintptr{0});
}

QModelIndex QueueModel::indexOf(int run, std::size_t trial) const
{
    const int row = m_rows.rowOf(run);
    if (row < 0)
        return {};
    const int trialRow = m_rows.at(row).rows.at(trial);
    return trialRow < 0 ? QModelIndex() : createIndex(trialRow, 0, static_cast<quintptr>(run));
}

const QueueRows::Entry& QueueModel::entryAt(const QModelIndex& index) const
{
    return m_rows.at(index.internalId() == 0 ? index.row() : m_rows.rowOf(static_cast<int>(index.internalId())));
}

QVariant QueueModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const QueueRows::Entry& entry = entryAt(index);
    if (role == RunIdRole)
        return entry.run->id();
    if (role == Qt::TextAlignmentRole)
        return QueueCells::alignment(index.column());
    if (index.internalId() == 0)
        return runData(*entry.run, index.column(), role);
    return trialData(*entry.run, entry.trials[static_cast<std::size_t>(index.row())], index.column(), role);
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
    const QueueRows::Entry& entry = entryAt(index);
    if (index.internalId() == 0)
        return flags | Qt::ItemIsDropEnabled
            | (entry.run->state() == RunState::Waiting ? Qt::ItemIsDragEnabled : Qt::NoItemFlags);
    flags |= Qt::ItemNeverHasChildren;
    if (entry.run->isMovable(entry.trials[static_cast<std::size_t>(index.row())]))
        flags |= Qt::ItemIsDragEnabled;
    return flags;
}

QStringList QueueModel::mimeTypes() const
{
    return QueueDrag::mimeTypes();
}

QMimeData* QueueModel::mimeData(const QModelIndexList& indexes) const
{
    QueueDrag drag;
    for (const QModelIndex& index : indexes) {
        if (drag.run == 0)
            drag.run = index.data(RunIdRole).toInt();
        const bool isTrialOfIt = index.internalId() == static_cast<quintptr>(drag.run);
        if (index.column() == 0 && isTrialOfIt)
            drag.trials.push_back(index.data(TrialRole).toULongLong());
    }
    return drag.toMime().release();
}

bool QueueModel::canDropMimeData(
    const QMimeData* data, Qt::DropAction action, int row, int, const QModelIndex& parent) const
{
    const auto drag = QueueDrag::fromMime(*data);
    if (action != Qt::MoveAction || !drag || row < 0)
        return false;
    if (drag->trials.empty())
        return !parent.isValid();
    return parent.isValid() && parent.internalId() == 0 && entryAt(parent).run->id() == drag->run;
}

// The move is complete when this returns; views must not remove the dragged rows.
bool QueueModel::dropMimeData(
    const QMimeData* data, Qt::DropAction action, int row, int column, const QModelIndex& parent)
{
    if (!canDropMimeData(data, action, row, column, parent))
        return false;
    const QueueDrag drag = *QueueDrag::fromMime(*data);
    if (drag.trials.empty())
        m_service.queue().moveTo(drag.run, static_cast<std::size_t>(row));
    else
        m_service.queue().moveTrialsTo(drag.run, drag.trials, static_cast<std::size_t>(row));
    return false;
}

void QueueModel::addRun(int id)
{
    beginInsertRows({}, m_rows.count(), m_rows.count());
    m_rows.add(m_service.queue().find(id));
    endInsertRows();
}

void QueueModel::removeRun(int id)
{
    const int row = m_rows.rowOf(id);
    beginRemoveRows({}, row, row);
    m_rows.remove(row);
    endRemoveRows();
}

void QueueModel::reorderRuns()
{
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    QList<int> runs;
    for (const QModelIndex& index : before)
        runs += entryAt(index).run->id();
    m_rows.reorder(m_service.queue().runs());
    for (qsizetype i = 0; i < before.size(); ++i)
        if (before[i].internalId() == 0)
            changePersistentIndex(before[i], createIndex(m_rows.rowOf(runs[i]), before[i].column(), quintptr{0}));
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

void QueueModel::reorderTrials(int id)
{
    const QModelIndex run = indexOf(id);
    Q_EMIT layoutAboutToBeChanged({run}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    const std::vector<std::size_t> trials = m_rows.reorderTrials(run.row());
    for (const QModelIndex& index : before)
        if (index.internalId() == static_cast<quintptr>(id)) {
            const int row = entryAt(run).rows[trials[static_cast<std::size_t>(index.row())]];
            changePersistentIndex(index, createIndex(row, index.column(), index.internalId()));
        }
    Q_EMIT layoutChanged({run}, VerticalSortHint);
}

void QueueModel::removeTrials(int id, const std::vector<std::size_t>& trials)
{
    const QModelIndex run = indexOf(id);
    for (const std::size_t trial : trials) {
        const int row = entryAt(run).rows[trial];
        beginRemoveRows(run, row, row);
        m_rows.removeTrial(run.row(), row);
        endRemoveRows();
    }
}

void QueueModel::changeRun(int id)
{
    if (const int row = m_rows.rowOf(id); row >= 0)
        Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

// Adjacent rows are signalled as one range.
void QueueModel::changeTrials(int id, const std::vector<std::size_t>& trials)
{
    const QModelIndex parent = indexOf(id);
    if (!parent.isValid())
        return;
    std::vector<int> rows;
    for (const std::size_t trial : trials)
        if (const int row = entryAt(parent).rows[trial]; row >= 0)
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
    for (int row = 0; row < m_rows.count(); ++row) {
        const QueueRows::Entry& entry = m_rows.at(row);
        changeRun(entry.run->id());
        changeTrials(entry.run->id(), entry.trials);
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
