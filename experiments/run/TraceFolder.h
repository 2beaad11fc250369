// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace headroom::experiments {

/// A folder for the trace of one trial that nobody keeps; it is removed with what is in it.
class TraceFolder {
public:
    /// Throws FileError where none can be made.
    TraceFolder();
    ~TraceFolder();
    TraceFolder(const TraceFolder&) = delete;
    TraceFolder& operator=(const TraceFolder&) = delete;

    std::filesystem::path spool() const { return m_path / "trial.spool"; }

private:
    std::filesystem::path m_path;
};

} // namespace headroom::experiments
