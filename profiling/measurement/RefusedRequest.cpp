// SPDX-License-Identifier: Apache-2.0
#include "profiling/measurement/RefusedRequest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>

namespace headroom::collectors {
namespace {

constexpr const char* kPrintedSize = R"((\d+(?:\.\d+)?) (bytes|KiB|MiB|GiB))";

Bytes bytesOf(const std::string& number, const std::string& unit)
{
    const Bytes factor = unit == "GiB" ? kGiB : unit == "MiB" ? kMiB : unit == "KiB" ? kKiB : 1;
    return static_cast<Bytes>(std::llround(std::stod(number) * static_cast<double>(factor)));
}

// The size between two texts of the message; nullopt where they are not there.
std::optional<Bytes> sizeBetween(const std::string& message, const std::string& before, const std::string& after)
{
    const std::regex pattern(before + kPrintedSize + after);
    std::smatch found;
    if (!std::regex_search(message, found, pattern))
        return std::nullopt;
    return bytesOf(found[1], found[2]);
}

// As LibTorch prints a size: a whole KiB is still "1024 bytes", and so on.
std::string printed(Bytes bytes)
{
    const auto in = [bytes](Bytes unit) { return static_cast<double>(bytes) / static_cast<double>(unit); };
    if (bytes <= kKiB)
        return fmt::format("{} bytes", bytes);
    if (bytes <= kMiB)
        return fmt::format("{:.2f} KiB", in(kKiB));
    return bytes <= kGiB ? fmt::format("{:.2f} MiB", in(kMiB)) : fmt::format("{:.2f} GiB", in(kGiB));
}

std::optional<Bytes> sumOf(std::optional<Bytes> left, std::optional<Bytes> right)
{
    return left && right ? std::optional(*left + *right) : std::nullopt;
}

// What is lacking of `available` for `needed`; nullopt if nothing is, or not known.
std::optional<Bytes> lacking(std::optional<Bytes> needed, std::optional<Bytes> available)
{
    return needed && available && *needed > *available ? std::optional(*needed - *available) : std::nullopt;
}

std::optional<Bytes> missingOf(const protocol::OutOfMemoryFacts& facts, std::optional<Bytes> allowed)
{
    return std::max(lacking(facts.requestedBytes, facts.freeBytes),
        lacking(sumOf(facts.reservedBytes, facts.requestedBytes), allowed));
}

// "CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 7.79 GiB of which ... is free. ..."
protocol::OutOfMemoryFacts factsOfNative(const std::string& message)
{
    protocol::OutOfMemoryFacts facts;
    facts.requestedBytes = sizeBetween(message, "Tried to allocate ", "");
    facts.freeBytes = sizeBetween(message, " of which ", " is free");
    facts.allocatedBytes = sizeBetween(message, "Of the allocated memory ", " is allocated");
    facts.reservedBytes =
        sumOf(facts.allocatedBytes, sizeBetween(message, "", " is reserved by PyTorch but unallocated"));
    facts.missingBytes = missingOf(facts, sizeBetween(message, "", " allowed; "));
    return facts;
}

// backend:cudaMallocAsync, one figure a line; what it holds in its pool is not told.
protocol::OutOfMemoryFacts factsOfAsync(const std::string& message)
{
    protocol::OutOfMemoryFacts facts;
    facts.requestedBytes = sizeBetween(message, "Requested +: ", "");
    facts.freeBytes = sizeBetween(message, R"(Free \(according to CUDA\): )", "");
    facts.allocatedBytes = sizeBetween(message, "Currently allocated +: ", "");
    const auto limit = sizeBetween(message, R"(memory fraction\)\s+: )", "");
    facts.missingBytes = std::max(lacking(facts.requestedBytes, facts.freeBytes),
        lacking(sumOf(facts.allocatedBytes, facts.requestedBytes), limit));
    return facts;
}

} // namespace

protocol::OutOfMemoryFacts factsOf(const RefusedRequest& refused)
{
    protocol::OutOfMemoryFacts facts;
    facts.requestedBytes = refused.segmentBytes;
    facts.freeBytes = refused.freeBytes;
    facts.allocatedBytes = refused.allocatedBytes;
    facts.reservedBytes = refused.reservedBytes;
    facts.missingBytes = missingOf(facts, refused.allowedBytes);
    return facts;
}

protocol::OutOfMemoryFacts factsIn(const std::string& message)
{
    return message.find("Currently allocated") == std::string::npos ? factsOfNative(message) : factsOfAsync(message);
}

bool mayTellOf(const protocol::OutOfMemoryFacts& said, const RefusedRequest& refused)
{
    return said.requestedBytes == factsIn("Tried to allocate " + printed(refused.segmentBytes)).requestedBytes;
}

} // namespace headroom::collectors
