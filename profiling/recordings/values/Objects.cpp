// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/values/Objects.h"

#include <bit>
#include <cmath>
#include <stdexcept>

namespace headroom::recordings {
namespace {

[[noreturn]] void failForm(const char* what)
{
    throw std::invalid_argument(what);
}

} // namespace

std::int64_t Value::integer() const
{
    if (isNumber())
        return static_cast<std::int64_t>(payload);
    if (kind != Kind::Real)
        return 0;
    const double number = std::bit_cast<double>(payload);
    constexpr double kMost = 9.2e18;
    return std::isfinite(number) && std::abs(number) < kMost ? static_cast<std::int64_t>(number) : 0;
}

double Value::real() const
{
    return kind == Kind::Real ? std::bit_cast<double>(payload) : static_cast<double>(integer());
}

Value Value::ofReal(double number)
{
    return {Kind::Real, 0, std::bit_cast<std::uint64_t>(number)};
}

Objects::Objects(EntrySink& sink, std::size_t mostBytes)
    : m_sink(sink)
    , m_mostBytes(mostBytes)
{
    m_listStorage.emplace_back(); // of every list without elements
    m_dictStorage.emplace_back();
}

void Objects::charge(std::size_t bytes) const
{
    m_bytes += bytes;
    if (m_bytes > m_mostBytes)
        throw std::length_error("more in it than " + std::to_string(m_mostBytes >> 20) + " MiB of memory hold");
}

void Objects::push(const Value& value)
{
    if (m_stack.size() == m_stack.capacity())
        charge(std::max<std::size_t>(m_stack.size(), 64) * sizeof(Value));
    m_stack.push_back(value);
}

std::uint32_t Objects::textNumber(std::string_view text)
{
    if (const auto found = m_textNumbers.find(text); found != m_textNumbers.end())
        return found->second;
    charge(text.size() + 96);
    const auto number = static_cast<std::uint32_t>(m_texts.size());
    m_textNumbers.emplace(m_texts.emplace_back(text), number);
    return number;
}

void Objects::pushText(std::string_view text)
{
    push({Value::Kind::Text, 0, textNumber(text)});
}

void Objects::pushList()
{
    charge(sizeof(std::uint32_t));
    push({Value::Kind::List, 0, m_lists.size()});
    m_lists.push_back(kEmpty);
}

void Objects::pushDict()
{
    charge(sizeof(std::uint32_t));
    push({Value::Kind::Dict, 0, m_dicts.size()});
    m_dicts.push_back(kEmpty);
}

void Objects::mark()
{
    if (m_marks.size() == kMostDepth)
        throw std::length_error("containers in containers, more than " + std::to_string(kMostDepth) + " deep");
    m_marks.push_back(m_stack.size());
}

Value& Objects::top()
{
    if (m_stack.empty() || (!m_marks.empty() && m_stack.size() == m_marks.back()))
        failForm("it takes a value where there is none");
    return m_stack.back();
}

void Objects::pop()
{
    top();
    m_stack.pop_back();
}

std::size_t Objects::topMark() const
{
    if (m_marks.empty())
        failForm("it ends a container that it did not begin");
    return m_marks.back();
}

void Objects::popToMark()
{
    m_stack.resize(topMark());
    m_marks.pop_back();
}

void Objects::duplicate()
{
    push(Value(top()));
}

std::vector<Value>& Objects::listStorage(const Value& list)
{
    if (list.kind != Value::Kind::List)
        failForm("it adds an element to what is no list");
    std::uint32_t& place = m_lists[list.payload];
    if (place == kEmpty && !m_unusedLists.empty()) {
        place = m_unusedLists.back();
        m_unusedLists.pop_back();
    } else if (place == kEmpty) {
        charge(64);
        place = static_cast<std::uint32_t>(m_listStorage.size());
        m_listStorage.emplace_back();
    }
    return m_listStorage[place];
}

std::vector<DictItem>& Objects::dictStorage(const Value& dict)
{
    if (dict.kind != Value::Kind::Dict || m_dicts[dict.payload] == kTaken)
        failForm("it sets a key of what is no dictionary");
    std::uint32_t& place = m_dicts[dict.payload];
    if (place == kEmpty && !m_unusedDicts.empty()) {
        place = m_unusedDicts.back();
        m_unusedDicts.pop_back();
    } else if (place == kEmpty) {
        charge(64);
        place = static_cast<std::uint32_t>(m_dictStorage.size());
        m_dictStorage.emplace_back();
    }
    return m_dictStorage[place];
}

void Objects::put(const Value& dict, const Value& key, const Value& value)
{
    std::vector<DictItem>& items = dictStorage(dict);
    if (items.size() == items.capacity())
        charge(std::max<std::size_t>(items.size(), 1) * sizeof(DictItem));
    items.push_back({key, value});
}

bool Objects::takeEntry(const Value& item)
{
    if (item.kind != Value::Kind::Dict)
        return false;
    std::uint32_t& place = m_dicts[item.payload];
    if (place == kTaken)
        failForm("it puts an entry of a trace into a list for the second time");
    if (place == kEmpty)
        return false;
    std::vector<DictItem>& items = m_dictStorage[place];
    if (!m_sink.take(*this, items))
        return false;
    if (m_forgetsWithin)
        for (const DictItem& part : items)
            forget(part.value);
    items.clear();
    m_unusedDicts.push_back(place);
    place = kTaken;
    return true;
}

void Objects::forgetList(const Value& value)
{
    std::uint32_t& place = m_lists[value.payload];
    if (place == kEmpty)
        return;
    m_listStorage[place].clear();
    m_unusedLists.push_back(place);
    place = kEmpty;
}

void Objects::forget(const Value& value)
{
    if (value.kind == Value::Kind::List)
        forgetList(value);
    if (value.kind != Value::Kind::Dict)
        return;
    std::uint32_t& place = m_dicts[value.payload];
    if (place == kEmpty || place == kTaken)
        return;
    for (const DictItem& part : m_dictStorage[place])
        if (part.value.kind == Value::Kind::List)
            forgetList(part.value);
    m_dictStorage[place].clear();
    m_unusedDicts.push_back(place);
    place = kTaken;
}

void Objects::appendTo(const Value& list, const Value& item)
{
    std::vector<Value>& elements = listStorage(list);
    Value added = item;
    if (takeEntry(item)) {
        const std::uint64_t entry = m_entries++;
        if (!elements.empty() && elements.back().kind == Value::Kind::Entries
            && elements.back().payload + elements.back().count == entry) {
            ++elements.back().count;
            return;
        }
        added = {Value::Kind::Entries, 1, entry};
    }
    if (elements.size() == elements.capacity())
        charge(std::max<std::size_t>(elements.size(), 1) * sizeof(Value));
    elements.push_back(added);
}

void Objects::append()
{
    const Value item = top();
    m_stack.pop_back();
    appendTo(Value(top()), item);
}

void Objects::appendFromMark()
{
    const std::size_t from = topMark();
    if (from == 0)
        failForm("it adds elements to no list");
    const Value list = m_stack[from - 1];
    listStorage(list);
    for (std::size_t i = from; i < m_stack.size(); ++i)
        appendTo(list, m_stack[i]);
    popToMark();
}

void Objects::setItem()
{
    const Value value = top();
    m_stack.pop_back();
    const Value key = top();
    m_stack.pop_back();
    put(Value(top()), key, value);
}

void Objects::setItemsFromMark()
{
    const std::size_t from = topMark();
    if (from == 0 || (m_stack.size() - from) % 2 != 0)
        failForm("it sets keys without values");
    const Value dict = m_stack[from - 1];
    for (std::size_t i = from; i < m_stack.size(); i += 2)
        put(dict, m_stack[i], m_stack[i + 1]);
    popToMark();
}

void Objects::listFromTop(std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        if (m_stack.size() <= i || (!m_marks.empty() && m_stack.size() - i == m_marks.back()))
            failForm("a tuple with more values than there are");
    m_marks.push_back(m_stack.size() - count);
    listFromMark();
}

void Objects::listFromMark()
{
    const std::size_t from = topMark();
    std::vector<Value> items(m_stack.begin() + static_cast<std::ptrdiff_t>(from), m_stack.end());
    popToMark();
    pushList();
    const Value list = m_stack.back();
    for (const Value& item : items)
        appendTo(list, item);
}

void Objects::dictFromMark()
{
    const std::size_t from = topMark();
    if ((m_stack.size() - from) % 2 != 0)
        failForm("it sets keys without values");
    const std::vector<Value> items(m_stack.begin() + static_cast<std::ptrdiff_t>(from), m_stack.end());
    popToMark();
    pushDict();
    const Value dict = m_stack.back();
    for (std::size_t i = 0; i < items.size(); i += 2)
        put(dict, items[i], items[i + 1]);
}

void Objects::remember(std::uint64_t place)
{
    constexpr std::uint64_t kMostGap = 1 << 20; // memos are numbered as they come
    if (place > m_memo.size() + kMostGap)
        failForm("it remembers a value under a number beyond all others");
    if (place >= m_memo.size()) {
        if (place >= m_memo.capacity())
            charge((place + 1) * sizeof(Value));
        m_memo.resize(place + 1);
    }
    m_memo[place] = top();
}

void Objects::recall(std::uint64_t place)
{
    if (place >= m_memo.size())
        failForm("it refers to a value that it has not had");
    push(m_memo[place]);
}

Value Objects::takeResult()
{
    if (m_stack.size() != 1 || !m_marks.empty())
        failForm("it ends with another number of values than one");
    return m_stack.front();
}

std::string_view Objects::text(const Value& value) const
{
    return value.kind == Value::Kind::Text ? std::string_view(m_texts[value.payload]) : std::string_view();
}

std::string_view Objects::line(const Value& value, std::string_view what) const
{
    const std::string_view found = text(value);
    if (found.size() > kMostLineBytes)
        throw std::length_error(std::string(what) + " of " + std::to_string(found.size()) + " bytes (at most "
            + std::to_string(kMostLineBytes) + ")");
    return found;
}

const std::vector<Value>& Objects::list(const Value& value) const
{
    return m_listStorage[value.kind == Value::Kind::List ? m_lists[value.payload] : kEmpty];
}

const std::vector<DictItem>& Objects::dict(const Value& value) const
{
    const std::uint32_t place = value.kind == Value::Kind::Dict ? m_dicts[value.payload] : kEmpty;
    return m_dictStorage[place == kTaken ? kEmpty : place];
}

Value Objects::find(const Objects& objects, const std::vector<DictItem>& dict, std::string_view key)
{
    for (const DictItem& item : dict)
        if (objects.text(item.key) == key && item.key.kind == Value::Kind::Text)
            return item.value;
    return {};
}

Value Objects::at(const Value& value, std::string_view key) const
{
    return find(*this, dict(value), key);
}

} // namespace headroom::recordings
