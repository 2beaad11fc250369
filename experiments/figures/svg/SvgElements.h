// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/XmlWriter.h"
#include "experiments/figures/layout/FigureLayout.h"

#include <string>

namespace headroom::figures {

void writeText(XmlWriter& xml, const std::string& cssClass, const PlacedText& text);

/// Words that lines would run through stand on a piece of the surface.
void writeGroundedText(XmlWriter& xml, const std::string& cssClass, const PlacedText& text);

/// As the <title> of the element that is open.
void writeHover(XmlWriter& xml, const Hover& hover);

/// Begins a group that a pointer or the keyboard finds, with the hover text as its title; the caller closes it.
void openFocusable(XmlWriter& xml, const std::string& cssClass, const std::string& trialId, const Hover& hover);

/// What a category's ground is painted with: "url(#...)", one of the patterns whose ids begin so; "none" for a plain
/// one, whose colour the style sheet gives to the class "ground".
std::string groundOf(const std::string& patterns, const Look& look);

/// "layer ground": with the class that colours a plain ground.
std::string groundClass(const std::string& cssClass, const Look& look);

/// A bar; a predicted one is pale, with a dashed outline.
void writeBar(XmlWriter& xml, const std::string& patterns, const Box& box, const Look& look);

/// A pattern for each category of the figure that has a texture.
void writePatterns(XmlWriter& xml, const std::string& patterns, const Figure& figure);

/// The same of all categories.
void writeAllPatterns(XmlWriter& xml, const std::string& patterns);

} // namespace headroom::figures
