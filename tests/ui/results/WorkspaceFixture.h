// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/report/reading/ReportReader.h"
#include "tests/support/TemporaryFolder.h"
#include "ui/session/ResultSet.h"

#include <QString>

#include <filesystem>
#include <string>
#include <thread>

namespace headroom::ui {

/// A folder with workspaces that simulated runs of the real worker fill.
class WorkspaceFixture {
public:
    std::filesystem::path path(const std::string& name = "headroom.db") const { return m_folder.path() / name; }
    QString text(const std::string& name = "headroom.db") const { return QString::fromStdString(path(name).string()); }
    const TemporaryFolder& folder() const { return m_folder; }

    /// Runs a spec of ffn-stack-tiny on sim:t4, unless it says otherwise, and waits for its end.
    void run(const std::string& toml, const std::string& name = "headroom.db") const;

    /// What the newest experiment of the workspace says, read here and now.
    Results results(const std::string& name = "headroom.db") const;

private:
    TemporaryFolder m_folder;
};

/// Four trials that complete.
inline constexpr const char* kFour = R"(name = "four"
workload.step = "inference"
workload.sequence_length = [64, 128]
techniques.split_ffn = ["off", "2"]
)";

} // namespace headroom::ui
