// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/experiments/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace headroom::experiments {

/// Tells the scripted worker what to do, and reads what it logged.
class ScriptedEnvironment : public testing::Test {
protected:
    ScriptedEnvironment() { ::setenv("HEADROOM_SCRIPT_LOG", logFile().c_str(), 1); }
    ~ScriptedEnvironment() override
    {
        ::unsetenv("HEADROOM_SCRIPT");
        ::unsetenv("HEADROOM_SCRIPT_LOG");
    }

    static void script(const std::string& text) { ::setenv("HEADROOM_SCRIPT", text.c_str(), 1); }

    /// Lines of the worker's log that begin with `word`.
    std::vector<std::string> logged(const std::string& word) const
    {
        std::vector<std::string> lines;
        std::ifstream stream(logFile());
        for (std::string line; std::getline(stream, line);)
            if (line.starts_with(word))
                lines.push_back(line);
        return lines;
    }

    std::filesystem::path logFile() const { return m_folder.path() / "log"; }
    const std::filesystem::path& folder() const { return m_folder.path(); }
    static std::filesystem::path worker() { return SCRIPTED_WORKER; }

private:
    TemporaryFolder m_folder;
};

} // namespace headroom::experiments
