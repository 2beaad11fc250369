// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace headroom::figures {

/// A place in the drawing, in px from its upper left corner.
struct Pixel {
    double x = 0;
    double y = 0;
};

struct Segment {
    Pixel from;
    Pixel to;
};

struct Box {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;

    double right() const { return x + width; }
    double bottom() const { return y + height; }
    Pixel centre() const { return {x + width / 2, y + height / 2}; }
    Box grown(double by) const { return {x - by, y - by, width + 2 * by, height + 2 * by}; }
    Pixel nearestTo(const Pixel& point) const;
    bool holds(const Pixel& point) const;
    bool holds(const Box& other) const;
};

/// Boxes that only touch do not overlap.
bool overlap(const Box& a, const Box& b);
bool cross(const Segment& segment, const Box& box);
bool cross(const Segment& a, const Segment& b);

} // namespace headroom::figures
