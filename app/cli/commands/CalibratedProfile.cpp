// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/CalibratedProfile.h"

#include "core/config/Installation.h"
#include "core/config/Value.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace headroom::cli {

namespace {

using protocol::CalibratedConstant;
using protocol::CalibratedRates;

// The tables of a profile's constants, in the order of the shipped ones.
constexpr std::array kTables{"compute", "memory", "speed", "speed.peak_flops", "speed.fresh_memory"};

std::string tomlText(const std::string& text)
{
    return config::toToml(config::Value(text));
}

// Four digits are more than any of them repeats.
std::string tomlNumber(double value)
{
    return fmt::format("{:.4g}", value);
}

// "speed.peak_flops" and "float32".
std::pair<std::string, std::string> tableAndKey(const std::string& path)
{
    const std::size_t dot = path.rfind('.');
    return {path.substr(0, dot), path.substr(dot + 1)};
}

/// Writes a calibration as TOML.
class ProfileWriter {
public:
    ProfileWriter(const protocol::Calibration& calibration, const ProfileOrigin& origin)
        : m_calibration(calibration)
        , m_origin(origin)
    {
    }

    std::string text()
    {
        addHead();
        for (const char* const table : kTables)
            addTable(table);
        for (const CalibratedRates& rates : m_calibration.rates)
            addRates(rates);
        return std::move(m_text);
    }

private:
    bool isQuick() const { return m_origin.effort == protocol::CalibrationEffort::Short; }

    std::string sourceOf(const std::string& how) const
    {
        return fmt::format("{}; {}{}, LibTorch {}, {}", how, m_origin.date, isQuick() ? ", quick" : "",
            m_calibration.torchVersion, m_calibration.hardware);
    }

    void addHead()
    {
        m_text += fmt::format("# Written by headroom {} calibrate --device {}{} in {:.0f} s. Spreads are interquartile "
                              "ranges relative to their medians.\n",
            config::version(), m_origin.device, isQuick() ? " --quick" : "", m_calibration.seconds);
        m_text += fmt::format("name = {}\ntitle = {}\nkind = {}\n", tomlText(m_origin.name),
            tomlText(fmt::format("{}, measured {}", m_calibration.hardware, m_origin.date)),
            tomlText(m_calibration.allocator));
    }

    void addTable(const std::string& table)
    {
        std::string lines;
        if (table == "compute" && !m_calibration.capability.empty())
            lines += fmt::format("capability = {{ value = {}, source = {} }}\n", tomlText(m_calibration.capability),
                tomlText(sourceOf("cudaGetDeviceProperties")));
        for (const CalibratedConstant& constant : m_calibration.constants)
            if (const auto [place, key] = tableAndKey(constant.key); place == table)
                lines += lineOf(key, constant);
        if (!lines.empty())
            m_text += fmt::format("\n[{}]\n{}", table, lines);
    }

    std::string lineOf(const std::string& key, const CalibratedConstant& constant) const
    {
        const std::string value = constant.kind == CalibratedConstant::Kind::Count
            ? fmt::format("{}", std::llround(constant.value))
            : tomlNumber(constant.value);
        const std::string source = tomlText(sourceOf((constant.spread ? "measured: " : "") + constant.how));
        const std::string spread = constant.spread ? fmt::format(", spread = {:.3f}", *constant.spread) : "";
        return fmt::format("{} = {{ value = {}, source = {}{} }}\n", key, value, source, spread);
    }

    void addRates(const CalibratedRates& rates)
    {
        m_text += fmt::format("\n[[speed.rates]]\nwork = {}\ntype = {}\n", tomlText(rates.work), tomlText(rates.type));
        if (rates.smallestDimension > 0)
            m_text += fmt::format("smallest_dimension = {}\n", rates.smallestDimension);
        m_text += "points = [ # [size, per second, spread]\n";
        for (const protocol::CalibratedPoint& point : rates.points)
            m_text += fmt::format("  [{:.8g}, {}, {:.3f}],\n", point.size, tomlNumber(point.perSecond), point.spread);
        m_text += fmt::format("]\nsource = {}\n", tomlText(sourceOf("measured: " + rates.how)));
    }

    const protocol::Calibration& m_calibration;
    const ProfileOrigin& m_origin;
    std::string m_text;
};

} // namespace

std::string calibratedProfile(const protocol::Calibration& calibration, const ProfileOrigin& origin)
{
    return ProfileWriter(calibration, origin).text();
}

} // namespace headroom::cli
