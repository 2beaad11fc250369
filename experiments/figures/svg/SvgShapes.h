// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/XmlWriter.h"
#include "experiments/figures/Box.h"
#include "experiments/figures/Figure.h"

#include <string>

namespace headroom::figures {

/// "measured"; "predicted" for all that was not: the style sheet tells these two apart.
std::string styleClass(Provenance provenance);

/// "measured s0", "predicted c4": the classes that colour a thing.
std::string classes(const Look& look);

/// A shape of the area of a circle of about that radius, so that no shape outweighs another.
void writeShape(XmlWriter& xml, Shape shape, const Pixel& at, double radius);

/// Around a shape: round, or square for what is implausible, each flag with a stroke of its own.
void writeFlagRing(XmlWriter& xml, Flag flag, const Pixel& at, double radius);

void writeLine(XmlWriter& xml, const std::string& cssClass, const Segment& segment);

/// An upright bar with caps.
void writeErrorBar(XmlWriter& xml, const std::string& cssClass, double x, double top, double bottom);

} // namespace headroom::figures
