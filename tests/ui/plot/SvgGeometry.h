// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QRectF>
#include <QString>
#include <QXmlStreamReader>

#include <vector>

namespace headroom::ui {

/// A thing of an SVG of a figure.
struct SvgElement {
    QString name; ///< "circle", "text", ...
    QString cssClass;
    QString group; ///< the class of the innermost <g> around it
    QString trial; ///< of that group
    QString text;
    QXmlStreamAttributes attributes;

    double number(const char* attribute) const { return attributes.value(QLatin1String(attribute)).toDouble(); }
    /// The middle of a circle, or of the box around a path of straight lines.
    QPointF middle() const;
};

/// The points of a path of M, L, H and V.
std::vector<QPointF> pointsOf(const SvgElement& path);

/// Everything that is drawn in an SVG of a figure, in its order.
class SvgGeometry {
public:
    explicit SvgGeometry(const std::string& svg);

    std::vector<SvgElement> ofClass(const QString& cssClass) const;
    /// The points of all paths of a class, of M, L, H and V.
    std::vector<QPointF> pathPoints(const QString& cssClass) const;

private:
    std::vector<SvgElement> m_elements;
};

} // namespace headroom::ui
