// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/FitFinder.h"

#include "ui/answer/PredictionEngine.h"

namespace headroom::ui {
namespace {

using experiments::FitSearch;
using experiments::FitSearchResult;

// Remembers the verdict of the last prediction for the question that follows it.
FitSearchResult searched(PredictionEngine& engine, const config::Trial& trial, const std::stop_token& stop,
    const FitSearch::Progress& progress)
{
    Answer last;
    FitSearch search(
        [&](const config::Trial& tried) {
            last = engine.predict(tried, stop);
            return last->result;
        },
        [&](const config::Trial&, const protocol::RepeatResult&) {
            return last->verdict.kind == experiments::FitVerdict::Kind::Fits;
        });
    search.setProgress(progress);
    return search.run(trial, stop);
}

} // namespace

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
    const auto progress = [this, search = ++m_search](std::size_t simulations) {
        QMetaObject::invokeMethod(
            this, [this, search, simulations] { report(search, static_cast<int>(simulations)); }, Qt::QueuedConnection);
    };
    m_jobs.runNewest(
        QStringLiteral("search"), this,
        [engine = m_engine, trial, progress, cancel = m_cancel.get_token()](
            std::stop_token) { return searched(*engine, trial, cancel, progress); },
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

void FitFinder::report(int search, int simulations)
{
    if (search == m_search && m_isSearching)
        Q_EMIT progressed(simulations);
}

} // namespace headroom::ui
