#include "passes/fluid/sparse_copies.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kAllLayers = 1u << 24; // more than any solver looks away

} // namespace

SmokeBricks SmokeCopies::allocated(const SparseClaims& claims) {
    if (!travel()) {
        const SparseBricks bricks = allocate_bricks(graph_, claims);
        return {bricks, bricks};
    }
    const SharedClaims shared = share_bricks(graph_, border_, claims.list, claims.map);
    lists_ = shared.lists;
    const SparseBricks bricks = allocate_bricks(graph_, shared.claims);
    return {bricks, own_bricks(graph_, border_, bricks)};
}

SparseClaims SmokeCopies::sent(const SparseClaims& claims, const SparseBricks& bricks) const {
    return send_claims(graph_, border_, claims, bricks);
}

std::uint32_t SmokeCopies::layers(const SparseShape& shape) const {
    return travel() ? std::min({shape.brick.x, shape.brick.y, shape.brick.z}) : kAllLayers;
}

Buffer SmokeCopies::filled(Buffer field, const SparseBricks& bricks,
                           std::uint32_t cell_words) const {
    if (!travel()) return field;
    return fill_copies(graph_, border_, lists_, bricks, field, bricks.shape.cells() * cell_words);
}

SmokeField SmokeCopies::with_layers(const SmokeField& field, std::uint32_t needed,
                                    const SparseBricks& bricks, std::uint32_t cell_words) const {
    if (field.layers >= needed) return field;
    return {filled(field.buffer, bricks, cell_words), layers(bricks.shape)};
}

} // namespace tuff::passes
