// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/OutputDescriptor.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

namespace headroom::cli {

/// A file to whose end text is added; it is made where there is none.
class AppendedFile {
public:
    /// Throws FileError when the file cannot be written. `stop` ends the waiting for a reader of a pipe that does not
    /// read.
    explicit AppendedFile(std::filesystem::path path, std::stop_token stop = {});
    /// A file that was made here is taken away again where neither this nor another process has written to it.
    ~AppendedFile();
    AppendedFile(const AppendedFile&) = delete;
    AppendedFile& operator=(const AppendedFile&) = delete;

    /// Bytes in it now.
    std::size_t size() const;
    /// In one write, so that what others append does not land in between, and to the file that has the name now: who
    /// made it may have taken it away. Throws FileError.
    void append(const std::string& text);

private:
    void open();

    std::filesystem::path m_path;
    std::stop_token m_stop;
    bool m_isNew;
    std::optional<OutputDescriptor> m_file;
};

} // namespace headroom::cli
