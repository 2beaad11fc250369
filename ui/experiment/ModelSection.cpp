// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/ModelSection.h"

#include "core/base/Error.h"
#include "core/base/Quantities.h"
#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/ImportedModels.h"
#include "core/config/imported/ImportedFamily.h"
#include "core/config/imported/ImportedRefusals.h"
#include "experiments/spec/ModelFiles.h"
#include "ui/experiment/FieldGroup.h"
#include "ui/experiment/FoldingSection.h"
#include "ui/experiment/PlanView.h"
#include "ui/look/LowWindowWatch.h"
#include "ui/look/Theme.h"
#include "ui/look/WidgetInk.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QCompleter>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::ui {
namespace {

// A configuration file is read when the plan is made; here the text only has to look like a path of one.
void requireModel(const config::Value& value)
{
    const std::string& name = value.text();
    if (isKnownModel(name) || name.ends_with(".json") || experiments::isExportedModel(name))
        return;
    throw UsageError("there is no model \"" + name + "\"" + didYouMean(config::closestName(name, config::modelNames())),
        {}, "a name from the list, or the path of a model.pt2 or config.json");
}

Setting modelSetting()
{
    Setting setting{"model.name", "Model",
        {.name = "name",
            .type = config::FieldType::Text,
            .defaultValue = {},
            .help = "the model that every trial runs"}};
    setting.check = requireModel;
    setting.suggestions = config::modelNames();
    setting.need = Setting::Need::Required;
    return setting;
}

std::vector<SettingRow::Choice> modelChoices()
{
    std::vector<SettingRow::Choice> choices;
    for (const std::string& name : config::modelNames())
        choices.push_back({QString::fromStdString(name), QString::fromStdString(config::findModel(name, {}).title)});
    return choices;
}

// Which archive it is, is said by the model's name.
std::vector<config::Field> shownFields(const std::string& model)
{
    std::vector<config::Field> fields = config::findModel(model, {}).fields.all();
    std::erase_if(fields, [](const config::Field& field) { return field.name == config::kArchiveField; });
    return fields;
}

// At the setting that it is about.
bool isSaidOfASetting(const std::string& sentence, const Plan& plan)
{
    return std::ranges::any_of(plan.conflicts, [&](const auto& ofPath) {
        return std::ranges::any_of(ofPath.second,
            [&](const PlanConflict& conflict) { return conflict.problem.text.find(sentence) != std::string::npos; });
    });
}

// What keeps trials of this experiment from running stands at the setting that it is about, what others would meet
// here.
QString remarksOn(const PlanView& view)
{
    const std::string model = view.model();
    const auto archive = config::isImportedName(model) ? config::importedArchiveOf(model) : nullptr;
    if (!archive)
        return {};
    QStringList lines;
    const auto add = [&](const QString& before, const std::vector<std::string>& sentences) {
        for (const std::string& sentence : sentences)
            if (!isSaidOfASetting(sentence, view.plan()))
                lines.append(before + QString::fromStdString(sentence));
    };
    add(QStringLiteral("Not trained: "), config::refusalsToTrain(*archive));
    add(QStringLiteral("Not simulated: "), config::refusalsToSimulate(*archive));
    add({}, archive->remarks);
    return lines.join(QLatin1Char('\n'));
}

// While the user types, the list shows the choices that contain the text anywhere.
void filterWhileTyping(const SettingRow& row)
{
    auto* combo = qobject_cast<QComboBox*>(row.editor());
    auto* completer = new QCompleter(combo->model(), combo);
    completer->setFilterMode(Qt::MatchContains);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setCompletionMode(QCompleter::PopupCompletion);
    completer->popup()->setMinimumWidth(combo->view()->minimumWidth()); // as wide as its text, as the list is
    combo->setCompleter(completer);
    QObject::connect(completer, qOverload<const QModelIndex&>(&QCompleter::activated), combo,
        [combo](const QModelIndex& index) { Q_EMIT combo->activated(combo->findText(index.data().toString())); });
}

} // namespace

ModelSection::ModelSection(SpecSession& session, Theme& theme, EditorGuard& guard, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_name(new SettingRow(modelSetting(), session, theme, guard, this))
    , m_facts(new QLabel(this))
    , m_remarks(new QLabel(this))
    , m_shape(new FoldingSection(QStringLiteral("&Model"), FoldingSection::State::Folded, this))
    , m_fields(new FieldGroup("model", FieldGroup::Shown::Changed, session, theme, guard, m_shape))
{
    m_name->setChoices(modelChoices());
    new LowWindowWatch(*this, [this] { showFacts(); });
    filterWhileTyping(*m_name);
    m_facts->setObjectName(QStringLiteral("model.facts"));
    m_facts->setWordWrap(true);
    m_remarks->setObjectName(QStringLiteral("model.remarks"));
    m_remarks->setWordWrap(true);
    m_remarks->setTextFormat(Qt::PlainText);
    m_remarks->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_shape->setObjectName(QStringLiteral("model.shape"));
    m_shape->heading()->setToolTip(QStringLiteral("Unfold the shape of the model"));
    m_name->replaceLabel(m_shape->heading(), SettingRow::LabelWidth::Shared);
    m_shape->setHead(m_name);
    m_shape->addAlways(m_facts);
    m_shape->addAlways(m_remarks);
    m_shape->add(m_fields);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_shape);
    connect(&m_theme, &Theme::changed, this, &ModelSection::refreshColours);
    refreshColours();
}

void ModelSection::showValues(const PlanView& view)
{
    m_name->showValue(view);
    if (isKnownModel(view.model()))
        m_fields->setFields(shownFields(view.model()));
    m_fields->showValues(view);
    const PlannedPart* planned = view.planned();
    const bool isKnown = planned != nullptr && planned->facts;
    m_known = isKnown ? planned->facts : std::nullopt;
    m_facts->setVisible(isKnown);
    showFacts();
    const QString remarks = remarksOn(view);
    m_remarks->setText(remarks);
    m_remarks->setVisible(!remarks.isEmpty());
    if (m_fields->hasProblem())
        m_shape->setOpen(FoldingSection::State::Open);
    const int changed = m_fields->changedCount();
    m_shape->setRemark(changed == 0 ? QString() : QStringLiteral("%1 changed").arg(changed));
}

// In a low window in one line, which leaves another one to the techniques.
void ModelSection::showFacts()
{
    if (!m_known)
        return m_facts->setText({});
    const QString text = factsText(*m_known);
    m_facts->setText(isInLowWindow(*this) ? shortFactsText(*m_known) : text);
    m_facts->setToolTip(text
        + QStringLiteral(".\nFrom closed forms, without building the model; one token or sample each where a model has "
                         "no tokens"));
}

QString ModelSection::shortFactsText(const ModelFacts& facts)
{
    return QStringLiteral("%1 parameters \u00b7 %2")
        .arg(QString::fromStdString(largeCountText(static_cast<double>(facts.parameters))),
            QString::fromStdString(sizeText(facts.weightBytes)));
}

QString ModelSection::factsText(const ModelFacts& facts)
{
    const QString weights = QString::fromStdString(sizeText(facts.weightBytes));
    return QStringLiteral("%1 parameters \u00b7 %2 of weights in %3 \u00b7 %4 per step")
        .arg(QString::fromStdString(largeCountText(static_cast<double>(facts.parameters))), weights,
            QString::fromStdString(facts.dtype), QString::fromStdString(metricText(facts.flopsPerStep, "FLOP")));
}

void ModelSection::refreshColours()
{
    setInk(m_facts, m_theme.muted());
    setInk(m_remarks, m_theme.muted());
}

} // namespace headroom::ui
