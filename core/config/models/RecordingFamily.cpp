// SPDX-License-Identifier: Apache-2.0
#include "core/config/models/RecordingFamily.h"

namespace headroom::config {
namespace {

Field textField(const char* name, const char* help)
{
    return {.name = name, .type = FieldType::Text, .defaultValue = {}, .help = help};
}

} // namespace

ModelFamily recordingFamily()
{
    ModelFamily family;
    family.name = kRecordingModel;
    family.title = "recording of another program's run";
    family.isGone = true;
    family.fields = FieldSet({textField(kRecordingFile, "the file that was imported"),
        textField(kRecordingContent, "what tells its content"), textField(kRecordingFormat, "what it was")});
    family.variants = {{kRecordingModel, family.title, {}, {}}};
    family.fieldProblems = [](const ValueMap&) { return std::vector<Problem>(); };
    family.problems = [](const ValueMap&, const ValueMap&) { return std::vector<Problem>(); };
    family.parameters = [](const ValueMap&) { return std::int64_t{0}; };
    family.flopsPerStep = [](const ValueMap&, const ValueMap&, StepKind) { return 0.0; };
    family.tokensPerStep = [](const ValueMap&) { return std::int64_t{0}; };
    family.blocks = [](const ValueMap&) { return 0; };
    family.feedForwardWidths = [](const ValueMap&) { return std::vector<std::int64_t>(); };
    family.linears = [](const ValueMap&) { return std::vector<std::string>(); };
    family.feedForwardTokens = [](const ValueMap&) { return std::int64_t{0}; };
    return family;
}

} // namespace headroom::config
