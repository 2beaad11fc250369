// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/RehearsedCard.h"

#include "core/base/Error.h"
#include "core/config/Installation.h"
#include "core/protocol/Json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>

namespace headroom::experiments {
namespace {

namespace fs = std::filesystem;

// More than any process asks for; what it allocates is counted all the same.
constexpr Bytes kUnlimitedBytes = 1024 * kGiB * 64;

constexpr const char* kDescription = "card";
constexpr const char* kLedger = "ledger";

// The loader splits LD_PRELOAD at blanks and colons, and leaves out what it cannot open without ending the process.
bool canBePreloaded(const fs::path& path)
{
    return path.string().find_first_of(" :\t") == std::string::npos;
}

fs::path placeOfFolder()
{
    for (const fs::path& place : {fs::temp_directory_path(), fs::path("/tmp"), fs::path("/dev/shm")})
        if (canBePreloaded(place))
            return place;
    throw FileError("no folder for the card that is not there", fs::temp_directory_path().string(),
        "a TMPDIR without blanks and colons");
}

std::string description(const simulator::DeviceProfile& profile, RehearsedCard::Capacity capacity)
{
    const simulator::CardProfile& card = *profile.card;
    const bool isUnlimited = capacity == RehearsedCard::Capacity::Unlimited;
    std::string text;
    const auto add = [&](const char* key, const auto& value) { text += fmt::format("{} {}\n", key, value); };
    add("name", card.name.value);
    add("count", 1);
    add("capabilityMajor", profile.compute->capability.value.major);
    add("capabilityMinor", profile.compute->capability.value.minor);
    add("totalBytes", isUnlimited ? kUnlimitedBytes : profile.memory->usableBytes.value);
    add("contextBytes", profile.memory->contextBytes.value);
    add("hostBytes", 0);
    add("multiprocessors", profile.compute->multiprocessors.value);
    add("threadsPerMultiprocessor", profile.compute->threadsPerMultiprocessor.value);
    add("blocksPerMultiprocessor", card.blocksPerMultiprocessor.value);
    add("warpSize", card.warpSize.value);
    add("sharedBytesPerBlock", card.sharedBytesPerBlock.value);
    add("sharedBytesPerBlockOptIn", card.sharedBytesPerBlockOptIn.value);
    add("sharedBytesPerMultiprocessor", card.sharedBytesPerMultiprocessor.value);
    add("registersPerBlock", card.registersPerBlock.value);
    add("registersPerMultiprocessor", card.registersPerMultiprocessor.value);
    add("l2Bytes", card.l2Bytes.value);
    add("memoryBusBits", card.memoryBusBits.value);
    add("clockKilohertz", card.clockKilohertz.value);
    add("memoryClockKilohertz", card.memoryClockKilohertz.value);
    add("ascendingSegments", profile.segmentAddresses == config::SegmentAddresses::Ascending ? 1 : 0);
    add("kernelSeconds", profile.speed->kernelFloorSeconds.value);
    add("bytesPerSecond", profile.speed->bandwidthBytesPerSecond.value * profile.speed->bandwidthFraction.value);
    add("hostLinkBytesPerSecond", profile.speed->hostLinkBytesPerSecond.value);
    return text;
}

void requireRehearsable(const simulator::DeviceProfile& profile)
{
    if (!profile.memory || !profile.compute || !profile.speed)
        throw UsageError(profile.name + " is no card with a memory of its own", "device.name",
            "rehearsal:NAME of a card that `headroom devices` lists");
    if (!profile.card)
        throw UsageError("the profile of " + profile.name + " does not say what CUDA is asked for", "device.name",
            "a table [card] in it, as resources/devices/h100-80gb.toml has");
}

// The names by which CUDA's libraries are asked for, which the substitute has.
std::vector<fs::path> substitutes()
{
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(config::cardDirectory()))
        if (entry.path().filename().string().find(".so") != std::string::npos)
            found.push_back(entry.path());
    if (found.empty())
        throw FileError("holds no library", config::cardDirectory().string(), "the substitute for the CUDA runtime");
    std::ranges::sort(found);
    return found;
}

void note(RehearsedCard::Ledger& ledger, protocol::UncountedMemory one)
{
    const auto known = std::ranges::find_if(ledger.notCounted,
        [&](const auto& other) { return other.library == one.library && other.function == one.function; });
    if (known == ledger.notCounted.end())
        return ledger.notCounted.push_back(std::move(one));
    known->low = std::max(known->low, one.low);
    known->high = std::max(known->high, one.high);
}

void note(RehearsedCard::Ledger& ledger, const protocol::Json& line)
{
    if (line.contains("refused"))
        ++ledger.refused[line.at("refused").get<std::string>()];
    if (line.contains("not_counted"))
        note(ledger,
            protocol::UncountedMemory{line.at("library").get<std::string>(), line.at("not_counted").get<std::string>(),
                line.at("low_bytes").get<Bytes>(), line.at("high_bytes").get<Bytes>()});
}

} // namespace

RehearsedCard::RehearsedCard(const simulator::DeviceProfile& profile, Capacity capacity)
{
    requireRehearsable(profile);
    const std::vector<fs::path> libraries = substitutes();
    m_folder.emplace(PrivateFolder::Purpose::Card, placeOfFolder());
    for (const fs::path& library : libraries)
        fs::create_symlink(fs::canonical(library), file(library.filename()));
    std::ofstream(file(kDescription)) << description(profile, capacity);
}

std::map<std::string, std::string> RehearsedCard::variables() const
{
    std::string preloaded;
    for (const auto& entry : fs::directory_iterator(m_folder->path()))
        if (entry.is_symlink())
            preloaded += (preloaded.empty() ? "" : ":") + entry.path().string();
    if (const char* own = std::getenv("LD_PRELOAD"); own != nullptr && *own != '\0')
        preloaded += std::string(":") + own;
    return {{"LD_PRELOAD", preloaded}, {"HEADROOM_CARD", file(kDescription).string()},
        {"HEADROOM_CARD_LEDGER", file(kLedger).string()}};
}

WorkerSurroundings RehearsedCard::surroundings() const
{
    return {variables(), {.cardFolder = m_folder->path().string()}};
}

RehearsedCard::Ledger RehearsedCard::ledger() const
{
    Ledger ledger;
    std::ifstream lines(file(kLedger));
    for (std::string line; std::getline(lines, line);)
        if (const auto json = protocol::Json::parse(line, nullptr, false); json.is_object()) // a cut line is no line
            note(ledger, json);
    return ledger;
}

} // namespace headroom::experiments
