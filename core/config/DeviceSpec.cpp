// SPDX-License-Identifier: Apache-2.0
#include "core/config/DeviceSpec.h"

#include "core/base/Error.h"

#include <charconv>

namespace headroom::config {
namespace {

[[noreturn]] void refuseDevice(const std::string& notation, const std::string& where)
{
    throw UsageError(
        "device \"" + notation + "\" is not known", where, "cpu, cuda:N, sim:NAME, sim:NAME@RUNTIME, sim:FILE.toml");
}

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

DeviceSpec parseSimulated(const std::string& notation, const std::string& where)
{
    const std::string rest = notation.substr(4);
    const auto at = runtimeMark(rest);
    DeviceSpec device{DeviceKind::Simulated, 0, rest.substr(0, at), kDefaultRuntime};
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
        return "sim:" + profile;
    }
    return {};
}

std::string DeviceSpec::notation() const
{
    return isSimulated() ? name() + "@" + runtime : name();
}

DeviceSpec parseDevice(const std::string& notation, const std::string& where)
{
    if (notation == "cpu")
        return {};
    if (notation == "cuda" || notation.starts_with("cuda:"))
        return parseCuda(notation, where);
    if (notation.starts_with("sim:"))
        return parseSimulated(notation, where);
    refuseDevice(notation, where);
}

} // namespace headroom::config
