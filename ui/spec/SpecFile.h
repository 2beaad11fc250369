// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <stop_token>
#include <string>

namespace headroom::ui {

/// Throws FileError with the reason: not there, not readable, a device or a pipe that nobody writes to, too large, no
/// UTF-8 text.
std::string readSpecFile(const QString& path);

/// Whether the file is there and has another text. Throws FileError where it cannot be read.
bool hasOtherText(const QString& path, const std::string& text);

/// The file is replaced as a whole or stays as it was. Throws FileError with the reason. `stop` ends the waiting for a
/// reader of a pipe that does not read.
void writeSpecFile(const QString& path, const std::string& text, const std::stop_token& stop);

} // namespace headroom::ui
