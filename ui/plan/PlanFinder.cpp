// SPDX-License-Identifier: Apache-2.0
#include "ui/plan/PlanFinder.h"

namespace headroom::ui {

using experiments::PlanResult;
using experiments::PlanStatus;

PlanFinder::PlanFinder(QObject* parent)
    : QObject(parent)
    , m_jobs(QStringLiteral("plan search"))
{
}

PlanFinder::~PlanFinder()
{
    cancel();
}

void PlanFinder::search(const config::Trial& trial, const experiments::PlanOptions& options)
{
    cancel();
    m_cancel = std::stop_source();
    m_isSearching = true;
    const int number = ++m_search;
    const auto watch = [this, number](const PlanStatus& status) {
        QMetaObject::invokeMethod(this, [this, number, status] { report(number, status); }, Qt::QueuedConnection);
    };
    m_jobs.runNewest(
        QStringLiteral("plan"), this,
        [trial, options, watch, cancel = m_cancel.get_token()](const std::stop_token&) {
            return std::make_shared<const PlanResult>(experiments::planFor(trial, {}, options, watch, cancel));
        },
        [this, number](const FoundPlan& plan) {
            if (number != m_search)
                return;
            m_isSearching = false;
            Q_EMIT finished(plan);
        },
        [this, number](const QString& message) {
            if (number != m_search)
                return;
            m_isSearching = false;
            Q_EMIT failed(message);
        });
}

void PlanFinder::cancel()
{
    m_cancel.request_stop();
}

void PlanFinder::forget()
{
    cancel();
    ++m_search;
    m_isSearching = false;
}

void PlanFinder::report(int search, const PlanStatus& status)
{
    if (search == m_search && m_isSearching)
        Q_EMIT progressed(status);
}

} // namespace headroom::ui
