// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/formats/ReportFile.h"

#include "core/base/Error.h"
#include "profiling/store/OpenFiles.h"

#include <unistd.h>

#include <fstream>

namespace headroom::report {
namespace {

namespace fs = std::filesystem;

FileError unwritable(const fs::path& file, const std::string& why)
{
    return FileError("the report cannot be written: " + why, file.string(),
        "a file in a folder that exists, may be written and has free space");
}

// The file that a link leads to, so that the link stays.
fs::path target(const fs::path& file)
{
    std::error_code none;
    const fs::path real = fs::is_symlink(file, none) ? fs::canonical(file, none) : file;
    return real.empty() ? file : real;
}

void writeAll(const fs::path& file, const std::string& text)
{
    std::ofstream stream(file, std::ios::binary | std::ios::trunc);
    stream << text;
    stream.close();
    if (!stream)
        throw unwritable(file, "opening or writing failed");
}

} // namespace

void writeReportFile(const fs::path& file, const std::string& text)
{
    store::requireNotOpenHere(file);
    const fs::path real = target(file);
    std::error_code error;
    const fs::file_status status = fs::status(real, error);
    if (status.type() == fs::file_type::none)
        throw unwritable(file, error.message());
    if (fs::exists(status) && !fs::is_regular_file(status))
        throw unwritable(file, "it is there and no plain file");
    const fs::path draft = real.parent_path() / ("." + real.filename().string() + "." + std::to_string(::getpid()));
    try {
        writeAll(draft, text);
    } catch (const FileError&) {
        fs::remove(draft, error);
        throw unwritable(file, "opening or writing failed");
    }
    fs::rename(draft, real, error);
    if (!error)
        return;
    const std::string why = error.message();
    fs::remove(draft, error);
    throw unwritable(file, why);
}

} // namespace headroom::report
