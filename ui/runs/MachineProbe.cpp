// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/MachineProbe.h"

#include "core/config/Installation.h"
#include "experiments/run/WorkerSession.h"

namespace headroom::ui {
namespace {

using protocol::WorkerDescription;

constexpr std::chrono::seconds kLongestWait{60};

Machine machineOf(const WorkerDescription& worker)
{
    if (worker.cudaUsable.value_or(false))
        return {
            Machine::Gpu::Usable, QStringLiteral("A GPU is available: trials can be measured on cuda:0 and on cpu.")};
    return {Machine::Gpu::Absent,
        QStringLiteral(
            "No GPU is available (%1). Trials are measured on this machine's processor, and any GPU of the list is "
            "predicted.")
            .arg(QString::fromStdString(worker.cudaReason))};
}

} // namespace

MachineProbe::MachineProbe(QObject* parent)
    : QObject(parent)
    , m_jobs(QStringLiteral("machine"))
{
}

void MachineProbe::start()
{
    m_jobs.run(
        this,
        [](std::stop_token stop) {
            return machineOf(experiments::describeWorker(
                config::workerProgram(), {.timeout = std::chrono::duration<double>(kLongestWait), .stop = stop}));
        },
        [this](Machine machine) { take(std::move(machine)); },
        [this](const QString& message) {
            take({Machine::Gpu::Unknown,
                QStringLiteral("The worker does not answer, so nothing can be run or predicted: %1").arg(message)});
        });
}

void MachineProbe::take(Machine machine)
{
    m_machine = std::move(machine);
    Q_EMIT found(m_machine);
}

} // namespace headroom::ui
