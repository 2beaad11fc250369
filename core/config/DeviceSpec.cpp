// SPDX-License-Identifier: Apache-2.0
#include "core/config/DeviceSpec.h"

#include "core/base/Error.h"

#include <charconv>
#include <string_view>

namespace headroom::config {
namespace {

[[noreturn]] void refuseDevice(const std::string& notation, const std::string& where)
{
    throw UsageError("device \"" + notation + "\" is not known", where,
        "cpu, cuda:N, sim:NAME, sim:NAME@RUNTIME, sim:FILE.toml, rehearsal:NAME, rehearsal:NAME@RUNTIME, "
        "rehearsal:FILE.toml");
}

constexpr std::string_view kSimulatedPrefix = "sim:";
constexpr std::string_view kRehearsedPrefix = "rehearsal:";

DeviceSpec parseCuda(const std::string& notation, const std::string& where)
{
    DeviceSpec device{DeviceKind::Cuda, 0, {}, {}};
    if (notation == "cuda")
        return device;
    const char* first = notation.data() + 5;
    const char* last = notation.data() + notation.size();
    const auto [end, error] = std::from_chars(first, last, device.index);
    if (error != std::errc{} || end != last || device.index < 0)
        refuseDevice(notation, where);
    return device;
}

// The path of a profile's file may contain an "@" too: only one behind its name begins the runtime.
std::size_t runtimeMark(const std::string& text)
{
    const auto file = text.rfind(".toml");
    return text.find('@', file == std::string::npos ? 0 : file);
}

DeviceSpec parseWithProfile(
    DeviceKind kind, std::string_view prefix, const std::string& notation, const std::string& where)
{
    const std::string rest = notation.substr(prefix.size());
    const auto at = runtimeMark(rest);
    DeviceSpec device{kind, 0, rest.substr(0, at), kDefaultRuntime};
    if (at != std::string::npos)
        device.runtime = rest.substr(at + 1);
    if (device.profile.empty() || device.runtime.empty())
        refuseDevice(notation, where);
    return device;
}

} // namespace

std::string DeviceSpec::name() const
{
    switch (kind) {
    case DeviceKind::Cpu:
        return "cpu";
    case DeviceKind::Cuda:
        return "cuda:" + std::to_string(index);
    case DeviceKind::Simulated:
        return std::string(kSimulatedPrefix) + profile;
    case DeviceKind::Rehearsed:
        return std::string(kRehearsedPrefix) + profile;
    }
    return {};
}

std::string DeviceSpec::notation() const
{
    return hasProfile() ? name() + "@" + runtime : name();
}

Provenance provenanceOf(const DeviceSpec& device)
{
    return device.isSimulated() ? Provenance::Predicted
        : device.isRehearsed()  ? Provenance::Rehearsed
                                : Provenance::Measured;
}

Provenance provenanceOf(const std::string& device, bool isPredicted)
{
    if (isPredicted)
        return Provenance::Predicted;
    return device.starts_with(kRehearsedPrefix) ? Provenance::Rehearsed : Provenance::Measured;
}

const char* toText(Provenance provenance)
{
    switch (provenance) {
    case Provenance::Measured:
        return "measured";
    case Provenance::Rehearsed:
        return "rehearsed";
    case Provenance::Predicted:
        break;
    }
    return "predicted";
}

std::string statementOf(Provenance provenance)
{
    return provenance == Provenance::Measured ? "measured" : std::string(toText(provenance)) + ", not measured";
}

DeviceSpec parseDevice(const std::string& notation, const std::string& where)
{
    if (notation == "cpu")
        return {};
    if (notation == "cuda" || notation.starts_with("cuda:"))
        return parseCuda(notation, where);
    if (notation.starts_with(kSimulatedPrefix))
        return parseWithProfile(DeviceKind::Simulated, kSimulatedPrefix, notation, where);
    if (notation.starts_with(kRehearsedPrefix))
        return parseWithProfile(DeviceKind::Rehearsed, kRehearsedPrefix, notation, where);
    refuseDevice(notation, where);
}

} // namespace headroom::config
