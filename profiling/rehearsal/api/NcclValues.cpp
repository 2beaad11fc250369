// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/api/NcclValues.h"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace headroom::rehearsal::nccl {
namespace {

// ncclDataType_t.
enum Element : int {
    Int8,
    UInt8,
    Int32,
    UInt32,
    Int64,
    UInt64,
    Half,
    Float,
    Double,
    Brain,
    Float8E4M3,
    Float8E5M2,
};

struct ElementType {
    const char* name;
    std::size_t bytes;
};

constexpr ElementType kElements[] = {{"i8", 1}, {"u8", 1}, {"i32", 4}, {"u32", 4}, {"i64", 8}, {"u64", 8}, {"f16", 2},
    {"f32", 4}, {"f64", 8}, {"bf16", 2}, {"e4m3", 1}, {"e5m2", 1}};

const ElementType* elementOf(int dataType)
{
    return dataType >= Int8 && dataType <= Float8E5M2 ? &kElements[dataType] : nullptr;
}

template <typename Value> Value read(const void* place)
{
    Value value;
    std::memcpy(&value, place, sizeof(value));
    return value;
}

float floatOfBits(std::uint32_t bits)
{
    return read<float>(&bits);
}

double halfValue(std::uint16_t half)
{
    const int exponent = (half >> 10) & 31;
    const int fraction = half & 1023;
    const double sign = (half & 0x8000) != 0 ? -1 : 1;
    if (exponent == 31)
        return fraction == 0 ? sign * INFINITY : NAN;
    return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25));
}

// Rounded to the nearest, half way to even, as ldexp and nearbyint do for the fraction that is left.
std::uint16_t halfOf(double value)
{
    const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const double size = std::fabs(value);
    if (std::isnan(value))
        return 0x7E00;
    if (size >= 65520)
        return sign | 0x7C00;
    int exponent = 0;
    std::frexp(size, &exponent);
    const int lowest = exponent - 11 < -24 ? -24 : exponent - 11;
    auto fraction = static_cast<int>(std::nearbyint(std::ldexp(size, -lowest)));
    int biased = lowest + 25;
    if (fraction == 2048) {
        fraction = 1024;
        ++biased;
    }
    return fraction < 1024 ? static_cast<std::uint16_t>(sign | fraction)
                           : static_cast<std::uint16_t>(sign | (biased << 10) | (fraction - 1024));
}

std::uint16_t brainOf(double value)
{
    const auto bits = static_cast<float>(value);
    std::uint32_t word = read<std::uint32_t>(&bits);
    if (std::isnan(value))
        return 0x7FC0;
    word += 0x7FFF + ((word >> 16) & 1);
    return static_cast<std::uint16_t>(word >> 16);
}

template <typename Value, typename Change> void changeEach(void* values, std::size_t count, Change change)
{
    auto* bytes = static_cast<char*>(values);
    for (std::size_t index = 0; index < count; ++index) {
        const Value changed = change(read<Value>(bytes + index * sizeof(Value)));
        std::memcpy(bytes + index * sizeof(Value), &changed, sizeof(Value));
    }
}

// `whole` for integers, `real` for numbers with a fraction.
template <typename Whole, typename Real>
void changeAll(void* values, std::size_t count, int dataType, Whole whole, Real real)
{
    switch (dataType) {
    case Int32:
    case UInt32:
        return changeEach<std::uint32_t>(
            values, count, [&](std::uint32_t value) { return static_cast<std::uint32_t>(whole(value)); });
    case Int64:
    case UInt64:
        return changeEach<std::uint64_t>(values, count, [&](std::uint64_t value) { return whole(value); });
    case Int8:
    case UInt8:
        return changeEach<std::uint8_t>(
            values, count, [&](std::uint8_t value) { return static_cast<std::uint8_t>(whole(value)); });
    case Half:
        return changeEach<std::uint16_t>(
            values, count, [&](std::uint16_t value) { return halfOf(real(halfValue(value))); });
    case Brain:
        return changeEach<std::uint16_t>(
            values, count, [&](std::uint16_t value) { return brainOf(real(floatOfBits(std::uint32_t{value} << 16))); });
    case Float:
        return changeEach<float>(values, count, [&](float value) { return static_cast<float>(real(value)); });
    case Double:
        return changeEach<double>(values, count, [&](double value) { return real(value); });
    default:
        return; // of 8 bits with a fraction
    }
}

std::uint64_t powerOf(std::uint64_t value, int exponent)
{
    std::uint64_t power = 1;
    for (int index = 0; index < exponent; ++index)
        power *= value;
    return power;
}

} // namespace

std::size_t elementBytes(int dataType)
{
    const ElementType* element = elementOf(dataType);
    return element == nullptr ? 0 : element->bytes;
}

const char* elementName(int dataType)
{
    const ElementType* element = elementOf(dataType);
    return element == nullptr ? "?" : element->name;
}

void scale(void* values, std::size_t count, int dataType, double factor)
{
    const auto whole = static_cast<std::uint64_t>(static_cast<std::int64_t>(factor));
    changeAll(
        values, count, dataType, [whole](std::uint64_t value) { return value * whole; },
        [factor](double value) { return value * factor; });
}

void raise(void* values, std::size_t count, int dataType, int exponent)
{
    changeAll(
        values, count, dataType, [exponent](std::uint64_t value) { return powerOf(value, exponent); },
        [exponent](double value) { return std::pow(value, exponent); });
}

double valueOf(const void* value, int dataType)
{
    switch (dataType) {
    case Half:
        return halfValue(read<std::uint16_t>(value));
    case Brain:
        return floatOfBits(std::uint32_t{read<std::uint16_t>(value)} << 16);
    case Float:
        return read<float>(value);
    case Double:
        return read<double>(value);
    case Int32:
        return read<std::int32_t>(value);
    case Int64:
        return static_cast<double>(read<std::int64_t>(value));
    default:
        return 1;
    }
}

} // namespace headroom::rehearsal::nccl
