// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/DeviceSpec.h"
#include "ui/answer/Card.h"

#include <QComboBox>
#include <QWidget>

#include <vector>

namespace headroom::ui {

/// A combo box whose closed box shows a shorter text than its list, and is as wide as that.
class ShortTextBox : public QComboBox {
    Q_OBJECT

public:
    /// The item's data for its short text.
    static constexpr int kShortTextRole = Qt::UserRole + 1;

    using QComboBox::QComboBox;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString shortText() const { return currentData(kShortTextRole).toString(); }
};

/// Chooses the card and the version of LibTorch to predict for: those of the experiment if its device is simulated, or
/// ones that the user chooses.
class CardChooser : public QWidget {
    Q_OBJECT

public:
    /// Used when the experiment does not run on a simulated card.
    static constexpr const char* kStandInCard = "rtx4090";

    explicit CardChooser(QWidget* parent = nullptr);

    /// Keeps the current choice if it is still in the list.
    void setCards(const CardList& cards);
    /// The device of the experiment.
    void setPlanned(const config::DeviceSpec& device);

    /// Always a simulated device. Only meaningful once the cards are set.
    config::DeviceSpec device() const;

    /// "rtx4090@torch-2.11", "rtx4090", "@torch-2.5"; if empty, both are as planned. Kept between starts of the
    /// program.
    QString choice() const;
    /// May be called before setCards().
    void setChoice(const QString& choice);

Q_SIGNALS:
    /// The device has changed, for whatever reason.
    void changed();

private:
    struct Item {
        QString text; ///< in the list
        QString shortText; ///< in the box
        QString value;
    };

    ShortTextBox* addCombo(const QString& name, const QString& accessibleName);
    void fill(ShortTextBox& combo, const std::vector<Item>& items, const QString& chosen);
    void refill();
    void announce();
    QString plannedCard() const;
    QString plannedRuntime() const;

    ShortTextBox* m_card;
    ShortTextBox* m_runtime;
    CardList m_cards;
    config::DeviceSpec m_planned;
    QString m_chosenCard; ///< empty: as planned
    QString m_chosenRuntime;
    config::DeviceSpec m_announced;
};

} // namespace headroom::ui
