// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom::store {

/// One step of a schema: the SQL that leads from the previous version to `version`. Released steps must not be edited.
struct Migration {
    int version = 0; ///< stored in PRAGMA user_version
    std::string sql;
};

/// When SQLite waits for data to reach the disk.
enum class Durability {
    /// WAL, synchronous=NORMAL: a power failure may lose the last commits but never consistency.
    Checkpoint,
    /// A rollback journal, synchronous=OFF: safe only against a killed process. Appended data is written once; a
    /// write-ahead log would write it twice, with checksums.
    ProcessOnly
};

/// What identifies an SQLite file as one of ours, and how to migrate an older one.
struct Schema {
    std::string kind; ///< for messages: "workspace"
    std::int32_t applicationId = 0; ///< PRAGMA application_id
    Durability durability = Durability::Checkpoint;
    /// The oldest version that can be read without migration; nullopt: only the latest.
    std::optional<int> oldestReadable{};
    std::vector<Migration> migrations; ///< in ascending order of version, starting at 1

    int latestVersion() const { return migrations.empty() ? 0 : migrations.back().version; }
};

/// Experiments, trials, repeats and their traces; application_id "HDRW".
const Schema& workspaceSchema();

/// The private file of one worker process; application_id "HDRS".
const Schema& spoolSchema();

} // namespace headroom::store
