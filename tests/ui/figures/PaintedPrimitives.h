// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QRectF>
#include <QString>

#include <vector>

namespace headroom::ui {

/// A paper that notes what is painted on it: words, each once where it is written, and areas without an outline.
class NotedPaper : public QPaintDevice {
public:
    QPaintEngine* paintEngine() const override { return &m_engine; }

    const QStringList& words() const { return m_engine.words; }
    const std::vector<QRectF>& areas() const { return m_engine.areas; }

protected:
    int metric(PaintDeviceMetric metric) const override
    {
        switch (metric) {
        case PdmWidth:
        case PdmHeight:
            return 4000;
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return 96;
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return static_cast<int>(devicePixelRatioFScale());
        case PdmDepth:
            return 32;
        default:
            return 1;
        }
    }

private:
    class Engine : public QPaintEngine {
    public:
        Engine()
            : QPaintEngine(AllFeatures)
        {
        }

        bool begin(QPaintDevice*) override { return true; }
        bool end() override { return true; }
        Type type() const override { return User; }
        void updateState(const QPaintEngineState&) override { }
        void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override { }
        void drawPath(const QPainterPath&) override { }

        void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override
        {
            if (mode == PolylineMode || painter()->pen().style() != Qt::NoPen)
                return;
            QPolygonF area;
            for (int i = 0; i < count; ++i)
                area << points[i];
            areas.push_back(area.boundingRect());
        }

        // A rim is the same words eight times around.
        void drawTextItem(const QPointF&, const QTextItem& item) override
        {
            if (words.isEmpty() || words.last() != item.text())
                words.append(item.text());
        }

        QStringList words;
        std::vector<QRectF> areas;
    };

    mutable Engine m_engine;
};

} // namespace headroom::ui
