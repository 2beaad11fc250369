// SPDX-License-Identifier: Apache-2.0
#include "experiments/cost/PriceList.h"

#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/Field.h"
#include "core/toml/TomlText.h"
#include "experiments/spec/InputText.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace headroom::experiments {

namespace {

const std::vector<std::string> kPriceKeys{"device", "per_hour", "source", "date"};
const std::vector<std::string> kPriceFileKeys{"currency", "price"};

/// One table of the file, whose messages name file, line and key.
class PriceTable {
public:
    PriceTable(const toml::table& table, std::string file)
        : m_table(table)
        , m_file(std::move(file))
    {
    }

    [[noreturn]] void refuse(
        const toml::node& node, const std::string& key, const std::string& found, const std::string& valid) const
    {
        const auto& at = node.source().begin;
        throw UsageError(found, fmt::format("{}:{}:{}: {}", m_file, at.line, at.column, key), valid);
    }

    void requireKnown(const std::vector<std::string>& keys) const
    {
        for (const auto& [key, node] : m_table)
            if (const std::string name(key.str()); std::ranges::find(keys, name) == keys.end())
                refuse(node, name, "unknown key" + didYouMean(config::closestName(name, keys)), joined(keys));
    }

    const toml::node& need(const std::string& key, const std::string& valid) const
    {
        if (const toml::node* node = m_table.get(key))
            return *node;
        refuse(m_table, key, "is missing", valid);
    }

    std::string text(const std::string& key, const std::string& valid) const
    {
        const toml::node& node = need(key, valid);
        const auto value = node.value<std::string>();
        if (!value || value->empty())
            refuse(node, key, "found no text", valid);
        return *value;
    }

    std::string date(const std::string& key) const
    {
        const toml::node& node = need(key, "the day of the price: 2026-11-25");
        const auto value = node.value<toml::date>();
        if (!value)
            refuse(node, key, "found no date", "the day of the price, without quotes: 2026-11-25");
        return fmt::format("{:04}-{:02}-{:02}", value->year, value->month, value->day);
    }

    double amount(const std::string& key) const
    {
        const std::string valid = "a number, at least 0";
        const toml::node& node = need(key, valid);
        const auto value = node.value<double>();
        if (!value || !std::isfinite(*value) || *value < 0)
            refuse(node, key, "found no price", valid);
        return *value;
    }

private:
    const toml::table& m_table;
    std::string m_file;
};

CardPrice readPrice(const toml::table& node, const std::string& file, const std::vector<std::string>& devices)
{
    const PriceTable table(node, file);
    table.requireKnown(kPriceKeys);
    CardPrice price{table.text("device", joined(devices)), table.amount("per_hour"),
        table.text("source", "who charges it, as text"), table.date("date")};
    if (std::ranges::find(devices, price.device) == devices.end())
        table.refuse(*node.get("device"), "device",
            "found \"" + price.device + "\"" + didYouMean(config::closestName(price.device, devices)), joined(devices));
    return price;
}

} // namespace

std::vector<CardPrice> PriceList::of(const std::string& device) const
{
    std::vector<CardPrice> found;
    std::ranges::copy_if(
        prices, std::back_inserter(found), [&](const CardPrice& each) { return each.device == device; });
    return found;
}

PriceList readPrices(const std::filesystem::path& file, const std::vector<std::string>& devices)
{
    const std::string name = file.string();
    const toml::table root = parseToml(readInput(file, "the prices", "a file with [[price]] tables"), name);
    const PriceTable table(root, name);
    table.requireKnown(kPriceFileKeys);
    PriceList list{file.lexically_normal().string(), "", {}};
    const toml::node* prices = root.get("price");
    if (prices == nullptr)
        return list;
    if (!prices->is_array_of_tables())
        table.refuse(*prices, "price", "found no tables", "[[price]] with " + joined(kPriceKeys));
    list.currency = table.text("currency", "the currency of all prices: \"EUR\"");
    for (const toml::node& price : *prices->as_array())
        list.prices.push_back(readPrice(*price.as_table(), name, devices));
    return list;
}

std::filesystem::path pricesFile(const std::filesystem::path& resources)
{
    const char* config = std::getenv("XDG_CONFIG_HOME");
    const char* home = std::getenv("HOME");
    std::filesystem::path folder;
    if (config != nullptr && *config != '\0')
        folder = config;
    else if (home != nullptr && *home != '\0')
        folder = std::filesystem::path(home) / ".config";
    const std::filesystem::path own = folder / "headroom" / "prices.toml";
    return !folder.empty() && std::filesystem::exists(own) ? own : resources / "prices.toml";
}

} // namespace headroom::experiments
