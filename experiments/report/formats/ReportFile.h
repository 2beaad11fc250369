// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>

namespace headroom::report {

/// Puts a text in the place of a file, as ReplacedFile does: readers see the old one or the new one, never a part.
/// Throws FileError; the file is then as it was. A file that the store has open is refused.
void writeReportFile(const std::filesystem::path& file, const std::string& text, std::stop_token stop = {});

} // namespace headroom::report
