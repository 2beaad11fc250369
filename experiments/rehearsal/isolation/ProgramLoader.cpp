// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/isolation/ProgramLoader.h"

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace headroom::experiments {
namespace {

namespace fs = std::filesystem;

constexpr int kMostHeaders = 64;
constexpr std::size_t kLongestPath = 4096;

fs::path pathOf(const std::string& program)
{
    if (program.find('/') != std::string::npos)
        return program;
    const char* const all = std::getenv("PATH");
    std::istringstream folders(all == nullptr ? "" : all);
    for (std::string folder; std::getline(folders, folder, ':');)
        if (const fs::path path = fs::path(folder.empty() ? "." : folder) / program; ::access(path.c_str(), X_OK) == 0)
            return path;
    return {};
}

template <typename T> bool read(std::ifstream& file, std::uint64_t at, T& value)
{
    return static_cast<bool>(
        file.seekg(static_cast<std::streamoff>(at)).read(reinterpret_cast<char*>(&value), sizeof value));
}

std::string textAt(std::ifstream& file, std::uint64_t at, std::size_t bytes)
{
    std::string text(std::min(bytes, kLongestPath), '\0');
    file.seekg(static_cast<std::streamoff>(at)).read(text.data(), static_cast<std::streamsize>(text.size()));
    return file ? text.c_str() : std::string();
}

} // namespace

fs::path loaderOf(const std::string& program)
{
    std::ifstream file(pathOf(program), std::ios::binary);
    Elf64_Ehdr header{};
    if (!read(file, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0
        || header.e_ident[EI_CLASS] != ELFCLASS64)
        return {};
    for (int i = 0; i < std::min<int>(header.e_phnum, kMostHeaders); ++i) {
        Elf64_Phdr segment{};
        if (!read(file, header.e_phoff + static_cast<std::uint64_t>(i) * header.e_phentsize, segment))
            return {};
        if (segment.p_type == PT_INTERP)
            return textAt(file, segment.p_offset, segment.p_filesz);
    }
    return {};
}

bool isOfMusl(const fs::path& loader)
{
    return loader.filename().string().starts_with("ld-musl");
}

} // namespace headroom::experiments
