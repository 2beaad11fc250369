// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/UpstreamFamily.h"

#include <string>

namespace headroom::config {

/// Throws Error if there is no such family.
const UpstreamFamily& upstreamOf(const std::string& family);

/// A model that a configuration file describes.
struct DescribedModel {
    std::string model; ///< the member of the family that differs from it least; the first of several
    ValueMap fields; ///< the fields in which it differs from that member
};

/// The model that a configuration file describes: `entries` are its keys, those of nested objects as KEY.NAME; `where`
/// is the file. Throws UsageError, naming file and key with what was found and what is valid, for a class of no known
/// family, for keys that the class does not have, for unsupported values and for fields that cannot work together.
DescribedModel modelFromUpstream(const ValueMap& entries, const std::string& where);

} // namespace headroom::config
