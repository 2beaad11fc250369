// SPDX-License-Identifier: Apache-2.0
#include "core/base/Error.h"
#include "experiments/spec/PresetCatalogue.h"
#include "experiments/spec/SpecDocument.h"
#include "experiments/spec/SpecEditor.h"
#include "tests/support/Checkout.h"
#include "tests/support/TextFiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

// Whatever a spec looks like, an edit changes one setting, no other, and no comment.

namespace headroom::experiments {
namespace {

using Values = std::map<std::string, config::Value>;

Values valuesOf(const SpecSettings& settings)
{
    Values values;
    for (const auto& [path, setting] : settings)
        values.emplace(path, setting.value);
    return values;
}

// Top level first, then the parts.
std::vector<Values> meaningOf(const std::string& text)
{
    const SpecDocument document = readSpecDocument(text, "spec.toml");
    std::vector<Values> meaning{valuesOf(document.settings)};
    for (const SpecSettings& part : document.parts)
        meaning.push_back(valuesOf(part));
    return meaning;
}

std::string othersOf(const std::string& text)
{
    const SpecDocument document = readSpecDocument(text, "spec.toml");
    std::string others = document.name + "\n" + document.title + "\n" + document.description + "\n";
    for (const ExcludeRule& rule : document.excludes) {
        others += rule.reason + ":";
        for (const SpecSetting& setting : rule.settings)
            others += setting.path + "=" + config::toToml(setting.value) + ";";
    }
    for (const Budget& budget : document.budgets)
        others += budget.name + ";";
    return others;
}

// Those of the generated specs are "#c1#", "#c2#" and so on; no value holds a "#c".
std::vector<std::string> commentsOf(const std::string& text)
{
    std::vector<std::string> comments;
    for (std::size_t at = text.find("#c"); at != std::string::npos; at = text.find("#c", at + 1))
        comments.push_back(text.substr(at, text.find('#', at + 1) - at));
    return comments;
}

class RandomSpec {
public:
    explicit RandomSpec(std::uint32_t seed)
        : m_random(seed)
    {
    }

    std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(m_random); }
    bool chance(std::size_t oneIn) { return below(oneIn) == 0; }
    template <typename T> const T& oneOf(const std::vector<T>& items) { return items[below(items.size())]; }

    std::string value()
    {
        static const std::vector<std::string> scalars{"1", "0x1F", "1_000", "0.5", "-1e3", "true", "\"a, b\"", "'c]d'",
            "\"quote \\\" } ]\"", "\"\"\"long\n\"\" = [x]\n\"\"\"", "'''it's\n{'''", "\"every:2\"", "nan",
            "\"tab\\t\\u00e9\"", "\"\xC3\xA9\""};
        if (!chance(4))
            return oneOf(scalars);
        std::string list = "[";
        for (std::size_t i = below(4); i > 0; --i)
            list += (chance(3) ? "\n " : " ") + oneOf(scalars) + ",";
        return list + (chance(3) ? "\n]" : "]");
    }

    std::string text()
    {
        std::string text = filler();
        if (chance(2))
            text += "name = " + std::string("\"n\"") + end();
        for (const std::string& table : kTables)
            text += tableText(table, "");
        if (chance(3))
            text += "[[exclude]]" + end() + "split_ffn = \"4\"" + end() + "reason = 'r'" + end();
        for (std::size_t parts = below(4); parts > 0; --parts)
            text += partText();
        if (chance(3))
            text += "[[budget]]" + end() + "name = \"b\"" + end() + "max_peak_gib = 1" + end();
        if (chance(4))
            while (text.ends_with('\n') || text.ends_with('\r'))
                text.pop_back();
        return text;
    }

    std::string path()
    {
        static const std::vector<std::string> paths{"model.name", "model.dim", "model.bias", "workload.batch",
            "workload.dtype", "techniques.checkpointing", "techniques.split_ffn", "techniques.split_ffn.accumulate",
            "device.name", "device.memory_limit_bytes", "protocol.steps"};
        return oneOf(paths);
    }

private:
    inline static const std::vector<std::string> kTables{"model", "workload", "techniques", "device", "protocol"};

    std::string comment() { return "#c" + std::to_string(++m_comments) + "# = [x] \"y"; }
    std::string end() { return (chance(4) ? "  " + comment() : "") + "\n"; }

    std::string filler()
    {
        std::string text;
        for (std::size_t lines = chance(2) ? below(3) : 0; lines > 0; --lines)
            text += chance(2) ? "\n" : "  " + comment() + "\n";
        return text;
    }

    std::vector<std::string> keysOf(const std::string& table)
    {
        std::vector<std::string> keys = table == "model" ? std::vector<std::string>{"name", "dim", "bias"}
            : table == "workload"                        ? std::vector<std::string>{"batch", "dtype", "\"loss\""}
            : table == "device"                          ? std::vector<std::string>{"name", "memory_limit_bytes"}
            : table == "protocol"                        ? std::vector<std::string>{"steps", "repeats"}
                                                         : std::vector<std::string>{"checkpointing", "split_ffn"};
        std::erase_if(keys, [&](const std::string&) { return chance(3); });
        std::shuffle(keys.begin(), keys.end(), m_random);
        return keys;
    }

    std::string inlineValue()
    {
        std::string text = value();
        return text.find('\n') == std::string::npos ? text : "7";
    }

    std::string item(const std::string& key, bool isInline)
    {
        if (key != "split_ffn" || chance(2))
            return key + (chance(5) ? "=" : " = ") + (isInline ? inlineValue() : value());
        if (chance(2))
            return "split_ffn.notation = " + inlineValue();
        return "split_ffn = { notation = " + inlineValue() + (chance(2) ? ", accumulate = 'in_place' }" : "}");
    }

    std::string inlineTable(const std::string& table)
    {
        std::string text = "{";
        for (const std::string& key : keysOf(table))
            text += (text.size() > 1 ? ", " : " ") + item(key, true);
        return text + (chance(2) ? " }" : "}");
    }

    // As dotted keys or an inline table, which come before all headings, or below a heading.
    std::string tableText(const std::string& table, const std::string& prefix)
    {
        const std::size_t style = prefix.empty() && m_headings == 0 ? below(3) : 2;
        std::string text;
        if (style == 0)
            for (const std::string& key : keysOf(table))
                text += table + "." + item(key, false) + end();
        if (style == 1)
            text = table + " = " + inlineTable(table) + end();
        if (style == 2)
            text = headed(table, prefix);
        return text + filler();
    }

    std::string headed(const std::string& table, const std::string& prefix)
    {
        ++m_headings;
        std::string text = (chance(6) ? "  [ " : "[") + prefix + table + "]" + end() + filler();
        std::vector<std::string> keys = keysOf(table);
        const bool isApart = table == "techniques" && chance(2) && std::erase(keys, std::string("split_ffn")) > 0;
        if (isApart && keys.empty() && chance(2))
            text.clear();
        for (const std::string& key : keys)
            text += (chance(6) ? "  " : "") + item(key, false) + end() + filler();
        if (isApart)
            text += "[" + prefix + "techniques.split_ffn]" + end() + "notation = " + value() + end();
        return text;
    }

    std::string partText()
    {
        ++m_headings;
        std::string text = "[[part]]" + end() + filler();
        std::vector<std::string> tables = kTables;
        if (chance(2)) {
            text += "model.dim = " + value() + end();
            std::erase(tables, std::string("model"));
        }
        for (const std::string& table : tables)
            if (chance(2))
                text += tableText(table, "part.");
        return text;
    }

    std::mt19937 m_random;
    std::size_t m_comments = 0;
    std::size_t m_headings = 0;
};

std::string withCarriageReturns(const std::string& text)
{
    std::string result;
    for (const char c : text)
        result += c == '\n' ? std::string("\r\n") : std::string(1, c);
    return result;
}

// Those of a line that goes with its key are gone; none is new, changed or moved.
void expectSameComments(const std::string& before, const std::string& after, bool isRemoval)
{
    const auto old = commentsOf(before);
    const auto now = commentsOf(after);
    if (!isRemoval) {
        EXPECT_EQ(now, old) << before << "\n----\n" << after;
    }
    auto at = old.begin();
    for (const std::string& comment : now) {
        at = std::find(at, old.end(), comment);
        ASSERT_NE(at++, old.end()) << comment << "\n" << before << "\n----\n" << after;
    }
}

void setAndCheck(std::string& text, RandomSpec& random, const std::string& path, std::optional<std::size_t> part)
{
    std::vector<Values> expected = meaningOf(text);
    const std::string others = othersOf(text);
    std::string value = random.value();
    // The others' values are compared too, and not-a-number equals nothing.
    if (value.find("nan") != std::string::npos)
        value = "2";
    SpecEditor editor(text, "spec.toml");
    editor.set(path, value, part);
    const std::string where = "set " + path + " = " + value + "\n" + text + "\n----\n" + editor.text();
    const auto reference = readSpecDocument("model.dim = " + value, "x").settings.at("model.dim").value;
    expected[part ? *part + 1 : 0][path] = reference;
    EXPECT_EQ(meaningOf(editor.text()), expected) << where;
    EXPECT_EQ(othersOf(editor.text()), others) << where;
    expectSameComments(text, editor.text(), false);
    text = editor.text();
}

void clearAndCheck(std::string& text, const std::string& path, std::optional<std::size_t> part)
{
    std::vector<Values> expected = meaningOf(text);
    const std::string others = othersOf(text);
    SpecEditor editor(text, "spec.toml");
    editor.clear(path, part);
    const std::string where = "clear " + path + "\n" + text + "\n----\n" + editor.text();
    expected[part ? *part + 1 : 0].erase(path);
    EXPECT_EQ(meaningOf(editor.text()), expected) << where;
    EXPECT_EQ(othersOf(editor.text()), others) << where;
    expectSameComments(text, editor.text(), true);
    text = editor.text();
}

std::string withoutNan(std::string text)
{
    for (auto at = text.find("nan"); at != std::string::npos; at = text.find("nan"))
        text.replace(at, 3, "0.5");
    return text;
}

TEST(SpecEditorPropertyTest, anEditChangesOneSettingOfAnySpec)
{
    std::size_t edits = 0;
    std::size_t parsed = 0;
    for (std::uint32_t seed = 0; seed < 800 && !::testing::Test::HasFailure(); ++seed) {
        RandomSpec random(seed);
        std::string text = withoutNan(random.text());
        if (random.chance(4))
            text = withCarriageReturns(text);
        try {
            meaningOf(text);
        } catch (const UsageError&) {
            continue; // such as a technique's table beside its notation
        }
        ++parsed;
        for (int i = 0; i < 12 && !::testing::Test::HasFailure(); ++i, ++edits) {
            const std::size_t parts = SpecEditor(text, "spec.toml").numberOfParts();
            const std::size_t place = random.below(parts + 1);
            const auto part = place == 0 ? std::nullopt : std::optional(place - 1);
            if (random.chance(3))
                clearAndCheck(text, random.path(), part);
            else
                setAndCheck(text, random, random.path(), part);
        }
    }
    EXPECT_GE(parsed, 400u) << "of 800";
    EXPECT_GE(edits, 4800u);
}

std::vector<std::string> presetTexts()
{
    std::vector<std::string> texts;
    for (const Preset& preset : listPresets(shippedResources()))
        texts.push_back(contentOf(preset.file));
    return texts;
}

TEST(SpecEditorPropertyTest, anEditChangesOneSettingOfEveryPreset)
{
    const auto texts = presetTexts();
    ASSERT_GE(texts.size(), 5u);
    RandomSpec random(7);
    for (const std::string& preset : texts) {
        std::string text = preset;
        for (int i = 0; i < 60; ++i) {
            const std::size_t place = random.below(SpecEditor(text, "spec.toml").numberOfParts() + 1);
            const auto part = place == 0 ? std::nullopt : std::optional(place - 1);
            if (random.chance(3))
                clearAndCheck(text, random.path(), part);
            else
                setAndCheck(text, random, random.path(), part);
        }
    }
}

TEST(SpecEditorPropertyTest, whatIsSetAndClearedAgainLeavesAPresetAsItWas)
{
    for (const std::string& preset : presetTexts())
        for (const char* path :
            {"model.dim", "workload.seed", "device.memory_limit_bytes", "protocol.max_warmup_steps"}) {
            SpecEditor editor(preset, "spec.toml");
            if (editor.valueText(path))
                continue;
            editor.set(path, "1");
            EXPECT_NE(editor.text(), preset);
            editor.clear(path);
            EXPECT_EQ(editor.text(), preset) << path;
        }
}

} // namespace
} // namespace headroom::experiments
