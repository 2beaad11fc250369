// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace headroom::store {

/// SQL that creates the tables of owners, strings and records. Part of released migrations: must not be edited.
std::string workspaceRecordTables();
std::string spoolRecordTables();

} // namespace headroom::store
