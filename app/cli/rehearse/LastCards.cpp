// SPDX-License-Identifier: Apache-2.0
#include "app/cli/rehearse/LastCards.h"

#include "core/base/Error.h"
#include "core/base/ReplacedFile.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostCards = 64;

fs::path fileOfLastCards()
{
    if (const char* const state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state == '/')
        return fs::path(state) / "headroom" / "cards";
    const char* const home = std::getenv("HOME");
    return home != nullptr && *home == '/' ? fs::path(home) / ".local" / "state" / "headroom" / "cards" : fs::path();
}

} // namespace

std::vector<std::string> lastCards()
{
    std::vector<std::string> names;
    std::ifstream lines(fileOfLastCards());
    for (std::string line; names.size() < kMostCards && std::getline(lines, line);)
        if (!line.empty())
            names.push_back(line);
    return names;
}

void keepLastCards(const std::vector<std::string>& names)
{
    const fs::path file = fileOfLastCards();
    if (file.empty() || names == lastCards())
        return;
    std::string text;
    for (const std::string& name : names)
        text += name + "\n";
    std::error_code impossible;
    fs::create_directories(file.parent_path(), impossible);
    try {
        replaceFile(file, text);
    } catch (const FileError&) {
        return; // a comfort, not a result
    }
}

} // namespace headroom::cli
