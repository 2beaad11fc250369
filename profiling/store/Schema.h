// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom::store {

/// One step of a schema: the SQL that leads from the version before to `version`. Released steps are never edited.
struct Migration {
    int version = 0; ///< stored in PRAGMA user_version
    std::string sql;
};

/// When SQLite waits for the disk.
enum class Durability {
    /// WAL, synchronous=NORMAL: a power cut may take the last commits, never the consistency.
    Checkpoint,
    /// A rollback journal, synchronous=OFF: safe against a killed process only. What is appended is written once, where
    /// a write-ahead log writes it twice, with checksums.
    ProcessOnly
};

/// What makes an SQLite file one of ours, and how to bring an older one up to date.
struct Schema {
    std::string kind; ///< for messages: "workspace"
    std::int32_t applicationId = 0; ///< PRAGMA application_id
    Durability durability = Durability::Checkpoint;
    /// The oldest version that a reader understands as it is; nothing: only the latest.
    std::optional<int> oldestReadable{};
    std::vector<Migration> migrations; ///< in ascending order of version, starting at 1

    int latestVersion() const { return migrations.empty() ? 0 : migrations.back().version; }
};

/// Experiments, trials, repeats and their traces; application_id "HDRW".
const Schema& workspaceSchema();

/// The private file of one worker process; application_id "HDRS".
const Schema& spoolSchema();

} // namespace headroom::store
