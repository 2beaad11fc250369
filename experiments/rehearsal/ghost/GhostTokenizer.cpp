// SPDX-License-Identifier: Apache-2.0
#include "experiments/rehearsal/ghost/GhostTokenizer.h"

#include "core/base/Error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace headroom::experiments {
namespace {

using config::Value;
using TokenJson = nlohmann::json;

// The most tokens of published vocabularies are some 260,000.
constexpr std::int64_t kMostTokens = 4'000'000;
constexpr int kAllBytes = 256;

// By their frequency in English text; "Ġ" is how byte-level tokenizers write a blank.
const std::vector<std::string> kFrequent{"e", "t", "a", "o", "i", "n", "s", "r", "h", "l", "d", "u", "c", "m", "f", "p",
    "g", "w", "y", "b", "v", "k", "x", "j", "q", "z"};
constexpr const char* kBlank = "\u0120";

// For chats: a line that names who speaks before each message, and one for the answer.
constexpr const char* kChatTemplate =
    "{% for message in messages %}{{ '<' + message['role'] + '>\\n' + message['content'] + '\\n' }}"
    "{% if loop.last and message['role'] == 'assistant' and eos_token is defined and eos_token %}{{ eos_token }}{% "
    "endif %}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<assistant>\\n' }}{% endif %}";

std::string utf8Of(int codePoint)
{
    if (codePoint < 0x80)
        return {static_cast<char>(codePoint)};
    return {static_cast<char>(0xC0 | codePoint >> 6), static_cast<char>(0x80 | (codePoint & 0x3F))};
}

bool isPrintableByte(int byte)
{
    return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || (byte >= 0xAE && byte <= 0xFF);
}

// The letters by which byte-level tokenizers write bytes: printable ones as they are, the others from U+0100 on. Those
// that texts are made of come first, for vocabularies with less than 256 tokens.
std::vector<std::string> byteLetters()
{
    std::vector<std::string> usual{kBlank};
    std::vector<std::string> others;
    int next = 0x100;
    for (int byte = 0; byte < kAllBytes; ++byte)
        if (isPrintableByte(byte))
            (byte < 0x80 ? usual : others).push_back(utf8Of(byte));
        else if (const std::string letter = utf8Of(next++); letter != kBlank)
            others.push_back(letter);
    usual.insert(usual.end(), others.begin(), others.end());
    return usual;
}

/// Pieces that are put together from two others, the most frequent first.
struct LearntPieces {
    std::vector<std::string> texts;
    std::vector<std::string> merges; ///< "LEFT RIGHT"

    void add(const std::string& left, const std::string& right)
    {
        texts.push_back(left + right);
        merges.push_back(left + " " + right);
    }
};

// Pairs of letters, then pairs of those: (0, 0), (0, 1), (1, 0), (1, 1), (0, 2), …
LearntPieces learntPieces(std::size_t most)
{
    LearntPieces pieces;
    const std::size_t letters = kFrequent.size();
    for (const std::string& letter : kFrequent)
        pieces.add(kBlank, letter);
    for (std::size_t sum = 0; sum < 2 * letters; ++sum)
        for (std::size_t i = 0; i < letters; ++i)
            if (sum >= i && sum - i < letters)
                pieces.add(kFrequent[i], kFrequent[sum - i]);
    const std::vector<std::string> pairs = pieces.texts;
    for (std::size_t sum = 0; sum < pairs.size() && pieces.texts.size() < most; ++sum)
        for (std::size_t i = 0; i <= sum && pieces.texts.size() < most; ++i)
            if (const std::string& right = pairs[sum - i]; !right.starts_with(kBlank))
                pieces.add(pairs[i], right);
    if (pieces.texts.size() > most) {
        pieces.texts.resize(most);
        pieces.merges.resize(most);
    }
    return pieces;
}

struct PlacedToken {
    std::string role; ///< empty: a further one of the same kind
    std::string text;
    std::int64_t id = 0;
};

/// The tokens of a vocabulary by their ids.
class GhostTokens {
public:
    GhostTokens(const GhostConfiguration& configuration, std::int64_t size)
        : m_where(configuration.where())
        , m_size(size)
    {
        for (const GhostSpecialToken& token : configuration.description().vocabulary.special)
            place(token, token.id(configuration.names()));
        fill();
    }

    const std::vector<PlacedToken>& special() const { return m_special; }
    TokenJson added() const;
    TokenJson model() const;

    std::optional<PlacedToken> ofRole(const std::string& role) const
    {
        const auto found = std::ranges::find(m_special, role, &PlacedToken::role);
        if (found == m_special.end())
            return std::nullopt;
        return PlacedToken{role, m_texts.at(found->id), found->id};
    }

private:
    // Where a configuration lists several ids, as for the ends of a text, the first is the token of that role.
    void place(const GhostSpecialToken& token, const Value& ids)
    {
        if (!ids.isList())
            return placeOne(token.role, token.text, ids);
        for (std::size_t i = 0; i < ids.list().size(); ++i)
            placeOne(i == 0 ? token.role : "", i == 0 ? token.text : token.text + std::to_string(i), ids.list()[i]);
    }

    void placeOne(const std::string& role, const std::string& text, const Value& id)
    {
        if (id.isNull() || (id.isInteger() && id.integer() < 0))
            return;
        if (!id.isInteger() || id.integer() >= m_size)
            throw UsageError("found " + config::toToml(id) + " for the id of a token", m_where,
                "less than the " + std::to_string(m_size) + " tokens of the vocabulary");
        m_texts.emplace(id.integer(), text); // one token may have several roles
        m_special.push_back({role, m_texts.at(id.integer()), id.integer()});
    }

    void fill()
    {
        const std::vector<std::string> letters = byteLetters();
        m_pieces = learntPieces(static_cast<std::size_t>(m_size));
        std::vector<std::string> texts = letters;
        texts.insert(texts.end(), m_pieces.texts.begin(), m_pieces.texts.end());
        std::size_t next = 0;
        for (std::int64_t id = 0; id < m_size; ++id)
            if (!m_texts.contains(id))
                m_texts.emplace(id, next < texts.size() ? texts[next] : "<|unused" + std::to_string(id) + "|>"), ++next;
        const std::size_t merged = next > letters.size() ? std::min(next, texts.size()) - letters.size() : 0;
        m_pieces.merges.resize(merged);
    }

    std::string m_where;
    std::int64_t m_size;
    std::map<std::int64_t, std::string> m_texts;
    std::vector<PlacedToken> m_special;
    LearntPieces m_pieces;
};

TokenJson GhostTokens::added() const
{
    TokenJson list = TokenJson::array();
    std::set<std::int64_t> listed;
    for (const PlacedToken& token : m_special)
        if (listed.insert(token.id).second)
            list.push_back({{"id", token.id}, {"content", token.text}, {"single_word", false}, {"lstrip", false},
                {"rstrip", false}, {"normalized", false}, {"special", true}});
    std::sort(list.begin(), list.end(), [](const TokenJson& a, const TokenJson& b) { return a["id"] < b["id"]; });
    return list;
}

TokenJson GhostTokens::model() const
{
    TokenJson vocabulary = TokenJson::object();
    for (const auto& [id, text] : m_texts)
        vocabulary[text] = id;
    return {{"type", "BPE"}, {"dropout", nullptr}, {"unk_token", nullptr}, {"continuing_subword_prefix", nullptr},
        {"end_of_word_suffix", nullptr}, {"fuse_unk", false}, {"byte_fallback", false}, {"vocab", vocabulary},
        {"merges", m_pieces.merges}};
}

/// The tokens of these roles, as far as the vocabulary has them.
std::vector<PlacedToken> around(const GhostTokens& tokens, const std::vector<std::string>& roles)
{
    std::vector<PlacedToken> found;
    for (const std::string& role : roles)
        if (const auto token = tokens.ofRole(role))
            found.push_back(*token);
    return found;
}

TokenJson specialPart(const PlacedToken& token, int type)
{
    return {{"SpecialToken", {{"id", token.text}, {"type_id", type}}}};
}

TokenJson textPart(const char* name, int type)
{
    return {{"Sequence", {{"id", name}, {"type_id", type}}}};
}

TokenJson postProcessor(const GhostTokens& tokens, const GhostVocabulary& vocabulary)
{
    const auto before = around(tokens, vocabulary.before);
    const auto after = around(tokens, vocabulary.after);
    const TokenJson plain{
        {"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", false}, {"use_regex", true}};
    if (before.empty() && after.empty())
        return plain;
    TokenJson single = TokenJson::array();
    TokenJson second = TokenJson::array({textPart("B", 1)});
    TokenJson known = TokenJson::object();
    for (const PlacedToken& token : before)
        single.push_back(specialPart(token, 0));
    single.push_back(textPart("A", 0));
    for (const PlacedToken& token : after) {
        single.push_back(specialPart(token, 0));
        second.push_back(specialPart(token, 1));
    }
    for (const auto* list : {&before, &after})
        for (const PlacedToken& token : *list)
            known[token.text] = {
                {"id", token.text}, {"ids", TokenJson::array({token.id})}, {"tokens", TokenJson::array({token.text})}};
    TokenJson pair = single;
    pair.insert(pair.end(), second.begin(), second.end());
    return {{"type", "TemplateProcessing"}, {"single", single}, {"pair", pair}, {"special_tokens", known}};
}

std::string tokenizerFile(const GhostTokens& tokens, const GhostVocabulary& vocabulary)
{
    const TokenJson bytes{
        {"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", true}};
    const TokenJson file{{"version", "1.0"}, {"truncation", nullptr}, {"padding", nullptr},
        {"added_tokens", tokens.added()}, {"normalizer", nullptr}, {"pre_tokenizer", bytes},
        {"post_processor", postProcessor(tokens, vocabulary)}, {"decoder", bytes}, {"model", tokens.model()}};
    return file.dump() + "\n";
}

TokenJson tokensByRole(const GhostTokens& tokens)
{
    TokenJson roles = TokenJson::object();
    for (const PlacedToken& token : tokens.special())
        if (!token.role.empty())
            roles[token.role] = token.text;
    return roles;
}

std::string tokenizerSettings(const GhostTokens& tokens, const GhostConfiguration& configuration)
{
    TokenJson settings = tokensByRole(tokens);
    settings["tokenizer_class"] = "PreTrainedTokenizerFast";
    settings["clean_up_tokenization_spaces"] = false;
    const GhostExpression& longest = configuration.description().vocabulary.longest;
    if (longest)
        if (const Value most = longest(configuration.names()); most.isInteger())
            settings["model_max_length"] = most.integer();
    if (configuration.description().generates)
        settings["chat_template"] = kChatTemplate;
    return settings.dump(2) + "\n";
}

} // namespace

std::map<std::string, std::string> ghostTokenizer(const GhostConfiguration& configuration)
{
    const GhostVocabulary& vocabulary = configuration.description().vocabulary;
    if (!vocabulary.size)
        return {};
    const std::int64_t size = ghostInteger(vocabulary.size(configuration.names()), configuration.where());
    if (size > kMostTokens)
        throw UsageError("has a vocabulary of " + std::to_string(size) + " tokens", configuration.where(),
            std::to_string(kMostTokens) + " at most");
    const GhostTokens tokens(configuration, size);
    return {{"tokenizer.json", tokenizerFile(tokens, vocabulary)},
        {"tokenizer_config.json", tokenizerSettings(tokens, configuration)},
        {"special_tokens_map.json", tokensByRole(tokens).dump(2) + "\n"}};
}

} // namespace headroom::experiments
