// SPDX-License-Identifier: Apache-2.0
#include "ui/spec/SpecFile.h"

#include "core/base/ReplacedFile.h"
#include "core/base/Utf8.h"
#include "experiments/spec/InputText.h"
#include "profiling/store/OpenFiles.h"

#include <filesystem>

namespace headroom::ui {

std::string readSpecFile(const QString& path)
{
    const std::string text = experiments::readInput(path.toStdString(), "the spec", "a TOML file");
    if (validUtf8(text) != text)
        throw FileError("this is no text in UTF-8", path.toStdString(), "a TOML file");
    return text;
}

bool hasOtherText(const QString& path, const std::string& text)
{
    const std::filesystem::path file = path.toStdString();
    return std::filesystem::is_regular_file(file) && experiments::readInput(file, "the spec", "a TOML file") != text;
}

void writeSpecFile(const QString& path, const std::string& text, const std::stop_token& stop)
{
    store::requireNotOpenHere(path.toStdString());
    try {
        replaceFile(path.toStdString(), text, stop);
    } catch (const UnwritableFile& error) {
        throw FileError(
            "the spec cannot be saved: " + error.why(), path.toStdString(), "a folder that can be written to");
    }
}

} // namespace headroom::ui
