// SPDX-License-Identifier: Apache-2.0
#include "experiments/handoff/PythonEma.h"

#include "core/config/techniques/EmaDescriptor.h"
#include "experiments/handoff/PythonText.h"

namespace headroom::experiments {

using config::EmaMode;
using config::EmaParameters;
using config::EmaPlacement;
using config::EmaSchedule;
using config::EmaSettings;

namespace {

constexpr const char* kEma = "techniques.ema";

bool hasEma(const SettingsDraft& draft)
{
    return draft.asks(kEma) && draft.technique("ema").notation != "off";
}

std::string emaNumber(double value)
{
    return config::toLabel(config::Value(value));
}

std::string scheduleArguments(const EmaSchedule& schedule)
{
    return "decay=" + emaNumber(schedule.decay) + ", min_decay=" + emaNumber(schedule.minDecay) + ", update_after_step="
        + std::to_string(schedule.updateAfterStep) + ", use_ema_warmup=" + (schedule.useWarmup ? "True" : "False")
        + ", inv_gamma=" + emaNumber(schedule.invGamma) + ", power=" + emaNumber(schedule.power);
}

void lackOfAnyEma(SettingsDraft& draft, const EmaSettings& settings)
{
    draft.takeAll(kEma);
    draft.lack("techniques.ema.interval",
        "update() updates the EMA each time: call it with the EMA in one of " + std::to_string(settings.interval)
            + " updates only");
    draft.lack("techniques.ema.decays", "the first decay alone: make one EMA for each");
    draft.lack("techniques.ema.blocking", "copies are made as the library makes them");
    draft.lack("techniques.ema.pinned", "host memory is what the library takes");
    draft.lack("techniques.ema.slice_bytes", "the shadow is moved as a whole");
}

void lackOfEmaModel(SettingsDraft& draft, const EmaSettings& settings)
{
    lackOfAnyEma(draft, settings);
    if (settings.placement == EmaPlacement::HostAsync)
        draft.lack(kEma,
            "EMAModel moves the whole shadow to the device and back for each update, not slice by slice beside the "
            "next step");
    if (settings.placement == EmaPlacement::HostCpu)
        draft.lack(kEma, "EMAModel updates a shadow where the parameters are: it comes to the device for each update");
    if (settings.placement == EmaPlacement::Host)
        draft.lack(kEma,
            "the shadow that comes back from the device is in pageable memory, so that its copies are waited for");
    if (settings.mode == EmaMode::ForeachNoTemporary)
        draft.lack("techniques.ema.mode", "EMAModel has foreach with a temporary of all parameters");
}

std::string emaModelParameters(const EmaSettings& settings)
{
    return settings.parameters == EmaParameters::Trainable ? "trained(model)" : "model.parameters()";
}

void lackOfAveragedModel(SettingsDraft& draft, const EmaSettings& settings)
{
    lackOfAnyEma(draft, settings);
    if (settings.placement == EmaPlacement::Host || settings.placement == EmaPlacement::HostAsync)
        draft.lack(kEma, "AveragedModel computes where the shadow is: on the host, to which the parameters are copied");
    if (settings.mode != EmaMode::Loop)
        draft.lack("techniques.ema.mode", "one parameter after the other; AveragedModel takes a multi_avg_fn instead");
    if (settings.parameters == EmaParameters::Trainable)
        draft.lack("techniques.ema.parameters", "AveragedModel copies the whole model");
}

// The share that an update keeps; `updates` counts those before it.
TextLines decayLines(const EmaSchedule& schedule)
{
    const std::string grown = schedule.useWarmup
        ? "1 - (1 + grown / " + emaNumber(schedule.invGamma) + ") ** -" + emaNumber(schedule.power)
        : "(1 + grown) / (10 + grown)";
    return {"def averaged(shadow, parameter, updates):",
        "    grown = int(updates) - " + std::to_string(schedule.updateAfterStep),
        "    if grown <= 0:", "        return parameter.clone()",
        "    decay = max(min(" + grown + ", " + emaNumber(schedule.decay) + "), " + emaNumber(schedule.minDecay) + ")",
        "    return shadow + (1 - decay) * (parameter - shadow)", "", ""};
}

} // namespace

PythonEma diffusersEma(SettingsDraft& draft)
{
    if (!hasEma(draft))
        return {};
    const EmaSettings settings = config::emaSettings(draft.technique("ema"));
    lackOfEmaModel(draft, settings);
    const std::string parameters = emaModelParameters(settings);
    const bool isOnHost = settings.placement != EmaPlacement::Device;
    const std::string foreach = settings.mode == EmaMode::Loop ? "False" : "True";
    TextLines function{"def make_ema(model):", "    ema = EMAModel(" + parameters + ", foreach=" + foreach + ",",
        "                   " + scheduleArguments(settings.schedules.front()) + ")",
        draft.line(isOnHost ? "    ema.to(\"cpu\")" : "    ema.to(DEVICE)", kEma), "    return ema", "", ""};
    TextLines update{"ema.step(" + parameters + ")"};
    if (isOnHost)
        update = {"ema.to(DEVICE, non_blocking=True)", "ema.step(" + parameters + ")", "ema.to(\"cpu\")"};
    return {{"from diffusers.training_utils import EMAModel"}, function, update};
}

PythonEma torchEma(SettingsDraft& draft)
{
    if (!hasEma(draft))
        return {};
    const EmaSettings settings = config::emaSettings(draft.technique("ema"));
    lackOfAveragedModel(draft, settings);
    const std::string device = settings.placement == EmaPlacement::Device ? "DEVICE" : "\"cpu\"";
    TextLines function = decayLines(settings.schedules.front());
    append(function,
        {"def make_ema(model):",
            draft.line("    return AveragedModel(model, device=" + device + ", avg_fn=averaged)", kEma), "", ""});
    return {{"from torch.optim.swa_utils import AveragedModel"}, function, {"ema.update_parameters(model)"}};
}

} // namespace headroom::experiments
