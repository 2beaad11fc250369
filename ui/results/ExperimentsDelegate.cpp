// SPDX-License-Identifier: Apache-2.0
#include "ui/results/ExperimentsDelegate.h"

#include "ui/results/ExperimentsModel.h"

#include <QApplication>
#include <QPainter>

namespace headroom::ui {
namespace {

// The same margin on all sides, in terms of the font.
int gap(const QStyleOptionViewItem& option)
{
    return option.fontMetrics.height() / 3;
}

} // namespace

ExperimentsDelegate::ExperimentsDelegate(const Theme& theme, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_theme(theme)
{
    makeIcons();
    connect(&theme, &Theme::changed, this, &ExperimentsDelegate::makeIcons);
}

void ExperimentsDelegate::makeIcons()
{
    for (const Sign sign : {Sign::Done, Sign::Warning, Sign::Bad, Sign::Paused, Sign::Open})
        m_icons[static_cast<int>(sign)] = signIcon(m_theme, sign);
}

QSize ExperimentsDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {option.fontMetrics.averageCharWidth() * 20, 2 * option.fontMetrics.lineSpacing() + 2 * gap(option)};
}

void ExperimentsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem ground = option;
    initStyleOption(&ground, index);
    ground.text.clear();
    const QStyle* style = option.widget != nullptr ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &ground, painter, option.widget);

    const int size = option.fontMetrics.height();
    const QRect area = option.rect.adjusted(gap(option), gap(option), -gap(option), -gap(option));
    const QIcon icon = m_icons.value(index.data(ExperimentsModel::SignRole).toInt());
    icon.paint(painter, QRect(area.left(), area.top(), size, size));
    painter->save();
    paintWords(*painter, option, index, area.adjusted(size + gap(option), 0, 0, 0));
    painter->restore();
}

void ExperimentsDelegate::paintWords(
    QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index, const QRect& area) const
{
    const int line = option.fontMetrics.lineSpacing();
    const QString age = index.data(ExperimentsModel::AgeRole).toString();
    const int ageWidth = option.fontMetrics.horizontalAdvance(age) + gap(option);
    QFont bold = option.font;
    bold.setBold(index.data(ExperimentsModel::IsShownRole).toBool());
    painter.setFont(bold);
    painter.setPen(m_theme.ink());
    const QString name =
        QFontMetrics(bold).elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, area.width() - ageWidth);
    painter.drawText(QRect(area.left(), area.top(), area.width() - ageWidth, line), Qt::AlignVCenter, name);
    painter.setFont(option.font);
    painter.setPen(m_theme.muted());
    painter.drawText(QRect(area.left(), area.top(), area.width(), line), Qt::AlignVCenter | Qt::AlignRight, age);
    QString below = index.data(ExperimentsModel::StateRole).toString();
    if (const QString models = index.data(ExperimentsModel::ModelsRole).toString(); !models.isEmpty())
        below.prepend(models + QStringLiteral(" \u00b7 "));
    if (const QString places = index.data(ExperimentsModel::PlacesRole).toString(); !places.isEmpty())
        below += QStringLiteral(" on ") + places;
    painter.drawText(QRect(area.left(), area.top() + line, area.width(), line), Qt::AlignVCenter,
        option.fontMetrics.elidedText(below, Qt::ElideRight, area.width()));
}

} // namespace headroom::ui
