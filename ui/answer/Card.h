// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Quantities.h"

#include <QString>

#include <vector>

namespace headroom::ui {

/// A graphics card that can be simulated.
struct Card {
    QString name; ///< the profile's name: "rtx4090"
    QString title; ///< "NVIDIA GeForce RTX 4090"
    Bytes usableBytes = 0; ///< memory that the driver offers to programs
    Bytes contextBytes = 0; ///< the part of it that the driver takes for one program
};

/// "rtx4090 – NVIDIA GeForce RTX 4090, 23.6 GiB": as it is offered in a list.
inline QString cardText(const Card& card)
{
    return QStringLiteral("%1 – %2, %3").arg(card.name, card.title, QString::fromStdString(sizeText(card.usableBytes)));
}

/// The parts that a simulated device is made of.
struct CardList {
    struct Runtime {
        QString name; ///< "torch-2.11"
        QString title;
    };

    std::vector<Card> cards; ///< sorted by name
    std::vector<Runtime> runtimes;

    const Card* find(const QString& name) const
    {
        for (const Card& card : cards)
            if (card.name == name)
                return &card;
        return nullptr;
    }
};

} // namespace headroom::ui
