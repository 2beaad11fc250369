// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/program/Program.h"

#include "core/base/Error.h"
#include "profiling/store/workspace/Workspace.h"
#include "tests/support/Checkout.h"
#include "tests/support/Waiting.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <thread>

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;

using Pipe = std::array<int, 2>;

Pipe openPipe()
{
    Pipe ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        throw std::runtime_error("no pipe");
    return ends;
}

std::string readAll(int descriptor)
{
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t count = 0; (count = ::read(descriptor, buffer.data(), buffer.size())) > 0;)
        text.append(buffer.data(), static_cast<std::size_t>(count));
    ::close(descriptor);
    return text;
}

// Where it was built; or else beside the worker that the environment names, as in a folder that was carried elsewhere.
fs::path programPath()
{
    const char* const worker = std::getenv("HEADROOM_WORKER");
    return fs::exists(HEADROOM_PROGRAM) || worker == nullptr ? fs::path(HEADROOM_PROGRAM)
                                                             : fs::path(worker).parent_path() / "headroom";
}

[[noreturn]] void start(const std::vector<std::string>& arguments, const fs::path& folder, int out, int err)
{
    std::vector<char*> argv;
    std::string program = programPath().string();
    argv.push_back(program.data());
    std::vector<std::string> copies = arguments;
    for (std::string& argument : copies)
        argv.push_back(argument.data());
    argv.push_back(nullptr);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(err, STDERR_FILENO);
    if (::chdir(folder.c_str()) == 0)
        ::execv(program.c_str(), argv.data());
    ::_exit(126);
}

} // namespace

Program::Program()
{
    setVariable("HEADROOM_WORKER", SCRIPTED_WORKER);
    setVariable("HEADROOM_RESOURCES", shippedResources().string());
    setVariable("HEADROOM_SCRIPT", "");
    setVariable("HEADROOM_SCRIPT_LOG", (m_log.path() / "log").string());
    setVariable("HEADROOM_WORKSPACE", "");
    setVariable("LC_ALL", "C");
}

Ended Program::run(const std::string& arguments)
{
    std::istringstream words(arguments);
    return run(std::vector<std::string>{std::istream_iterator<std::string>(words), {}});
}

Ended Program::run(const std::vector<std::string>& arguments)
{
    return run(arguments, [](pid_t) { });
}

Ended Program::run(const std::vector<std::string>& arguments, const std::function<void(pid_t)>& meanwhile)
{
    const Pipe out = openPipe();
    const Pipe err = openPipe();
    const pid_t child = ::fork();
    if (child == 0) {
        for (const auto& [name, value] : m_variables)
            ::setenv(name.c_str(), value.c_str(), 1);
        if (m_preparation)
            m_preparation();
        const int output = m_outputFile.empty() ? out[1] : ::open(m_outputFile.c_str(), O_WRONLY | O_CLOEXEC);
        start(arguments, m_folder.path(), output, err[1]);
    }
    ::close(out[1]);
    ::close(err[1]);
    Ended ended;
    std::thread errors([&] { ended.err = readAll(err[0]); });
    std::thread output([&] { ended.out = readAll(out[0]); });
    meanwhile(child);
    errors.join();
    output.join();
    int status = 0;
    ::waitpid(child, &status, 0);
    ended.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return ended;
}

std::string Program::recordingMadeByHand(const std::string& name)
{
    return checkout("tests/fuzz/corpus/recording/" + name).string();
}

std::string Program::contents(const std::string& name) const
{
    return contentOf(m_folder.path() / name);
}

bool Program::exists(const std::string& name) const
{
    return fs::exists(m_folder.path() / name);
}

std::map<std::string, std::string> Program::files() const
{
    std::map<std::string, std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(m_folder.path()))
        found[entry.path().string()] = entry.is_regular_file() ? contentOf(entry.path()) : "";
    return found;
}

std::size_t Program::requests() const
{
    std::size_t count = 0;
    for (const std::string& line : linesOf(contentOf(m_log.path() / "log")))
        count += line.starts_with("request") ? 1 : 0;
    return count;
}

void Program::waitForRequests(std::size_t count) const
{
    EXPECT_TRUE(comesTrue([&] { return requests() >= count; }, std::chrono::milliseconds(5)));
}

bool Program::hasStored(const std::string& workspace) const
{
    if (!exists(workspace))
        return false;
    try {
        const auto tallies = store::Workspace::open(path(workspace), store::Access::ReadOnly).tallies();
        return tallies.contains(1) && tallies.at(1).reached > 0;
    } catch (const FileError&) {
        return false; // it is being made
    }
}

std::vector<pid_t> workersOf(pid_t program)
{
    std::vector<pid_t> workers;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        std::ifstream stat(entry.path() / "stat");
        std::string pid, name, state;
        pid_t parent = 0;
        if (stat >> pid >> name >> state >> parent && parent == program && name == "(headroom-worker)")
            workers.push_back(static_cast<pid_t>(std::stoi(pid)));
    }
    std::ranges::sort(workers);
    return workers;
}

std::optional<pid_t> workerOf(pid_t program)
{
    const std::vector<pid_t> workers = workersOf(program);
    return workers.empty() ? std::nullopt : std::optional(workers.back());
}

} // namespace headroom::cli
