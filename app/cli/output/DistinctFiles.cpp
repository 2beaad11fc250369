// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/DistinctFiles.h"

#include "core/base/Error.h"
#include "core/base/OutputDescriptor.h"

#include <system_error>

namespace headroom::cli {
namespace {

namespace fs = std::filesystem;

fs::path placeOf(const fs::path& path)
{
    std::error_code none;
    const fs::path absolute = fs::absolute(behindLinks(path), none);
    const fs::path place = fs::weakly_canonical(none ? path : absolute, none);
    return none ? path.lexically_normal() : place;
}

bool isDevice(const fs::path& path)
{
    std::error_code none;
    return fs::is_character_file(path, none) || fs::is_block_file(path, none);
}

// "w.db-wal", "w.db.1-0.spool" with its own "-journal", where the collector of a traced run writes, and "w.db.1.run",
// which the next run deletes.
bool isBeside(const std::string& name, const std::string& workspace)
{
    if (!name.starts_with(workspace))
        return false;
    const std::string rest = name.substr(workspace.size());
    return rest == "-wal" || rest == "-shm" || rest == "-journal"
        || (rest.starts_with('.') && (rest.find(".spool") != std::string::npos || rest.ends_with(".run")));
}

} // namespace

void DistinctFiles::keep(const fs::path& file, const std::string& what)
{
    m_files.push_back({file, what});
}

void DistinctFiles::keepWorkspace(const fs::path& file)
{
    m_workspaces.push_back({file, "the workspace itself"});
    keep(file, "the workspace itself");
    for (const char* suffix : {"-wal", "-shm", "-journal"})
        keep(placeOf(file).string() + suffix, "a file of the workspace itself");
}

void DistinctFiles::keepWeights(const fs::path& fileOrFolder)
{
    constexpr const char* kWhat = "a file of the model's weights";
    std::error_code none;
    keep(fileOrFolder, kWhat);
    const bool isFolder = fs::is_directory(fileOrFolder, none);
    if (!isFolder && fileOrFolder.extension() != ".json")
        return;
    const fs::path folder = isFolder ? fileOrFolder : fs::path(placeOf(fileOrFolder)).parent_path();
    for (const auto& entry : fs::directory_iterator(folder, none))
        if (isFolder || entry.path().extension() == ".safetensors")
            keep(entry.path(), kWhat);
}

void DistinctFiles::write(const std::string& flag, const fs::path& file)
{
    for (const NamedFile& other : m_files)
        if (isSameFile(file, other.path))
            throw UsageError("\"" + file.string() + "\" is " + other.what, flag, "a file of its own");
    for (const NamedFile& workspace : m_workspaces)
        requireOutsideOf(workspace, flag, file);
    m_files.push_back({file, "the file of " + flag + " too"});
}

void DistinctFiles::requireOutsideOf(const NamedFile& workspace, const std::string& flag, const fs::path& file) const
{
    const fs::path own = placeOf(workspace.path);
    const fs::path place = placeOf(file);
    if (place.parent_path() == own.parent_path() && isBeside(place.filename().string(), own.filename().string()))
        throw UsageError("\"" + file.string() + "\" is a file of " + workspace.what, flag, "a file of its own");
}

bool isSameFile(const fs::path& a, const fs::path& b)
{
    if (isDevice(a) || isDevice(b))
        return false;
    std::error_code absent;
    return fs::equivalent(a, b, absent) || placeOf(a) == placeOf(b);
}

} // namespace headroom::cli
