// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/UpstreamFamily.h"

#include <string>

namespace headroom::config {

/// Throws Error for a family that is not there.
const UpstreamFamily& upstreamOf(const std::string& family);

/// A model that a configuration file describes.
struct DescribedModel {
    std::string model; ///< the member of the family that differs from it least; the first one where several do
    ValueMap fields; ///< those of its fields that are others than the member's
};

/// The model of a configuration file: `entries` are its keys, those of objects in it as KEY.NAME; `where` is the file.
/// Throws UsageError, naming file and key with what was found and what is valid, for a class that no family is, for
/// keys that the class does not have, for values that are not supported and for fields that cannot work together.
DescribedModel modelFromUpstream(const ValueMap& entries, const std::string& where);

} // namespace headroom::config
