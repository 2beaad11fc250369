// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/runs/QueuedRun.h"

#include <QVariant>

namespace headroom::ui {

class RunService;

/// The data of QueueModel's cells, by column and role.
class QueueCells {
public:
    explicit QueueCells(const RunService& service)
        : m_service(service)
    {
    }

    static QVariant header(int column, int role);
    static QVariant alignment(int column);
    QVariant of(const QueuedRun& run, int column, int role) const;
    QVariant of(const QueuedRun& run, std::size_t trial, int column, int role) const;

private:
    QString text(const QueuedRun& run, int column) const;
    QString text(const QueuedRun& run, std::size_t trial, int column) const;

    const RunService& m_service;
};

} // namespace headroom::ui
