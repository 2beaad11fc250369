// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace headroom::experiments {

/// A folder for what a worker writes and nobody keeps, the trace of a trial; it is removed with what is in it.
class TraceFolder {
public:
    /// Throws FileError where none can be made.
    TraceFolder();
    ~TraceFolder();
    TraceFolder(const TraceFolder&) = delete;
    TraceFolder& operator=(const TraceFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    std::filesystem::path spool() const { return m_path / "trial.spool"; }

private:
    std::filesystem::path m_path;
};

} // namespace headroom::experiments
