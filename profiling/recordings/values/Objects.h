// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headroom::recordings {

/// A value of plain data: what a pickle or JSON text may hold. Texts and containers are numbers of what Objects keeps.
struct Value {
    enum class Kind : std::uint8_t {
        None,
        Bool,
        Integer,
        Unsigned, ///< above the range of Integer
        Real,
        Text,
        List,
        Dict,
        Entries ///< consecutive elements that an EntrySink has taken: `payload` is the first, `count` how many
    };

    Kind kind = Kind::None;
    std::uint32_t count = 0;
    std::uint64_t payload = 0; ///< the number itself, its bits, or the number of a text or container

    bool isNumber() const { return kind == Kind::Integer || kind == Kind::Unsigned || kind == Kind::Bool; }
    /// 0 for what is no number; a Real is cut.
    std::int64_t integer() const;
    double real() const;
    std::uint64_t unsignedInteger() const { return static_cast<std::uint64_t>(integer()); }
    bool truth() const { return isNumber() && payload != 0; }

    static Value ofInteger(std::int64_t number) { return {Kind::Integer, 0, static_cast<std::uint64_t>(number)}; }
    static Value ofBool(bool truth) { return {Kind::Bool, 0, truth ? 1U : 0U}; }
    static Value ofReal(double number);
};

struct DictItem {
    Value key;
    Value value;
};

class Objects;

/// Takes the elements of long lists as they come, so that they need not be kept: the entries of a trace.
class EntrySink {
public:
    EntrySink() = default;
    virtual ~EntrySink() = default;
    EntrySink(const EntrySink&) = delete;
    EntrySink& operator=(const EntrySink&) = delete;

    /// Whether this dictionary, which is being put into a list, is an entry, and was taken. Entries are numbered in the
    /// order in which they are taken.
    virtual bool take(const Objects& objects, const std::vector<DictItem>& dict) = 0;
};

/// The values of one file: a stack machine that builds them, as pickles describe it, within a bound on memory. It knows
/// plain data only: there is nothing in it that could be executed.
class Objects {
public:
    /// Refuses what would take more than `mostBytes` of memory, with std::length_error.
    explicit Objects(EntrySink& sink, std::size_t mostBytes = kMostBytes);

    /// The dictionaries within a taken entry go with it: nothing can refer to them in what has no memo.
    void forgetWithin() { m_forgetsWithin = true; }

    static constexpr std::size_t kMostBytes = std::size_t{2} << 30;
    static constexpr std::size_t kMostDepth = 1000;
    static constexpr std::size_t kMostLineBytes = 64 << 10;

    /// What is made of the values counts against the same bound: few bytes of a file may name much many times. Throws
    /// std::length_error.
    void charge(std::size_t bytes) const;

    // Building. Everything throws std::length_error beyond its bounds, std::invalid_argument for what cannot be.
    void push(const Value& value);
    void pushText(std::string_view text);
    void pushList();
    void pushDict();
    void mark();
    void pop();
    void popToMark();
    void duplicate();
    void append(); ///< the top of the stack to the list below it
    void appendFromMark();
    void setItem();
    void setItemsFromMark();
    void listFromTop(std::size_t count);
    void listFromMark();
    void dictFromMark();
    void remember(std::uint64_t place);
    void rememberNext() { remember(m_memo.size()); }
    void recall(std::uint64_t place);
    Value takeResult();

    // Reading.
    std::string_view text(const Value& value) const; ///< empty for what is no text
    /// The same for what is put into lines and labels; more than kMostLineBytes are refused with std::length_error,
    /// which says `what` it is.
    std::string_view line(const Value& value, std::string_view what) const;
    const std::vector<Value>& list(const Value& value) const; ///< empty for what is no list
    const std::vector<DictItem>& dict(const Value& value) const; ///< empty for what is no dictionary
    Value at(const Value& dict, std::string_view key) const; ///< None where it has no such key
    static Value find(const Objects& objects, const std::vector<DictItem>& dict, std::string_view key);
    /// The number of a text, for comparing keys. The sink may ask for numbers before any text is read.
    std::uint32_t textNumber(std::string_view text);
    const std::string& textOf(std::uint32_t number) const { return m_texts[number]; }

private:
    static constexpr std::uint32_t kEmpty = 0;
    static constexpr std::uint32_t kTaken = 0xFFFF'FFFF;

    Value& top();
    std::size_t topMark() const;
    std::vector<Value>& listStorage(const Value& list);
    std::vector<DictItem>& dictStorage(const Value& dict);
    void appendTo(const Value& list, const Value& item);
    bool takeEntry(const Value& item);
    void forget(const Value& value);
    void forgetList(const Value& value);
    void put(const Value& dict, const Value& key, const Value& value);

    EntrySink& m_sink;
    std::size_t m_mostBytes;
    mutable std::size_t m_bytes = 0;
    std::vector<Value> m_stack;
    std::vector<std::size_t> m_marks;
    std::vector<Value> m_memo;
    std::deque<std::string> m_texts;
    std::unordered_map<std::string_view, std::uint32_t> m_textNumbers;
    std::vector<std::uint32_t> m_lists; ///< place of each list's elements; kEmpty: it has none
    std::deque<std::vector<Value>> m_listStorage;
    std::vector<std::uint32_t> m_dicts; ///< the same; kTaken: the sink has it
    std::deque<std::vector<DictItem>> m_dictStorage;
    std::vector<std::uint32_t> m_unusedDicts;
    std::vector<std::uint32_t> m_unusedLists;
    std::uint64_t m_entries = 0;
    bool m_forgetsWithin = false;
};

} // namespace headroom::recordings
