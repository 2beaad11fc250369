// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiments/figures/layout/SheetLayout.h"

class QAbstractItemView;
class QWidget;

namespace headroom::ui {

/// What a view shows, as a picture to be shared: its plots as figures, its tables and trees with what is seen of them,
/// and its sentences (labels whose property "inPicture" is true), from top to bottom; with the view's caption. Empty
/// where the view has nothing of that.
figures::Sheet pictureSheet(const QWidget& view);

/// Columns and rows that are not hidden, in the order on the screen; of a tree those that are open.
figures::Table shownTable(const QAbstractItemView& view);

} // namespace headroom::ui
