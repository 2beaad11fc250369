// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/traces/SpoolWriter.h"
#include "profiling/store/workspace/Workspace.h"
#include "tests/profiling/trace/RandomTrace.h"
#include "tests/support/Refusal.h"
#include "tests/support/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace headroom::store {

/// A folder of its own for each test, a workspace with one experiment of one trial on demand.
class StoreTest : public testing::Test {
protected:
    std::filesystem::path file(const std::string& name) const { return m_folder.file(name); }
    std::filesystem::path workspacePath() const { return file("headroom.db"); }

    Workspace create() const { return Workspace::open(workspacePath(), Access::Create); }

    static std::int64_t addTrial(Workspace& workspace, int expectedRepeats = 1)
    {
        ExperimentRow experiment;
        experiment.name = "sweep";
        TrialRow trial;
        trial.requestJson = "{}";
        trial.trialId = std::string(16, 'a');
        trial.configId = std::string(16, 'c');
        trial.device = "cpu";
        trial.expectedRepeats = expectedRepeats;
        return workspace.addTrials(workspace.addExperiment(experiment), std::vector{trial}).front();
    }

    static RepeatImport repeatOf(std::int64_t trial, int index, Outcome outcome = Outcome::Completed)
    {
        RepeatImport source;
        source.repeat.trial = trial;
        source.repeat.repeatIndex = index;
        source.repeat.outcome = outcome;
        return source;
    }

    /// Every file of the folder with its size and a hash of its content: to see that nothing was touched.
    std::map<std::string, std::pair<std::size_t, std::size_t>> snapshot() const
    {
        std::map<std::string, std::pair<std::size_t, std::size_t>> files;
        for (const auto& entry : std::filesystem::directory_iterator(m_folder.path())) {
            const std::string content = entry.is_directory() ? "folder" : contentOf(entry.path());
            files[entry.path().filename()] = {content.size(), std::hash<std::string>{}(content)};
        }
        return files;
    }

    static std::string integrity(const std::filesystem::path& path)
    {
        SQLite::Database database(path.string(), SQLite::OPEN_READWRITE);
        return database.execAndGet("PRAGMA integrity_check").getString();
    }

    TemporaryFolder m_folder;
};

} // namespace headroom::store
