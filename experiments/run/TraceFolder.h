// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/run/PrivateFolder.h"

namespace headroom::experiments {

/// A folder for what a worker writes and nobody keeps, the trace of a trial.
class TraceFolder {
public:
    /// Throws FileError where none can be made.
    TraceFolder();

    const std::filesystem::path& path() const { return m_folder.path(); }
    std::filesystem::path spool() const { return path() / "trial.spool"; }

private:
    PrivateFolder m_folder;
};

} // namespace headroom::experiments
