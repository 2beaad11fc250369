// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ReplacedFile.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headroom::interchange {

/// Writes one Python pickle of dictionaries, lists, numbers and texts as a stream, in protocol 2: older and newer
/// readers support it; PyTorch's viewer reads 2 to 4 and shows an empty page for protocol 5, the default of Python
/// 3.14.
///
/// The opcodes are those that the viewer supports (no GLOBAL, REDUCE, LONG4, BINUNICODE8); list elements are appended
/// in batches of a thousand, because the viewer passes each batch to one function call. The form is that of Python's
/// pickletools.
class PickleWriter {
public:
    /// Identifies an object that recall() writes again.
    using Memo = std::uint32_t;

    explicit PickleWriter(ReplacedFile& file);

    void beginDict();
    void endDict();
    void beginList();
    void endList();
    /// A list or dictionary that recall() may refer to after its end.
    Memo beginSharedDict();
    Memo beginSharedList();
    void recall(Memo memo);

    /// A text that occurs often, such as a key: it is written once and kept in memory.
    void word(std::string_view word);
    /// Bytes that are not valid UTF-8 are replaced. Throws UsageError for 4 GiB and more.
    void text(std::string_view text);
    void integer(std::int64_t value);
    void unsignedInteger(std::uint64_t value);
    void boolean(bool value);
    void none();
    /// A tuple of two elements.
    void pair(std::int64_t first, std::int64_t second);

    /// Ends the pickle. Every list and dictionary must have been ended before.
    void finish();

private:
    struct Container {
        bool isList;
        std::size_t pending = 0; ///< on the reader's stack since the last mark
    };

    void begin(bool isList);
    void end();
    void addPending(const Container& container);
    void completed();
    Memo remember();
    void code(std::uint8_t opcode);
    void littleEndian(std::uint64_t value, std::size_t bytes);
    void number(std::int64_t value);
    void unicode(std::string_view text);

    ReplacedFile& m_file;
    std::vector<Container> m_open;
    std::unordered_map<std::string, Memo> m_words;
    Memo m_nextMemo = 0;
};

} // namespace headroom::interchange
