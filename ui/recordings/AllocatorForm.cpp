// SPDX-License-Identifier: Apache-2.0
#include "ui/recordings/AllocatorForm.h"

#include "core/base/Quantities.h"
#include "experiments/sweep/AllocatorSetting.h"
#include "ui/look/WheelGuard.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QSignalBlocker>

namespace headroom::ui {
namespace {

const QString kAsRecorded = QStringLiteral("recorded");
const QString kOtherSize = QStringLiteral("other");

// Settings are separated by commas, but those of a list in brackets.
QStringList partsOf(const QString& line)
{
    QStringList parts{QString()};
    int depth = 0;
    for (const QChar c : line) {
        depth += c == QLatin1Char('[') ? 1 : c == QLatin1Char(']') ? -1 : 0;
        if (c == QLatin1Char(',') && depth == 0)
            parts.append(QString());
        else if (!c.isSpace())
            parts.last().append(c);
    }
    parts.removeAll(QString());
    return parts;
}

} // namespace

AllocatorForm::AllocatorForm(QWidget* parent)
    : QWidget(parent)
    , m_card(new QComboBox)
    , m_memory(new DecimalField)
    , m_line(new QLineEdit)
    , m_withoutEmptyCache(new QCheckBox(QStringLiteral("Leave out the calls of empty_cache()")))
{
    setObjectName(QStringLiteral("allocatorForm"));
    m_card->setObjectName(QStringLiteral("whatIfCard"));
    m_card->setAccessibleName(QStringLiteral("With the memory of which card"));
    m_card->setFocusPolicy(Qt::StrongFocus);
    m_card->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_card->setMinimumContentsLength(12);
    new WheelGuard(m_card);
    m_memory->setObjectName(QStringLiteral("whatIfMemory"));
    m_memory->setAccessibleName(QStringLiteral("How much memory segments may take"));
    m_memory->setRange(0.01, 4'096);
    m_memory->setValue(24);
    m_memory->setSuffix(QStringLiteral(" GiB"));
    m_memory->setKeyboardTracking(false);
    new WheelGuard(m_memory);
    m_memory->hide();
    auto* memory = new QWidget;
    auto* memoryRow = new QHBoxLayout(memory);
    memoryRow->setContentsMargins({});
    memoryRow->addWidget(m_card, 1);
    memoryRow->addWidget(m_memory);
    m_line->setObjectName(QStringLiteral("whatIfLine"));
    m_line->setAccessibleName(QStringLiteral("Settings as PYTORCH_ALLOC_CONF has them"));
    m_line->setPlaceholderText(QStringLiteral("name:value"));
    m_line->setClearButtonEnabled(true);
    m_withoutEmptyCache->setObjectName(QStringLiteral("whatIfWithoutEmptyCache"));
    auto* form = new QFormLayout(this);
    form->setContentsMargins({});
    form->setRowWrapPolicy(QFormLayout::WrapLongRows); // where there is little room
    form->addRow(QStringLiteral("Memory"), memory);
    form->addRow(QStringLiteral("expandable_segments"),
        addSetting("expandable_segments", QStringLiteral("Expandable segments"), {QStringLiteral("True")}));
    form->addRow(QStringLiteral("max_split_size_mb"),
        addSetting("max_split_size_mb", QStringLiteral("Largest block that is split, in MiB"),
            {QStringLiteral("32"), QStringLiteral("64"), QStringLiteral("128"), QStringLiteral("256"),
                QStringLiteral("512")}));
    form->addRow(QStringLiteral("roundup_power2_divisions"),
        addSetting("roundup_power2_divisions", QStringLiteral("Steps between powers of two to which sizes are rounded"),
            {QStringLiteral("4"), QStringLiteral("8"), QStringLiteral("16")}));
    form->addRow(QStringLiteral("garbage_collection_threshold"),
        addSetting("garbage_collection_threshold",
            QStringLiteral("Share of memory from which free segments are given back"),
            {QStringLiteral("0.6"), QStringLiteral("0.8"), QStringLiteral("0.9")}));
    form->addRow(QStringLiteral("Others"), m_line);
    form->addRow(m_withoutEmptyCache);
    connect(m_card, &QComboBox::currentIndexChanged, this, &AllocatorForm::showCard);
    connect(m_memory, &QDoubleSpinBox::valueChanged, this, &AllocatorForm::edited);
    connect(m_line, &QLineEdit::textChanged, this, [this] {
        readLine();
        Q_EMIT edited();
    });
    connect(m_withoutEmptyCache, &QCheckBox::toggled, this, &AllocatorForm::edited);
}

QComboBox* AllocatorForm::addSetting(const char* key, const QString& title, const QStringList& values)
{
    auto* box = new QComboBox;
    box->setObjectName(QStringLiteral("whatIf.") + QLatin1String(key));
    box->setAccessibleName(title);
    box->setToolTip(title);
    box->setFocusPolicy(Qt::StrongFocus);
    new WheelGuard(box);
    box->addItem(QStringLiteral("(not set)"), QString());
    for (const QString& value : values)
        box->addItem(value, value);
    connect(box, &QComboBox::activated, this, &AllocatorForm::writeLine);
    m_settings.emplace(QLatin1String(key), box);
    return box;
}

void AllocatorForm::setStart(const WhatIfStart& start)
{
    const QString chosen = m_card->currentData().toString();
    {
        const QSignalBlocker quiet(m_card);
        m_card->clear();
        m_card->addItem(start.toldCapacity
                ? QStringLiteral("%1, recorded").arg(QString::fromStdString(sizeText(*start.toldCapacity)))
                : QStringLiteral("unlimited"),
            kAsRecorded);
        for (const WhatIfCard& card : start.cards) {
            m_card->addItem(
                QStringLiteral("%1: %2").arg(card.title, QString::fromStdString(sizeText(card.capacityBytes))),
                card.name);
            m_card->setItemData(m_card->count() - 1, static_cast<qlonglong>(card.capacityBytes), Qt::UserRole + 1);
        }
        m_card->addItem(QStringLiteral("Another size…"), kOtherSize);
        m_card->setCurrentIndex(std::max(0, m_card->findData(chosen)));
    }
    m_memory->setVisible(m_card->currentData() == kOtherSize);
    if (start.recording)
        setAllocator(QString::fromStdString(start.recording->allocator));
}

void AllocatorForm::showCard()
{
    const bool isOther = m_card->currentData() == kOtherSize;
    m_memory->setVisible(isOther);
    if (isOther)
        m_memory->setFocus();
    Q_EMIT edited();
}

void AllocatorForm::setAllocator(const QString& settings)
{
    const QSignalBlocker quiet(m_line);
    m_line->setText(settings);
    readLine();
}

// What the boxes do not know stays in the line.
void AllocatorForm::writeLine()
{
    QStringList parts;
    for (const QString& part : partsOf(m_line->text()))
        if (!m_settings.contains(part.section(QLatin1Char(':'), 0, 0)))
            parts.append(part);
    for (const auto& [key, box] : m_settings)
        if (const QString value = box->currentData().toString(); !value.isEmpty())
            parts.append(key + QLatin1Char(':') + value);
    m_line->setText(parts.join(QLatin1Char(',')));
}

void AllocatorForm::readLine()
{
    std::map<QString, QString> values;
    for (const QString& part : partsOf(m_line->text()))
        values[part.section(QLatin1Char(':'), 0, 0)] = part.section(QLatin1Char(':'), 1);
    for (const auto& [key, box] : m_settings) {
        const QString value = values[key];
        if (!value.isEmpty() && box->findData(value) < 0)
            box->addItem(value, value);
        box->setCurrentIndex(box->findData(value));
    }
}

WhatIfTerms AllocatorForm::terms() const
{
    WhatIfTerms terms;
    terms.allocator = experiments::allocatorText(m_line->text().trimmed().toStdString());
    terms.emptiesCache = !m_withoutEmptyCache->isChecked();
    if (m_card->currentData() == kOtherSize)
        terms.capacityBytes = static_cast<Bytes>(m_memory->value() * static_cast<double>(kGiB));
    else if (const QVariant capacity = m_card->currentData(Qt::UserRole + 1); capacity.isValid())
        terms.capacityBytes = capacity.toLongLong();
    return terms;
}

} // namespace headroom::ui
