// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/values/ByteInput.h"

#include "core/base/Error.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace headroom::recordings {
namespace {

constexpr std::size_t kWindowBytes = 1 << 20;

/// gzread passes on what is no gzip file.
class PackedFile final : public ByteSource {
public:
    explicit PackedFile(const std::filesystem::path& path)
        : m_path(path.string())
    {
        const int descriptor = ::open(m_path.c_str(), O_RDONLY | O_CLOEXEC);
        struct stat facts{};
        if (descriptor < 0 || ::fstat(descriptor, &facts) != 0)
            refuseOpening(descriptor, std::strerror(errno));
        if (!S_ISREG(facts.st_mode))
            refuseOpening(descriptor, "it is no regular file");
        m_bytes = static_cast<std::uint64_t>(facts.st_size);
        m_file = ::gzdopen(descriptor, "rb");
        if (m_file == nullptr)
            refuseOpening(descriptor, "out of memory");
        ::gzbuffer(m_file, kWindowBytes);
    }
    ~PackedFile() override { ::gzclose(m_file); }

    std::size_t read(char* into, std::size_t most) override
    {
        const int count = ::gzread(m_file, into, static_cast<unsigned>(most));
        int problem = Z_OK;
        const char* const text = ::gzerror(m_file, &problem);
        // A gzip file that was cut is told by the error alone, with its last bytes.
        if (count < 0 || (problem != Z_OK && problem != Z_STREAM_END && count == 0))
            throw FileError("cannot be unpacked: " + std::string(problem == Z_BUF_ERROR ? "it was cut" : text), m_path,
                "a whole file, plain or packed by gzip");
        return static_cast<std::size_t>(count);
    }

    double progress() const override
    {
        return m_bytes == 0 ? 1.0 : static_cast<double>(::gzoffset(m_file)) / static_cast<double>(m_bytes);
    }

private:
    [[noreturn]] void refuseOpening(int descriptor, const std::string& why) const
    {
        if (descriptor >= 0)
            ::close(descriptor);
        throw FileError("cannot be read: " + why, m_path, "a recording that exists");
    }

    std::string m_path;
    gzFile m_file = nullptr;
    std::uint64_t m_bytes = 0;
};

constexpr std::array<std::int8_t, 256> base64Values()
{
    std::array<std::int8_t, 256> values{};
    values.fill(-1);
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < kDigits.size(); ++i)
        values[static_cast<std::uint8_t>(kDigits[i])] = static_cast<std::int8_t>(i);
    return values;
}

} // namespace

std::unique_ptr<ByteSource> openFile(const std::filesystem::path& path)
{
    return std::make_unique<PackedFile>(path);
}

ByteInput::ByteInput(std::unique_ptr<ByteSource> source, std::string name)
    : m_source(std::move(source))
    , m_name(std::move(name))
    , m_window(kWindowBytes)
{
}

// False at the end of the file; then all that is left lies in the window.
bool ByteInput::fill(std::size_t bytes)
{
    if (m_end - m_at >= bytes)
        return true;
    std::memmove(m_window.data(), m_window.data() + m_at, m_end - m_at);
    m_before += m_at;
    m_end -= m_at;
    m_at = 0;
    while (m_end < bytes) {
        if (m_end == m_window.size()) // only as much as there really is
            m_window.resize(2 * m_window.size());
        const std::size_t read = m_source->read(m_window.data() + m_end, m_window.size() - m_end);
        if (read == 0)
            return false;
        m_end += read;
    }
    return true;
}

void ByteInput::require(std::size_t bytes)
{
    if (bytes > kMostBytes)
        fail("a text of " + std::to_string(bytes) + " bytes", "at most " + std::to_string(kMostBytes));
    if (!fill(bytes))
        failAt(m_before + m_end, "the file ends in the middle", "a whole file");
}

std::string_view ByteInput::take(std::size_t bytes)
{
    if (m_end - m_at < bytes)
        require(bytes);
    m_at += bytes;
    return {m_window.data() + m_at - bytes, bytes};
}

std::string_view ByteInput::peek(std::size_t most)
{
    fill(most);
    return {m_window.data() + m_at, std::min(most, m_end - m_at)};
}

std::string_view ByteInput::line()
{
    constexpr std::size_t kMostDigits = 4096;
    const std::string_view ahead = peek(kMostDigits);
    const std::size_t end = ahead.find('\n');
    if (end == std::string_view::npos)
        fail("a line without an end", "at most " + std::to_string(kMostDigits) + " bytes");
    return take(end + 1).substr(0, end);
}

void ByteInput::fail(const std::string& problem, const std::string& valid) const
{
    failAt(offset(), problem, valid);
}

void ByteInput::failAt(std::uint64_t offset, const std::string& problem, const std::string& valid) const
{
    throw FileError(problem, m_name + ", byte " + std::to_string(offset), valid);
}

Base64Source::Base64Source(std::unique_ptr<ByteInput> text)
    : m_text(std::move(text))
{
}

std::size_t Base64Source::read(char* into, std::size_t most)
{
    static constexpr auto kValues = base64Values();
    std::size_t count = 0;
    while (count < most && !m_isAtEnd) {
        const std::uint8_t digit = m_text->next();
        if (digit == '"') {
            m_isAtEnd = true;
        } else if (const std::int8_t value = kValues[digit]; value >= 0) {
            m_bits = m_bits << 6U | static_cast<std::uint32_t>(value);
            m_bitCount += 6;
            if (m_bitCount >= 8) {
                m_bitCount -= 8;
                into[count++] = static_cast<char>(m_bits >> static_cast<unsigned>(m_bitCount));
            }
        } else if (digit != '=' && digit != '\\' && digit != 'n') {
            m_text->fail("no digit of base64 in the file that the page holds");
        }
    }
    return count;
}

bool skipPast(ByteInput& input, std::string_view text)
{
    constexpr std::size_t kPieceBytes = 1 << 16;
    for (;;) {
        const std::string_view piece = input.peek(kPieceBytes);
        if (const std::size_t found = piece.find(text); found != std::string_view::npos) {
            input.take(found + text.size());
            return true;
        }
        if (piece.size() < kPieceBytes)
            return false;
        input.take(piece.size() - text.size() + 1);
    }
}

} // namespace headroom::recordings
