// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/FitFinder.h"

#include "ui/answer/PredictionEngine.h"

namespace headroom::ui {

using experiments::FitProgress;
using experiments::FitSearchResult;

FitFinder::FitFinder(QObject* parent)
    : QObject(parent)
    , m_engine(std::make_shared<PredictionEngine>())
    , m_jobs(QStringLiteral("fit search"))
{
    m_jobs.setCleanup([engine = m_engine] { engine->end(); });
}

FitFinder::~FitFinder()
{
    cancel();
}

void FitFinder::search(const config::Trial& trial)
{
    cancel();
    m_cancel = std::stop_source();
    m_isSearching = true;
    const auto progress = [this, search = ++m_search](const FitProgress& done) {
        QMetaObject::invokeMethod(this, [this, search, done] { report(search, done); }, Qt::QueuedConnection);
    };
    m_jobs.runNewest(
        QStringLiteral("search"), this,
        [engine = m_engine, trial, progress, cancel = m_cancel.get_token()](
            std::stop_token) { return experiments::searchForFit(engine->predictor(), trial, progress, cancel); },
        [this](const FitSearchResult& result) {
            m_isSearching = false;
            Q_EMIT finished(result);
        },
        [this](const QString& message) {
            m_isSearching = false;
            Q_EMIT failed(message);
        });
}

void FitFinder::cancel()
{
    m_cancel.request_stop();
}

void FitFinder::report(int search, const FitProgress& progress)
{
    if (search == m_search && m_isSearching)
        Q_EMIT progressed(progress);
}

} // namespace headroom::ui
