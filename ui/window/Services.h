// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/answer/Predictor.h"
#include "ui/look/Theme.h"
#include "ui/printing/ReportExporter.h"
#include "ui/results/WorkspaceService.h"
#include "ui/runs/MachineProbe.h"
#include "ui/runs/RunService.h"
#include "ui/session/Selection.h"
#include "ui/spec/SpecSession.h"

namespace headroom::ui {

/// The services that the window's views share. Those that own threads end them in their destructors.
struct Services {
    Theme theme;
    Selection selection;
    SpecSession spec;
    Predictor predictor;
    RunService runs;
    WorkspaceService workspaces;
    ReportExporter exporter;
    MachineProbe machine;
};

} // namespace headroom::ui
