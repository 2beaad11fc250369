// SPDX-License-Identifier: Apache-2.0
#include "experiments/report/reading/Redaction.h"

#include "core/base/ShellWords.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/imported/ImportedFamily.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <utility>

namespace headroom::report {

using namespace experiments;

namespace {

constexpr const char* kPath = "PATH";
constexpr const char* kName = "NAME";

// From the place where a word begins: absolute, below a home folder, or relative to here or above.
const std::regex& pathPattern()
{
    static const std::regex pattern(R"((^|[\s"'`=(\[{<,;:])((file://)?(~[\w.-]*|\.{1,2})?/[^\s"'`<>|;,()\[\]{}]*))");
    return pattern;
}

const std::regex& addressPattern()
{
    static const std::regex pattern(
        R"([\w.+-]+@[\w-]+(\.[\w-]+)*\.[A-Za-z]{2,}|\b\d{1,3}(\.\d{1,3}){3}\b|\b(GPU|MIG)-[0-9a-fA-F-]{8,}(/\d+)*)");
    return pattern;
}

bool isWordCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool standsAlone(const std::string& text, std::size_t at, std::size_t length)
{
    const bool openBefore = at == 0 || !isWordCharacter(text[at - 1]);
    const bool openAfter = at + length >= text.size() || !isWordCharacter(text[at + length]);
    return openBefore && openAfter;
}

std::string withoutName(std::string text, const std::string& name)
{
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos;) {
        if (!standsAlone(text, at, name.size())) {
            ++at;
            continue;
        }
        text.replace(at, name.size(), kName);
        at += std::string(kName).size();
    }
    return text;
}

// "Linux 6.1.0-18-cloud-amd64" says who built it: "Linux 6.1" is enough.
std::string shortKernel(const std::string& kernel)
{
    std::smatch found;
    return std::regex_search(kernel, found, std::regex(R"(^\w+ \d+\.\d+)")) ? found.str() : "";
}

// "--workspace=/x/y" and "sub/sweep.toml" are, "--checkpointing=ops:mm/2" is not.
bool isPath(const std::string& value)
{
    const bool hasSlash = value.find('/') != std::string::npos;
    return hasSlash && (value.find_first_of("/~.") == 0 || value.find(':') == std::string::npos);
}

bool isFileOption(const std::string& word)
{
    const auto options = {"--workspace", "--junit", "--summary", "--events", "--budgets"};
    return std::find(options.begin(), options.end(), word) != options.end();
}

std::string thisUser()
{
    const passwd* user = ::getpwuid(::geteuid());
    return user == nullptr || user->pw_uid == 0 ? "" : user->pw_name;
}

} // namespace

Redaction::Redaction(const StoredExperiment& experiment)
{
    std::vector<OrderedJson> environments = experiment.environments;
    environments.push_back(experiment.environment);
    for (const OrderedJson& environment : environments)
        learn(environment);
    learnName(thisUser());
    learnUsers(experiment.row.commandLine);
    for (const StoredTrial& trial : experiment.trials)
        for (const StoredRepeat& repeat : trial.repeats)
            learnUsers(repeat.result.reason);
    sortNames();
}

void Redaction::learn(const OrderedJson& environment)
{
    if (!environment.is_object() || !environment.value("host", OrderedJson()).is_string())
        return;
    const auto host = environment.at("host").get<std::string>();
    learnName(host);
    learnName(host.substr(0, host.find('.')));
    sortNames();
}

void Redaction::sortNames()
{
    std::sort(m_names.begin(), m_names.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
}

void Redaction::learnName(const std::string& name)
{
    const bool isKnown = std::find(m_names.begin(), m_names.end(), name) != m_names.end();
    if (name.size() > 1 && !isKnown && name != "localhost")
        m_names.push_back(name);
}

void Redaction::learnUsers(const std::string& text)
{
    static const std::regex home(R"((/home/|/Users/|~)([A-Za-z_][\w.-]*))");
    for (auto it = std::sregex_iterator(text.begin(), text.end(), home); it != std::sregex_iterator(); ++it)
        learnName(it->str(2));
}

std::string Redaction::text(const std::string& text) const
{
    std::string result = std::regex_replace(text, pathPattern(), "$1" + std::string(kPath));
    result = std::regex_replace(result, addressPattern(), kName);
    for (const std::string& name : m_names)
        result = withoutName(std::move(result), name);
    return result;
}

OrderedJson Redaction::environment(OrderedJson environment) const
{
    if (!environment.is_object())
        return environment;
    environment["host"] = nullptr;
    if (environment.contains("kernel") && environment.at("kernel").is_string())
        environment["kernel"] = shortKernel(environment.at("kernel").get<std::string>());
    for (auto& [key, value] : environment.items())
        if (value.is_string())
            value = text(value.get<std::string>());
    if (environment.contains("variables"))
        for (auto& [key, value] : environment.at("variables").items())
            value = text(value.get<std::string>());
    return environment;
}

void Redaction::apply(protocol::RepeatResult& result) const
{
    result.reason = text(result.reason);
    for (auto& [technique, effective] : result.effective)
        effective = text(effective);
    for (std::string& diagnostic : result.diagnostics)
        diagnostic = text(diagnostic);
}

// Where a model's files lie; the other settings are names of the catalogues and numbers.
constexpr std::array kFileFields{config::kArchiveField, config::kWeightsField};

void Redaction::apply(config::Configuration& configuration) const
{
    for (const char* field : kFileFields)
        if (const auto found = configuration.modelFields.find(field);
            found != configuration.modelFields.end() && found->second.isText())
            found->second = text(found->second.text());
}

void Redaction::apply(experiments::MeasuredModel& model) const
{
    if (model.imported)
        model.imported->file = text(model.imported->file);
}

void Redaction::apply(ComparedRuns& runs) const
{
    runs.title = text(runs.title);
    for (std::string& sentence : runs.sentences)
        sentence = text(sentence);
    if (runs.overTime)
        for (figures::ComparedMemory& memory : runs.overTime->trials)
            memory.name = text(memory.name);
    for (ComparedRuns::Detail& detail : runs.details)
        for (ReportRow& row : detail.table.rows)
            for (ReportCell& cell : row.cells)
                cell.text = text(cell.text);
}

// Reasons and names of budgets are free text.
std::string Redaction::spec(const std::string& json) const
{
    OrderedJson document = OrderedJson::parse(json, nullptr, false);
    if (!document.is_object())
        return json;
    for (const char* field : kFileFields)
        for (OrderedJson& part : document["parts"])
            if (const std::string path = std::string("model.") + field; part.contains(path))
                everyText(part.at(path));
    if (document.contains("exclude"))
        for (OrderedJson& rule : document.at("exclude"))
            rule["reason"] = text(rule.value("reason", ""));
    if (document.contains("budgets"))
        for (OrderedJson& budget : document.at("budgets"))
            if (budget.contains("name"))
                everyText(budget.at("name"));
    return document.dump();
}

std::string Redaction::commandLine(const std::string& commandLine) const
{
    if (commandLine.empty())
        return {};
    std::vector<std::string> words = shellWords(commandLine);
    words.front() = "headroom";
    bool isFile = false; // the word before names an option whose value is a file
    for (std::string& word : words) {
        if (std::exchange(isFile, isFileOption(word))) {
            word = kPath;
            continue;
        }
        const auto value = word.starts_with("-") ? word.find('=') + 1 : 0; // 0 where there is no "="
        const bool hasFile = value > 0 && isFileOption(word.substr(0, value - 1));
        word = hasFile || isPath(word.substr(value)) ? word.substr(0, value) + kPath : text(word);
    }
    return shellCommand(words);
}

// Verdicts of budgets quote what workers said.
void Redaction::everyText(OrderedJson& json) const
{
    if (json.is_string())
        json = text(json.get<std::string>());
    else if (json.is_structured())
        for (OrderedJson& item : json)
            everyText(item);
}

StoredExperiment Redaction::applied(StoredExperiment experiment) const
{
    everyText(experiment.summary);
    experiment.row.commandLine = commandLine(experiment.row.commandLine);
    experiment.row.specJson = spec(experiment.row.specJson);
    experiment.environment = environment(experiment.environment);
    for (OrderedJson& found : experiment.environments)
        found = environment(found);
    for (StoredTrial& trial : experiment.trials) {
        trial.planned.excludedBecause = text(trial.planned.excludedBecause);
        apply(trial.planned.trial.configuration);
        for (StoredRepeat& repeat : trial.repeats)
            apply(repeat.result);
    }
    for (store::DiagnosticRow& row : experiment.diagnostics)
        row.message = text(row.message);
    return experiment;
}

} // namespace headroom::report
