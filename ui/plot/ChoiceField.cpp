// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/ChoiceField.h"

#include "ui/look/WheelGuard.h"

#include <algorithm>

namespace headroom::ui {

ChoiceField::ChoiceField(QWidget* parent)
    : QComboBox(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    new WheelGuard(this);
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(this, &QComboBox::activated, this, [this] {
        m_wish = chosen();
        Q_EMIT edited();
    });
}

void ChoiceField::offer(const std::vector<Offer>& offers)
{
    const bool same = static_cast<int>(offers.size()) == count()
        && std::all_of(offers.begin(), offers.end(), [&, i = 0](const Offer& offer) mutable {
               const int index = i++;
               return itemData(index).toString() == offer.first && itemText(index) == offer.second;
           });
    if (!same) {
        clear();
        for (const auto& [value, text] : offers)
            addItem(text, value);
    }
    follow();
}

void ChoiceField::setWish(const QString& value)
{
    m_wish = value;
    follow();
}

void ChoiceField::follow()
{
    setCurrentIndex(count() == 0 ? -1 : std::max(0, findData(m_wish)));
}

} // namespace headroom::ui
