// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace headroom::store {

/// SQL that creates the tables of owners, strings and records. Part of released migrations: must not be edited.
std::string workspaceRecordTables();
std::string spoolRecordTables();

/// SQL that adds what makes records quick to read, and fills it for those that are there (but for how busy something
/// was, which SQL does not tell). Part of a released migration, too.
std::string workspaceRecordIndex();

} // namespace headroom::store
