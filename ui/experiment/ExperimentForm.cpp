// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/ExperimentForm.h"

#include "core/base/Bytes.h"
#include "core/base/Wording.h"
#include "core/config/DeviceSpec.h"
#include "core/config/catalogue/Catalogue.h"
#include "experiments/spec/SettingField.h"
#include "ui/experiment/EditorGuard.h"
#include "ui/experiment/FieldGroup.h"
#include "ui/experiment/FoldingSection.h"
#include "ui/experiment/ModelSection.h"
#include "ui/experiment/PlanView.h"
#include "ui/experiment/TechniqueCard.h"
#include "ui/look/Theme.h"
#include "ui/look/WidgetInk.h"
#include "ui/spec/SpecSession.h"

#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <set>

namespace headroom::ui {
namespace {

using State = FoldingSection::State;

// What training loops differ in least; the others say how large a step is.
const std::set<std::string> kRareWorkloadFields{"loss", "gradients", "output", "output_dtype", "accumulate",
    "clip_grad_norm", "autocast", "seed", "chunks", "fused"};

Setting deviceSetting()
{
    Setting setting{"device.name", "Device",
        {.name = "name",
            .type = config::FieldType::Text,
            .defaultValue = "cpu",
            .help = "where trials run: cpu and cuda:N measure, rehearsal:NAME runs the CUDA code without a card, "
                    "sim:NAME predicts"}};
    setting.check = [](const config::Value& value) { config::parseDevice(value.text(), {}); };
    setting.suggestions = {"cpu"};
    return setting;
}

Setting specSetting(const std::string& path, const std::string& label)
{
    return {path, label, experiments::settingField(path, {}, path)};
}

// Cards are told apart by GiB; a spec has bytes.
Setting limitSetting()
{
    Setting setting = specSetting("device.memory_limit_bytes", "Memory limit (GiB)");
    setting.unit = kGiB;
    setting.field.help = "most GiB that the allocator may hand out";
    return setting;
}

// The two values that people compare first.
Setting allocatorSetting()
{
    Setting setting = specSetting("device.allocator", "Allocator settings");
    setting.suggestions = {"default", "expandable_segments:True"};
    return setting;
}

std::vector<config::Field> fieldsOf(const std::string& table, const std::string& model)
{
    return experiments::tableFields(table, model, table).all();
}

// What the shapes of a step amount to: "4,224 tokens". Short, as the set-up is as wide as its headings.
QString amountOf(const PlanView& view)
{
    const PlannedPart* planned = view.planned();
    if (planned == nullptr || !planned->facts)
        return {};
    return QString::fromStdString(counted(planned->facts->tokensPerStep, "token"));
}

QString partTitle(const Plan& plan, int part)
{
    const auto index = static_cast<std::size_t>(part);
    QString title = QStringLiteral("Part %1").arg(part + 1);
    if (index < plan.parts.size() && plan.parts[index].first) {
        const config::Trial& first = *plan.parts[index].first;
        title +=
            QStringLiteral(": %1 on %2")
                .arg(QString::fromStdString(first.configuration.model), QString::fromStdString(first.device.name()));
    }
    return title;
}

} // namespace

ExperimentForm::ExperimentForm(SpecSession& session, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_theme(theme)
    , m_guard(new EditorGuard(session, this))
    , m_layout(new QVBoxLayout(this))
    , m_problem(new QLabel(this))
    , m_parts(new QComboBox(this))
    , m_settings(new QWidget(this))
{
    setObjectName(QStringLiteral("experimentForm"));
    build();
    connect(&m_session, &SpecSession::planChanged, this, &ExperimentForm::showPlan);
    connect(&m_session, &SpecSession::partChanged, this, &ExperimentForm::showPlan);
    connect(&m_session, &SpecSession::cataloguesChanged, this, &ExperimentForm::showDevices);
    connect(&m_theme, &Theme::changed, this, &ExperimentForm::refreshColours);
    refreshColours();
    showDevices();
    showPlan();
}

void ExperimentForm::build()
{
    const int space = fontMetrics().averageCharWidth();
    m_layout->setContentsMargins(space, space / 2, space, space);
    m_layout->setSpacing(space / 2);
    m_problem->setObjectName(QStringLiteral("form.problem"));
    m_problem->setWordWrap(true);
    m_layout->addWidget(m_problem);
    m_parts->setObjectName(QStringLiteral("form.part"));
    m_parts->setAccessibleName(QStringLiteral("Part of the spec that is edited"));
    m_parts->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_guard->watch(m_parts);
    connect(m_parts, &QComboBox::activated, this, [this](int index) { m_session.choosePart(index - 1); });
    m_layout->addWidget(m_parts);
    m_layout->addWidget(m_settings);
    m_layout->addStretch(1);
    auto* settings = new QVBoxLayout(m_settings);
    settings->setContentsMargins(0, 0, 0, 0);
    settings->setSpacing(space / 2);

    m_model = new ModelSection(m_session, m_theme, *m_guard, m_settings);
    addSection(m_model, "section.model");
    m_workloadSection = new FoldingSection(QStringLiteral("&Workload"), State::Open, m_settings);
    m_workload = new FieldGroup("workload", FieldGroup::Shown::Usual, m_session, m_theme, *m_guard, m_workloadSection);
    m_workload->setRare(kRareWorkloadFields);
    m_workloadSection->add(m_workload);
    m_workloadSection->heading()->setToolTip(QStringLiteral("What a step consists of, and how many tokens that is"));
    m_workloadSection->addTool(m_workload->expander());
    addSection(m_workloadSection, "section.workload");
    addDevice();
    auto* techniques = new FoldingSection(QStringLiteral("&Techniques"), State::Open, m_settings);
    addTechniques(techniques);
    addSection(techniques, "section.techniques");
    m_protocolSection = new FoldingSection(QStringLiteral("&Protocol"), State::Folded, m_settings);
    m_protocol = new FieldGroup("protocol", FieldGroup::Shown::All, m_session, m_theme, *m_guard, m_protocolSection);
    m_protocol->setFields(fieldsOf("protocol", {}));
    m_protocolSection->add(m_protocol);
    addSection(m_protocolSection, "section.protocol");
}

// The device itself stands in the heading's line; what few set is folded below it.
void ExperimentForm::addDevice()
{
    m_deviceSettings = new FoldingSection(QStringLiteral("&Device"), State::Folded, m_settings);
    m_device = new SettingRow(deviceSetting(), m_session, m_theme, *m_guard, m_deviceSettings);
    m_device->replaceLabel(m_deviceSettings->heading(), SettingRow::LabelWidth::Shared);
    m_deviceSettings->heading()->setToolTip(
        QStringLiteral("Unfold the memory limit, the addresses of segments and the allocator's settings"));
    m_deviceSettings->setHead(m_device);
    m_memoryLimit = new SettingRow(limitSetting(), m_session, m_theme, *m_guard, m_deviceSettings);
    m_segmentAddresses = new SettingRow(
        specSetting("device.segment_addresses", "Segment addresses"), m_session, m_theme, *m_guard, m_deviceSettings);
    m_allocator = new SettingRow(allocatorSetting(), m_session, m_theme, *m_guard, m_deviceSettings);
    for (SettingRow* row : {m_memoryLimit, m_segmentAddresses, m_allocator})
        m_deviceSettings->add(row);
    addSection(m_deviceSettings, "section.device");
}

void ExperimentForm::addSection(QWidget* section, const char* name)
{
    section->setObjectName(QLatin1String(name));
    m_settings->layout()->addWidget(section);
}

void ExperimentForm::addTechniques(FoldingSection* section)
{
    for (const config::TechniqueDescriptor& technique : config::techniqueCatalogue()) {
        m_techniques.push_back(new TechniqueCard(technique, m_session, m_theme, *m_guard, section));
        section->add(m_techniques.back());
    }
}

void ExperimentForm::showDevices()
{
    std::vector<SettingRow::Choice> choices;
    for (const DeviceChoice& device : m_session.devices())
        choices.push_back({device.notation, device.title});
    m_device->setChoices(choices);
}

// While a newer text is being checked, fields may hold values that the plan does not know yet.
void ExperimentForm::showPlan()
{
    if (m_session.isPlanning())
        return;
    const PlanView view(m_session.plan(), m_session.part());
    m_settings->setEnabled(view.plan().isReadable);
    if (view.plan().isReadable)
        showSettings(view);
    showProblem(view);
}

void ExperimentForm::showSettings(const PlanView& view)
{
    showParts(view);
    m_model->showValues(view);
    for (TechniqueCard* technique : m_techniques)
        technique->showValues(view);
    if (isKnownModel(view.model()))
        m_workload->setFields(fieldsOf("workload", view.model()));
    m_workload->showValues(view);
    m_workloadSection->setRemark(amountOf(view));
    m_device->showValue(view);
    m_memoryLimit->showValue(view);
    m_segmentAddresses->showValue(view);
    m_allocator->showValue(view);
    for (const SettingRow* row : {m_memoryLimit, m_segmentAddresses, m_allocator})
        if (row->isChanged() || row->hasProblem())
            m_deviceSettings->setOpen(State::Open);
    m_protocol->showValues(view);
    if (m_protocol->hasProblem())
        m_protocolSection->setOpen(State::Open);
    const int changed = m_protocol->changedCount();
    m_protocolSection->setRemark(changed == 0 ? QStringLiteral("defaults") : QStringLiteral("%1 changed").arg(changed));
}

void ExperimentForm::showParts(const PlanView& view)
{
    const auto parts = static_cast<int>(view.plan().document.parts.size());
    m_parts->clear();
    m_parts->addItem(QStringLiteral("Shared by all %1 parts").arg(parts));
    for (int part = 0; part < parts; ++part)
        m_parts->addItem(partTitle(view.plan(), part));
    m_parts->setCurrentIndex(view.part() + 1);
    m_parts->setVisible(parts > 0);
}

SettingRow* ExperimentForm::seenRow(const std::string& path) const
{
    auto* row = path.empty() ? nullptr : m_settings->findChild<SettingRow*>(QString::fromStdString(path));
    return row != nullptr && row->isVisibleTo(m_settings) ? row : nullptr;
}

QString ExperimentForm::fieldName(const std::string& path) const
{
    const SettingRow* row = seenRow(path);
    if (row == nullptr)
        return {};
    for (const TechniqueCard* card : m_techniques)
        if (card->isAncestorOf(row))
            return card->title();
    return QString::fromStdString(row->setting().label);
}

void ExperimentForm::showField(const std::string& path)
{
    SettingRow* row = seenRow(path);
    if (row == nullptr)
        return;
    row->editor()->setFocus(Qt::OtherFocusReason);
    for (QWidget* around = parentWidget(); around != nullptr; around = around->parentWidget())
        if (auto* scroll = qobject_cast<QScrollArea*>(around))
            scroll->ensureWidgetVisible(row);
}

// Problems that are shown at a field are not repeated here.
void ExperimentForm::showProblem(const PlanView& view)
{
    QStringList lines;
    for (const PlanProblem& problem : view.plan().problems) {
        if (const SettingRow* row = seenRow(problem.path); row != nullptr && row->hasProblem())
            continue;
        const QString where =
            problem.line > 0 ? QStringLiteral("Line %1").arg(problem.line) : QStringLiteral("This spec");
        const QString path =
            problem.path.empty() ? QString() : QStringLiteral(", ") + QString::fromStdString(problem.path);
        lines << QStringLiteral("%1%2: %3").arg(where, path, QString::fromStdString(problem.message));
    }
    if (!view.plan().isReadable)
        lines << QStringLiteral("The form can be used again when the text on the page Spec can be read.");
    m_problem->setText(lines.join(QLatin1Char('\n')));
    m_problem->setVisible(!lines.isEmpty());
}

void ExperimentForm::refreshColours()
{
    setInk(m_problem, m_theme.alarm());
}

} // namespace headroom::ui
