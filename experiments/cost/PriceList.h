// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace headroom::experiments {

/// What an hour on a card costs, and who says so.
struct CardPrice {
    std::string device; ///< "a100-80gb"
    double perHour = 0; ///< in the list's currency, at least 0
    std::string source; ///< who charges it: a page, an invoice, a calculation
    std::string date; ///< "2026-11-25"
};

/// The prices that a person has written down. A card may have several, from several sources.
struct PriceList {
    std::string file; ///< empty: none
    std::string currency; ///< "EUR"; empty if there are no prices
    std::vector<CardPrice> prices; ///< in the order of the file

    std::vector<CardPrice> of(const std::string& device) const;
};

/// Reads a file. Throws UsageError with file, line and key for what is wrong (a device that no profile in `devices`
/// has, a price without a source), FileError if it cannot be read.
PriceList readPrices(const std::filesystem::path& file, const std::vector<std::string>& devices);

/// The file of the person, `$XDG_CONFIG_HOME/headroom/prices.toml` (`~/.config` without that variable), if it is there,
/// or else `prices.toml` of the resources.
std::filesystem::path pricesFile(const std::filesystem::path& resources);

} // namespace headroom::experiments
