// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/answer/Card.h"
#include "ui/start/StartQuestion.h"

#include <QFrame>

#include <map>

class QButtonGroup;
class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace headroom::ui {

/// Asks what to plan for: the model, the card, what one does, and its size.
class QuestionForm : public QFrame {
    Q_OBJECT

public:
    explicit QuestionForm(QWidget* parent = nullptr);

    /// Cards are offered once they have been read.
    void setCards(const CardList& cards);
    /// Offers a model that was read from an archive, by the name that it has in the catalogue, first of all and chosen;
    /// one that is offered already stays where it is.
    void offerModel(const std::string& model);
    StartQuestion question() const;
    /// Asks, unless the sizes cannot work or the cards are not there yet.
    void ask();

Q_SIGNALS:
    void asked(const headroom::ui::StartQuestion& question);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void fillModels();
    QWidget* makeTasks();
    QLabel* makeLabel(const QString& text, QWidget* buddy);
    void buildLayout();
    void showSizes();
    void orderTabs(int sizes);
    void check();

    QComboBox* m_model;
    QComboBox* m_card;
    QButtonGroup* m_tasks;
    QSpinBox* m_rank;
    QWidget* m_sizeArea;
    QGridLayout* m_sizeGrid;
    std::map<std::string, QSpinBox*> m_sizes; ///< by shape
    QLabel* m_problem;
    QPushButton* m_ask;
};

} // namespace headroom::ui
