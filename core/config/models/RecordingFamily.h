// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/ModelFamily.h"

namespace headroom::config {

/// What stands in place of a model in trials that are recordings of other programs' runs: which model ran is not known.
/// It is in no list of models, as nothing can be run with it.
inline constexpr const char* kRecordingModel = "recording";
/// Its fields: the file's name, what its content is told by, and its format.
inline constexpr const char* kRecordingFile = "file";
inline constexpr const char* kRecordingContent = "content";
inline constexpr const char* kRecordingFormat = "format";

ModelFamily recordingFamily();

} // namespace headroom::config
