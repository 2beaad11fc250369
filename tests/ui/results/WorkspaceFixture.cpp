// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/results/WorkspaceFixture.h"

#include "core/config/Installation.h"
#include "experiments/run/ExperimentRunner.h"
#include "experiments/spec/SpecLoader.h"

namespace headroom::ui {

void WorkspaceFixture::run(const std::string& toml, const std::string& name) const
{
    const bool namesDevice = toml.find("device.name") != std::string::npos;
    const std::string start =
        std::string("model.name = \"ffn-stack-tiny\"\n") + (namesDevice ? "" : "device.name = \"sim:t4\"\n");
    const auto spec = experiments::loadSpecText(start + toml, "spec.toml", {});
    experiments::RunOptions options;
    options.worker = config::workerProgram();
    options.resources = config::resourceDirectory();
    options.commandLine = "headroom run spec.toml";
    experiments::RunObserver observer;
    experiments::ExperimentRunner(options, observer).run(spec, experiments::expand(spec), path(name));
}

Results WorkspaceFixture::results(const std::string& name) const
{
    store::Workspace workspace = experiments::openForReading(path(name));
    experiments::DeviceFit deviceFit(config::resourceDirectory());
    return std::make_shared<const ResultSet>(path(name).string(),
        report::readReport(workspace, experiments::chooseExperiment(workspace, "", "experiment"), deviceFit,
            report::Identity::Shown, report::Extent::Results));
}

} // namespace headroom::ui
