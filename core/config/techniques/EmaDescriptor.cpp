// SPDX-License-Identifier: Apache-2.0
#include "core/config/techniques/EmaDescriptor.h"

#include "core/base/Error.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace headroom::config {
namespace {

constexpr Bytes kSliceBytes = 64 * kMiB;

constexpr const char* kEmaValid =
    "off, device, host (to the device and back as a whole), host:async (in slices on side streams), host:cpu";
constexpr std::array kPlacements{
    EmaPlacement::Off, EmaPlacement::Device, EmaPlacement::Host, EmaPlacement::HostAsync, EmaPlacement::HostCpu};
constexpr std::array kModes{EmaMode::Loop, EmaMode::Foreach, EmaMode::ForeachNoTemporary};

Field emaReal(const char* name, double standard, double minimum, std::optional<double> maximum, const char* help)
{
    return {.name = name,
        .type = FieldType::Real,
        .defaultValue = standard,
        .help = help,
        .minimum = minimum,
        .maximum = maximum};
}

Field integer(const char* name, std::int64_t standard, double minimum, const char* help)
{
    return {.name = name,
        .type = FieldType::Integer,
        .defaultValue = standard,
        .help = help,
        .minimum = minimum,
        .maximum = 1e15};
}

Field boolean(const char* name, Value standard, const char* help)
{
    return {.name = name, .type = FieldType::Boolean, .defaultValue = std::move(standard), .help = help};
}

Field emaChoice(const char* name, std::vector<std::string> choices, const char* help)
{
    const std::string standard = choices.front();
    return {
        .name = name, .type = FieldType::Choice, .defaultValue = standard, .help = help, .choices = std::move(choices)};
}

std::vector<Field> scheduleFields()
{
    return {emaReal("decay", 0.9999, 0, 1, "largest share of the shadow that an update keeps"),
        {.name = "decays",
            .type = FieldType::TextList,
            .defaultValue = Value::List{},
            .help =
                "decays of several shadows that are kept at once, as [\"0.999\", \"0.9999\"]; empty: one, with decay"},
        emaReal("min_decay", 0, 0, 1, "smallest share that is kept, from the first update that keeps any"),
        integer("update_after_step", 0, 0,
            "EMA updates during which, and in the one after them, the shadow is no more than a copy"),
        boolean("use_ema_warmup", false, "let the decay grow by inv_gamma and power instead of (1 + s) / (10 + s)"),
        emaReal("inv_gamma", 1, 1e-6, std::nullopt, "of the warm-up: 1 - (1 + s / inv_gamma)^-power"),
        emaReal("power", 2.0 / 3, 0, std::nullopt, "of the warm-up; 2/3 suits a million updates, 3/4 fewer"),
        integer("interval", 1, 1, "optimizer updates per EMA update; the decay counts EMA updates")};
}

FieldSet emaOptionFields()
{
    std::vector<Field> fields = scheduleFields();
    const std::vector<Field> more{
        emaChoice("mode", {"loop", "foreach", "foreach_no_temporary"},
            "loop: parameter by parameter; foreach: all in a few kernels, with a temporary as large as they are; "
            "foreach_no_temporary: the same in place"),
        emaChoice(
            "parameters", {"all", "trainable"}, "all: frozen ones are copied, as upstream does; trainable: only those"),
        boolean("pinned", {},
            "keep host memory pinned; left out: true for host and host:async, false for host:cpu, where it concerns "
            "the buffer that parameters arrive in"),
        boolean(
            "blocking", {}, "of host: wait for each copy; left out: false where memory is pinned, as upstream does"),
        integer("slice_bytes", kSliceBytes, 4096, "of host:async: bytes of one of its two slices on the device")};
    fields.insert(fields.end(), more.begin(), more.end());
    return fields;
}

[[noreturn]] void refuseEmaOption(const std::string& what, const std::string& option, const std::string& valid)
{
    throw UsageError(what, "techniques.ema." + option, valid);
}

// Returns an option's value, or the default if the setting leaves it out.
class Options {
public:
    explicit Options(const TechniqueSetting& setting)
        : m_values(setting.options)
    {
    }

    Value operator[](const std::string& name) const
    {
        const auto found = m_values.find(name);
        return found != m_values.end() && !found->second.isNull() ? found->second
                                                                  : emaOptions().get(name, "ema").defaultValue;
    }
    std::optional<bool> choiceOf(const std::string& name) const
    {
        const Value value = (*this)[name];
        return value.isNull() ? std::nullopt : std::optional(value.boolean());
    }

private:
    static const FieldSet& emaOptions()
    {
        static const FieldSet fields = emaOptionFields();
        return fields;
    }

    const ValueMap& m_values;
};

double decayFrom(const std::string& text)
{
    double decay = -1;
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, decay);
    if (error != std::errc{} || end != last || !(decay >= 0 && decay <= 1))
        refuseEmaOption("found \"" + text + "\"", "decays", "numbers of at least 0 and at most 1, as texts");
    return decay;
}

EmaSchedule scheduleFrom(const Options& options)
{
    EmaSchedule schedule;
    schedule.decay = options["decay"].real();
    schedule.minDecay = options["min_decay"].real();
    schedule.updateAfterStep = options["update_after_step"].integer();
    schedule.useWarmup = options["use_ema_warmup"].boolean();
    schedule.invGamma = options["inv_gamma"].real();
    schedule.power = options["power"].real();
    return schedule;
}

std::vector<EmaSchedule> schedulesFrom(const Options& options)
{
    EmaSchedule schedule = scheduleFrom(options);
    const Value::List decays = options["decays"].list();
    if (decays.empty())
        return {schedule};
    if (schedule.decay != EmaSchedule{}.decay)
        refuseEmaOption("found it beside decays", "decay", "one of decay and decays");
    std::vector<EmaSchedule> schedules;
    for (const Value& decay : decays) {
        schedule.decay = decayFrom(decay.text());
        schedules.push_back(schedule);
    }
    return schedules;
}

EmaMode modeFrom(const std::string& text)
{
    for (const EmaMode mode : kModes)
        if (toText(mode) == text)
            return mode;
    refuseEmaOption("found \"" + text + "\"", "mode", "loop, foreach, foreach_no_temporary");
}

bool pinnedFrom(const Options& options, EmaPlacement placement)
{
    const auto given = options.choiceOf("pinned");
    if (given && placement == EmaPlacement::Device)
        refuseEmaOption("device memory is neither pinned nor pageable", "pinned", "host, host:async, host:cpu");
    return given.value_or(placement == EmaPlacement::Host || placement == EmaPlacement::HostAsync);
}

bool blockingFrom(const Options& options, EmaPlacement placement, bool pinned)
{
    const auto given = options.choiceOf("blocking");
    if (given && placement != EmaPlacement::Host)
        refuseEmaOption(toText(placement) + " has no copies that may block or not", "blocking", "host");
    if (given && !*given && !pinned)
        refuseEmaOption("a copy of pageable memory keeps the host waiting", "blocking", "true, or pinned = true");
    return given.value_or(!pinned);
}

Bytes sliceBytesFrom(const Options& options, EmaPlacement placement)
{
    const Bytes bytes = options["slice_bytes"].integer();
    if (bytes != kSliceBytes && placement != EmaPlacement::HostAsync)
        refuseEmaOption(toText(placement) + " has no slices", "slice_bytes", "host:async, or leave it out");
    return bytes;
}

std::vector<std::string> emaSettingProblems(const TechniqueSetting& setting, const ModelContext& context)
{
    if (parseEmaPlacement(setting.notation, "ema") == EmaPlacement::Off)
        return {};
    if (context.workload.step != StepKind::Train)
        return {"ema = " + setting.notation + ": a step of " + toText(context.workload.step)
            + " does not train; it needs workload.step = train"};
    try {
        emaSettings(setting);
    } catch (const UsageError& error) {
        return {error.what()};
    }
    return {};
}

// Switching EMA off would change the result, but what is kept on the device can be kept elsewhere.
std::vector<Candidate> emaCandidates(const ModelContext& context)
{
    constexpr int kHostMemory = 3;
    const auto found = context.techniques.find("ema");
    if (found == context.techniques.end())
        return {};
    if (found->second.notation == "device" || found->second.notation == "host")
        return {{"host:async", kHostMemory}, {"host:cpu", kHostMemory}};
    return found->second.notation == "host:async" ? std::vector<Candidate>{{"host:cpu", kHostMemory}}
                                                  : std::vector<Candidate>{};
}

StepPeriod emaPeriod(const TechniqueSetting& setting)
{
    return {emaSettings(setting).interval, "ema.interval", "an EMA update"};
}

// Where the shadow is; whether there is one is part of the task.
TechniqueRange emaRange(const ModelContext& context)
{
    const std::string& present = context.notationOf("ema");
    if (present == "off")
        return {{{"off"}}};
    TechniqueRange range{.isIndependent = true};
    for (const EmaPlacement placement : kPlacements)
        if (placement != EmaPlacement::Off) {
            const std::string notation = toText(placement);
            range.settings.push_back({notation, {}, placement == EmaPlacement::Device ? 0 : 3, notation});
        }
    return range;
}

} // namespace

double EmaSchedule::decayAt(std::int64_t update) const
{
    const auto s = static_cast<double>(std::max<std::int64_t>(0, update - updateAfterStep - 1));
    if (s <= 0)
        return 0;
    const double grown = useWarmup ? 1 - std::pow(1 + s / invGamma, -power) : (1 + s) / (10 + s);
    return std::max(minDecay, std::min(grown, decay));
}

EmaPlacement parseEmaPlacement(const std::string& notation, const std::string& where)
{
    for (const EmaPlacement placement : kPlacements)
        if (toText(placement) == notation)
            return placement;
    throw UsageError("found \"" + notation + "\"", where, kEmaValid);
}

std::string toText(EmaPlacement placement)
{
    constexpr std::array kTexts{"off", "device", "host", "host:async", "host:cpu"};
    return kTexts.at(static_cast<std::size_t>(placement));
}

std::string toText(EmaMode mode)
{
    constexpr std::array kTexts{"loop", "foreach", "foreach_no_temporary"};
    return kTexts.at(static_cast<std::size_t>(mode));
}

EmaSettings emaSettings(const TechniqueSetting& setting)
{
    EmaSettings settings;
    settings.placement = parseEmaPlacement(setting.notation, "techniques.ema");
    if (settings.placement == EmaPlacement::Off)
        return settings;
    const Options options(setting);
    settings.schedules = schedulesFrom(options);
    settings.mode = modeFrom(options["mode"].text());
    settings.parameters = options["parameters"].text() == "all" ? EmaParameters::All : EmaParameters::Trainable;
    settings.pinned = pinnedFrom(options, settings.placement);
    settings.blocking = blockingFrom(options, settings.placement, settings.pinned);
    settings.interval = options["interval"].integer();
    settings.sliceBytes = sliceBytesFrom(options, settings.placement);
    return settings;
}

TechniqueDescriptor emaDescriptor()
{
    TechniqueDescriptor descriptor;
    descriptor.key = "ema";
    descriptor.title = "EMA of the weights";
    descriptor.summary = "Keeps a shadow of the weights that follows them slowly, for sampling and saving. Where the "
                         "shadow lives decides "
                         "what it costs: another set of weights on the device, or traffic between host and device.";
    descriptor.forms = {{"off", "no shadow"}, {"device", "on the device: as many bytes as the weights"},
        {"host", "in host memory; as a whole to the device for each update, and back"},
        {"host:async",
            "in pinned host memory; through two slices on the device on side streams, beside the next step's forward "
            "and backward"},
        {"host:cpu", "in host memory, brought up to date there: the parameters come to it"}};
    descriptor.off = "off";
    descriptor.options = emaOptionFields();
    descriptor.relieves = {MemoryCategory::Ema};
    descriptor.counters = {{"updates", "updates of a shadow in one step"},
        {"bytes_to_host", "bytes copied from the device to the host for them"},
        {"bytes_to_device", "bytes copied from the host to the device for them"},
        {"pinned_allocations", "pinned allocations made for them: 0 in a steady state"}};
    descriptor.normalise = [](const std::string& notation, const std::string& where) {
        return toText(parseEmaPlacement(notation, where));
    };
    descriptor.problems = emaSettingProblems;
    descriptor.asksForTraining = [](const std::string& notation) { return notation != "off"; };
    descriptor.period = emaPeriod;
    descriptor.candidates = emaCandidates;
    descriptor.range = emaRange;
    return descriptor;
}

} // namespace headroom::config
