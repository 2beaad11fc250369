// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace headroom::collectors {

/// Whether sizes or results of the op ("aten::nonzero") are known only from the values of its tensors: a simulated
/// device has none.
bool dependsOnValues(const std::string& op);

} // namespace headroom::collectors
