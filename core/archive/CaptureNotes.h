// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedModel.h"
#include "core/archive/GraphReader.h"

namespace headroom::archive {

/// Reads extra/headroom.json; keys that are not known are left out. Throws FileError for another schema or other types.
CaptureNotes readCaptureNotes(const Json& json, const std::string& where);

} // namespace headroom::archive
