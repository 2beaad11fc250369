// SPDX-License-Identifier: Apache-2.0
#include "profiling/interchange/ExportFormat.h"

#include "core/base/Error.h"
#include "core/base/ReplacedFile.h"
#include "profiling/interchange/ChromeExport.h"
#include "profiling/interchange/NsysExport.h"
#include "profiling/interchange/SnapshotExport.h"

#include <array>

namespace headroom::interchange {
namespace {

constexpr std::array kFormats{ExportFormat::PyTorchSnapshot, ExportFormat::Chrome, ExportFormat::Nsys};

ExportSummary write(const RecordedTrace& trace, ExportFormat format, ReplacedFile& file, const ExportOptions& options)
{
    switch (format) {
    case ExportFormat::PyTorchSnapshot:
        return SnapshotExport(trace, file).write();
    case ExportFormat::Chrome:
        return ChromeExport(trace, file, options.width).write();
    case ExportFormat::Nsys:
        return NsysExport(trace, file).write();
    }
    return {};
}

} // namespace

std::string_view toText(ExportFormat format)
{
    switch (format) {
    case ExportFormat::PyTorchSnapshot:
        return "pytorch-snapshot";
    case ExportFormat::Chrome:
        return "chrome";
    case ExportFormat::Nsys:
        return "nsys";
    }
    return "";
}

ExportFormat exportFormatFromText(std::string_view text, const std::string& where)
{
    std::string valid;
    for (const ExportFormat format : kFormats) {
        if (text == toText(format))
            return format;
        valid += (valid.empty() ? "" : ", ") + std::string(toText(format));
    }
    throw UsageError("found \"" + std::string(text) + "\"", where, valid);
}

ExportSummary exportTrace(
    const RecordedTrace& trace, ExportFormat format, const std::filesystem::path& path, const ExportOptions& options)
{
    ReplacedFile file(path);
    ExportSummary summary = write(trace, format, file, options);
    file.commit();
    summary.bytes = file.size();
    return summary;
}

} // namespace headroom::interchange
