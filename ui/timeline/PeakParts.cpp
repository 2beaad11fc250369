// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/PeakParts.h"

#include <algorithm>

namespace headroom::ui {
namespace {

class PartNamer {
public:
    PartNamer(const trace::LiveMemory& memory, const std::optional<trace::PhaseSpan>& phase,
        const protocol::RepeatMemory& record)
        : m_memory(memory)
        , m_step(phase && trace::isOfAStep(*phase) ? phase->step : -1)
        , m_record(record)
    {
    }

    std::vector<PeakPart> name()
    {
        addLoaded();
        addKept("baseline", "Kept from the baseline", "What the run of the model without techniques left.");
        addKept(
            "plain_warmup", "Kept from the plain warm-up", "Mostly gradients that are never cleared, and workspaces.");
        addEarlierSteps();
        for (const trace::LiveShare& share : m_memory.shares)
            if (isOfThisStep(share))
                addOfThisStep(share);
        addRest();
        return std::move(m_parts);
    }

private:
    void add(const std::string& name, const std::string& explanation, Bytes bytes)
    {
        m_named += bytes;
        if (bytes != 0)
            m_parts.push_back({name, explanation, bytes});
    }

    Bytes heldFrom(const std::string& phase) const
    {
        Bytes bytes = 0;
        for (const trace::LiveShare& share : m_memory.shares)
            if (share.phase && share.phase->name == phase && !trace::isOfAStep(*share.phase))
                bytes += share.bytes;
        return bytes;
    }

    // The record gives the size after the load, which is the first part of what a trace that began later found
    // allocated.
    void addLoaded()
    {
        const Bytes loading = heldFrom("load");
        const Bytes held = loading + m_memory.heldBefore;
        const Bytes afterLoad =
            std::clamp<Bytes>(m_record.afterLoad.allocated.value_or(0), 0, std::max<Bytes>(held, 0));
        Bytes second = 0;
        for (const protocol::HarnessItem& item : m_record.harness)
            if (item.name == kSecondModel)
                second += item.bytes;
        second = std::min(second, afterLoad);
        add("Weights and buffers", "What the model holds after load.", afterLoad - second);
        add("Held by the measuring: second model", "The protocol keeps a model without techniques beside it.", second);
        const bool beganLater = m_memory.heldBefore != 0;
        add(beganLater ? "Held since before this step" : "Made while loading, after the weights",
            beganLater ? "Mostly gradients, optimizer state and the batch." : "Mostly the batch.", held - afterLoad);
    }

    void addKept(const char* phase, const char* name, const char* explanation)
    {
        add(name, explanation, heldFrom(phase));
    }

    bool isOfThisStep(const trace::LiveShare& share) const
    {
        return share.phase && trace::isOfAStep(*share.phase) && share.phase->step == m_step;
    }

    void addEarlierSteps()
    {
        Bytes bytes = 0;
        for (const trace::LiveShare& share : m_memory.shares)
            if (share.phase && trace::isOfAStep(*share.phase) && share.phase->step != m_step)
                bytes += share.bytes;
        add("Kept from earlier steps", "Mostly gradients, optimizer state and workspaces.", bytes);
    }

    void addOfThisStep(const trace::LiveShare& share)
    {
        const std::string& phase = share.phase->name;
        if (phase == "forward")
            add("From this step's forward", "Saved for backward, outputs and temporaries that are still held.",
                share.bytes);
        else if (phase == "backward")
            add("From this step's backward", "Gradients, what is recomputed, and temporaries.", share.bytes);
        else
            add("From this step's " + phase, "Allocated in this phase and still held.", share.bytes);
    }

    void addRest()
    {
        add("Outside of all phases", "Allocated where no phase was marked.", m_memory.counters.allocated - m_named);
    }

    static constexpr const char* kSecondModel = "second model's weights"; ///< the name that the measurement uses

    const trace::LiveMemory& m_memory;
    std::int64_t m_step;
    const protocol::RepeatMemory& m_record;
    Bytes m_named = 0;
    std::vector<PeakPart> m_parts;
};

} // namespace

std::vector<PeakPart> peakParts(
    const trace::LiveMemory& memory, const std::optional<trace::PhaseSpan>& phase, const protocol::RepeatMemory& record)
{
    return PartNamer(memory, phase, record).name();
}

} // namespace headroom::ui
