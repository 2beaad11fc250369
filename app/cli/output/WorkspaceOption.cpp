// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/WorkspaceOption.h"

#include "app/cli/output/DistinctFiles.h"
#include "app/cli/output/OptionChecks.h"
#include "core/base/Error.h"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace headroom::cli {
namespace {

constexpr const char* kWorkspaceHelp = "where results are kept (HEADROOM_WORKSPACE, else headroom.db)";

void requireOneWorkspace(const std::string& argument, const std::string& other, const std::string& where)
{
    if (!argument.empty() && !other.empty() && !isSameFile(argument, other))
        throw UsageError("found \"" + other + "\", and the workspace \"" + argument + "\" as an argument too", where,
            "one workspace");
}

// Neither ids nor labels of trials are files.
bool isWorkspaceName(const std::string& word)
{
    std::error_code absent;
    return word.ends_with(".db") || std::filesystem::is_regular_file(word, absent);
}

bool isWorkingFolderGone()
{
    std::error_code gone;
    return std::filesystem::current_path(gone).empty() || gone;
}

} // namespace

void addWorkspaceOption(CLI::App& command, GivenWorkspace& workspace)
{
    command.add_option("--workspace", workspace.option, kWorkspaceHelp)->type_name("FILE")->check(notEmpty);
}

void addWorkspaceOptions(CLI::App& command, GivenWorkspace& workspace)
{
    command.add_option("workspace-file", workspace.argument, "the same as --workspace")
        ->type_name("WORKSPACE")
        ->check(notEmpty);
    addWorkspaceOption(command, workspace);
}

void addChosenExperimentOption(CLI::App& command, std::string& experiment)
{
    command.add_option("--experiment", experiment, "name (the newest of it) or number; else the newest experiment")
        ->type_name("E")
        ->check(notEmpty);
}

void takeWorkspace(std::vector<std::string>& words, GivenWorkspace& workspace)
{
    std::vector<std::string> others;
    for (const std::string& word : words) {
        if (!isWorkspaceName(word)) {
            others.push_back(word);
            continue;
        }
        requireOneWorkspace(workspace.argument, word, "WORKSPACE");
        workspace.argument = word;
    }
    words = std::move(others);
}

std::string workspacePath(const std::string& given)
{
    const char* variable = std::getenv("HEADROOM_WORKSPACE");
    std::string path = variable != nullptr && *variable != '\0' ? variable : "headroom.db";
    if (!given.empty())
        path = given;
    if (std::filesystem::path(path).is_relative() && isWorkingFolderGone())
        throw FileError(
            "the working folder is not there any more", path, "an absolute path, or a working folder that exists");
    return path;
}

std::string workspacePath(const GivenWorkspace& given)
{
    requireOneWorkspace(given.argument, given.option, "--workspace");
    return workspacePath(given.argument.empty() ? given.option : given.argument);
}

} // namespace headroom::cli
