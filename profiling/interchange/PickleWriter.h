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

/// Writes one Python pickle of dictionaries, lists, numbers and texts while they come, in protocol 2: older and newer
/// readers have it, PyTorch's viewer reads 2 to 4 and shows an empty page for the 5 that Python 3.14 writes by itself.
///
/// Opcodes are those that viewer knows (no GLOBAL, REDUCE, LONG4, BINUNICODE8); what a list holds is added a thousand
/// at a time, because the viewer passes them to one function call. The form is that of Python's pickletools.
class PickleWriter {
public:
    /// Place of an object that is written again by recall().
    using Memo = std::uint32_t;

    explicit PickleWriter(ReplacedFile& file);

    void beginDict();
    void endDict();
    void beginList();
    void endList();
    /// A list or dictionary that recall() may name after its end.
    Memo beginSharedDict();
    Memo beginSharedList();
    void recall(Memo memo);

    /// A text that occurs often, as a key does: written once, kept in memory.
    void word(std::string_view word);
    /// Bytes that are no UTF-8 are replaced. Throws UsageError for 4 GiB and more.
    void text(std::string_view text);
    void integer(std::int64_t value);
    void unsignedInteger(std::uint64_t value);
    void boolean(bool value);
    void none();
    /// A tuple of two.
    void pair(std::int64_t first, std::int64_t second);

    /// The end. Every list and dictionary is ended before.
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
