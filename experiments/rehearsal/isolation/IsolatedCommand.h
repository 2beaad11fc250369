// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace headroom::experiments {

/// A command and what it may change.
struct CommandTerms {
    enum class Writes {
        Discarded, ///< it reads what is there and sees what it wrote itself, and nobody else does
        Real
    };
    enum class Network {
        Loopback, ///< one of its own, of which nothing but itself is part
        Real
    };

    std::vector<std::string> command;
    std::map<std::string, std::string> variables{}; ///< set over the environment of this process
    std::filesystem::path folder; ///< is there; written for real
    std::vector<std::filesystem::path> written{}; ///< others that are
    Writes writes = Writes::Discarded;
    Network network = Network::Loopback;
    std::chrono::nanoseconds timeout{}; ///< zero: none
    std::vector<std::filesystem::path> hidden = gpuFiles(); ///< cannot be opened, whatever the rest says

    /// Through which programs reach a GPU, as far as they are there.
    static std::vector<std::filesystem::path> gpuFiles();
};

struct CommandEnd {
    int exitCode = 0; ///< as a shell has it: 128 and the signal that ended it
    bool timedOut = false;
    bool stopped = false;
    std::string isolation{}; ///< "overlay", "landlock", "none"
    std::vector<std::string> lacking{}; ///< what it was not kept from, or kept from beyond its terms, with the reason
};

/// A command that runs from the beginning of this object to its end. Its standard output is our standard error, its
/// standard input is ours. It gains no rights by starting programs. Nothing that descends from it outlives it, the
/// object, or this process, however that ends.
///
/// Several may be there at once, of several threads; each has an overlay and a network of its own.
class IsolatedCommand {
public:
    /// Throws UsageError where it cannot be kept to its terms here, or there is no such program: nothing was started.
    explicit IsolatedCommand(CommandTerms terms);
    ~IsolatedCommand();
    IsolatedCommand(const IsolatedCommand&) = delete;
    IsolatedCommand& operator=(const IsolatedCommand&) = delete;

    /// Waits until all is over. Asks `shallEnd` some 20 ms apart: true ends it now.
    CommandEnd wait(const std::function<bool()>& shallEnd);

private:
    class Run;
    std::unique_ptr<Run> m_run;
};

} // namespace headroom::experiments
