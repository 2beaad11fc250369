// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/archive/ExportedModel.h"
#include "core/archive/GraphReader.h"

namespace headroom::archive {

/// Reads extra/headroom.json; keys that are not known are left out. Throws FileError for another schema or other types.
CaptureNotes readCaptureNotes(const Json& json, const std::string& where);

/// What a person should know of an archive before anything runs, a sentence each: what the capture could not see, which
/// sizes it fixed and why, which lines of libraries it answered, and what runs otherwise than in Python.
std::vector<std::string> remarksOn(const ExportedModel& model);

} // namespace headroom::archive
