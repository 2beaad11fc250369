// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/Table.h"
#include "core/config/Field.h"
#include "experiments/results/OrderedJson.h"

namespace headroom::cli {

/// Name, default, valid values and help of each field.
Table fieldTable(const config::FieldSet& fields);

/// The same as records; `section` is the spec's table that contains the fields.
experiments::OrderedJson fieldRecords(const config::FieldSet& fields, const std::string& section);

} // namespace headroom::cli
