// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace headroom::report {

/// Puts a text in the place of a file: readers see the old one or the new one, never a part. Throws FileError; the
/// file is then as it was.
void writeReportFile(const std::filesystem::path& file, const std::string& text);

} // namespace headroom::report
