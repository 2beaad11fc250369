// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/TechniqueDescriptor.h"

#include <QWidget>

#include <optional>
#include <string>

class QLabel;
class QSpinBox;

namespace headroom::ui {

class EditorGuard;
class SpecSession;

/// The number in a notation, and what its form calls it: "rank", 16 of "lora:16".
struct NamedNumber {
    std::string name;
    int value = 0;
    std::string before; ///< the notation up to the number
    std::string after;
};

/// Nothing where the notation is of no form, or of one whose meaning does not name its number ("rank R").
std::optional<NamedNumber> namedNumber(const config::TechniqueDescriptor& technique, const std::string& notation);

/// A number in a technique's notation as a field of its own. Hidden where there is none, and for a sweep axis.
class NotationNumber : public QWidget {
    Q_OBJECT

public:
    NotationNumber(const config::TechniqueDescriptor& technique, SpecSession& session, EditorGuard& guard,
        QWidget* parent = nullptr);

    void showValue(const config::Value& notation);

private:
    void commit(int value);

    const config::TechniqueDescriptor& m_technique;
    SpecSession& m_session;
    QLabel* m_label;
    QSpinBox* m_number;
    std::optional<NamedNumber> m_shown;
};

} // namespace headroom::ui
