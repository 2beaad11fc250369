// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::recordings {

/// A stream of bytes that is read once, from its beginning to its end.
class ByteSource {
public:
    ByteSource() = default;
    virtual ~ByteSource() = default;
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;

    /// Up to `most` bytes; 0 at the end. Throws FileError.
    virtual std::size_t read(char* into, std::size_t most) = 0;
    /// How much of the file has been read, from 0 to 1.
    virtual double progress() const = 0;
};

/// A file, unpacked if it is a gzip file. Throws FileError if it cannot be opened.
std::unique_ptr<ByteSource> openFile(const std::filesystem::path& path);

/// Reads bytes through a window of bounded size, and knows where it is.
class ByteInput {
public:
    /// `name` is the file's, for messages.
    ByteInput(std::unique_ptr<ByteSource> source, std::string name);

    std::uint8_t next()
    {
        if (m_at == m_end)
            require(1);
        return static_cast<std::uint8_t>(m_window[m_at++]);
    }
    /// The next bytes, valid until the next call. Throws FileError at the end of the file, and for more bytes than
    /// kMostBytes at once.
    std::string_view take(std::size_t bytes);
    /// What lies ahead, up to `most` bytes, without taking it.
    std::string_view peek(std::size_t most);
    /// Takes up to a line's end, which is left out. Throws FileError for a longer line than a number needs.
    std::string_view line();
    bool atEnd() { return peek(1).empty(); }

    /// Of the unpacked bytes.
    std::uint64_t offset() const { return m_before + m_at; }
    double progress() const { return m_source->progress(); }
    const std::string& name() const { return m_name; }

    /// Throws FileError, naming the file and this place.
    [[noreturn]] void fail(const std::string& problem, const std::string& valid = {}) const;
    [[noreturn]] void failAt(std::uint64_t offset, const std::string& problem, const std::string& valid = {}) const;

    static constexpr std::size_t kMostBytes = 16 << 20;

private:
    void require(std::size_t bytes);
    bool fill(std::size_t bytes);

    std::unique_ptr<ByteSource> m_source;
    std::string m_name;
    std::vector<char> m_window;
    std::size_t m_at = 0;
    std::size_t m_end = 0;
    std::uint64_t m_before = 0; ///< bytes that have left the window
};

/// The bytes of a base64 text that ends with a quotation mark.
class Base64Source : public ByteSource {
public:
    /// `text` stands at the first character.
    explicit Base64Source(std::unique_ptr<ByteInput> text);

    std::size_t read(char* into, std::size_t most) override;
    double progress() const override { return m_text->progress(); }

private:
    std::unique_ptr<ByteInput> m_text;
    std::uint32_t m_bits = 0;
    int m_bitCount = 0;
    bool m_isAtEnd = false;
};

/// Moves behind the next place where `text` stands; false if there is none.
bool skipPast(ByteInput& input, std::string_view text);

} // namespace headroom::recordings
