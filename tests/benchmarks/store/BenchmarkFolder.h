// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

namespace headroom::store {

/// A folder of this run, gone with it.
class BenchmarkFolder {
public:
    BenchmarkFolder()
        : m_path(std::filesystem::temp_directory_path() / ("headroom-benchmark-" + std::to_string(getpid())))
    {
        std::filesystem::create_directories(m_path);
    }
    ~BenchmarkFolder() { std::filesystem::remove_all(m_path); }
    BenchmarkFolder(const BenchmarkFolder&) = delete;
    BenchmarkFolder& operator=(const BenchmarkFolder&) = delete;

    std::filesystem::path file(const std::string& name) const { return m_path / name; }

private:
    std::filesystem::path m_path;
};

} // namespace headroom::store
