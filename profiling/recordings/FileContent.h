// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

namespace headroom::recordings {

/// What a file holds by its first bytes, unpacked where it is gzip.
enum class FileContent { Pickle, Json, Page, Sqlite, Unknown };

/// Told by the first 64 bytes, or by as many as there are.
FileContent contentOf(std::string_view beginning);

/// Whether readRecording is the right reader for the file, as far as its beginning tells: JSON that is no recording (the
/// configuration of a model) and databases that no profiler wrote are others. Reads little. Throws FileError for a file
/// that cannot be read.
bool looksLikeRecording(const std::filesystem::path& path);

} // namespace headroom::recordings
