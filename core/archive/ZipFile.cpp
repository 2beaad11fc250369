// SPDX-License-Identifier: Apache-2.0
#include "core/archive/ZipFile.h"

#include "core/base/Error.h"

#include <algorithm>
#include <array>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <climits>
#include <minizip/unzip.h>

namespace headroom::archive {
namespace {

// A model of 100 billion parameters has some thousand weights.
constexpr std::size_t kMostEntries = 200'000;
constexpr std::size_t kLongestName = 1024;

} // namespace

struct ZipFile::Handle {
    explicit Handle(const std::filesystem::path& path)
        : file(unzOpen64(path.c_str()))
    {
    }
    ~Handle()
    {
        if (file != nullptr)
            unzClose(file);
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    unzFile file;
};

ZipFile::ZipFile(const std::filesystem::path& file)
    : m_path(file)
{
    std::error_code unreachable;
    if (!std::filesystem::is_regular_file(file, unreachable))
        throw FileError("there is no such file", file.string());
    m_handle = std::make_unique<Handle>(file);
    if (m_handle->file == nullptr)
        refuse("is no zip file");
    readDirectory();
    leaveOutFolder();
}

ZipFile::~ZipFile() = default;
ZipFile::ZipFile(ZipFile&&) noexcept = default;
ZipFile& ZipFile::operator=(ZipFile&&) noexcept = default;

void ZipFile::refuse(const std::string& what, const std::string& entry) const
{
    throw FileError(what, entry.empty() ? m_path.string() : m_path.string() + ": " + entry,
        "an archive that torch.export.save wrote");
}

void ZipFile::readDirectory()
{
    std::array<char, kLongestName + 1> name{};
    int state = unzGoToFirstFile(m_handle->file);
    for (; state == UNZ_OK; state = unzGoToNextFile(m_handle->file)) {
        unz_file_info64 info{};
        if (unzGetCurrentFileInfo64(m_handle->file, &info, name.data(), kLongestName, nullptr, 0, nullptr, 0) != UNZ_OK)
            refuse("has a damaged directory");
        if (info.size_filename > kLongestName)
            refuse("has an entry with a name of " + std::to_string(info.size_filename) + " characters");
        m_entries.insert_or_assign(
            std::string(name.data(), info.size_filename), ZipEntry{info.uncompressed_size, std::uint32_t(info.crc)});
        if (m_entries.size() > kMostEntries)
            refuse("has more than " + std::to_string(kMostEntries) + " entries");
    }
    if (state != UNZ_END_OF_LIST_OF_FILE)
        refuse("has a damaged directory");
}

// torch.export.save puts everything into a folder named after the file.
void ZipFile::leaveOutFolder()
{
    if (m_entries.empty())
        return;
    const std::string& first = m_entries.begin()->first;
    const std::string folder = first.substr(0, first.find('/') + 1);
    const bool isOfAll =
        std::ranges::all_of(m_entries, [&](const auto& entry) { return entry.first.starts_with(folder); });
    if (folder.empty() || !isOfAll)
        return;
    m_folder = folder;
    std::map<std::string, ZipEntry> entries;
    for (const auto& [name, entry] : m_entries)
        entries.emplace(name.substr(folder.size()), entry);
    m_entries = std::move(entries);
}

std::string ZipFile::text(const std::string& name, std::uint64_t limit) const
{
    const auto found = m_entries.find(name);
    if (found == m_entries.end())
        refuse("has no entry of this name", name);
    if (found->second.bytes > limit)
        refuse("has " + std::to_string(found->second.bytes) + " bytes, more than " + std::to_string(limit), name);
    std::string text(found->second.bytes, '\0');
    read(name, 0, text);
    return text;
}

void ZipFile::read(const std::string& name, std::uint64_t offset, std::span<char> target) const
{
    const auto found = m_entries.find(name);
    if (found == m_entries.end() || offset > found->second.bytes || target.size() > found->second.bytes - offset)
        refuse("does not have " + std::to_string(target.size()) + " bytes at " + std::to_string(offset), name);
    unzFile file = m_handle->file;
    if (unzLocateFile(file, (m_folder + name).c_str(), 1) != UNZ_OK || unzOpenCurrentFile(file) != UNZ_OK)
        refuse("cannot be read", name);
    std::array<char, 1 << 16> skipped;
    const auto take = [&](char* to, std::uint64_t bytes) {
        for (std::uint64_t done = 0; done < bytes;) {
            const auto piece = static_cast<unsigned>(std::min<std::uint64_t>(bytes - done, 1 << 16));
            const int got = unzReadCurrentFile(file, to == nullptr ? skipped.data() : to + done, piece);
            if (got <= 0) {
                unzCloseCurrentFile(file);
                refuse("is cut off or damaged", name);
            }
            done += static_cast<std::uint64_t>(got);
        }
    };
    take(nullptr, offset);
    take(target.data(), target.size());
    const bool isWhole = offset + target.size() == found->second.bytes;
    if (isWhole) { // a last read finds the end, and compares the checksum
        char beyond = 0;
        if (unzReadCurrentFile(file, &beyond, 1) != 0) {
            unzCloseCurrentFile(file);
            refuse("is longer than it says", name);
        }
    }
    if (unzCloseCurrentFile(file) != UNZ_OK && isWhole)
        refuse("is damaged: its checksum is another", name);
}

std::string ZipFile::contentId() const
{
    std::string directory;
    for (const auto& [name, entry] : m_entries)
        directory += name + "\n" + std::to_string(entry.bytes) + " " + std::to_string(entry.crc32) + "\n";
    const boost::uuids::name_generator_sha1 generator(boost::uuids::ns::oid());
    std::string digits = boost::uuids::to_string(generator(directory));
    std::erase(digits, '-');
    return digits.substr(digits.size() - 16);
}

} // namespace headroom::archive
