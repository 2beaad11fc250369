// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/results/OrderedJson.h"
#include "tests/support/TemporaryFolder.h"
#include "tests/support/TextFiles.h"

#include <gtest/gtest.h>
#include <sys/types.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::cli {

/// How the program ended and what it printed.
struct Ended {
    int exitCode = -1; ///< 128 + signal when a signal ended it
    std::string out;
    std::string err;

    experiments::OrderedJson json() const { return experiments::OrderedJson::parse(out); }
    /// A member of the JSON output, by value so that it can be iterated over.
    experiments::OrderedJson json(const char* key) const { return json().at(key); }
};

/// Runs the command-line program in its own empty folder, with the scripted worker and the project's resources.
class Program : public testing::Test {
protected:
    Program();

    /// Arguments are separated by blanks, as in a shell, but without quoting.
    Ended run(const std::string& arguments);
    Ended run(const std::vector<std::string>& arguments);
    /// Calls `meanwhile` with the process id while the program runs.
    Ended run(const std::vector<std::string>& arguments, const std::function<void(pid_t)>& meanwhile);

    void setVariable(const std::string& name, const std::string& value) { m_variables[name] = value; }
    /// Called in the child before the program starts.
    void beforeStart(std::function<void()> preparation) { m_preparation = std::move(preparation); }

    /// Sends standard output to the file and not into the result of `run`.
    void sendOutputTo(const std::string& file) { m_outputFile = file; }

    void write(const std::string& name, const std::string& text) const { m_folder.write(name, text); }
    std::string contents(const std::string& name) const;
    bool exists(const std::string& name) const;
    /// All files of the folder, with their contents.
    std::map<std::string, std::string> files() const;
    /// A small recording of another program, in the sources.
    static std::string recordingMadeByHand(const std::string& name);
    std::string path(const std::string& name) const { return (m_folder.path() / name).string(); }
    /// How often the scripted worker was asked to run a trial.
    std::size_t requests() const;
    /// Whether its first experiment has a repeat in the workspace, which may not be there yet.
    bool hasStored(const std::string& workspace) const;
    /// Waits until it was asked this many times.
    void waitForRequests(std::size_t count) const;

private:
    TemporaryFolder m_folder;
    TemporaryFolder m_log;
    std::map<std::string, std::string> m_variables;
    std::function<void()> m_preparation;
    std::string m_outputFile;
};

/// The program's running workers by their ids, from /proc.
std::vector<pid_t> workersOf(pid_t program);
/// The program's newest running worker; an older one may still be exiting.
std::optional<pid_t> workerOf(pid_t program);

} // namespace headroom::cli
