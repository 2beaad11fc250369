// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace headroom {

/// Watches, while one lives, who opens databases (*.db and what SQLite keeps beside them) in the whole process. The
/// executable links OpenHooks.cpp.
class DatabaseOpens {
public:
    DatabaseOpens();
    ~DatabaseOpens();
    DatabaseOpens(const DatabaseOpens&) = delete;
    DatabaseOpens& operator=(const DatabaseOpens&) = delete;

    /// What something other than SQLite opened: "FILE by LIBRARY". When such a descriptor is closed, the process loses
    /// all its locks on the file.
    std::vector<std::string> foreign() const;
    /// How often SQLite opened one: 0 says that nothing was watched.
    int bySqlite() const;
};

} // namespace headroom
