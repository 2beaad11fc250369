// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/DesktopArguments.h"

#include "core/base/Error.h"
#include "core/base/ShownText.h"
#include "core/config/Installation.h"
#include "profiling/store/FileProbe.h"
#include "profiling/store/Schema.h"

#include <CLI/CLI.hpp>

#include <QFileInfo>

#include <cstdlib>
#include <iostream>
#include <map>
#include <utility>

namespace headroom::desktop {
namespace {

constexpr int kUsage = 2;
constexpr int kNoDisplay = 5;

constexpr const char* kNotes =
    R"(The workspace is the FILE where that is one, else --workspace, else HEADROOM_WORKSPACE, else the one that was open last, else one in
your data folder. It is the same file that headroom run and headroom report use.

Exit codes: 0 closed by the user, 2 bad usage, 5 no display or a file that cannot be read.)";

const std::map<std::string, ui::ColourScheme> kSchemes{
    {"system", ui::ColourScheme::System}, {"light", ui::ColourScheme::Light}, {"dark", ui::ColourScheme::Dark}};

struct Given {
    std::string spec;
    std::string workspace;
    std::string theme;
    bool noRestore = false;
};

void describe(CLI::App& app, Given& given)
{
    app.set_version_flag("--version", "headroom-desktop " + config::version());
    app.add_option("file", given.spec, "an experiment file, a model file (*.pt2, config.json) or a workspace to open")
        ->type_name("FILE");
    app.add_option("--workspace", given.workspace, "where results are kept")->type_name("FILE");
    app.add_option("--theme", given.theme, "colours of this start: system, light, dark")
        ->type_name("THEME")
        ->check(CLI::IsMember(kSchemes));
    app.add_flag("--no-restore", given.noRestore, "do not restore the layout of the last time");
    app.footer(kNotes);
}

// Removes Qt's arguments, such as "-platform offscreen" and "-style fusion": one dash and a word.
std::vector<std::string> withoutQtArguments(int argc, char** argv)
{
    std::vector<std::string> own;
    for (int i = argc - 1; i > 0; --i)
        own.emplace_back(argv[i]);
    std::vector<std::string> kept;
    while (!own.empty()) {
        const std::string word = own.back();
        own.pop_back();
        if (word.size() > 2 && word[0] == '-' && word[1] != '-') {
            if (!own.empty() && word.find('=') == std::string::npos)
                own.pop_back();
        } else {
            kept.insert(kept.begin(), word); // in reverse order, as the parser requires
        }
    }
    return kept;
}

bool isDisplayThere(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i)
        if (std::string(argv[i]).starts_with("-platform"))
            return true;
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        if (const char* value = std::getenv(name); value && *value)
            return true;
    return false;
}

QString absolute(const std::string& path)
{
    return path.empty() ? QString() : QFileInfo(QString::fromStdString(path)).absoluteFilePath();
}

// A workspace may be damaged; then only its name identifies it.
bool isWorkspace(const std::string& path)
{
    try {
        store::FileProbe(path, store::workspaceSchema()).require(store::Access::ReadOnly);
        return true;
    } catch (const FileError&) {
        return std::filesystem::path(path).extension() == ".db";
    }
}

// A file without an option is either the spec or the workspace.
void sortFile(Given& given)
{
    if (given.spec.empty() || !isWorkspace(given.spec))
        return;
    if (!given.workspace.empty())
        throw UsageError("there are two workspaces: " + given.spec + " and --workspace " + given.workspace, "", "one");
    given.workspace = std::exchange(given.spec, {});
}

ui::StartOptions optionsFrom(const Given& given)
{
    ui::StartOptions options;
    options.spec = absolute(given.spec);
    const char* variable = std::getenv("HEADROOM_WORKSPACE");
    options.workspace = absolute(given.workspace.empty() && variable ? variable : given.workspace);
    if (!given.theme.empty())
        options.scheme = kSchemes.at(given.theme);
    if (given.noRestore)
        options.restore = ui::Restore::Nothing;
    return options;
}

int refuse(int code, const std::string& why)
{
    std::cerr << "headroom-desktop: error: " << config::shownLine(why) << '\n';
    return code;
}

} // namespace

Start readArguments(int argc, char** argv)
{
    CLI::App app("Headroom's workbench: toggle techniques, see the predicted peak, run, compare.", "headroom-desktop");
    Given given;
    describe(app, given);
    try {
        app.parse(withoutQtArguments(argc, argv));
    } catch (const CLI::Success& asked) {
        return {{}, app.exit(asked)};
    } catch (const CLI::ParseError& error) {
        return {{}, refuse(kUsage, std::string(error.what()) + " (headroom-desktop --help says what there is)")};
    }
    if (!given.spec.empty() && !QFileInfo::exists(QString::fromStdString(given.spec)))
        return {{}, refuse(kNoDisplay, "\"" + given.spec + "\" cannot be read: no such file")};
    try {
        sortFile(given);
    } catch (const UsageError& error) {
        return {{}, refuse(kUsage, error.what())};
    }
    if (!isDisplayThere(argc, argv))
        return {{},
            refuse(kNoDisplay,
                "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set); headroom run and headroom "
                "report work without one")};
    return {optionsFrom(given), std::nullopt};
}

} // namespace headroom::desktop
