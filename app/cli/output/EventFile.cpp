// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/EventFile.h"

#include "core/base/Error.h"

#include <utility>

namespace headroom::cli {

EventFile::EventFile(const std::filesystem::path& path, std::stop_token stop)
    : m_path(path)
    , m_stream(this)
{
    try {
        m_file.emplace(path, OutputDescriptor::Start::Kept, path, std::move(stop));
    } catch (const FileError& error) {
        throw FileError("event " + error.problem(), error.where(), error.valid());
    }
}

void EventFile::close()
{
    m_stream.flush();
    m_file.reset();
    if (!m_stream)
        throw FileError("event file could not be written to its end", m_path.string(),
            "a disk with free space, a reader that reads");
}

std::streamsize EventFile::xsputn(const char* text, std::streamsize size)
{
    m_pending.append(text, static_cast<std::size_t>(size));
    return size;
}

EventFile::int_type EventFile::overflow(int_type character)
{
    if (!traits_type::eq_int_type(character, traits_type::eof()))
        m_pending += traits_type::to_char_type(character);
    return traits_type::not_eof(character);
}

// What cannot be written makes the stream bad, which close() tells of: the run goes on.
int EventFile::sync()
{
    if (!m_file)
        return -1; // it was closed
    if (m_pending.empty())
        return 0;
    if (!std::exchange(m_hasBegun, true))
        m_file->clear();
    m_file->write(std::exchange(m_pending, {}));
    return 0;
}

} // namespace headroom::cli
