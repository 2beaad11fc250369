// SPDX-License-Identifier: Apache-2.0
#include "ui/start/QuestionForm.h"

#include "core/base/Wording.h"
#include "core/config/catalogue/Catalogue.h"
#include "core/config/catalogue/ImportedModels.h"
#include "ui/look/WheelGuard.h"

#include <QAbstractItemView>
#include <QButtonGroup>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace headroom::ui {
namespace {

constexpr const char* kFirstModel = "ltx-video-13b";
constexpr const char* kFirstCard = "rtx4090";
constexpr int kMostRank = 1'024;
constexpr int kUsualRank = 16;

bool isForTests(const std::string& model)
{
    return model.ends_with("-tiny");
}

// "height" as "Height (px)"
QString sizeTitle(const std::string& shape)
{
    std::string title = inWords(shape);
    title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
    const bool isPixels = shape == "height" || shape == "width";
    return QString::fromStdString(title) + (isPixels ? QStringLiteral(" (px)") : QString());
}

int boundOf(const std::optional<double>& bound, int fallback)
{
    return bound ? static_cast<int>(std::clamp(*bound, 0.0, static_cast<double>(std::numeric_limits<int>::max())))
                 : fallback;
}

} // namespace

QuestionForm::QuestionForm(QWidget* parent)
    : QFrame(parent)
    , m_model(new QComboBox(this))
    , m_card(new QComboBox(this))
    , m_tasks(new QButtonGroup(this))
    , m_rank(new QSpinBox(this))
    , m_sizeArea(new QWidget(this))
    , m_sizeGrid(new QGridLayout(m_sizeArea))
    , m_problem(new QLabel(this))
    , m_ask(new QPushButton(QStringLiteral("Find the &best combination"), this))
{
    setObjectName(QStringLiteral("questionForm"));
    setAccessibleName(QStringLiteral("What to plan for"));
    setFrameShape(QFrame::StyledPanel);
    setFocusPolicy(Qt::StrongFocus);
    setFocusProxy(m_model);
    for (QComboBox* box : {m_model, m_card}) {
        box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        box->setMinimumContentsLength(16);
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        new WheelGuard(box);
    }
    m_model->setObjectName(QStringLiteral("startModel"));
    m_model->setAccessibleName(QStringLiteral("Model"));
    m_card->setObjectName(QStringLiteral("startCard"));
    m_card->setAccessibleName(QStringLiteral("Card"));
    m_card->addItem(QStringLiteral("Reading the cards…"));
    m_card->setEnabled(false);
    m_ask->setObjectName(QStringLiteral("startAsk"));
    m_ask->setDefault(true);
    m_ask->setAutoDefault(true);
    m_problem->setObjectName(QStringLiteral("startProblem"));
    m_problem->setWordWrap(true);
    fillModels();
    buildLayout();
    connect(m_model, &QComboBox::currentIndexChanged, this, &QuestionForm::showSizes);
    connect(m_ask, &QPushButton::clicked, this, &QuestionForm::ask);
    showSizes();
}

void QuestionForm::fillModels()
{
    std::vector<std::string> names = config::modelNames();
    std::ranges::stable_partition(names, [](const std::string& name) { return !isForTests(name); });
    for (const std::string& name : names)
        m_model->addItem(QStringLiteral("%1 – %2").arg(
                             QString::fromStdString(name), QString::fromStdString(config::findModel(name, {}).title)),
            QString::fromStdString(name));
    m_model->setCurrentIndex(qMax(0, m_model->findData(QLatin1String(kFirstModel))));
}

void QuestionForm::offerModel(const std::string& model)
{
    const QString name = QString::fromStdString(model);
    const auto archive = config::importedArchiveOf(model);
    if (!archive || m_model->findData(name) >= 0)
        return;
    m_model->insertItem(0, QString::fromStdString(config::findModel(model, {}).title), name);
    m_model->setItemData(0, QString::fromStdString(archive->file.string()), Qt::ToolTipRole);
    m_model->setCurrentIndex(0);
}

QWidget* QuestionForm::makeTasks()
{
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    const auto add = [&](StartQuestion::Task task, const char* name, const QString& text) {
        auto* button = new QRadioButton(text, row);
        button->setObjectName(QLatin1String(name));
        m_tasks->addButton(button, static_cast<int>(task));
        layout->addWidget(button);
        return button;
    };
    auto* lora = add(StartQuestion::Task::LoRA, "startLora", QStringLiteral("Train a LoRA, rank"));
    lora->setChecked(true);
    m_rank->setObjectName(QStringLiteral("startRank"));
    m_rank->setAccessibleName(QStringLiteral("Rank of the LoRA"));
    m_rank->setRange(1, kMostRank);
    m_rank->setValue(kUsualRank);
    new WheelGuard(m_rank);
    layout->addWidget(m_rank);
    layout->addSpacing(fontMetrics().height());
    add(StartQuestion::Task::Full, "startFull", QStringLiteral("Train all weights"));
    layout->addSpacing(fontMetrics().height());
    add(StartQuestion::Task::Inference, "startInference", QStringLiteral("Inference"));
    layout->addStretch();
    connect(lora, &QRadioButton::toggled, m_rank, &QWidget::setEnabled);
    return row;
}

QLabel* QuestionForm::makeLabel(const QString& text, QWidget* buddy)
{
    auto* label = new QLabel(text, this);
    label->setBuddy(buddy);
    return label;
}

void QuestionForm::buildLayout()
{
    auto* grid = new QGridLayout(this);
    const int space = fontMetrics().height();
    grid->setContentsMargins(space, space, space, space);
    grid->setHorizontalSpacing(space);
    grid->addWidget(makeLabel(QStringLiteral("Model"), m_model), 0, 0);
    grid->addWidget(m_model, 0, 1);
    grid->addWidget(makeLabel(QStringLiteral("Card"), m_card), 1, 0);
    grid->addWidget(m_card, 1, 1);
    grid->addWidget(makeLabel(QStringLiteral("What you do"), nullptr), 2, 0);
    grid->addWidget(makeTasks(), 2, 1);
    QLabel* size = makeLabel(QStringLiteral("Size"), nullptr);
    size->setMinimumHeight(m_rank->sizeHint().height()); // in the line of the fields, below their names
    grid->addWidget(size, 3, 0, Qt::AlignBottom);
    grid->addWidget(m_sizeArea, 3, 1);
    auto* foot = new QHBoxLayout;
    foot->addWidget(m_problem, 1);
    foot->addWidget(m_ask);
    grid->addLayout(foot, 4, 0, 1, 2);
    grid->setColumnStretch(1, 1);
    m_sizeGrid->setContentsMargins(0, 0, 0, 0);
}

void QuestionForm::showSizes()
{
    qDeleteAll(m_sizeArea->findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
    m_sizes.clear();
    const config::ModelDescriptor model = config::findModel(m_model->currentData().toString().toStdString(), {});
    int column = 0;
    for (const config::Field& shape : model.shapes.all()) {
        if (shape.type != config::FieldType::Integer || !shape.defaultValue.isInteger())
            continue;
        auto* box = new QSpinBox(m_sizeArea);
        box->setObjectName(QStringLiteral("startSize-") + QString::fromStdString(shape.name));
        box->setAccessibleName(sizeTitle(shape.name));
        box->setToolTip(QString::fromStdString(shape.help));
        box->setRange(boundOf(shape.minimum, 1), boundOf(shape.maximum, std::numeric_limits<int>::max()));
        box->setValue(static_cast<int>(shape.defaultValue.integer()));
        box->setMaximumWidth(fontMetrics().horizontalAdvance(QLatin1Char('0')) * 14);
        new WheelGuard(box);
        connect(box, &QSpinBox::valueChanged, this, &QuestionForm::check);
        QLabel* label = makeLabel(sizeTitle(shape.name), box);
        m_sizeGrid->addWidget(label, 0, column);
        m_sizeGrid->addWidget(box, 1, column++);
        label->show(); // a layout shows them later, and until then keys pass them by
        box->show();
        m_sizes.emplace(shape.name, box);
    }
    for (int i = 0; i < m_sizeGrid->columnCount(); ++i)
        m_sizeGrid->setColumnStretch(i, 0);
    m_sizeGrid->setColumnStretch(column, 1);
    orderTabs(column);
    check();
}

// As on the screen: what is made anew comes last otherwise.
void QuestionForm::orderTabs(int sizes)
{
    QList<QWidget*> order{m_model, m_card, m_tasks->buttons().first(), m_rank};
    for (QAbstractButton* task : m_tasks->buttons().mid(1))
        order.append(task);
    for (int i = 0; i < sizes; ++i)
        order.append(m_sizeGrid->itemAtPosition(1, i)->widget());
    order.append(m_ask);
    for (qsizetype i = 1; i < order.size(); ++i)
        setTabOrder(order.at(i - 1), order.at(i));
}

void QuestionForm::setCards(const CardList& cards)
{
    if (cards.cards.empty())
        return;
    m_card->clear();
    for (const Card& card : cards.cards)
        m_card->addItem(cardText(card), card.name);
    m_card->setCurrentIndex(qMax(0, m_card->findData(QLatin1String(kFirstCard))));
    m_card->setEnabled(true);
    check();
}

StartQuestion QuestionForm::question() const
{
    StartQuestion question{.model = m_model->currentData().toString().toStdString(),
        .card = m_card->currentData().toString().toStdString(),
        .task = static_cast<StartQuestion::Task>(m_tasks->checkedId()),
        .rank = m_rank->value(),
        .sizes = {}};
    for (const auto& [name, box] : m_sizes)
        question.sizes.emplace(name, box->value());
    return question;
}

void QuestionForm::check()
{
    const QString problem = QString::fromStdString(problemOf(question()));
    m_problem->setText(problem);
    m_ask->setEnabled(problem.isEmpty() && m_card->isEnabled());
}

void QuestionForm::ask()
{
    if (m_ask->isEnabled())
        Q_EMIT asked(question());
}

// Enter asks, whichever field it is pressed in.
void QuestionForm::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        ask();
    else
        QFrame::keyPressEvent(event);
}

} // namespace headroom::ui
