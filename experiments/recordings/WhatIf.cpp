// SPDX-License-Identifier: Apache-2.0
#include "experiments/recordings/WhatIf.h"

#include "core/base/Error.h"
#include "experiments/recordings/SettingSuggestions.h"
#include "experiments/sweep/AllocatorSetting.h"
#include "profiling/simulator/devices/Fit.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::experiments {
namespace {

using recordings::DeviceRecording;
using recordings::Recording;
using recordings::Replay;
using recordings::ReplayAddresses;
using recordings::ReplayTerms;

constexpr const char* kWhereAllocator = "--allocator";

std::string shown(const std::string& settings)
{
    return settings.empty() ? kDefaultAllocator : settings;
}

// The smallest card of the catalogue whose memory is enough.
std::string cardFor(Bytes capacity, const simulator::ProfileCatalogue& cards)
{
    const simulator::DeviceProfile* smallest = nullptr;
    Bytes smallestBytes = 0;
    for (const simulator::DeviceProfile& card : cards.devices()) {
        if (card.kind == simulator::AllocatorKind::Exact || !card.memory)
            continue;
        const Bytes offered = simulator::capacityOf(card).limitBytes;
        if (offered < capacity || (smallest != nullptr && offered >= smallestBytes))
            continue;
        smallest = &card;
        smallestBytes = offered;
    }
    return smallest == nullptr ? "" : "sim:" + smallest->name;
}

class WhatIf {
public:
    WhatIf(const Recording& recording, const WhatIfQuestion& question, const simulator::ProfileCatalogue& cards,
        const std::stop_token& stop)
        : m_recording(recording)
        , m_question(question)
        , m_cards(cards)
        , m_stop(stop)
    {
    }

    WhatIfAnswer answer()
    {
        for (const DeviceRecording& device : m_recording.devices)
            answer(device);
        m_answer.wasAskedForSuggestion = m_question.suggests;
        addRemarks();
        return std::move(m_answer);
    }

private:
    void answer(const DeviceRecording& device)
    {
        const std::size_t first = m_answer.rows.size();
        std::vector<std::string> settings = m_question.allocators;
        if (m_question.suggests)
            for (const std::string& sensible : sensibleSettings(limitOf(device).has_value()))
                if (std::ranges::find(settings, sensible) == settings.end())
                    settings.push_back(sensible);
        for (const std::string& text : settings)
            addRow(device, text);
        if (!m_question.suggests)
            return;
        const std::vector rows(m_answer.rows.begin() + static_cast<std::ptrdiff_t>(first), m_answer.rows.end());
        suggest(device, rows);
    }

    // The settings are those of the process: what the device needs that died counts, where one did.
    void suggest(const DeviceRecording& device, const std::vector<WhatIfRow>& rows)
    {
        const bool dies = std::ranges::any_of(rows, [](const WhatIfRow& row) { return row.isRecorded && !row.fits(); });
        if (m_hasDied || (m_answer.suggestion && !dies))
            return;
        m_answer.suggestion = bestSetting(rows);
        m_hasDied = dies;
        if (m_answer.suggestion && m_recording.devices.size() > 1)
            m_answer.suggestion->text = fmt::format("Device {}: {}", device.device, m_answer.suggestion->text);
    }

    std::optional<Bytes> limitOf(const DeviceRecording& device) const
    {
        return m_question.capacityBytes ? m_question.capacityBytes
                                        : recordings::capacityTold(device, m_recording.owners);
    }

    void addRow(const DeviceRecording& device, const std::string& text)
    {
        WhatIfRow row;
        row.device = device.device;
        row.allocator = shown(text);
        const ReplayTerms terms = termsFor(device, text, row);
        row.capacityBytes = terms.capacityBytes;
        row.outcome = Replay(device, m_recording.owners, terms).run(m_stop);
        row.smallestCapacityBytes = recordings::smallestCapacity(
            device, m_recording.owners, terms, m_stop, row.fits() ? row.capacityBytes : std::nullopt);
        row.smallestCard = cardFor(row.smallestCapacityBytes, m_cards);
        if (m_stop.stop_requested())
            throw Error("the replay was stopped");
        m_answer.rows.push_back(std::move(row));
    }

    // Other settings meet what the recorded ones met: a limit that the recording tells of.
    ReplayTerms termsFor(const DeviceRecording& device, const std::string& text, WhatIfRow& row)
    {
        ReplayTerms terms;
        terms.settings = simulator::parseAllocatorSettings(text, kWhereAllocator);
        row.isRecorded = terms.settings == m_recording.settings();
        terms.areRecordedSettings = row.isRecorded && device.hasSegments;
        terms.addresses = m_question.addresses;
        terms.emptiesCache = m_question.emptiesCache;
        terms.capacityBytes = m_question.capacityBytes;
        const bool isChanged = !row.isRecorded || !m_question.emptiesCache;
        if (isChanged && !terms.capacityBytes) {
            terms.capacityBytes = recordings::capacityTold(device, m_recording.owners);
            m_usesToldCapacity = m_usesToldCapacity || terms.capacityBytes.has_value();
        }
        requireLimit(terms, text);
        return terms;
    }

    static void requireLimit(const ReplayTerms& terms, const std::string& text)
    {
        if (terms.settings.memoryFraction && !terms.capacityBytes)
            throw UsageError("\"" + text + "\" limits a fraction of a device whose memory is not known",
                kWhereAllocator, "--memory SIZE or --device sim:NAME beside it");
    }

    void addRemarks()
    {
        const auto add = [&](std::string text) { m_answer.remarks.push_back(std::move(text)); };
        add("Each answer assumes the same requests in the same order, whatever the settings.");
        if (m_usesToldCapacity)
            add("Other settings have the memory that the recording tells of: a request failed or took a flush of the "
                "cache in it.");
        if (std::ranges::any_of(m_answer.rows, [](const WhatIfRow& row) { return !row.isRecorded; })
            && std::ranges::any_of(m_recording.devices, [](const auto& device) { return !device.before.empty(); }))
            add("Under other settings the blocks that were there before the first event are asked for anew, in the "
                "order of their addresses.");
        if (std::ranges::any_of(m_answer.rows, [](const WhatIfRow& row) { return row.outcome.fittingNow > 0; }))
            add("A request that failed in the recording is served in some rows; what the program would have asked for "
                "next is not known.");
    }

    const Recording& m_recording;
    const WhatIfQuestion& m_question;
    const simulator::ProfileCatalogue& m_cards;
    std::stop_token m_stop;
    WhatIfAnswer m_answer;
    bool m_usesToldCapacity = false;
    bool m_hasDied = false; ///< a device under the recorded settings
};

} // namespace

std::string recordedSettings(const Recording& recording)
{
    return recording.allocator;
}

WhatIfAnswer askWhatIf(const Recording& recording, const WhatIfQuestion& question,
    const simulator::ProfileCatalogue& cards, const std::stop_token& stop)
{
    return WhatIf(recording, question, cards, stop).answer();
}

} // namespace headroom::experiments
