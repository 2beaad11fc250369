// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/answer/Plans.h"

#include "experiments/spec/SpecLoader.h"
#include "tests/support/Checkout.h"

#include <fmt/format.h>

namespace headroom::ui {

std::vector<experiments::PlannedTrial> planOf(const std::string& toml)
{
    return experiments::expand(experiments::loadSpecText(toml, "spec.toml", {}));
}

std::vector<experiments::PlannedTrial> planOfPreset(const std::string& name)
{
    return experiments::expand(experiments::loadPreset(name, shippedResources(), {}));
}

std::vector<experiments::PlannedTrial> ltxPlan(const std::string& checkpointing, const std::string& device, int batch)
{
    return planOf(fmt::format(R"(
[model]
name = "ltx-video-2b"
[workload]
step = "train"
dtype = "bfloat16"
batch = {}
frames = 81
height = 512
width = 768
text_tokens = 128
[techniques]
checkpointing = {}
[device]
name = "{}"
)",
        batch, checkpointing, device));
}

std::vector<experiments::PlannedTrial> smallPlan(const std::string& splitFfn)
{
    return planOf(fmt::format(R"(
model.name = "ffn-stack-tiny"
techniques.split_ffn = {}
device.name = "sim:a100-40gb"
)",
        splitFfn));
}

} // namespace headroom::ui
