// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/ghost/GhostArithmetic.h"

#include "core/base/Error.h"

#include <algorithm>
#include <cmath>

namespace headroom::experiments {
namespace {

using config::Value;

// Doubles beyond it are not whole numbers any more.
constexpr double kMostWhole = 9007199254740992.0;

bool isNumber(const Value& value)
{
    return value.isInteger() || value.isReal();
}

double realOf(const Value& value, const std::string& where)
{
    if (!isNumber(value))
        throw UsageError("found " + config::toToml(value) + " where a number is needed", where);
    return value.isInteger() ? static_cast<double>(value.integer()) : value.real();
}

Value wholeOf(double number, const std::string& where)
{
    if (!(std::abs(number) < kMostWhole))
        throw UsageError("sizes come to more than 2^53", where);
    return static_cast<std::int64_t>(number);
}

std::int64_t floorQuotient(std::int64_t a, std::int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

Value divided(const std::string& sign, std::int64_t a, std::int64_t b, const std::string& where)
{
    if (b == 0 || b == -1)
        throw UsageError("a size is divided by " + std::to_string(b), where);
    if (sign == "//")
        return floorQuotient(a, b);
    if (sign == "%")
        return a - floorQuotient(a, b) * b;
    if (a % b != 0)
        throw UsageError(std::to_string(b) + " does not divide " + std::to_string(a), where);
    return a / b;
}

Value computedWhole(const std::string& sign, std::int64_t a, std::int64_t b, const std::string& where)
{
    if (sign == "*")
        return ghostProduct(a, b, where);
    if (sign == "+")
        return ghostSum(a, b, where);
    if (sign == "-")
        return ghostSum(a, ghostProduct(b, -1, where), where);
    return divided(sign, a, b, where);
}

bool isEqual(const Value& a, const Value& b)
{
    return isNumber(a) && isNumber(b) ? realOf(a, {}) == realOf(b, {}) : a == b;
}

} // namespace

Value ghostComputed(const std::string& sign, const Value& a, const Value& b, const std::string& where)
{
    if (a.isInteger() && b.isInteger())
        return computedWhole(sign, a.integer(), b.integer(), where);
    if (sign == "+" && a.isText() && b.isText())
        return a.text() + b.text();
    const double left = realOf(a, where);
    const double right = realOf(b, where);
    if (sign == "*")
        return left * right;
    if (sign == "+" || sign == "-")
        return sign == "+" ? left + right : left - right;
    return sign == "/" ? left / right : std::floor(left / right);
}

bool ghostCompared(const std::string& sign, const Value& a, const Value& b, const std::string& where)
{
    if (sign == "==" || sign == "!=")
        return isEqual(a, b) == (sign == "==");
    if (sign == "in")
        return b.isList() && std::ranges::any_of(b.list(), [&](const Value& each) { return isEqual(a, each); });
    const double left = realOf(a, where);
    const double right = realOf(b, where);
    if (sign == "<" || sign == "<=")
        return sign == "<" ? left < right : left <= right;
    return sign == ">" ? left > right : left >= right;
}

Value ghostElement(const Value& list, const Value& index, const std::string& where)
{
    if (!list.isList())
        throw UsageError("found " + config::toToml(list) + " where a list is needed", where);
    const auto size = std::ssize(list.list());
    const std::int64_t asked = ghostInteger(index, where);
    const std::int64_t place = asked < 0 ? asked + size : asked;
    if (place < 0 || place >= size)
        throw UsageError("a list of " + std::to_string(size) + " has no element " + std::to_string(asked), where);
    return list.list()[static_cast<std::size_t>(place)];
}

Value ghostCalled(
    const std::string& function, const std::vector<Value>& given, const GhostNames& names, const std::string& where)
{
    if (function == "len" && given.size() == 1 && given[0].isList())
        return std::ssize(given[0].list());
    if (function == "entries" && given.size() == 1 && given[0].isText())
        return names("entries of " + given[0].text());
    if ((function == "int" || function == "ceil") && given.size() == 1 && isNumber(given[0]))
        return given[0].isInteger()
            ? given[0]
            : wholeOf(function == "int" ? std::trunc(given[0].real()) : std::ceil(given[0].real()), where);
    if ((function == "min" || function == "max") && given.size() == 2)
        return (realOf(given[0], where) < realOf(given[1], where)) == (function == "min") ? given[0] : given[1];
    if (function == "isList" && given.size() == 1)
        return given[0].isList();
    throw UsageError("cannot compute " + function + "(" + (given.empty() ? "" : config::toToml(given[0])) + ")", where);
}

std::int64_t ghostInteger(const Value& value, const std::string& where)
{
    if (!value.isInteger())
        throw UsageError("found " + config::toToml(value) + " where a whole number is needed", where);
    return value.integer();
}

bool ghostTruth(const Value& value, const std::string& where)
{
    if (value.isNull())
        return false;
    if (!value.isBoolean())
        throw UsageError("found " + config::toToml(value) + " where true or false is needed", where);
    return value.boolean();
}

std::int64_t ghostProduct(std::int64_t a, std::int64_t b, const std::string& where)
{
    std::int64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product))
        throw UsageError(std::to_string(a) + " times " + std::to_string(b) + " takes more than 64 bits", where);
    return product;
}

std::int64_t ghostSum(std::int64_t a, std::int64_t b, const std::string& where)
{
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum))
        throw UsageError("sizes come to more than 64 bits", where);
    return sum;
}

} // namespace headroom::experiments
