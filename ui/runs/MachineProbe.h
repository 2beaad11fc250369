// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/jobs/JobThread.h"

#include <QObject>
#include <QString>

namespace headroom::ui {

/// What this machine can do, in one sentence.
struct Machine {
    enum class Gpu { Usable, Absent, Unknown };
    Gpu gpu = Gpu::Unknown;
    QString sentence;
};

/// Asks a worker in the background whether there is a usable GPU.
class MachineProbe : public QObject {
    Q_OBJECT

public:
    explicit MachineProbe(QObject* parent = nullptr);

    void start();
    const Machine& machine() const { return m_machine; }

Q_SIGNALS:
    void found(const Machine& machine);

private:
    void take(Machine machine);

    Machine m_machine;
    JobThread m_jobs;
};

} // namespace headroom::ui
