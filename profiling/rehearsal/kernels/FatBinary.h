// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace headroom::rehearsal {

/// Code of one architecture in what a compiler packed.
struct CodeEntry {
    int architecture = 0; ///< capability times 10: 90
    bool isPtx = false;
};

/// What a module is made of: a container of code for several architectures, one binary (ELF) or PTX as text.
class ModuleImage {
public:
    /// `image` stays where it is for as long as this does.
    explicit ModuleImage(const void* image);

    /// Whether a card of that capability runs it: code of the same major version and at most the minor one, or PTX of
    /// at most both.
    bool runsOn(int major, int minor) const;
    /// The architecture of the code that is taken there, 0 for none.
    int architectureOn(int major, int minor) const;
    /// "sm_75, sm_80, compute_90".
    std::string architectures() const;
    /// Whether it has that kernel; where it is packed, nobody can tell and it is taken to be there.
    bool hasKernel(const char* name) const;
    /// Bytes of a variable; nothing where it has none of that name, or nobody can tell.
    std::optional<std::size_t> variableBytes(const char* name) const;

private:
    void readContainer(const char* data);

    std::vector<CodeEntry> m_entries;
    const char* m_elf = nullptr;
    const char* m_ptx = nullptr;
};

/// A container for one architecture without instructions, in which every kernel is found.
std::string emptyContainer(int architecture);

} // namespace headroom::rehearsal
