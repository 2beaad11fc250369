// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace/NamedFile.h"

#include "core/base/Error.h"
#include "core/base/ShellWords.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace headroom::cli {
namespace {

constexpr std::array<std::string_view, 9> kEndings{
    ".pickle", ".pkl", ".gz", ".json", ".jsonl", ".html", ".sqlite", ".db", ".nsys-rep"};

bool isWorkspace(const std::string& name)
{
    return name.ends_with(".db");
}

} // namespace

// Labels have dots of their own: "checkpointing blocks:0-3.7".
bool isFileName(const std::string& name)
{
    return std::ranges::any_of(kEndings, [&](std::string_view ending) { return name.ends_with(ending); });
}

void requireNamedFile(const std::string& name, const std::string& valid)
{
    if (isFileName(name) && !std::filesystem::exists(name))
        throw FileError("no such file", name, valid);
}

void refuseFile(const std::string& name, const std::string& where)
{
    if (!isFileName(name))
        return;
    requireNamedFile(name, "the id or label of a trial with a trace");
    if (isWorkspace(name))
        throw UsageError("found the workspace " + name, where, "a trial before it: headroom trace show TRIAL " + name);
    throw UsageError("found the file " + name + ", which is no trial of a workspace yet", where,
        experiments::shellCommand({"headroom", "trace", "import", name}) + ", then headroom trace show "
            + experiments::shellCommand({std::filesystem::path(name).stem().string()}));
}

} // namespace headroom::cli
