// SPDX-License-Identifier: Apache-2.0
#include "profiling/recordings/values/Unpickler.h"

#include <bit>
#include <charconv>
#include <stdexcept>
#include <string>

namespace headroom::recordings {
namespace {

using Byte = std::uint8_t;

std::uint64_t littleEndian(std::string_view digits)
{
    std::uint64_t value = 0;
    for (std::size_t i = digits.size(); i-- > 0;)
        value = value << 8U | static_cast<Byte>(digits[i]);
    return value;
}

Value realFromBigEndian(std::string_view digits)
{
    std::uint64_t bits = 0;
    for (const char digit : digits)
        bits = bits << 8U | static_cast<Byte>(digit);
    return Value::ofReal(std::bit_cast<double>(bits));
}

/// Opcodes that name classes, build objects or refer to what lies outside of the pickle.
const char* nameOfRefused(Byte op)
{
    switch (op) {
    case 'c':
        return "GLOBAL";
    case 0x93:
        return "STACK_GLOBAL";
    case 'R':
        return "REDUCE";
    case 'b':
        return "BUILD";
    case 'i':
        return "INST";
    case 'o':
        return "OBJ";
    case 0x81:
        return "NEWOBJ";
    case 0x92:
        return "NEWOBJ_EX";
    case 'P':
        return "PERSID";
    case 'Q':
        return "BINPERSID";
    case 0x82:
        return "EXT1";
    case 0x83:
        return "EXT2";
    case 0x84:
        return "EXT4";
    case 0x96:
        return "BYTEARRAY8";
    case 0x97:
        return "NEXT_BUFFER";
    case 0x98:
        return "READONLY_BUFFER";
    default:
        return nullptr;
    }
}

// The virtual machine of Python's pickles (PEP 307, PEP 3154, PEP 574) for plain data.
class PickleReader {
public:
    PickleReader(ByteInput& input, Objects& objects, const Progress& progress)
        : m_input(input)
        , m_objects(objects)
        , m_progress(progress)
    {
    }

    Value run();

private:
    template <typename Action> auto checked(const Action& action)
    {
        try {
            return action();
        } catch (const std::invalid_argument& error) {
            m_input.failAt(m_opcodeAt, std::string("the pickle is damaged: ") + error.what());
        } catch (const std::length_error& error) {
            m_input.failAt(m_opcodeAt, std::string("the pickle has ") + error.what());
        }
    }

    void execute(Byte op)
    {
        const bool isKnown = checked([&] { return number(op) || text(op) || container(op) || memo(op); });
        if (!isKnown)
            refuse(op);
    }

    [[noreturn]] void refuse(Byte op) const
    {
        const char* const name = nameOfRefused(op);
        m_input.failAt(m_opcodeAt,
            name != nullptr ? std::string("the pickle has an object that only code could make (opcode ") + name
                    + "); nothing of it was executed"
                            : "byte " + std::to_string(op) + " is no opcode of a pickle",
            "plain data, as torch.cuda.memory._dump_snapshot writes it");
    }

    std::uint64_t unsignedOf(std::size_t bytes) { return littleEndian(m_input.take(bytes)); }

    // Little-endian two's complement of any length. No address and no size takes more than 64 bits.
    void longInteger(std::uint64_t bytes)
    {
        const std::string_view digits = m_input.take(bytes);
        const bool isNegative = !digits.empty() && (static_cast<Byte>(digits.back()) & 0x80U) != 0;
        if (bytes <= 8) {
            const std::uint64_t value = littleEndian(digits);
            const std::uint64_t sign = isNegative && bytes < 8 ? ~std::uint64_t{0} << (8 * bytes) : 0;
            return m_objects.push(Value::ofInteger(static_cast<std::int64_t>(value | sign)));
        }
        if (bytes == 9 && digits.back() == 0)
            return m_objects.push({Value::Kind::Unsigned, 0, littleEndian(digits.substr(0, 8))});
        failAsTooLarge();
    }

    [[noreturn]] void failAsTooLarge() const
    {
        m_input.failAt(
            m_opcodeAt, "the pickle has an integer that 64 bits do not hold", "addresses and sizes of a device");
    }

    void integerText(std::string_view line)
    {
        if (line == "00" || line == "01")
            return m_objects.push(Value::ofBool(line == "01"));
        if (line.ends_with('L'))
            line.remove_suffix(1);
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
        if (error == std::errc::result_out_of_range)
            return unsignedText(line);
        if (error != std::errc() || end != line.data() + line.size())
            throw std::invalid_argument("a number with other characters than digits");
        m_objects.push(Value::ofInteger(value));
    }

    void unsignedText(std::string_view line)
    {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
        if (error != std::errc() || end != line.data() + line.size())
            failAsTooLarge();
        m_objects.push({Value::Kind::Unsigned, 0, value});
    }

    void realText(std::string_view line)
    {
        double value = 0;
        std::from_chars(line.data(), line.data() + line.size(), value);
        m_objects.push(Value::ofReal(value));
    }

    bool number(Byte op)
    {
        switch (op) {
        case 'N':
            m_objects.push({});
            return true;
        case 0x88:
        case 0x89:
            m_objects.push(Value::ofBool(op == 0x88));
            return true;
        case 'K':
            m_objects.push(Value::ofInteger(m_input.next()));
            return true;
        case 'M':
            m_objects.push(Value::ofInteger(static_cast<std::int64_t>(unsignedOf(2))));
            return true;
        case 'J':
            m_objects.push(Value::ofInteger(static_cast<std::int32_t>(unsignedOf(4))));
            return true;
        case 0x8a:
            longInteger(m_input.next());
            return true;
        case 0x8b:
            longInteger(unsignedOf(4));
            return true;
        case 'G':
            m_objects.push(realFromBigEndian(m_input.take(8)));
            return true;
        case 'I':
        case 'L':
            integerText(m_input.line());
            return true;
        case 'F':
            realText(m_input.line());
            return true;
        default:
            return false;
        }
    }

    bool text(Byte op)
    {
        switch (op) {
        case 0x8c:
        case 'U':
        case 'C':
            m_objects.pushText(m_input.take(m_input.next()));
            return true;
        case 'X':
        case 'T':
        case 'B':
            m_objects.pushText(m_input.take(unsignedOf(4)));
            return true;
        case 0x8d:
        case 0x8e:
            m_objects.pushText(m_input.take(unsignedOf(8)));
            return true;
        case 'V':
        case 'S':
            m_objects.pushText(m_input.line());
            return true;
        default:
            return false;
        }
    }

    bool container(Byte op)
    {
        switch (op) {
        case ']':
        case ')':
        case 0x8f: // a set
            m_objects.pushList();
            return true;
        case '}':
            m_objects.pushDict();
            return true;
        case '(':
            m_objects.mark();
            return true;
        case 'a':
            m_objects.append();
            return true;
        case 'e':
        case 0x90:
            m_objects.appendFromMark();
            return true;
        case 's':
            m_objects.setItem();
            return true;
        case 'u':
            m_objects.setItemsFromMark();
            return true;
        case 'l':
        case 't':
        case 0x91: // a frozenset
            m_objects.listFromMark();
            return true;
        case 'd':
            m_objects.dictFromMark();
            return true;
        case 0x85:
        case 0x86:
        case 0x87:
            m_objects.listFromTop(op - 0x84U);
            return true;
        default:
            return false;
        }
    }

    bool memo(Byte op)
    {
        switch (op) {
        case 0x80:
            protocol(m_input.next());
            return true;
        case 0x95: // a frame; it only tells how much may be read at once
            m_input.take(8);
            return true;
        case 0x94:
            m_objects.rememberNext();
            return true;
        case 'q':
            m_objects.remember(m_input.next());
            return true;
        case 'r':
            m_objects.remember(unsignedOf(4));
            return true;
        case 'p':
            m_objects.remember(place(m_input.line()));
            return true;
        case 'h':
            m_objects.recall(m_input.next());
            return true;
        case 'j':
            m_objects.recall(unsignedOf(4));
            return true;
        case 'g':
            m_objects.recall(place(m_input.line()));
            return true;
        case '0':
            m_objects.pop();
            return true;
        case '1':
            m_objects.popToMark();
            return true;
        case '2':
            m_objects.duplicate();
            return true;
        default:
            return false;
        }
    }

    void protocol(Byte version) const
    {
        if (version > 5)
            m_input.failAt(m_opcodeAt, "a pickle of protocol " + std::to_string(version), "2 to 5");
    }

    static std::uint64_t place(std::string_view line)
    {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
        if (error != std::errc() || end != line.data() + line.size())
            throw std::invalid_argument("a number with other characters than digits");
        return value;
    }

    ByteInput& m_input;
    Objects& m_objects;
    const Progress& m_progress;
    std::uint64_t m_opcodeAt = 0;
    std::uint64_t m_count = 0;
};

Value PickleReader::run()
{
    for (;;) {
        m_opcodeAt = m_input.offset();
        const Byte op = m_input.next();
        if (op == '.')
            break;
        execute(op);
        if ((++m_count & 0xF'FFFFU) == 0 && m_progress)
            m_progress(m_input.progress());
    }
    return checked([&] { return m_objects.takeResult(); });
}

} // namespace

Value readPickle(ByteInput& input, Objects& objects, const Progress& progress)
{
    return PickleReader(input, objects, progress).run();
}

} // namespace headroom::recordings
