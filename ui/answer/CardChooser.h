// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/config/DeviceSpec.h"
#include "ui/answer/Card.h"

#include <QComboBox>
#include <QWidget>

namespace headroom::ui {

/// Which card and which version of LibTorch to predict for: that of the experiment, where it is a simulated one, or
/// one of choice.
class CardChooser : public QWidget {
    Q_OBJECT

public:
    /// Taken where the experiment does not run on a simulated card.
    static constexpr const char* kStandInCard = "rtx4090";

    explicit CardChooser(QWidget* parent = nullptr);

    /// Keeps the choice where it is still there.
    void setCards(const CardList& cards);
    /// The device of the experiment.
    void setPlanned(const config::DeviceSpec& device);

    /// Always a simulated one. Only of use once there are cards.
    config::DeviceSpec device() const;

    /// "rtx4090@torch-2.11", "rtx4090", "@torch-2.5"; empty: both as planned. To be kept from one start to the next.
    QString choice() const;
    /// May come before the cards.
    void setChoice(const QString& choice);

Q_SIGNALS:
    /// Another device than before, for whatever reason.
    void changed();

private:
    QComboBox* addCombo(const QString& name, const QString& accessibleName);
    void fill(QComboBox& combo, const QList<QPair<QString, QString>>& items, const QString& chosen);
    void refill();
    void announce();
    QString plannedCard() const;
    QString plannedRuntime() const;

    QComboBox* m_card;
    QComboBox* m_runtime;
    CardList m_cards;
    config::DeviceSpec m_planned;
    QString m_chosenCard; ///< empty: as planned
    QString m_chosenRuntime;
    config::DeviceSpec m_announced;
};

} // namespace headroom::ui
