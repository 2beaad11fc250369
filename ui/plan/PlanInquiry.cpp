// SPDX-License-Identifier: Apache-2.0
#include "ui/plan/PlanInquiry.h"

#include "experiments/plan/explanation/PlanExplanation.h"
#include "experiments/plan/fill/PredictedFill.h"

#include <array>

namespace headroom::ui {
namespace {

using experiments::FillProgress;
using experiments::FillSearch;
using experiments::FillTask;
using experiments::TrialPredictor;
using experiments::WorkloadAxis;

LargestFit largestOf(const config::Trial& trial, const std::string& axis, const FillSearch::Progress& progress,
    const std::stop_token& stop)
{
    TrialPredictor predictor(PlanInquiry::kPatience);
    FillSearch search = experiments::predictedFill(predictor, stop);
    search.setProgress(progress);
    const std::array tasks{FillTask{trial, WorkloadAxis(axis, trial, "axis")}};
    LargestFit fit{search.run(tasks, stop).front(), axis};
    if (fit.filled.value)
        fit.prediction = predictor.predict(fit.filled.trial, stop);
    return fit;
}

} // namespace

PlanInquiry::PlanInquiry(QObject* parent)
    : QObject(parent)
    , m_reasons(QStringLiteral("plan reasons"))
    , m_sizes(QStringLiteral("plan sizes"))
{
}

PlanInquiry::~PlanInquiry() = default;

void PlanInquiry::explain(const FoundPlan& plan, const experiments::PlannedChoice& choice)
{
    const int number = ++m_explanation;
    m_reasons.runNewest(
        QStringLiteral("why"), this,
        [plan, choice](
            const std::stop_token& stop) { return experiments::explanationOf(choice, *plan, kPatience, stop); },
        [this, number](const std::string& text) {
            if (number == m_explanation)
                Q_EMIT explained(QString::fromStdString(text));
        },
        [this, number](const QString& message) {
            if (number == m_explanation)
                Q_EMIT failed(message);
        });
}

void PlanInquiry::findLargest(const config::Trial& trial, const std::string& axis)
{
    const int number = ++m_largest;
    const auto progress = [this, number, axis = QString::fromStdString(axis)](const FillProgress& done) {
        const QString text = QStringLiteral("%1 %2 %3 (%4 simulated)")
                                 .arg(axis)
                                 .arg(done.value)
                                 .arg(done.fits ? QStringLiteral("fits") : QStringLiteral("does not fit"))
                                 .arg(done.simulations);
        QMetaObject::invokeMethod(
            this,
            [this, number, text] {
                if (number == m_largest)
                    Q_EMIT raised(text);
            },
            Qt::QueuedConnection);
    };
    m_sizes.runNewest(
        QStringLiteral("largest"), this,
        [trial, axis, progress](const std::stop_token& stop) { return largestOf(trial, axis, progress, stop); },
        [this, number](const LargestFit& fit) {
            if (number == m_largest)
                Q_EMIT largestFound(fit);
        },
        [this, number](const QString& message) {
            if (number == m_largest)
                Q_EMIT failed(message);
        });
}

// A job that is under way is given a stop by the one that takes its place.
void PlanInquiry::cancel()
{
    ++m_explanation;
    ++m_largest;
    for (JobThread* jobs : {&m_reasons, &m_sizes})
        if (!jobs->isIdle())
            jobs->runNewest(
                jobs == &m_reasons ? QStringLiteral("why") : QStringLiteral("largest"), this,
                [](const std::stop_token&) { }, [] { }, {});
}

} // namespace headroom::ui
