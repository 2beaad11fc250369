// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/spec/SpecLoader.h"
#include "experiments/sweep/Sweep.h"

#include <string>

namespace headroom::ui {

/// A training step of few ops and huge tensors, so that simulations take milliseconds: at batch 24 it needs more than
/// a card of 24 GiB has.
inline config::Trial hugeTrial(int batch = 24)
{
    const std::string toml =
        "[model]\nname = \"ltx-video-tiny\"\n[workload]\nstep = \"train\"\ndtype = \"bfloat16\"\nbatch = "
        + std::to_string(batch)
        + "\nframes = 257\nheight = 4096\nwidth = 4096\n[techniques]\ntrainable = \"all\"\noptimizer = \"adamw\"\n"
          "[device]\nname = \"sim:rtx4090\"\n";
    return experiments::expand(experiments::loadSpecText(toml, "spec.toml", {})).front().trial;
}

} // namespace headroom::ui
