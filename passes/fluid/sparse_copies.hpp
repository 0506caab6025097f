#pragma once

#include "passes/mpi/bricks.hpp"

#include <cstdint>
#include <utility>

/// Smoke that ranks have in parts: the bricks of a rank, and its copies of bricks of others.
namespace tuff::passes {

/// A field of numbers, and how many layers of cells around the rank's part it has. Copies of
/// bricks have as many layers as cells along a side; each look at neighbours costs one.
struct SmokeField {
    Buffer buffer;
    std::uint32_t layers = 0;
};

/// The active bricks of a step. With one rank both are the same.
struct SmokeBricks {
    SparseBricks all; ///< with copies
    SparseBricks own;
};

/// Fills copies from the ranks that have the bricks. With one rank it adds nothing to the graph.
class SmokeCopies {
  public:
    SmokeCopies(Graph& graph, BrickBorder border) : graph_(graph), border_(std::move(border)) {}

    const BrickBorder& border() const { return border_; }
    bool travel() const { return graph_.ranks().size() > 1; }
    /// Gives claims of the rank's part, and copies of what others claim, their slots.
    SmokeBricks allocated(const SparseClaims& claims);
    /// Adds the claims of other ranks on bricks of this one.
    SparseClaims sent(const SparseClaims& claims, const SparseBricks& bricks) const;

    /// Layers of a field whose copies have just been filled.
    std::uint32_t layers(const SparseShape& shape) const;
    /// `cell_words`: of a cell.
    Buffer filled(Buffer field, const SparseBricks& bricks, std::uint32_t cell_words) const;
    /// The field with at least `needed` layers.
    SmokeField with_layers(const SmokeField& field, std::uint32_t needed,
                           const SparseBricks& bricks, std::uint32_t cell_words = 1) const;

  private:
    Graph& graph_;
    BrickBorder border_;
    BorderLists lists_;
};

} // namespace tuff::passes
