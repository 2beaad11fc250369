// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Bytes.h"

#include <QString>

#include <vector>

namespace headroom::ui {

/// A graphics card that can be simulated.
struct Card {
    QString name; ///< of its profile: "rtx4090"
    QString title; ///< "NVIDIA GeForce RTX 4090"
    Bytes usableBytes = 0; ///< what the driver offers to programs
    Bytes contextBytes = 0; ///< what the driver takes of that for one program
};

/// What a simulated device is put together from.
struct CardList {
    struct Runtime {
        QString name; ///< "torch-2.11"
        QString title;
    };

    std::vector<Card> cards; ///< in order of name
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
