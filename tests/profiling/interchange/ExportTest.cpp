// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/interchange/ExportTest.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace headroom::interchange {

std::vector<std::string> Printed::lines() const
{
    std::vector<std::string> lines;
    std::istringstream text(out);
    for (std::string line; std::getline(text, line);)
        lines.push_back(line);
    return lines;
}

Printed python(const std::string& script, const std::vector<std::string>& arguments)
{
    std::string command = "python3 '" HEADROOM_SOURCE_DIR "/tests/profiling/interchange/" + script + "'";
    for (const std::string& argument : arguments)
        command += " '" + argument + "'";
    FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
    if (pipe == nullptr)
        throw std::runtime_error("no pipe");
    Printed printed;
    std::array<char, 65'536> buffer{};
    for (std::size_t count = 0; (count = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
        printed.out.append(buffer.data(), count);
    const int status = ::pclose(pipe);
    printed.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return printed;
}

void expectEqualLines(const std::vector<std::string>& found, const std::vector<std::string>& expected)
{
    EXPECT_EQ(found.size(), expected.size());
    const auto [ours, theirs] = std::ranges::mismatch(found, expected);
    if (ours != found.end() && theirs != expected.end())
        ADD_FAILURE() << "line " << ours - found.begin() << ": found " << *ours << ", expected " << *theirs;
}

store::RepeatImport ExportTest::importOf(const ProgramTrace& program, const trace::MemoryCounters& before)
{
    store::RepeatImport source;
    source.tracks.push_back({"device", program.events, before});
    source.owners = program.owners;
    source.phases = program.phases;
    return source;
}

RecordedTrace ExportTest::recorded(const ProgramTrace& program, const trace::MemoryCounters& before)
{
    return recorded(importOf(program, before));
}

RecordedTrace ExportTest::recorded(store::RepeatImport source)
{
    if (!m_workspace)
        m_workspace.emplace(create());
    store::ExperimentRow experiment;
    experiment.name = "sweep";
    store::TrialRow trial;
    trial.trialId = std::string(15, 'a') + std::to_string(m_trials++ % 10);
    trial.configId = std::string(16, 'c');
    trial.label = m_label;
    trial.device = m_device;
    trial.predicted = m_device.starts_with("sim:");
    experiment.id = m_workspace->addExperiment(experiment);
    trial.id = m_workspace->addTrials(experiment.id, std::vector{trial}).front();
    source.repeat.trial = trial.id;
    const std::int64_t repeat = m_workspace->importRepeat(source).repeat;
    const auto rows = m_workspace->repeats(trial.id);
    EXPECT_EQ(rows.front().id, repeat);
    return {*m_workspace, *m_workspace->findExperiment(experiment.id), *m_workspace->findTrial(trial.id), rows.front()};
}

} // namespace headroom::interchange
