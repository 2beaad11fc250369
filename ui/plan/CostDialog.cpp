// SPDX-License-Identifier: Apache-2.0
#include "ui/plan/CostDialog.h"

#include "core/config/Installation.h"
#include "experiments/cost/CostSearch.h"
#include "ui/look/WheelGuard.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSpinBox>
#include <QTableView>
#include <QVBoxLayout>

namespace headroom::ui {
namespace {

constexpr int kUsualSteps = 10'000;
constexpr int kMostSteps = 1'000'000'000;
constexpr int kCostColumns = 110; ///< width, in characters
constexpr int kCostRows = 34;

QString aboutHours(const experiments::PriceList& prices)
{
    const QString source = prices.prices.empty()
        ? QStringLiteral("No prices: write yours into ~/.config/headroom/prices.toml.")
        : QStringLiteral("Prices are those of %1.").arg(QString::fromStdString(prices.file));
    return QStringLiteral("Hours are steps times the predicted step: loading, validation, checkpoints and waiting for "
                          "data come on top. ")
        + source;
}

} // namespace

CostDialog::CostDialog(const config::Trial& trial, QWidget* parent)
    : QDialog(parent)
    , m_card(trial.device.profile)
    , m_steps(new QSpinBox(this))
    , m_model(new CostTableModel(this))
    , m_table(new QTableView(this))
    , m_message(new QLabel(QStringLiteral("Looking at the cards…"), this))
    , m_jobs(QStringLiteral("cost"))
{
    setObjectName(QStringLiteral("costDialog"));
    setWindowTitle(QStringLiteral("Cost of a run"));
    build(trial);
    connect(m_steps, &QSpinBox::valueChanged, this, [this](int steps) {
        m_model->setSteps(steps);
        m_table->selectRow(m_model->rowOf(m_card));
    });
    m_model->setSteps(m_steps->value());
    const Watch watch = [this](const Found& found) {
        QMetaObject::invokeMethod(this, [this, found] { take(found); }, Qt::QueuedConnection);
    };
    m_jobs.run(
        this, [trial, watch](const std::stop_token& stop) { predictAll(trial, watch, stop); }, [] {},
        [this](const QString& message) { m_message->setText(message); });
}

CostDialog::~CostDialog() = default;

void CostDialog::build(const config::Trial& trial)
{
    m_steps->setObjectName(QStringLiteral("costSteps"));
    m_steps->setAccessibleName(QStringLiteral("Steps of the run"));
    m_steps->setRange(1, kMostSteps);
    m_steps->setGroupSeparatorShown(true);
    m_steps->setValue(kUsualSteps);
    new WheelGuard(m_steps);
    m_table->setObjectName(QStringLiteral("costTable"));
    m_table->setAccessibleName(QStringLiteral("What the run takes on each card"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(CostTableModel::Card, QHeaderView::Stretch);
    m_message->setObjectName(QStringLiteral("costMessage"));
    m_message->setWordWrap(true);
    auto* label = new QLabel(QStringLiteral("&Steps"), this);
    label->setBuddy(m_steps);
    auto* what = new QLabel(
        QString::fromStdString(trial.configuration.model + ": " + config::techniqueLabel(trial.configuration)), this);
    what->setTextFormat(Qt::PlainText);
    what->setWordWrap(true);
    auto* above = new QHBoxLayout;
    above->addWidget(label);
    above->addWidget(m_steps);
    above->addStretch(1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(what);
    layout->addLayout(above);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_message);
    layout->addWidget(buttons);
    resize(fontMetrics().averageCharWidth() * kCostColumns, fontMetrics().lineSpacing() * kCostRows);
    m_steps->setFocus();
}

void CostDialog::predictAll(const config::Trial& trial, const Watch& watch, const std::stop_token& stop)
{
    const simulator::ProfileCatalogue profiles(config::resourceDirectory());
    const std::vector<std::string> cards = experiments::cardsWithMemory(profiles);
    Found found;
    found.prices = experiments::readPrices(experiments::pricesFile(config::resourceDirectory()), cards);
    found.ofCards = cards.size();
    experiments::CostSearch search(found.prices);
    for (const std::string& card : cards) {
        config::Trial onCard = trial;
        onCard.device.profile = card;
        for (experiments::CardCost& cost : search.costsOf(onCard, stop))
            found.costs.push_back(std::move(cost));
        ++found.cards;
        if (stop.stop_requested())
            return;
        watch(found);
    }
}

void CostDialog::take(const Found& found)
{
    m_model->setCosts(found.costs, found.prices.currency);
    m_table->selectRow(m_model->rowOf(m_card)); // what one asked about stands out
    m_isComplete = found.cards == found.ofCards;
    m_message->setToolTip(QString::fromStdString(found.prices.file)); // what a file of prices looks like
    m_message->setText(m_isComplete ? aboutHours(found.prices)
                                    : QStringLiteral("%1 of %2 cards.").arg(found.cards).arg(found.ofCards));
}

} // namespace headroom::ui
