// SPDX-License-Identifier: Apache-2.0
#include "profiling/rehearsal/Card.h"

#include "profiling/rehearsal/Ending.h"

#include <bitset>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <unistd.h>

namespace headroom::rehearsal {

namespace {

bool parse(const char* text, std::string& value)
{
    value = text;
    return !value.empty();
}

bool parse(const char* text, double& value)
{
    char* end = nullptr;
    value = std::strtod(text, &end);
    return end != text && *end == '\0' && value >= 0;
}

bool parse(const char* text, std::size_t& value)
{
    char* end = nullptr;
    value = std::strtoul(text, &end, 10);
    return end != text && *end == '\0' && *text != '-';
}

bool parse(const char* text, int& value)
{
    std::size_t wide = 0;
    const bool isNumber = parse(text, wide) && wide < (std::size_t{1} << 31);
    value = static_cast<int>(wide);
    return isNumber;
}

bool parse(const char* text, bool& value)
{
    value = std::strcmp(text, "1") == 0 || std::strcmp(text, "true") == 0;
    return value || std::strcmp(text, "0") == 0 || std::strcmp(text, "false") == 0;
}

template <auto Member> bool set(Card& card, const char* text)
{
    return parse(text, card.*Member);
}

struct Key {
    const char* name;
    bool (*set)(Card&, const char*);
};

constexpr Key kKeys[] = {
    {"name", set<&Card::name>},
    {"count", set<&Card::count>},
    {"capabilityMajor", set<&Card::capabilityMajor>},
    {"capabilityMinor", set<&Card::capabilityMinor>},
    {"totalBytes", set<&Card::totalBytes>},
    {"contextBytes", set<&Card::contextBytes>},
    {"hostBytes", set<&Card::hostBytes>},
    {"multiprocessors", set<&Card::multiprocessors>},
    {"threadsPerMultiprocessor", set<&Card::threadsPerMultiprocessor>},
    {"blocksPerMultiprocessor", set<&Card::blocksPerMultiprocessor>},
    {"warpSize", set<&Card::warpSize>},
    {"sharedBytesPerBlock", set<&Card::sharedBytesPerBlock>},
    {"sharedBytesPerBlockOptIn", set<&Card::sharedBytesPerBlockOptIn>},
    {"sharedBytesPerMultiprocessor", set<&Card::sharedBytesPerMultiprocessor>},
    {"registersPerBlock", set<&Card::registersPerBlock>},
    {"registersPerMultiprocessor", set<&Card::registersPerMultiprocessor>},
    {"l2Bytes", set<&Card::l2Bytes>},
    {"memoryBusBits", set<&Card::memoryBusBits>},
    {"clockKilohertz", set<&Card::clockKilohertz>},
    {"memoryClockKilohertz", set<&Card::memoryClockKilohertz>},
    {"ascendingSegments", set<&Card::ascendingSegments>},
    {"kernelSeconds", set<&Card::kernelSeconds>},
    {"bytesPerSecond", set<&Card::bytesPerSecond>},
    {"hostLinkBytesPerSecond", set<&Card::hostLinkBytesPerSecond>},
};

std::string textOf(const char* path)
{
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        endProcess("the card's description HEADROOM_CARD=%s cannot be read (%s)", path, std::strerror(errno));
    std::string text;
    char buffer[4096];
    for (ssize_t length = 0; (length = ::read(file, buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(length));
    ::close(file);
    return text;
}

struct CardReading {
    const char* path;
    Card card;
    std::bitset<std::size(kKeys)> given;

    void readLine(const std::string& line)
    {
        if (line.empty() || line.front() == '#')
            return;
        const auto space = line.find(' ');
        const std::string key = line.substr(0, space);
        for (std::size_t i = 0; i < std::size(kKeys); ++i) {
            if (key == kKeys[i].name) {
                readValue(i, space == std::string::npos ? std::string() : line.substr(space + 1));
                return;
            }
        }
        endProcess("the card's description %s has a key '%s', which no card has", path, key.c_str());
    }

    void readValue(std::size_t index, const std::string& value)
    {
        if (!kKeys[index].set(card, value.c_str()))
            endProcess("the card's description %s gives %s the value '%s', which it cannot have", path,
                kKeys[index].name, value.c_str());
        given.set(index);
    }

    void requireAll() const
    {
        for (std::size_t i = 0; i < std::size(kKeys); ++i) {
            if (!given[i])
                endProcess("the card's description %s lacks the key '%s'", path, kKeys[i].name);
        }
    }
};

Card readCard(const char* path)
{
    CardReading reading{path, {}, {}};
    const std::string text = textOf(path);
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find('\n', begin), text.size());
        reading.readLine(text.substr(begin, end - begin));
        begin = end + 1;
    }
    reading.requireAll();
    return reading.card;
}

} // namespace

bool hasCard()
{
    const char* path = std::getenv("HEADROOM_CARD");
    return path != nullptr && *path != '\0';
}

const Card& card()
{
    // Never destroyed: others may ask while the process ends.
    static const Card& only = *new Card(readCard(std::getenv("HEADROOM_CARD")));
    return only;
}

} // namespace headroom::rehearsal
