// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/LossReadbackDescriptor.h"

#include "core/base/Error.h"

namespace headroom::config {
namespace {

std::vector<std::string> lossReadbackSettingProblems(const TechniqueSetting& setting, const ModelContext& context)
{
    if (setting.notation == "never" || context.workload.step != StepKind::Inference)
        return {};
    return {"loss_readback = " + setting.notation + ": an inference step has no loss"};
}

} // namespace

ReadbackTiming parseLossReadback(const std::string& notation, const std::string& where)
{
    if (notation == "never")
        return ReadbackTiming::Never;
    if (notation == "per_update")
        return ReadbackTiming::PerUpdate;
    if (notation == "every_step")
        return ReadbackTiming::EveryStep;
    throw UsageError("found \"" + notation + "\"", where, "never, per_update, every_step");
}

TechniqueDescriptor lossReadbackDescriptor()
{
    TechniqueDescriptor descriptor;
    descriptor.key = "loss_readback";
    descriptor.title = "Loss read-back";
    descriptor.summary =
        "When the loss is read by the host (.item()), as training scripts do to log it. Each read makes the host wait "
        "for the device, and what was to overlap with the next step, no longer does.";
    descriptor.forms = {{"never", "the loss stays on the device"},
        {"per_update", "the sum over an update's micro-steps, once per update"},
        {"every_step", "the loss of each micro-step, at once"}};
    descriptor.off = "never";
    descriptor.counters = {{"reads", "times in one step that the host read a loss"}};
    descriptor.normalise = [](const std::string& notation, const std::string& where) {
        parseLossReadback(notation, where);
        return notation;
    };
    descriptor.problems = lossReadbackSettingProblems;
    descriptor.asksForTraining = [](const std::string& notation) { return notation != "never"; };
    descriptor.candidates = [](const ModelContext&) { return std::vector<Candidate>(); };
    return descriptor;
}

} // namespace headroom::config
