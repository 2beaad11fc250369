// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/traces/SpoolWriter.h"
#include "profiling/store/workspace/Workspace.h"
#include "tests/profiling/trace/RandomTrace.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace headroom::store {

/// A folder of its own for each test, a workspace with one experiment of one trial on demand.
class StoreTest : public testing::Test {
protected:
    StoreTest()
    {
        std::string name = (std::filesystem::temp_directory_path() / "headroom-store-XXXXXX").string();
        m_folder = mkdtemp(name.data());
    }
    ~StoreTest() override { std::filesystem::remove_all(m_folder); }

    std::filesystem::path file(const std::string& name) const { return m_folder / name; }
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
        for (const auto& entry : std::filesystem::directory_iterator(m_folder)) {
            const std::string content = entry.is_directory() ? "folder" : contentOf(entry.path());
            files[entry.path().filename()] = {content.size(), std::hash<std::string>{}(content)};
        }
        return files;
    }

    static std::string contentOf(const std::filesystem::path& path)
    {
        std::ifstream stream(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    static std::string integrity(const std::filesystem::path& path)
    {
        SQLite::Database database(path.string(), SQLite::OPEN_READWRITE);
        return database.execAndGet("PRAGMA integrity_check").getString();
    }

    /// Runs `body` in a child process and returns its exit code: 0 where it returned, 99 where it threw.
    static int inChild(const std::function<void()>& body)
    {
        const pid_t child = fork();
        if (child == 0) {
            try {
                body();
                _exit(testing::Test::HasFailure() ? 98 : 0);
            } catch (const std::exception& error) {
                fprintf(stderr, "child: %s\n", error.what());
                _exit(99);
            }
        }
        int status = 0;
        waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    std::filesystem::path m_folder;
};

/// The message of the FileError that `body` throws.
inline std::string fileErrorOf(const std::function<void()>& body)
{
    try {
        body();
    } catch (const FileError& error) {
        return error.what();
    }
    return "no error";
}

} // namespace headroom::store
