// SPDX-License-Identifier: Apache-2.0
#include "tests/profiling/recordings/Pickle.h"

#include <bit>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace headroom::recordings {
namespace {

using Byte = unsigned char;

// The virtual machine of Python's pickles (PEP 3154), as far as plain data needs it.
class PickleMachine {
public:
    explicit PickleMachine(std::string bytes)
        : m_bytes(std::move(bytes))
    {
    }

    Pickle run()
    {
        for (Byte op = next(); op != '.'; op = next())
            execute(op);
        return pop();
    }

private:
    Byte next() { return static_cast<Byte>(take(1).front()); }

    std::string take(std::size_t count)
    {
        if (count > m_bytes.size() - m_at)
            throw std::runtime_error("a pickle that was cut");
        m_at += count;
        return m_bytes.substr(m_at - count, count);
    }

    std::uint64_t number(std::size_t bytes)
    {
        std::uint64_t value = 0;
        const std::string digits = take(bytes);
        for (std::size_t i = digits.size(); i-- > 0;)
            value = value << 8U | static_cast<Byte>(digits[i]);
        return value;
    }

    // Little-endian two's complement of any length up to eight.
    std::int64_t longNumber()
    {
        const std::size_t bytes = next();
        if (bytes > 8)
            throw std::runtime_error("an integer of more than 64 bits in a pickle");
        const std::uint64_t value = number(bytes);
        const bool isNegative = bytes > 0 && bytes < 8 && (value >> (8 * bytes - 1) & 1U) != 0;
        return static_cast<std::int64_t>(isNegative ? value | ~std::uint64_t{0} << (8 * bytes) : value);
    }

    double real()
    {
        std::uint64_t bits = 0;
        for (const char digit : take(8))
            bits = bits << 8U | static_cast<Byte>(digit);
        return std::bit_cast<double>(bits);
    }

    Pickle pop()
    {
        if (m_stack.empty())
            throw std::runtime_error("a pickle that takes more than it puts");
        Pickle top = std::move(m_stack.back());
        m_stack.pop_back();
        return top;
    }

    std::vector<Pickle> popToMark()
    {
        if (m_marks.empty() || m_marks.back() > m_stack.size())
            throw std::runtime_error("a pickle without a mark");
        const auto from = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
        m_marks.pop_back();
        std::vector<Pickle> items(std::make_move_iterator(from), std::make_move_iterator(m_stack.end()));
        m_stack.erase(from, m_stack.end());
        return items;
    }

    void push(Pickle value) { m_stack.push_back(std::move(value)); }

    void tuple(std::size_t count)
    {
        Pickle made = Pickle::emptyList();
        made.list().resize(count);
        for (std::size_t i = count; i-- > 0;)
            made.list()[i] = pop();
        push(made);
    }

    void append(std::vector<Pickle> items)
    {
        for (Pickle& item : items)
            m_stack.back().list().push_back(std::move(item));
    }

    void setItems(std::vector<Pickle> items)
    {
        for (std::size_t i = 0; i + 1 < items.size(); i += 2)
            m_stack.back().put(items[i], std::move(items[i + 1]));
    }

    void setItem()
    {
        Pickle value = pop();
        const Pickle key = pop();
        m_stack.back().put(key, std::move(value));
    }

    void execute(Byte op)
    {
        if (!executeValue(op) && !executeContainer(op))
            throw std::runtime_error("opcode " + std::to_string(op) + " in a pickle is none of plain data");
    }

    bool executeValue(Byte op)
    {
        switch (op) {
        case 'N':
            push(Pickle());
            return true;
        case 0x88:
            push(Pickle(true));
            return true;
        case 0x89:
            push(Pickle(false));
            return true;
        case 'K':
            push(Pickle(static_cast<std::int64_t>(number(1))));
            return true;
        case 'M':
            push(Pickle(static_cast<std::int64_t>(number(2))));
            return true;
        case 'J':
            push(Pickle(static_cast<std::int64_t>(static_cast<std::int32_t>(number(4)))));
            return true;
        case 0x8a:
            push(Pickle(longNumber()));
            return true;
        case 'G':
            push(Pickle(real()));
            return true;
        case 0x8c:
            push(Pickle(take(number(1))));
            return true;
        case 'X':
            push(Pickle(take(number(4))));
            return true;
        default:
            return false;
        }
    }

    bool executeContainer(Byte op)
    {
        switch (op) {
        case 0x80:
            number(1);
            return true; // the protocol
        case 0x95:
            number(8);
            return true; // a frame
        case '(':
            m_marks.push_back(m_stack.size());
            return true;
        case ']':
            push(Pickle::emptyList());
            return true;
        case ')':
            push(Pickle::emptyList());
            return true;
        case '}':
            push(Pickle::emptyDict());
            return true;
        case 'a':
            append({pop()});
            return true;
        case 'e':
            append(popToMark());
            return true;
        case 's':
            setItem();
            return true;
        case 'u':
            setItems(popToMark());
            return true;
        case 0x85:
            tuple(1);
            return true;
        case 0x86:
            tuple(2);
            return true;
        case 0x87:
            tuple(3);
            return true;
        case 0x94:
            m_memo.push_back(m_stack.back());
            return true;
        case 'h':
            push(m_memo.at(number(1)));
            return true;
        case 'j':
            push(m_memo.at(number(4)));
            return true;
        default:
            return false;
        }
    }

    std::string m_bytes;
    std::size_t m_at = 0;
    std::vector<Pickle> m_stack;
    std::vector<std::size_t> m_marks;
    std::vector<Pickle> m_memo;
};

} // namespace

Pickle Pickle::read(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        throw std::runtime_error("cannot read " + file.string());
    return PickleMachine({std::istreambuf_iterator<char>(stream), {}}).run();
}

Pickle Pickle::at(const std::string& key) const
{
    for (const auto& [name, value] : std::get<std::shared_ptr<Dict>>(m_value)->entries)
        if (std::holds_alternative<std::string>(name.m_value) && name.text() == key)
            return value;
    return {};
}

void Pickle::put(const Pickle& key, Pickle value) const
{
    std::get<std::shared_ptr<Dict>>(m_value)->entries.emplace_back(key, std::move(value));
}

} // namespace headroom::recordings
