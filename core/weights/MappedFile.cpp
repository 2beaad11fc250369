// SPDX-License-Identifier: Apache-2.0
#include "core/weights/MappedFile.h"

#include "core/base/Error.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace headroom::tensor {

MappedBytes::MappedBytes(void* mapping, std::size_t mappedBytes, std::span<char> data)
    : m_mapping(mapping)
    , m_mappedBytes(mappedBytes)
    , m_data(data)
{
}

MappedBytes::~MappedBytes()
{
    if (m_mapping != nullptr)
        ::munmap(m_mapping, m_mappedBytes);
}

// Without O_NONBLOCK, opening a pipe without a writer would block.
MappedFile::MappedFile(std::filesystem::path path)
    : m_path(std::move(path))
    , m_descriptor(::open(m_path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK))
{
    if (m_descriptor < 0)
        throw FileError("cannot be opened for reading", m_path.string());
    struct stat status{};
    if (::fstat(m_descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        ::close(m_descriptor);
        throw FileError("is no file that can be read", m_path.string(), "a regular file");
    }
    m_size = status.st_size;
}

MappedFile::~MappedFile()
{
    ::close(m_descriptor);
}

Bytes MappedFile::sizeNow() const
{
    struct stat status{};
    return ::fstat(m_descriptor, &status) == 0 ? status.st_size : 0;
}

// Touching pages past the end of a file that was truncated in the meantime would kill the process.
std::shared_ptr<const MappedBytes> MappedFile::map(Bytes begin, Bytes length) const
{
    if (begin < 0 || length < 0 || begin > m_size || length > m_size - begin)
        throw FileError(
            "has no bytes " + std::to_string(begin) + " to " + std::to_string(begin) + " + " + std::to_string(length),
            m_path.string(), std::to_string(m_size) + " bytes");
    if (length == 0)
        return std::make_shared<MappedBytes>();
    if (sizeNow() < begin + length)
        throw FileError("has become shorter since it was opened", m_path.string());
    const Bytes page = ::sysconf(_SC_PAGESIZE);
    const Bytes lead = begin % page;
    const auto mappedBytes = static_cast<std::size_t>(length + lead);
    void* mapping = ::mmap(nullptr, mappedBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, m_descriptor, begin - lead);
    if (mapping == MAP_FAILED)
        throw FileError(std::string("cannot be mapped: ") + std::strerror(errno), m_path.string());
    char* data = static_cast<char*>(mapping) + lead;
    return std::make_shared<MappedBytes>(mapping, mappedBytes, std::span(data, static_cast<std::size_t>(length)));
}

} // namespace headroom::tensor
