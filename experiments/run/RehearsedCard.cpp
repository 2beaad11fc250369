// SPDX-License-Identifier: Apache-2.0
#include "experiments/run/RehearsedCard.h"

#include "core/base/Error.h"
#include "core/config/Installation.h"
#include "core/protocol/Json.h"
#include "profiling/rehearsal/AccountFile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <memory>

namespace headroom::experiments {
namespace {

namespace fs = std::filesystem;

// More than any process asks for; what it allocates is counted all the same.
constexpr Bytes kUnlimitedBytes = 1024 * kGiB * 64;

constexpr const char* kDescription = "card";
constexpr const char* kLedger = "ledger";
constexpr const char* kAccount = "account";

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

std::string description(const simulator::DeviceProfile& profile, const RehearsedCard::Terms& terms)
{
    const simulator::CardProfile& card = *profile.card;
    const bool isUnlimited = terms.capacity == RehearsedCard::Capacity::Unlimited;
    std::string text;
    const auto add = [&](const char* key, const auto& value) { text += fmt::format("{} {}\n", key, value); };
    add("name", card.name.value);
    add("count", terms.count);
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
std::vector<fs::path> librariesIn(const fs::path& folder)
{
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().filename().string().find(".so") != std::string::npos)
            found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
}

/// Of each version of CUDA, by its folder's name: "cuda13".
using Substitutes = std::map<std::string, std::vector<fs::path>>;

std::string nameOfOwn()
{
    return fs::weakly_canonical(config::cardDirectory()).filename().string();
}

Substitutes substitutes()
{
    const fs::path own = fs::weakly_canonical(config::cardDirectory());
    Substitutes found{{nameOfOwn(), librariesIn(own)}};
    if (found.begin()->second.empty())
        throw FileError("holds no library", config::cardDirectory().string(), "the substitute for the CUDA runtime");
    for (const char* const name : {"cuda12", "cuda13"})
        if (const fs::path folder = own.parent_path() / name; fs::is_directory(folder) && !found.contains(name))
            found.emplace(name, librariesIn(folder));
    return found;
}

std::string preloadsIn(const fs::path& folder)
{
    std::string preloaded;
    for (const fs::path& library : librariesIn(folder))
        preloaded += (preloaded.empty() ? "" : ":") + library.string();
    return preloaded;
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

RehearsedCard::RehearsedCard(const simulator::DeviceProfile& profile, Terms terms)
    : m_count(terms.count)
{
    requireRehearsable(profile);
    const Substitutes found = substitutes();
    m_folder.emplace(PrivateFolder::Purpose::Card, placeOfFolder());
    for (const auto& [name, libraries] : found) {
        fs::create_directory(file(name));
        for (const fs::path& library : libraries)
            fs::create_symlink(fs::canonical(library), file(name) / library.filename());
    }
    std::ofstream(file(kDescription)) << description(profile, terms);
}

std::map<std::string, std::string> RehearsedCard::variables() const
{
    std::string preloaded = preloadsIn(file(nameOfOwn()));
    if (const char* own = std::getenv("LD_PRELOAD"); own != nullptr && *own != '\0')
        preloaded += std::string(":") + own;
    return {{"LD_PRELOAD", preloaded}, {"HEADROOM_CARD", file(kDescription).string()},
        {"HEADROOM_CARD_LEDGER", file(kLedger).string()}};
}

std::map<std::string, std::string> RehearsedCard::sharedVariables() const
{
    std::map<std::string, std::string> all = variables();
    all["HEADROOM_CARD_ACCOUNT"] = file(kAccount).string();
    all["HEADROOM_CARD_PRELOADS"] = folder().string();
    return all;
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

RehearsedCard::Taken RehearsedCard::taken() const
{
    const auto page = std::make_unique<rehearsal::AccountPage>();
    std::ifstream(file(kAccount), std::ios::binary).read(reinterpret_cast<char*>(page.get()), sizeof *page);
    Taken taken;
    for (int card = 0; card < m_count; ++card) {
        taken.mostBytes.push_back(static_cast<Bytes>(page->most[card]));
        taken.nowBytes.push_back(0);
        for (const rehearsal::AccountSlot& slot : page->slots)
            taken.nowBytes.back() += static_cast<Bytes>(slot.bytes[card]);
    }
    taken.mostHostBytes = static_cast<Bytes>(page->most[rehearsal::kHostPlace]);
    taken.processes = page->processes;
    return taken;
}

} // namespace headroom::experiments
