// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/look/Theme.h"
#include "ui/plot/LayerHighlight.h"
#include "ui/timeline/PeakParts.h"

#include <QAbstractItemModel>

#include <vector>

namespace headroom::ui {

/// The tree of a peak: modules, or categories, techniques or phases with the modules below them. Its only top-level row
/// is the peak; the children of each row sum to it.
class PeakTreeModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { Name, Size, Share, Mostly, ColumnCount };
    /// The exact number of bytes.
    static constexpr int kBytesRole = Qt::UserRole;

    explicit PeakTreeModel(Theme& theme, QObject* parent = nullptr);

    /// Null clears the model.
    void setTrees(PeakTreesPtr trees);
    void setGrouping(trace::Grouping grouping);
    trace::Grouping grouping() const { return m_grouping; }
    /// The rows that mostly hold these categories stand out; of none, all are as usual.
    void setPointed(const Categories& categories);
    /// What a row holds, but for crumbs; empty for the peak itself, which holds everything.
    Categories categoriesOf(const QModelIndex& index) const;
    /// Every row with its path and exact bytes.
    QString csv() const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Node {
        const figures::PeakTreeRow* row = nullptr;
        int parent = -1; ///< index in m_nodes; -1: none
        int inParent = 0;
        std::vector<int> children;
    };

    void rebuild();
    int add(const figures::PeakTreeRow& row, int parent, int inParent);
    const Node& nodeOf(const QModelIndex& index) const { return m_nodes[index.internalId()]; }
    const figures::PeakTreeRow* root() const;
    QString text(const figures::PeakTreeRow& row, int column) const;
    QString tip(const figures::PeakTreeRow& row) const;
    QVariant swatch(const figures::PeakTreeRow& row) const;
    QVariant ground(const QModelIndex& index) const;
    /// Nothing but colours has changed.
    void repaint();

    Theme& m_theme;
    PeakTreesPtr m_trees;
    trace::Grouping m_grouping = trace::Grouping::Module;
    std::vector<Node> m_nodes; ///< the peak first
    Categories m_pointed;
};

} // namespace headroom::ui
