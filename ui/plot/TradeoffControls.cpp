// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/TradeoffControls.h"

#include "ui/look/LowWindow.h"
#include "ui/look/LowWindowWatch.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLayout>
#include <QList>
#include <QRegularExpression>
#include <QSet>
#include <QToolButton>

#include <algorithm>
#include <memory>
#include <vector>

namespace headroom::ui {
namespace {

const QString kCase = QStringLiteral("case");

/// Widgets one after another, on further lines where the width is used up.
class FlowLayout : public QLayout {
public:
    explicit FlowLayout(QWidget* parent = nullptr);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override;
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    /// Returns the height that is used; `place` is called for each item with its place.
    template <typename Place> int flow(const QRect& rect, const Place& place) const;

    std::vector<std::unique_ptr<QLayoutItem>> m_items;
};

FlowLayout::FlowLayout(QWidget* parent)
    : QLayout(parent)
{
}

FlowLayout::~FlowLayout() = default;

void FlowLayout::addItem(QLayoutItem* item)
{
    m_items.emplace_back(item);
}

QLayoutItem* FlowLayout::itemAt(int index) const
{
    return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index)
{
    if (index < 0 || index >= count())
        return nullptr;
    QLayoutItem* item = m_items[static_cast<std::size_t>(index)].release();
    m_items.erase(m_items.begin() + index);
    return item;
}

template <typename Place> int FlowLayout::flow(const QRect& rect, const Place& place) const
{
    const QRect area = rect.marginsRemoved(contentsMargins());
    const int gap = std::max(spacing(), 0);
    QPoint corner = area.topLeft();
    int line = 0; // of all lines, so that what stands in one has a common middle
    for (const auto& item : m_items)
        line = std::max(line, item->isEmpty() ? 0 : item->sizeHint().height());
    for (const auto& item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize size = item->sizeHint();
        if (corner.x() > area.left() && corner.x() + size.width() > area.right() + 1)
            corner = {area.left(), corner.y() + line + gap};
        place(*item, QRect(corner, QSize(std::min(size.width(), area.width()), line)));
        corner.rx() += size.width() + gap;
    }
    return corner.y() + line - rect.top() + contentsMargins().bottom();
}

int FlowLayout::heightForWidth(int width) const
{
    return flow({0, 0, width, 0}, [](QLayoutItem&, const QRect&) { });
}

QSize FlowLayout::sizeHint() const
{
    return minimumSize();
}

QSize FlowLayout::minimumSize() const
{
    QSize size;
    for (const auto& item : m_items)
        if (!item->isEmpty())
            size = size.expandedTo(item->minimumSize());
    return size.grownBy(contentsMargins());
}

void FlowLayout::setGeometry(const QRect& rect)
{
    QLayout::setGeometry(rect);
    flow(rect, [](QLayoutItem& item, const QRect& place) { item.setGeometry(place); });
}

// By the keys that legend and table have. The first is what is taken where nobody has chosen.
std::vector<ChoiceField::Offer> looks(const TradeoffOffers& all, const std::string& automatic)
{
    std::vector<std::string> techniques = all.techniques;
    if (all.isOfSeveral)
        techniques.insert(techniques.begin(), report::kByExperiment);
    const QString own = automatic.empty() ? kCase : QString::fromStdString(automatic);
    std::vector<ChoiceField::Offer> offers{{QString(), QStringLiteral("auto (%1)").arg(own)}, {kCase, kCase}};
    for (const std::string& key : techniques)
        offers.emplace_back(QString::fromStdString(key), QString::fromStdString(key));
    return offers;
}

std::string lookOf(const ChoiceField& field)
{
    if (field.chosen().isEmpty())
        return kAutomaticLook;
    return field.chosen() == kCase ? std::string() : field.chosen().toStdString();
}

// Fields in brackets tell few titles apart, and make a list that pushes the others out of their line: they are left out
// where the rest is enough.
std::vector<ChoiceField::Offer> panelOffers(const std::vector<std::string>& titles)
{
    static const QRegularExpression fields(QStringLiteral(" \\([^()]*\\)"));
    std::vector<ChoiceField::Offer> offers;
    QSet<QString> words;
    for (const std::string& title : titles) {
        const QString text = QString::fromStdString(title);
        offers.emplace_back(text, QString(text).remove(fields));
        words.insert(offers.back().second);
    }
    if (static_cast<std::size_t>(words.size()) < titles.size())
        for (auto& [title, text] : offers)
            text = title;
    return offers;
}

QString speedKey(SpeedUnit unit)
{
    switch (unit) {
    case SpeedUnit::Steps:
        return QStringLiteral("steps");
    case SpeedUnit::Samples:
        return QStringLiteral("samples");
    case SpeedUnit::Tokens:
        break;
    }
    return QStringLiteral("tokens");
}

std::optional<figures::MemoryKind> memoryNamed(const QString& word)
{
    for (const auto kind : {figures::MemoryKind::Allocated, figures::MemoryKind::Reserved, figures::MemoryKind::Needed})
        if (word == QString::fromStdString(figures::name(kind)))
            return kind;
    return std::nullopt;
}

} // namespace

TradeoffControls::TradeoffControls(QWidget* parent)
    : QWidget(parent)
    , m_panel(new ChoiceField)
    , m_memory(new ChoiceField)
    , m_speed(new ChoiceField)
    , m_colour(new ChoiceField)
    , m_shape(new ChoiceField)
    , m_front(new QCheckBox(QStringLiteral("Pareto &front")))
    , m_budget(new BudgetField)
    , m_more(new QToolButton)
{
    auto* layout = new FlowLayout(this);
    layout->setContentsMargins(8, 4, 8, 0);
    layout->setSpacing(10);
    add(QStringLiteral("Sho&w"), m_panel, QStringLiteral("tradeoffPanel"),
        QStringLiteral("Trials that may be compared with each other"));
    add(QStringLiteral("Peak &memory"), m_memory, QStringLiteral("tradeoffMemory"),
        QStringLiteral("Allocated: what tensors hold. Reserved: what the allocator took from the device for them. "
                       "Needed: what the device must have, the driver's part included; it decides what fits."));
    add(QStringLiteral("Sp&eed"), m_speed, QStringLiteral("tradeoffSpeed"),
        QStringLiteral("In steps, samples or tokens per second"));
    add(QStringLiteral("&Colour"), m_colour, QStringLiteral("tradeoffColour"),
        QStringLiteral("What gives marks their colour"));
    add(QStringLiteral("S&hape"), m_shape, QStringLiteral("tradeoffShape"),
        QStringLiteral("What gives marks their shape"));
    add(QStringLiteral("&Budget"), m_budget, QStringLiteral("tradeoffBudget"),
        QStringLiteral("Memory that trials should stay within; the line in the plot can be dragged, too"));
    m_front->setObjectName(QStringLiteral("tradeoffFront"));
    m_front->setChecked(true);
    m_front->setToolTip(QStringLiteral("Connect the trials that no other trial beats"));
    layout->addWidget(m_front);
    addMore();
    offer({});
    for (const ChoiceField* field : {m_panel, m_memory, m_speed, m_colour, m_shape})
        connect(field, &ChoiceField::edited, this, &TradeoffControls::edited);
    connect(m_front, &QCheckBox::toggled, this, &TradeoffControls::edited);
    connect(m_budget, &BudgetField::edited, this, &TradeoffControls::setBudget);
}

void TradeoffControls::add(const QString& title, QWidget* field, const QString& name, const QString& tip)
{
    auto* pair = new QWidget;
    auto* row = new QHBoxLayout(pair);
    row->setContentsMargins({});
    auto* label = new QLabel(title);
    label->setBuddy(field);
    row->addWidget(label);
    row->addWidget(field);
    field->setObjectName(name);
    field->setToolTip(tip);
    field->setAccessibleName(QString(title).remove(QLatin1Char('&')));
    layout()->addWidget(pair);
}

void TradeoffControls::offer(const TradeoffOffers& offers)
{
    m_panel->offer(panelOffers(offers.panels));
    for (int i = 0; i < m_panel->count(); ++i)
        m_panel->setItemData(i, m_panel->itemData(i), Qt::ToolTipRole);
    m_panel->parentWidget()->setVisible(offers.panels.size() > 1);
    const QString automatic = offers.automatic
        ? QStringLiteral("auto (%1)").arg(QString::fromStdString(figures::name(*offers.automatic)))
        : QStringLiteral("auto");
    std::vector<ChoiceField::Offer> memories{{QString(), automatic}};
    for (const figures::MemoryKind kind : offers.memories)
        memories.emplace_back(QString::fromStdString(figures::name(kind)), QString::fromStdString(figures::name(kind)));
    m_memory->offer(memories);
    std::vector<ChoiceField::Offer> speeds;
    for (const SpeedUnit unit : offers.speeds.empty() ? std::vector{SpeedUnit::Steps} : offers.speeds)
        speeds.emplace_back(speedKey(unit), QString::fromStdString(speedUnitName(unit)));
    m_speed->offer(speeds);
    m_colour->offer(looks(offers, offers.colourBy));
    m_shape->offer(looks(offers, offers.shapeBy));
    m_hasLooks = !offers.techniques.empty() || offers.isOfSeveral;
    showParts();
}

void TradeoffControls::addMore()
{
    m_more->setObjectName(QStringLiteral("tradeoffMore"));
    m_more->setText(QStringLiteral("More"));
    m_more->setCheckable(true);
    m_more->setFocusPolicy(Qt::TabFocus);
    m_more->setToolTip(QStringLiteral("What gives marks their colour and shape, and the Pareto front"));
    connect(m_more, &QToolButton::toggled, this, &TradeoffControls::showParts);
    layout()->addWidget(m_more);
    new LowWindowWatch(*this, [this] { showParts(); });
}

// In a low window the plot has the line of what is seldom changed.
void TradeoffControls::showParts()
{
    const bool isLow = isInLowWindow(*this);
    const bool isAllShown = !isLow || m_more->isChecked();
    m_more->setVisible(isLow);
    for (const ChoiceField* field : {m_colour, m_shape})
        field->parentWidget()->setVisible(m_hasLooks && isAllShown);
    m_front->setVisible(isAllShown);
}

void TradeoffControls::showBudget(const std::optional<Bytes>& budget, const SizeUnit& unit)
{
    m_budget->setUnit(unit);
    m_budget->showBudget(budget);
}

void TradeoffControls::setBudget(const std::optional<Bytes>& budget)
{
    m_budgetChosen = true;
    m_budgetWish = budget;
    Q_EMIT edited();
}

void TradeoffControls::setPanel(std::size_t panel)
{
    m_panel->setWish(m_panel->itemData(static_cast<int>(panel)).toString());
    Q_EMIT edited();
}

std::size_t TradeoffControls::panel() const
{
    return static_cast<std::size_t>(std::max(0, m_panel->currentIndex()));
}

report::TradeoffChoice TradeoffControls::choice() const
{
    report::TradeoffChoice choice;
    choice.memory = memoryNamed(m_memory->chosen());
    // The wish, as what is on offer may not be known yet.
    for (const SpeedUnit unit : {SpeedUnit::Samples, SpeedUnit::Tokens})
        if (m_speed->wish() == speedKey(unit))
            choice.unit = unit;
    if (m_budgetWish)
        choice.budget = figures::Budget{*m_budgetWish, "budget"};
    choice.front = m_front->isChecked() ? figures::FrontLines::Shown : figures::FrontLines::Hidden;
    choice.colourBy = lookOf(*m_colour);
    choice.shapeBy = lookOf(*m_shape);
    return choice;
}

QVariantMap TradeoffControls::state() const
{
    QVariantMap state;
    for (const ChoiceField* field : {m_panel, m_memory, m_speed, m_colour, m_shape})
        state[field->objectName()] = field->wish();
    state[m_front->objectName()] = m_front->isChecked();
    if (m_budgetChosen)
        state[m_budget->objectName()] = static_cast<qlonglong>(m_budgetWish.value_or(0));
    return state;
}

void TradeoffControls::restore(const QVariantMap& state)
{
    for (ChoiceField* field : {m_panel, m_memory, m_speed, m_colour, m_shape})
        field->setWish(state.value(field->objectName()).toString());
    m_front->setChecked(state.value(m_front->objectName(), true).toBool());
    m_budgetChosen = state.contains(m_budget->objectName());
    const Bytes budget = state.value(m_budget->objectName()).toLongLong();
    m_budgetWish = budget > 0 ? std::optional(budget) : std::nullopt;
    Q_EMIT edited();
}

} // namespace headroom::ui
