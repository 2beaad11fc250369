// SPDX-License-Identifier: Apache-2.0
#include "profiling/interchange/PickleWriter.h"

#include "core/base/Error.h"
#include "core/base/Utf8.h"

#include <array>
#include <limits>

namespace headroom::interchange {
namespace {

// Names and values are those of Python's pickletools.
constexpr std::uint8_t kProto = 0x80;
constexpr std::uint8_t kStop = '.';
constexpr std::uint8_t kMark = '(';
constexpr std::uint8_t kEmptyDict = '}';
constexpr std::uint8_t kEmptyList = ']';
constexpr std::uint8_t kSetItems = 'u';
constexpr std::uint8_t kAppends = 'e';
constexpr std::uint8_t kTuple2 = 0x86;
constexpr std::uint8_t kBinInt = 'J';
constexpr std::uint8_t kBinInt1 = 'K';
constexpr std::uint8_t kBinInt2 = 'M';
constexpr std::uint8_t kLong1 = 0x8A;
constexpr std::uint8_t kBinUnicode = 'X';
constexpr std::uint8_t kNewTrue = 0x88;
constexpr std::uint8_t kNewFalse = 0x89;
constexpr std::uint8_t kNone = 'N';
constexpr std::uint8_t kBinPut = 'q';
constexpr std::uint8_t kLongBinPut = 'r';
constexpr std::uint8_t kBinGet = 'h';
constexpr std::uint8_t kLongBinGet = 'j';

constexpr std::uint8_t kProtocol = 2;
constexpr std::size_t kBatch = 1'000; ///< even: keys and values of a dictionary stay together

} // namespace

PickleWriter::PickleWriter(ReplacedFile& file)
    : m_file(file)
{
    code(kProto);
    code(kProtocol);
}

void PickleWriter::beginDict()
{
    code(kEmptyDict);
    begin(false);
}

void PickleWriter::beginList()
{
    code(kEmptyList);
    begin(true);
}

PickleWriter::Memo PickleWriter::beginSharedDict()
{
    code(kEmptyDict);
    const Memo memo = remember();
    begin(false);
    return memo;
}

PickleWriter::Memo PickleWriter::beginSharedList()
{
    code(kEmptyList);
    const Memo memo = remember();
    begin(true);
    return memo;
}

void PickleWriter::begin(bool isList)
{
    m_open.push_back({isList});
    code(kMark);
}

void PickleWriter::endDict()
{
    end();
}

void PickleWriter::endList()
{
    end();
}

void PickleWriter::end()
{
    addPending(m_open.back());
    m_open.pop_back();
    completed();
}

void PickleWriter::addPending(const Container& container)
{
    code(container.isList ? kAppends : kSetItems);
}

// A value is on the reader's stack.
void PickleWriter::completed()
{
    if (m_open.empty() || ++m_open.back().pending < kBatch)
        return;
    addPending(m_open.back());
    m_open.back().pending = 0;
    code(kMark);
}

PickleWriter::Memo PickleWriter::remember()
{
    const Memo memo = m_nextMemo++;
    code(memo <= 0xFF ? kBinPut : kLongBinPut);
    littleEndian(memo, memo <= 0xFF ? 1 : 4);
    return memo;
}

void PickleWriter::recall(Memo memo)
{
    code(memo <= 0xFF ? kBinGet : kLongBinGet);
    littleEndian(memo, memo <= 0xFF ? 1 : 4);
    completed();
}

void PickleWriter::word(std::string_view word)
{
    if (const auto known = m_words.find(std::string(word)); known != m_words.end())
        return recall(known->second);
    unicode(word);
    m_words.emplace(word, remember());
    completed();
}

void PickleWriter::text(std::string_view text)
{
    unicode(text);
    completed();
}

void PickleWriter::unicode(std::string_view text)
{
    const std::string valid = validUtf8(text);
    if (valid.size() > std::numeric_limits<std::uint32_t>::max())
        throw UsageError("a text of 4 GiB or more cannot be written to a pickle");
    code(kBinUnicode);
    littleEndian(valid.size(), 4);
    m_file.write(valid);
}

void PickleWriter::integer(std::int64_t value)
{
    number(value);
    completed();
}

void PickleWriter::unsignedInteger(std::uint64_t value)
{
    if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return integer(static_cast<std::int64_t>(value));
    code(kLong1); // a ninth byte of 0 keeps it positive
    code(9);
    littleEndian(value, 8);
    code(0);
    completed();
}

// Uses the shortest opcode, like Python's own pickler.
void PickleWriter::number(std::int64_t value)
{
    if (value >= 0 && value <= 0xFFFF) {
        code(value <= 0xFF ? kBinInt1 : kBinInt2);
        littleEndian(static_cast<std::uint64_t>(value), value <= 0xFF ? 1 : 2);
    } else if (value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max()) {
        code(kBinInt);
        littleEndian(static_cast<std::uint64_t>(value), 4);
    } else {
        std::uint8_t bytes = 8;
        // A byte that only repeats the sign of the one below it is omitted.
        while (value >> (8 * bytes - 9) == (value < 0 ? -1 : 0))
            --bytes;
        code(kLong1);
        code(bytes);
        littleEndian(static_cast<std::uint64_t>(value), bytes);
    }
}

void PickleWriter::boolean(bool value)
{
    code(value ? kNewTrue : kNewFalse);
    completed();
}

void PickleWriter::none()
{
    code(kNone);
    completed();
}

void PickleWriter::pair(std::int64_t first, std::int64_t second)
{
    number(first);
    number(second);
    code(kTuple2);
    completed();
}

void PickleWriter::finish()
{
    code(kStop);
}

void PickleWriter::code(std::uint8_t opcode)
{
    const char byte = static_cast<char>(opcode);
    m_file.write({&byte, 1});
}

void PickleWriter::littleEndian(std::uint64_t value, std::size_t bytes)
{
    std::array<char, 8> digits{};
    for (std::size_t i = 0; i < bytes; ++i)
        digits[i] = static_cast<char>(value >> (8 * i));
    m_file.write({digits.data(), bytes});
}

} // namespace headroom::interchange
