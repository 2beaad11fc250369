// SPDX-License-Identifier: Apache-2.0
#include "ui/experiment/SettingChoice.h"

#include "ui/spec/SpecSession.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QScreen>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::ui {
namespace {

constexpr int kMostRows = 14; ///< visible at once

constexpr int kLongestChoice = 120; ///< letters of a list's entry that are shown: more is no line to be read at once

} // namespace

ValueChecklist::ValueChecklist(const QString& owner, const std::vector<Item>& items, QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_list(new QListWidget(this))
    , m_outcome(new QLabel(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(QStringLiteral("Values of %1 to sweep over").arg(owner));
    m_list->setObjectName(QStringLiteral("checklist"));
    m_list->setAccessibleName(accessibleName());
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_outcome->setObjectName(QStringLiteral("checklistOutcome"));
    for (const Item& item : items)
        add(item);
    auto* heading = new QLabel(QStringLiteral("Try %1 with each value that is checked").arg(owner), this);
    auto* layout = new QVBoxLayout(this);
    const int space = fontMetrics().averageCharWidth();
    layout->setContentsMargins(space, space, space, space);
    layout->setSpacing(space / 2);
    layout->addWidget(heading);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_outcome);
    setFocusProxy(m_list);
    connect(m_list, &QListWidget::itemChanged, this, [this](const QListWidgetItem* item) {
        Q_EMIT toggled(item->data(Qt::UserRole).toString(), item->checkState() == Qt::Checked);
    });
}

void ValueChecklist::add(const Item& item)
{
    auto* row = new QListWidgetItem(item.text, m_list);
    row->setData(Qt::UserRole, item.value);
    row->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    row->setCheckState(item.isChecked ? Qt::Checked : Qt::Unchecked);
    if (item.isChecked && m_list->currentItem() == nullptr)
        m_list->setCurrentItem(row);
}

void ValueChecklist::setChecked(const QString& value, bool isChecked)
{
    const QSignalBlocker quiet(m_list);
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->data(Qt::UserRole) == value)
            m_list->item(row)->setCheckState(isChecked ? Qt::Checked : Qt::Unchecked);
}

void ValueChecklist::showOutcome(const QString& text)
{
    m_outcome->setText(text);
}

QSize ValueChecklist::fittingSize() const
{
    const int rows = std::min(m_list->count(), kMostRows);
    const int bar = m_list->count() > kMostRows ? m_list->verticalScrollBar()->sizeHint().width() : 0;
    const int margin = fontMetrics().averageCharWidth();
    const QSize around = layout()->sizeHint() - m_list->sizeHint();
    return {std::max(layout()->minimumSize().width(), m_list->sizeHintForColumn(0) + bar + 4 * margin),
        around.height() + rows * std::max(1, m_list->sizeHintForRow(0)) + margin};
}

void ValueChecklist::openAt(const QWidget& field)
{
    const QRect screen = field.screen()->availableGeometry();
    const QSize size = fittingSize().boundedTo(screen.size());
    QPoint corner = field.mapToGlobal(QPoint(0, field.height()));
    if (corner.y() + size.height() > screen.bottom())
        corner.setY(std::max(screen.top(), field.mapToGlobal(QPoint()).y() - size.height()));
    corner.setX(std::clamp(corner.x(), screen.left(), std::max(screen.left(), screen.right() - size.width())));
    setGeometry(QRect(corner, size));
    show();
    m_list->setFocus(Qt::PopupFocusReason);
}

QString entryText(const SettingChoice& choice)
{
    return choice.meaning.isEmpty() ? choice.value : QStringLiteral("%1 \u2013 %2").arg(choice.value, choice.meaning);
}

void fill(QComboBox& combo, const std::vector<SettingChoice>& choices)
{
    combo.clear();
    int widest = 0;
    for (const SettingChoice& choice : choices) {
        const QString text = entryText(choice);
        combo.addItem(text, choice.value);
        widest = std::max(widest, combo.fontMetrics().horizontalAdvance(text));
    }
    const int letter = combo.fontMetrics().averageCharWidth();
    combo.view()->setTextElideMode(Qt::ElideRight);
    combo.view()->setMinimumWidth(std::min(widest + 6 * letter, kLongestChoice * letter));
}

std::vector<SettingChoice> ownChoices(const Setting& setting)
{
    if (setting.field.type == config::FieldType::Boolean)
        return {{QStringLiteral("true"), QStringLiteral("on")}, {QStringLiteral("false"), QStringLiteral("off")}};
    std::vector<SettingChoice> choices;
    for (const auto* values : {&setting.field.choices, &setting.suggestions})
        for (const std::string& value : *values)
            choices.push_back({QString::fromStdString(value), {}});
    return choices;
}

std::vector<ValueChecklist::Item> checklistItems(
    const std::vector<SettingChoice>& choices, const config::Value::List& values, const Setting& setting)
{
    std::vector<ValueChecklist::Item> items;
    config::Value::List listed;
    for (const SettingChoice& choice : choices) {
        listed.push_back(typedValue(choice.value.toStdString(), setting).value);
        const bool isChecked = std::ranges::find(values, listed.back()) != values.end();
        items.push_back({choice.value, entryText(choice), isChecked});
    }
    for (const config::Value& value : values)
        if (const QString text = QString::fromStdString(textOf(value, setting));
            !text.isEmpty() && std::ranges::find(listed, value) == listed.end())
            items.push_back({text, text, true});
    return items;
}

config::Value withToggled(const config::Value& values, const config::Value& one, const config::Field& field)
{
    config::Value::List list = singleValues(values, field);
    if (values.isNull())
        list.clear(); // the setting has neither a value nor a default
    if (std::erase(list, one) == 0)
        list.push_back(one);
    return list.empty() ? config::Value() : list.size() == 1 ? list.front() : config::Value(list);
}

QString toolTipOf(const Setting& setting)
{
    return QStringLiteral("<b>%1</b><br>%2<br><i>%3</i>")
        .arg(QString::fromStdString(setting.path).toHtmlEscaped(),
            QString::fromStdString(setting.field.help).toHtmlEscaped(),
            QString::fromStdString(setting.field.validValues()).toHtmlEscaped());
}

QString sweepOutcome(std::size_t values, const SpecSession& session)
{
    const QString counted = values == 1 ? QStringLiteral("1 value") : QStringLiteral("%1 values").arg(values);
    const std::size_t trials = session.plan()->runnableTrials();
    if (session.isPlanning())
        return counted;
    return trials == 1 ? QStringLiteral("%1, 1 trial").arg(counted)
                       : QStringLiteral("%1, %2 trials").arg(counted).arg(trials);
}

} // namespace headroom::ui
