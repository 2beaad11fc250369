// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/kernels/FatBinary.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <elf.h>

namespace headroom::rehearsal {

namespace {

constexpr std::uint32_t kWrapperMagic = 0x466243b1;
constexpr std::uint32_t kContainerMagic = 0xba55ed50;
constexpr std::uint16_t kPtxKind = 1;
constexpr std::uint16_t kElfKind = 2;

struct Wrapper {
    std::uint32_t magic;
    std::uint32_t version;
    const char* data;
    const void* unused;
};

struct ContainerHeader {
    std::uint32_t magic;
    std::uint16_t version;
    std::uint16_t headerBytes;
    std::uint64_t bytes;
};

/// The beginning of an entry; its header is longer.
struct EntryHeader {
    std::uint16_t kind;
    std::uint16_t version;
    std::uint32_t headerBytes;
    std::uint64_t bytes;
    std::uint32_t packedBytes;
    std::uint32_t unused;
    std::uint16_t minor;
    std::uint16_t major;
    std::uint32_t architecture;
};

template <typename T> T read(const char* at)
{
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

bool isElf(const char* data)
{
    return std::memcmp(data, ELFMAG, SELFMAG) == 0;
}

class ElfSections {
public:
    explicit ElfSections(const char* elf)
        : m_elf(elf)
        , m_header(read<Elf64_Ehdr>(elf))
    {
    }

    int count() const { return m_header.e_shnum; }
    Elf64_Shdr section(int index) const
    {
        return read<Elf64_Shdr>(m_elf + m_header.e_shoff + static_cast<std::size_t>(index) * sizeof(Elf64_Shdr));
    }
    const char* text(int table, std::size_t offset) const { return m_elf + section(table).sh_offset + offset; }
    const char* name(const Elf64_Shdr& section) const { return text(m_header.e_shstrndx, section.sh_name); }
    const char* data(const Elf64_Shdr& section) const { return m_elf + section.sh_offset; }

private:
    const char* m_elf;
    Elf64_Ehdr m_header;
};

constexpr char kCodePrefix[] = ".text.";

bool elfHasKernel(const char* elf, const char* kernel)
{
    const ElfSections sections(elf);
    for (int i = 0; i < sections.count(); ++i) {
        const char* name = sections.name(sections.section(i));
        if (std::strncmp(name, kCodePrefix, sizeof kCodePrefix - 1) == 0
            && std::strcmp(name + sizeof kCodePrefix - 1, kernel) == 0)
            return true;
    }
    return false;
}

std::optional<std::size_t> elfVariableBytes(const char* elf, const char* variable)
{
    const ElfSections sections(elf);
    for (int i = 0; i < sections.count(); ++i) {
        const Elf64_Shdr table = sections.section(i);
        if (table.sh_type != SHT_SYMTAB)
            continue;
        for (std::size_t at = 0; at < table.sh_size; at += sizeof(Elf64_Sym)) {
            const auto symbol = read<Elf64_Sym>(sections.data(table) + at);
            if (ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT
                && std::strcmp(sections.text(static_cast<int>(table.sh_link), symbol.st_name), variable) == 0)
                return symbol.st_size;
        }
    }
    return std::nullopt;
}

/// Whether PTX has ".entry NAME".
bool ptxHasKernel(const char* ptx, const char* kernel)
{
    const std::size_t length = std::strlen(kernel);
    for (const char* at = std::strstr(ptx, ".entry"); at != nullptr; at = std::strstr(at + 1, ".entry")) {
        const char* name = at + std::strlen(".entry");
        name += std::strspn(name, " \t\n");
        const char after = std::strncmp(name, kernel, length) == 0 ? name[length] : 'x';
        if (after == '(' || after == ' ' || after == '\n' || after == '\t')
            return true;
    }
    return false;
}

/// PTX says its target in a line: ".target sm_90".
int ptxArchitecture(const char* ptx)
{
    const char* target = std::strstr(ptx, ".target sm_");
    return target == nullptr ? 0 : std::atoi(target + std::strlen(".target sm_"));
}

} // namespace

ModuleImage::ModuleImage(const void* image)
{
    const auto* data = static_cast<const char*>(image);
    const auto magic = read<std::uint32_t>(data);
    if (magic == kWrapperMagic)
        readContainer(read<Wrapper>(data).data);
    else if (magic == kContainerMagic)
        readContainer(data);
    else if (isElf(data))
        m_elf = data;
    else
        m_ptx = data;
    if (m_ptx != nullptr && m_entries.empty())
        m_entries.push_back({ptxArchitecture(m_ptx), true});
}

void ModuleImage::readContainer(const char* data)
{
    const auto header = read<ContainerHeader>(data);
    if (header.magic != kContainerMagic)
        return;
    const char* end = data + header.headerBytes + header.bytes;
    for (const char* at = data + header.headerBytes; at < end;) {
        const auto entry = read<EntryHeader>(at);
        if (entry.kind == kPtxKind || entry.kind == kElfKind)
            m_entries.push_back({static_cast<int>(entry.architecture), entry.kind == kPtxKind});
        at += entry.headerBytes + entry.bytes;
    }
}

int ModuleImage::architectureOn(int major, int minor) const
{
    const int card = major * 10 + minor;
    int best = 0;
    for (const CodeEntry& entry : m_entries) {
        const bool runs = entry.architecture <= card && (entry.isPtx || entry.architecture / 10 == major);
        if (runs)
            best = std::max(best, entry.architecture);
    }
    return best;
}

bool ModuleImage::runsOn(int major, int minor) const
{
    return m_entries.empty() || architectureOn(major, minor) != 0;
}

std::string ModuleImage::architectures() const
{
    std::string text;
    for (const CodeEntry& entry : m_entries)
        text += (text.empty() ? "" : ", ") + std::string(entry.isPtx ? "compute_" : "sm_")
            + std::to_string(entry.architecture);
    return text;
}

bool ModuleImage::hasKernel(const char* name) const
{
    if (m_elf != nullptr)
        return elfHasKernel(m_elf, name);
    return m_ptx == nullptr || ptxHasKernel(m_ptx, name);
}

std::optional<std::size_t> ModuleImage::variableBytes(const char* name) const
{
    return m_elf == nullptr ? std::nullopt : elfVariableBytes(m_elf, name);
}

std::string emptyContainer(int architecture)
{
    EntryHeader entry{};
    entry.kind = kElfKind;
    entry.headerBytes = sizeof entry;
    entry.architecture = static_cast<std::uint32_t>(architecture);
    const ContainerHeader header{kContainerMagic, 1, sizeof header, sizeof entry};
    std::string container(sizeof header + sizeof entry, '\0');
    std::memcpy(container.data(), &header, sizeof header);
    std::memcpy(container.data() + sizeof header, &entry, sizeof entry);
    return container;
}

} // namespace headroom::rehearsal
