// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/Commands.h"
#include "app/cli/commands/DeviceProfileReport.h"
#include "app/cli/commands/WorkerAnswer.h"
#include "core/base/Error.h"
#include "core/base/Quantities.h"
#include "core/config/DeviceSpec.h"
#include "core/config/Installation.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <memory>

namespace headroom::cli {

using experiments::OrderedJson;
using simulator::ProfileCatalogue;

namespace {

struct DevicesArguments {
    std::string name;
    std::string format = "table";
};

OrderedJson record(const std::string& name, const char* kind, const std::string& title, const std::string& reason)
{
    return {{"name", name}, {"kind", kind}, {"title", title}, {"usable", reason.empty()},
        {"reason", reason.empty() ? OrderedJson(nullptr) : OrderedJson(reason)}, {"total_bytes", nullptr},
        {"compute_capability", nullptr}};
}

// Adds the GPUs that the worker sees, or one row that says why it sees none.
void addCudaDevices(OrderedJson& records, const WorkerAnswer& worker)
{
    const std::string reason = worker.description ? worker.description->cudaReason : worker.problem;
    const protocol::Json details = worker.description ? worker.description->details : protocol::Json::object();
    const protocol::Json devices = details.value("cuda_devices", protocol::Json::array());
    for (const protocol::Json& device : devices) {
        OrderedJson entry =
            record(device.at("name").get<std::string>(), "measured", device.value("title", std::string()), reason);
        entry["total_bytes"] = OrderedJson(device.value("total_bytes", protocol::Json()));
        entry["compute_capability"] = OrderedJson(device.value("compute_capability", protocol::Json()));
        records.push_back(entry);
    }
    if (devices.empty())
        records.push_back(record("cuda:N", "measured", "NVIDIA GPU", reason.empty() ? "no GPU was found" : reason));
}

void addSimulatedDevices(OrderedJson& records, const ProfileCatalogue& profiles, const std::string& workerProblem)
{
    for (const simulator::DeviceProfile& profile : profiles.devices()) {
        OrderedJson entry = record("sim:" + profile.name, "predicted", profile.title, workerProblem);
        if (profile.memory)
            entry["total_bytes"] = profile.memory->totalBytes.value;
        if (profile.compute)
            entry["compute_capability"] = std::to_string(profile.compute->capability.value.major) + "."
                + std::to_string(profile.compute->capability.value.minor);
        records.push_back(entry);
    }
}

void addRehearsedDevices(OrderedJson& records)
{
    records.push_back(record("rehearsal:NAME", "rehearsed",
        "a card of the list below: LibTorch's CUDA code, on a substitute for the CUDA runtime", rehearsalProblem()));
}

std::string constantCell(const OrderedJson& value)
{
    return value.is_string() ? value.get<std::string>() : "";
}

Table deviceTable(const OrderedJson& records)
{
    Table table({{"device"}, {"kind"}, {"usable"}, {"memory", Alignment::Right}, {"capability", Alignment::Right},
        {"what it is"}});
    for (const OrderedJson& device : records)
        table.addRow({device.at("name").get<std::string>(), device.at("kind").get<std::string>(),
            device.at("usable").get<bool>() ? "yes" : "no: " + constantCell(device.at("reason")),
            device.at("total_bytes").is_number() ? sizeText(device.at("total_bytes").get<Bytes>()) : "",
            constantCell(device.at("compute_capability")), constantCell(device.at("title"))});
    return table;
}

Table runtimeTable(const OrderedJson& runtimes)
{
    Table table({{"runtime"}, {"default"}, {"what it is"}});
    for (const OrderedJson& runtime : runtimes)
        table.addRow({runtime.at("name").get<std::string>(), runtime.at("default").get<bool>() ? "yes" : "no",
            runtime.at("title").get<std::string>()});
    return table;
}

OrderedJson runtimeRecords(const ProfileCatalogue& profiles)
{
    OrderedJson records = OrderedJson::array();
    for (const simulator::RuntimeProfile& runtime : profiles.runtimes())
        records.push_back({{"name", runtime.name}, {"title", runtime.title},
            {"libtorch_version", runtime.libtorchVersion}, {"default", runtime.name == config::kDefaultRuntime}});
    return records;
}

OrderedJson deviceRecords(const ProfileCatalogue& profiles, const WorkerAnswer& worker)
{
    OrderedJson records = OrderedJson::array();
    records.push_back(record("cpu", "measured", "this machine's processor", worker.problem));
    addCudaDevices(records, worker);
    addRehearsedDevices(records);
    addSimulatedDevices(records, profiles, worker.problem);
    return records;
}

Report deviceList(const ProfileCatalogue& profiles)
{
    Report report;
    report.records = deviceRecords(profiles, askWorker());
    const OrderedJson runtimes = runtimeRecords(profiles);
    report.document = {{"devices", report.records}, {"runtimes", runtimes}};
    report.sections.push_back({"", "", deviceTable(report.records), ""});
    report.sections.push_back({"Runtimes of simulated devices (sim:NAME@RUNTIME)", "", runtimeTable(runtimes),
        "headroom devices NAME shows the constants of a profile and their sources."});
    return report;
}

// The row of cpu or cuda:N in the list.
Report measuredDevice(const std::string& name, const ProfileCatalogue& profiles)
{
    Report report;
    for (const OrderedJson& device : deviceRecords(profiles, askWorker()))
        if (device.at("name") == name)
            report.records.push_back(device);
    if (report.records.empty())
        throw UsageError("there is no device " + name + " on this machine", "devices", "those of headroom devices");
    report.document = report.records.front();
    report.sections.push_back({"", "", deviceTable(report.records), ""});
    return report;
}

// The report on a device or a runtime; `name` may omit the "sim:" and the runtime of a simulated device.
Report deviceReport(const std::string& name, const ProfileCatalogue& profiles)
{
    if (simulator::isProfileFile(name))
        return deviceProfileReport(profiles.parseSimulatedDevice(name, "devices").device);
    const auto isRuntime = [&](const simulator::RuntimeProfile& runtime) { return runtime.name == name; };
    if (std::any_of(profiles.runtimes().begin(), profiles.runtimes().end(), isRuntime))
        return runtimeProfileReport(profiles.runtime(name, "devices"));
    if (name == "cpu" || name.starts_with("cuda"))
        return measuredDevice(config::parseDevice(name, "devices").name(), profiles);
    return deviceProfileReport(profiles.parseSimulatedDevice(name, "devices").device);
}

int showDevices(const DevicesArguments& arguments)
{
    const OutputFormat format = outputFormatFromText(arguments.format);
    const ProfileCatalogue profiles(config::resourceDirectory());
    print(arguments.name.empty() ? deviceList(profiles) : deviceReport(arguments.name, profiles), format, std::cout);
    return 0;
}

} // namespace

void addDevicesCommand(CLI::App& app, Action& chosen)
{
    CLI::App* command = app.add_subcommand("devices", "List what trials can run on, or a profile and its sources");
    const auto arguments = std::make_shared<DevicesArguments>();
    command
        ->add_option(
            "name", arguments->name, "a device or runtime profile, or a profile's file; without it, all are listed")
        ->type_name("NAME|FILE.toml");
    addFormatOption(*command, arguments->format);
    command->footer("Examples:\n  headroom devices\n  headroom devices sim:a100-80gb\n  headroom devices torch-2.5\n"
                    "  headroom devices ./my-card.toml\n\n"
                    "Results of simulated devices are predictions and are marked so everywhere.");
    command->callback([arguments, &chosen] { chosen = [arguments] { return showDevices(*arguments); }; });
}

} // namespace headroom::cli
