// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/figures/FigureInk.h"
#include "ui/figures/PlotScene.h"

#include <QPixmap>

#include <map>
#include <tuple>

namespace headroom::ui {

/// Pictures of marks, each painted once: thousands of marks have a few looks.
class MarkPictures {
public:
    /// A picture's middle is the middle of its mark.
    const QPixmap& picture(
        const FigureInk& ink, const figures::Mark& mark, const std::string& figureKind, double ratio);
    /// When colours change.
    void forget() { m_pictures.clear(); }

private:
    using Key = std::tuple<std::size_t, figures::Shape, figures::Provenance, bool, double>;
    std::map<Key, QPixmap> m_pictures;
};

/// Paints the marks of a scene: one by one as shapes, or, where there are very many and `pictures` is given, as
/// pictures, of which those on the same px are painted once.
class MarkPainter {
public:
    MarkPainter(const PlotScene& scene, const FigureInk& ink, QPainter& painter, MarkPictures* pictures);

    void paint();

private:
    enum class Weight { Minor, Major };

    void paintErrors();
    void paintShapes(Weight weight);
    void paintPictures(Weight weight);
    void paintRings(const figures::Mark& mark, const figures::Pixel& at);

    const PlotScene& m_scene;
    const FigureInk& m_ink;
    QPainter& m_painter;
    MarkPictures* m_pictures;
    std::vector<std::pair<std::size_t, figures::Pixel>> m_seen; ///< marks between the axes
};

} // namespace headroom::ui
