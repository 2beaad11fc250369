// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/plot/SvgGeometry.h"

#include <QRegularExpression>

#include <algorithm>

namespace headroom::ui {
namespace {

std::vector<QPointF> pointsOf(const QString& path)
{
    static const QRegularExpression step(QStringLiteral("([MLHVZ])([-0-9. ]*)"));
    std::vector<QPointF> points;
    for (auto steps = step.globalMatch(path); steps.hasNext();) {
        const auto match = steps.next();
        const QStringList numbers = match.captured(2).split(QLatin1Char(' '), Qt::SkipEmptyParts);
        const QString command = match.captured(1);
        if (command == QLatin1String("H"))
            points.emplace_back(numbers[0].toDouble(), points.back().y());
        else if (command == QLatin1String("V"))
            points.emplace_back(points.back().x(), numbers[0].toDouble());
        else if (command != QLatin1String("Z"))
            points.emplace_back(numbers[0].toDouble(), numbers[1].toDouble());
    }
    return points;
}

} // namespace

std::vector<QPointF> pointsOf(const SvgElement& path)
{
    return pointsOf(path.attributes.value(QLatin1String("d")).toString());
}

QPointF SvgElement::middle() const
{
    if (name == QLatin1String("circle"))
        return {number("cx"), number("cy")};
    const auto points = pointsOf(attributes.value(QLatin1String("d")).toString());
    const auto [left, right] =
        std::minmax_element(points.begin(), points.end(), [](auto a, auto b) { return a.x() < b.x(); });
    const auto [top, bottom] =
        std::minmax_element(points.begin(), points.end(), [](auto a, auto b) { return a.y() < b.y(); });
    return {(left->x() + right->x()) / 2, (top->y() + bottom->y()) / 2};
}

SvgGeometry::SvgGeometry(const std::string& svg)
{
    QXmlStreamReader reader(QString::fromStdString(svg));
    std::vector<std::pair<QString, QString>> groups{{}};
    while (!reader.atEnd()) {
        const auto token = reader.readNext();
        const QString name = reader.name().toString();
        if (token == QXmlStreamReader::EndElement && name == QLatin1String("g"))
            groups.pop_back();
        if (token != QXmlStreamReader::StartElement)
            continue;
        SvgElement element{name, reader.attributes().value(QLatin1String("class")).toString(), groups.back().first,
            groups.back().second, {}, reader.attributes()};
        if (name == QLatin1String("g"))
            groups.emplace_back(element.cssClass, element.attributes.value(QLatin1String("data-trial")).toString());
        if (name == QLatin1String("text"))
            element.text = reader.readElementText();
        m_elements.push_back(std::move(element));
    }
}

std::vector<SvgElement> SvgGeometry::ofClass(const QString& cssClass) const
{
    std::vector<SvgElement> found;
    std::copy_if(m_elements.begin(), m_elements.end(), std::back_inserter(found),
        [&](const SvgElement& element) { return element.cssClass.split(QLatin1Char(' ')).contains(cssClass); });
    return found;
}

std::vector<QPointF> SvgGeometry::pathPoints(const QString& cssClass) const
{
    std::vector<QPointF> points;
    for (const SvgElement& element : ofClass(cssClass)) {
        const auto more = pointsOf(element.attributes.value(QLatin1String("d")).toString());
        points.insert(points.end(), more.begin(), more.end());
    }
    return points;
}

} // namespace headroom::ui
