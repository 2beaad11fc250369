// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
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

} // namespace headroom::experiments
