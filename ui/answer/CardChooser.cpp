// SPDX-License-Identifier: Apache-2.0
#include "ui/answer/CardChooser.h"

#include "ui/look/WheelGuard.h"

#include <QAbstractItemView>
#include <QEvent>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QStylePainter>

namespace headroom::ui {
namespace {

// The box is narrow, and the maker is the same for all cards.
QString shortTitle(const Card& card)
{
    const QString maker = QStringLiteral("NVIDIA ");
    return card.title.startsWith(maker) ? card.title.mid(maker.size()) : card.title;
}

} // namespace

QSize ShortTextBox::sizeHint() const
{
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const QSize text(fontMetrics().horizontalAdvance(shortText()) + 1, fontMetrics().height());
    return style()->sizeFromContents(QStyle::CT_ComboBox, &option, text, this);
}

void ShortTextBox::paintEvent(QPaintEvent*)
{
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    option.currentText = shortText();
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

CardChooser::CardChooser(QWidget* parent)
    : QWidget(parent)
    , m_card(addCombo(QStringLiteral("answerCard"), QStringLiteral("Card to predict for")))
    , m_runtime(addCombo(QStringLiteral("answerRuntime"), QStringLiteral("Version of LibTorch to predict for")))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_card);
    layout->addWidget(m_runtime);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    m_card->setToolTip(
        QStringLiteral("The graphics card whose memory and speed are predicted. (this experiment): the one it names; "
                       "(default): the experiment does not run on a simulated card."));
    m_runtime->setToolTip(QStringLiteral(
        "The version of LibTorch whose kernels and allocator are simulated. (this experiment): the one it names."));
    refill();
    connect(m_card, &QComboBox::activated, this, [this] {
        m_chosenCard = m_card->currentData().toString();
        announce();
    });
    connect(m_runtime, &QComboBox::activated, this, [this] {
        m_chosenRuntime = m_runtime->currentData().toString();
        announce();
    });
}

ShortTextBox* CardChooser::addCombo(const QString& name, const QString& accessibleName)
{
    auto* combo = new ShortTextBox(this);
    combo->setObjectName(name);
    combo->setAccessibleName(accessibleName);
    connect(combo, &QComboBox::currentIndexChanged, combo, &QWidget::updateGeometry);
    combo->setFocusPolicy(Qt::StrongFocus);
    new WheelGuard(combo); // scrolling past a box must not change it
    return combo;
}

void CardChooser::setCards(const CardList& cards)
{
    m_cards = cards;
    refill();
    announce();
}

void CardChooser::setPlanned(const config::DeviceSpec& device)
{
    m_planned = device;
    refill();
    announce();
}

QString CardChooser::choice() const
{
    return m_chosenRuntime.isEmpty() ? m_chosenCard : m_chosenCard + QLatin1Char('@') + m_chosenRuntime;
}

void CardChooser::setChoice(const QString& choice)
{
    m_chosenCard = choice.section(QLatin1Char('@'), 0, 0);
    m_chosenRuntime = choice.section(QLatin1Char('@'), 1);
    refill();
    announce();
}

QString CardChooser::plannedCard() const
{
    const QString planned = QString::fromStdString(m_planned.profile);
    return m_planned.isSimulated() && m_cards.find(planned) != nullptr ? planned : QString::fromLatin1(kStandInCard);
}

QString CardChooser::plannedRuntime() const
{
    return QString::fromStdString(m_planned.isSimulated() ? m_planned.runtime : config::kDefaultRuntime);
}

config::DeviceSpec CardChooser::device() const
{
    const QString card = m_card->currentData().toString();
    const QString runtime = m_runtime->currentData().toString();
    return {.kind = config::DeviceKind::Simulated,
        .profile = (card.isEmpty() ? plannedCard() : card).toStdString(),
        .runtime = (runtime.isEmpty() ? plannedRuntime() : runtime).toStdString()};
}

void CardChooser::fill(ShortTextBox& combo, const std::vector<Item>& items, const QString& chosen)
{
    const QSignalBlocker quiet(combo);
    combo.clear();
    for (const auto& [text, shortText, value] : items) {
        combo.addItem(text, value);
        combo.setItemData(combo.count() - 1, shortText, ShortTextBox::kShortTextRole);
    }
    combo.setCurrentIndex(qMax(0, combo.findData(chosen)));
    combo.updateGeometry();
    const int scrollBar = combo.style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    combo.view()->setMinimumWidth(combo.view()->sizeHintForColumn(0) + scrollBar);
}

void CardChooser::refill()
{
    const Card* planned = m_cards.find(plannedCard());
    const QString plannedTitle = planned != nullptr ? shortTitle(*planned) : plannedCard();
    const bool isPlanned =
        m_planned.isSimulated() && planned != nullptr && planned->name == QString::fromStdString(m_planned.profile);
    std::vector<Item> cards{{isPlanned ? QStringLiteral("%1 (this experiment)").arg(plannedTitle)
                                       : QStringLiteral("%1 (default)").arg(plannedTitle),
        plannedTitle, {}}};
    for (const Card& card : m_cards.cards)
        cards.push_back({shortTitle(card), shortTitle(card), card.name});
    const QString runtimeOfPlan = plannedRuntime();
    std::vector<Item> runtimes{
        {m_planned.isSimulated() ? QStringLiteral("%1 (this experiment)").arg(runtimeOfPlan) : runtimeOfPlan,
            runtimeOfPlan, {}}};
    for (const CardList::Runtime& runtime : m_cards.runtimes)
        if (m_planned.isSimulated() || runtime.name != runtimeOfPlan)
            runtimes.push_back({runtime.name, runtime.name, runtime.name});
    fill(*m_card, cards, m_chosenCard);
    fill(*m_runtime, runtimes, m_chosenRuntime);
}

void CardChooser::announce()
{
    if (m_cards.cards.empty() || device() == m_announced)
        return;
    m_announced = device();
    Q_EMIT changed();
}

} // namespace headroom::ui
