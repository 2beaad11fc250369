// SPDX-License-Identifier: Apache-2.0
#pragma once

class QMetaObject;

namespace headroom::ui {

/// Tells screen readers that widgets of this class are drawings: a widget that paints itself has no role otherwise.
void speakAsDrawing(const QMetaObject& widgetClass);

} // namespace headroom::ui
