// SPDX-License-Identifier: Apache-2.0
#include "ui/start/FirstRunPage.h"

#include "ui/rehearse/ScriptForm.h"
#include "ui/start/QuestionForm.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace headroom::ui {
namespace {

QLabel* makeText(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QLabel* makeHeading(const QString& text, double scale, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * scale);
    font.setBold(true);
    label->setFont(font);
    label->setWordWrap(true);
    return label;
}

} // namespace

FirstRunPage::FirstRunPage(QWidget* parent)
    : QScrollArea(parent)
    , m_form(new QuestionForm(this))
    , m_script(new ScriptForm(this))
    , m_machine(makeText(QStringLiteral("Looking at this machine…"), this))
{
    setObjectName(QStringLiteral("firstRunPage"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    m_machine->setObjectName(QStringLiteral("machineSentence"));
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    const int space = fontMetrics().height();
    layout->setContentsMargins(2 * space, space, 2 * space, space);
    layout->setSpacing(space);
    layout->addWidget(
        makeHeading(QStringLiteral("Which memory techniques fit your GPU and lose the least speed?"), 1.5, content));
    layout->addWidget(m_form);
    layout->addWidget(
        makeText(QStringLiteral(
                     "Every combination of techniques that the model allows is looked at by simulation, which needs no "
                     "GPU. Or set up a model on the left: its predicted peak and speed appear above at once, and a run "
                     "makes every combination of a sweep a point of peak memory against speed."),
            content));
    layout->addWidget(makeHeading(QStringLiteral("Does your training script fit?"), 1.2, content));
    layout->addWidget(makeText(
        QStringLiteral(
            "It runs as it is, with the PyTorch that it has, on a card that is not there: no GPU is needed, what it "
            "writes is thrown away, and the answer says what held the memory, by its lines."),
        content));
    layout->addWidget(m_script);
    layout->addWidget(m_machine);
    layout->addWidget(makeHeading(QStringLiteral("Two examples that run on any machine"), 1.2, content));
    layout->addWidget(
        makeExample(QStringLiteral("ltx-checkpointing"), QStringLiteral("LTX-Video 2B on an A100, predicted"),
            QStringLiteral("Gradient checkpointing of all, every second, every fourth or no block, at full size. Four "
                           "predictions, a few seconds, no GPU needed.")));
    layout->addWidget(makeExample(QStringLiteral("demo"), QStringLiteral("The same, and a small one measured here"),
        QStringLiteral("The four policies on a small LTX-Video, really run on this machine's processor, beside the "
                       "predictions. About a minute.")));
    layout->addWidget(makeLinks());
    layout->addStretch();
    setWidget(content);
    setFocusPolicy(Qt::StrongFocus);
    setFocusProxy(m_form);
    connect(m_form, &QuestionForm::asked, this, &FirstRunPage::asked);
}

QWidget* FirstRunPage::makeExample(const QString& preset, const QString& title, const QString& what)
{
    auto* frame = new QFrame(this);
    frame->setFrameShape(QFrame::StyledPanel);
    auto* words = new QVBoxLayout;
    words->addWidget(makeHeading(title, 1.0, frame));
    words->addWidget(makeText(what, frame));
    auto* button = new QPushButton(QStringLiteral("Open and run"), frame);
    button->setObjectName(QStringLiteral("example-") + preset);
    button->setAccessibleName(QStringLiteral("Open and run: ") + title);
    connect(button, &QPushButton::clicked, this, [this, preset] { Q_EMIT exampleChosen(preset); });
    auto* layout = new QHBoxLayout(frame);
    layout->addLayout(words, 1);
    layout->addWidget(button, 0, Qt::AlignVCenter);
    return frame;
}

QWidget* FirstRunPage::makeLinks()
{
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    const auto add = [&](const QString& text, auto signal) {
        auto* button = new QPushButton(text, row);
        connect(button, &QPushButton::clicked, this, signal);
        layout->addWidget(button);
    };
    add(QStringLiteral("Open a model file…"), &FirstRunPage::ownExperimentWanted);
    add(QStringLiteral("Open an experiment file…"), &FirstRunPage::openSpecWanted);
    add(QStringLiteral("Open a workspace…"), &FirstRunPage::openWorkspaceWanted);
    layout->addStretch();
    return row;
}

void FirstRunPage::setMachine(const QString& sentence)
{
    m_machine->setText(sentence);
}

} // namespace headroom::ui
