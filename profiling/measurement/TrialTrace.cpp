// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/TrialMeasurement.h"

#include "profiling/measurement/CaptureScope.h"

// What TrialMeasurement traces; and what it leaves out if nobody wants to know.
namespace headroom::collectors {
namespace {

std::string growthRemark(const protocol::MemoryLeak& leak)
{
    return "memory of the category " + leak.category + " grew by " + std::to_string(leak.bytesPerStep)
        + " bytes from one step to the next";
}

// Steps are alike, but on a real device a request may find another free block, with other slack, than in an earlier
// step.
std::optional<std::string> differenceRemark(
    const protocol::MemoryBreakdown& breakdown, const protocol::RepeatMemory& memory)
{
    if (!memory.peak.allocated || breakdown.totalBytes == *memory.peak.allocated)
        return std::nullopt;
    return "the traced steps had a peak of " + std::to_string(breakdown.totalBytes)
        + " allocated bytes, the timed ones of " + std::to_string(*memory.peak.allocated);
}

} // namespace

// Two steps: memory that the first one leaves behind must not be left once more by the second.
void TrialMeasurement::traceSteps()
{
    if (m_traceSink == nullptr)
        return;
    const CaptureScope capture(m_instruments, m_traceSink, m_result.diagnostics);
    startTrace();
    claimLiving();
    m_trace->beginSpan();
    step();
    step();
    stopTrace();
}

void TrialMeasurement::startTrace()
{
    m_trace = std::make_unique<TracePass>(m_instruments, m_ledger, m_traceSink);
}

// Claims what is live when the trace of a measured trial begins.
void TrialMeasurement::claimLiving()
{
    m_trace->addModel(m_models.model());
    for (models::Model* kept : m_models.harness())
        m_trace->addSecondModel(*kept);
    for (const auto& [name, input] : m_runner->inputs())
        m_trace->claim(input, config::MemoryCategory::Inputs);
    m_trace->claim(m_runner->target(), config::MemoryCategory::Inputs);
    m_trace->claim(m_baselineOutput, config::MemoryCategory::Harness);
}

void TrialMeasurement::stopTrace()
{
    if (!m_trace)
        return;
    m_result.breakdown = m_trace->breakdown();
    if (m_accounts)
        m_models.model().setBlockShortcut(nullptr);
    m_accounts.reset();
    m_trace.reset();
    if (const auto remark = differenceRemark(*m_result.breakdown, m_result.memory); remark && m_trial.device.runsCuda())
        m_result.diagnostics.push_back(*remark);
    for (const protocol::MemoryLeak& leak : m_result.breakdown->leaks)
        m_result.diagnostics.push_back(growthRemark(leak));
}

void TrialMeasurement::takeShortcut(const RunnableModel& own)
{
    if (m_shortcuts == Shortcuts::Off || m_traceSink != nullptr || !m_trial.device.isSimulated())
        return;
    if (m_trace)
        m_accounts = std::make_unique<techniques::BlockAccounts>(own.techniques, m_trace->savedTensors());
    if (config::stepPeriodOf(m_trial.configuration).steps == 1)
        m_stepShortcut = m_instruments.stepShortcut();
    if (m_shortcuts == Shortcuts::On && !own.techniques.followsBlocks())
        own.model.setBlockShortcut(m_instruments.shortcutFor(own.model, m_accounts.get()));
}

// Where memory is attributed anyway, what is saved for the backward pass is known without another step.
training::StepOutput TrialMeasurement::countedStep()
{
    m_accounts->stepBegins(weightsAndBatch());
    const PhaseLedger::EndListening listening(m_ledger, [&](const std::string& phase, std::int64_t) {
        if (phase == "forward")
            m_savedForBackward = m_accounts->keptForBackward();
    });
    return m_runner->run(m_step++);
}

std::vector<at::Tensor> TrialMeasurement::weightsAndBatch()
{
    std::vector<at::Tensor> tensors = m_models.model().parameters();
    for (const auto& [name, input] : m_runner->inputs())
        tensors.push_back(input);
    return tensors;
}

bool TrialMeasurement::repeatStep()
{
    if (!m_stepShortcut)
        return false;
    throwIfCancelled();
    if (!m_stepShortcut->repeatStep(m_ledger, m_step))
        return false;
    ++m_step;
    if (m_trace)
        m_trace->stepEnded();
    return true;
}

// What the step returns is released when it is over.
void TrialMeasurement::runStep()
{
    if (m_stepShortcut)
        m_stepShortcut->stepBegins(m_runner->parameters());
    {
        const training::StepOutput output = step();
        m_instruments.synchronise();
    }
    if (m_stepShortcut)
        m_stepShortcut->stepEnds();
}

// Without a trace, what techniques count is not counted of blocks that a shortcut leaves out.
void TrialMeasurement::leaveOutCounters()
{
    if (m_shortcuts == Shortcuts::Off || m_diagnostics == Diagnostics::On)
        return;
    m_result.engagement.clear();
    m_result.effective.clear();
}

} // namespace headroom::collectors
