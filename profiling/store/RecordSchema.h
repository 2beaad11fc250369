// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace headroom::store {

/// SQL that makes the tables of owners, strings and records. Part of released migrations: never edited.
std::string workspaceRecordTables();
std::string spoolRecordTables();

} // namespace headroom::store
