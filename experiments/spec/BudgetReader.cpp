// SPDX-License-Identifier: Apache-2.0
#include "experiments/spec/BudgetReader.h"

#include "core/base/Bytes.h"
#include "core/base/Error.h"
#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"
#include "experiments/spec/InputText.h"
#include "experiments/spec/TomlValue.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace headroom::experiments {
namespace {

// What a number may be.
enum class Range { Positive, NotNegative };

struct NumberKey {
    const char* name;
    LimitKind kind;
    double unit; ///< the amount is the number times this
    Range range;
};

constexpr std::array kNumberKeys{NumberKey{"max_peak_gib", LimitKind::Peak, double(kGiB), Range::Positive},
    NumberKey{"max_peak_mib", LimitKind::Peak, double(kMiB), Range::Positive},
    NumberKey{"min_steps_per_second", LimitKind::StepsPerSecond, 1, Range::Positive},
    NumberKey{"max_output_rel_l2", LimitKind::OutputRelL2, 1, Range::NotNegative},
    NumberKey{"max_loss_abs_diff", LimitKind::LossAbsDiff, 1, Range::NotNegative},
    NumberKey{"max_grad_norm_rel_diff", LimitKind::GradNormRelDiff, 1, Range::NotNegative}};

struct FlagKey {
    const char* name;
    LimitKind kind;
};

constexpr std::array kFlagKeys{FlagKey{"fits", LimitKind::Fits}, FlagKey{"must_complete", LimitKind::Completion}};

const std::map<std::string, PeakFigure> kPeaks{
    {"allocated", PeakFigure::Allocated}, {"reserved", PeakFigure::Reserved}, {"device", PeakFigure::Device}};

const std::map<std::string, AmbiguityPolicy> kPolicies{
    {"unusable", AmbiguityPolicy::Unusable}, {"pass", AmbiguityPolicy::Pass}};

std::vector<std::string> limitKeys()
{
    std::vector<std::string> keys;
    for (const NumberKey& key : kNumberKeys)
        keys.emplace_back(key.name);
    for (const FlagKey& key : kFlagKeys)
        keys.emplace_back(key.name);
    return keys;
}

std::vector<std::string> patternKeys()
{
    std::vector<std::string> keys{"model", "device", "label"};
    const auto techniques = config::techniqueKeys();
    keys.insert(keys.end(), techniques.begin(), techniques.end());
    return keys;
}

std::vector<std::string> allKeys()
{
    std::vector<std::string> keys{"name"};
    for (const auto& more : {patternKeys(), limitKeys(), std::vector<std::string>{"peak", "ambiguous"}})
        keys.insert(keys.end(), more.begin(), more.end());
    return keys;
}

template <typename Keys> auto findKey(const Keys& keys, const std::string& name)
{
    return std::find_if(keys.begin(), keys.end(), [&](const auto& key) { return name == key.name; });
}

bool contains(const std::vector<std::string>& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::string budgetPosition(const std::string& source, const toml::source_region& region)
{
    return source + ":" + std::to_string(region.begin.line) + ":" + std::to_string(region.begin.column);
}

// What was found, in TOML where it is a value.
std::string found(const toml::node& node, const std::string& where)
{
    return node.is_table() ? "found a table" : "found " + config::toToml(valueFromToml(node, where));
}

std::string budgetNodeText(const toml::node& node, const std::string& where)
{
    if (const auto* text = node.as_string(); text != nullptr && !text->get().empty())
        return text->get();
    throw UsageError(found(node, where), where, "text in quotes");
}

template <typename T>
T choiceOf(const std::map<std::string, T>& choices, const toml::node& node, const std::string& where)
{
    const auto* text = node.as_string();
    const auto it = text == nullptr ? choices.end() : choices.find(text->get());
    if (it != choices.end())
        return it->second;
    std::vector<std::string> names;
    for (const auto& [name, value] : choices)
        names.push_back("\"" + name + "\"");
    throw UsageError(found(node, where), where, joined(names));
}

std::vector<std::string> globsOf(const toml::node& node, const std::string& where)
{
    const auto* array = node.as_array();
    if (array == nullptr)
        return {budgetNodeText(node, where)};
    std::vector<std::string> globs;
    for (const toml::node& item : *array)
        globs.push_back(budgetNodeText(item, where));
    if (globs.empty())
        throw UsageError("found []", where, "a pattern such as \"sim:*\", or a list of patterns");
    return globs;
}

BudgetLimit numberLimit(const NumberKey& key, const toml::node& node, const std::string& where)
{
    const auto number = node.is_number() ? node.value<double>() : std::nullopt;
    const bool isInRange = number && (key.range == Range::Positive ? *number > 0 : *number >= 0);
    if (!isInRange || !std::isfinite(*number))
        throw UsageError(found(node, where), where,
            key.range == Range::Positive ? "a number greater than 0" : "a number of at least 0");
    return {key.kind, *number * key.unit, PeakFigure::Default, key.name, valueFromToml(node, where), where};
}

// Reads one [[budget]].
class BudgetTable {
public:
    BudgetTable(const toml::table& table, const std::string& source, std::size_t index)
        : m_source(source)
    {
        m_budget.name = "budget " + std::to_string(index + 1);
        m_budget.where = at(table.source(), "budget");
        for (const auto& [key, node] : table)
            read(std::string(key.str()), at(key.source(), "budget." + std::string(key.str())), node);
    }

    Budget take()
    {
        if (m_budget.limits.empty())
            throw UsageError("no limit", m_budget.where, "at least one of " + joined(limitKeys()));
        requireOnePeak();
        applyPeakFigure();
        std::sort(m_budget.limits.begin(), m_budget.limits.end(),
            [](const BudgetLimit& a, const BudgetLimit& b) { return a.kind < b.kind; });
        return std::move(m_budget);
    }

private:
    void read(const std::string& name, const std::string& where, const toml::node& node)
    {
        if (name == "name")
            m_budget.name = budgetNodeText(node, where);
        else if (name == "peak")
            m_peak = {choiceOf(kPeaks, node, where), where};
        else if (name == "ambiguous")
            m_budget.onAmbiguity = choiceOf(kPolicies, node, where);
        else if (contains(patternKeys(), name))
            m_budget.patterns.push_back({name, globsOf(node, where)});
        else
            readLimit(name, where, node);
    }

    void readLimit(const std::string& name, const std::string& where, const toml::node& node)
    {
        if (const auto number = findKey(kNumberKeys, name); number != kNumberKeys.end())
            m_budget.limits.push_back(numberLimit(*number, node, where));
        else if (const auto flag = findKey(kFlagKeys, name); flag != kFlagKeys.end())
            addFlag(*flag, node, where);
        else
            refuse(name, where);
    }

    void addFlag(const FlagKey& key, const toml::node& node, const std::string& where)
    {
        const auto* flag = node.as_boolean();
        if (flag == nullptr || !flag->get())
            throw UsageError(found(node, where), where, "true, or no such key");
        m_budget.limits.push_back({key.kind, 0, PeakFigure::Default, key.name, true, where});
    }

    void requireOnePeak() const
    {
        const auto isPeak = [](const BudgetLimit& limit) { return limit.kind == LimitKind::Peak; };
        const auto first = std::find_if(m_budget.limits.begin(), m_budget.limits.end(), isPeak);
        if (first == m_budget.limits.end())
            return;
        const auto second = std::find_if(first + 1, m_budget.limits.end(), isPeak);
        if (second != m_budget.limits.end())
            throw UsageError("a second limit for the same peak", second->where, "one of max_peak_gib, max_peak_mib");
    }

    void applyPeakFigure()
    {
        bool isUsed = m_peak.second.empty();
        for (BudgetLimit& limit : m_budget.limits)
            if (limit.kind == LimitKind::Peak) {
                limit.peak = m_peak.first;
                isUsed = true;
            }
        if (!isUsed)
            throw UsageError("there is no peak to limit", m_peak.second, "beside max_peak_gib or max_peak_mib");
    }

    [[noreturn]] static void refuse(const std::string& name, const std::string& where)
    {
        throw UsageError("unknown key \"" + name + "\"" + didYouMean(config::closestName(name, allKeys())), where,
            joined(allKeys()));
    }

    std::string at(const toml::source_region& region, const std::string& key) const
    {
        return budgetPosition(m_source, region) + ": " + key;
    }

    const std::string& m_source;
    Budget m_budget;
    std::pair<PeakFigure, std::string> m_peak{PeakFigure::Default, ""}; ///< and where it stands
};

std::string budgetContents(const std::filesystem::path& file)
{
    return readInput(file, "budgets", "a TOML file with [[budget]] tables");
}

} // namespace

std::vector<Budget> readBudgets(const toml::node& node, const std::string& source)
{
    const auto* array = node.as_array();
    const std::string where = budgetPosition(source, node.source()) + ": budget";
    std::vector<Budget> budgets;
    const auto add = [&](const toml::node& item) {
        if (!item.is_table())
            throw UsageError(found(item, where), where, "[[budget]] tables");
        budgets.push_back(BudgetTable(*item.as_table(), source, budgets.size()).take());
    };
    if (array == nullptr)
        add(node);
    else
        for (const toml::node& item : *array)
            add(item);
    return budgets;
}

void requireDistinctNames(const std::vector<Budget>& budgets)
{
    std::map<std::string, std::string> places;
    for (const Budget& budget : budgets)
        if (const auto [it, isNew] = places.emplace(budget.name, budget.where); !isNew)
            throw UsageError("the name \"" + budget.name + "\" stands for another budget already (" + it->second + ")",
                budget.where, "a name of its own");
}

std::vector<Budget> readBudgetText(const std::string& toml, const std::string& source)
{
    const toml::table root = parseToml(toml, source);
    std::vector<Budget> budgets;
    for (const auto& [key, node] : root) {
        if (key.str() != "budget")
            throw UsageError("unknown key \"" + std::string(key.str()) + "\"",
                budgetPosition(source, key.source()) + ": " + std::string(key.str()), "[[budget]] tables");
        budgets = readBudgets(node, source);
    }
    if (budgets.empty())
        throw UsageError("no budget", source, "[[budget]] tables");
    return budgets;
}

std::vector<Budget> loadBudgetFile(const std::filesystem::path& file)
{
    return readBudgetText(budgetContents(file), file.string());
}

} // namespace headroom::experiments
