// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/queue/QueueRows.h"
#include "ui/queue/StateIcons.h"
#include "ui/runs/RunService.h"

#include <QAbstractItemModel>
#include <QTimer>

#include <vector>

namespace headroom::ui {

/// The queue as a tree of experiments and their trials. Rows are created on demand, and the changes of one delivery are
/// signalled in as few ranges as possible. Waiting experiments and trials can be moved by dragging.
class QueueModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { Label, Device, State, Progress, Doing, Samples, Peak, Speed, Time, ColumnCount };
    enum Role {
        RunIdRole = Qt::UserRole, ///< the experiment's id, also for its trials
        TrialRole, ///< index among the trials of the request; invalid for an experiment
        TrialIdRole, ///< text; empty for an experiment
        ShareRole ///< the completed fraction, from 0 to 1; invalid if there is none
    };

    QueueModel(RunService& service, Theme& theme, QObject* parent = nullptr);

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    bool canDropMimeData(
        const QMimeData* data, Qt::DropAction action, int row, int column, const QModelIndex& parent) const override;
    bool dropMimeData(
        const QMimeData* data, Qt::DropAction action, int row, int column, const QModelIndex& parent) override;

    QModelIndex indexOf(int run) const;
    QModelIndex indexOf(int run, std::size_t trial) const;

private:
    const QueueRows::Entry& entryAt(const QModelIndex& index) const;
    QVariant runData(const QueuedRun& run, int column, int role) const;
    QVariant trialData(const QueuedRun& run, std::size_t trial, int column, int role) const;
    void connectQueue();
    void addRun(int id);
    void removeRun(int id);
    void reorderRuns();
    void reorderTrials(int id);
    void removeTrials(int id, const std::vector<std::size_t>& trials);
    void changeRun(int id);
    void changeTrials(int id, const std::vector<std::size_t>& trials);
    void changeAll();
    void tick();

    RunService& m_service;
    StateIcons m_icons;
    QueueRows m_rows;
    QTimer m_tick; ///< updates times between deliveries
};

} // namespace headroom::ui
