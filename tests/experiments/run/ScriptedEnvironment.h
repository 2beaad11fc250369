// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/EnvironmentVariable.h"
#include "tests/support/TemporaryFolder.h"
#include "tests/support/TextFiles.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace headroom::experiments {

/// Tells the scripted worker what to do, and reads what it logged.
class ScriptedEnvironment : public testing::Test {
protected:
    void script(const std::string& text) { m_script.set(text); }

    /// Lines of the worker's log that begin with `word`.
    std::vector<std::string> logged(const std::string& word) const
    {
        std::vector<std::string> lines = linesOf(contentOf(logFile()));
        std::erase_if(lines, [&](const std::string& line) { return !line.starts_with(word); });
        return lines;
    }

    std::filesystem::path logFile() const { return m_folder.path() / "log"; }
    const std::filesystem::path& folder() const { return m_folder.path(); }
    std::vector<std::string> files() const { return m_folder.names(); }
    static std::filesystem::path worker() { return SCRIPTED_WORKER; }

private:
    TemporaryFolder m_folder;
    EnvironmentVariable m_log{"HEADROOM_SCRIPT_LOG", logFile().string()};
    EnvironmentVariable m_script{"HEADROOM_SCRIPT", ""};
};

} // namespace headroom::experiments
