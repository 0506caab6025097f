#include "passes/sparse/bricks.hpp"

#include "passes/primitives/elements.hpp"

namespace tuff::passes {

void SparseBricksPass::describe(PassInfo<SparseBricksPass>& info) {
    info.summary("Allocates the bricks of a sparse domain that contain points or intersect a "
                 "box")
        .details(
            "The domain is divided into bricks of cells. A claimed brick gets a slot, where "
            "fields keep the brick's cells. With \"keep\", bricks keep their slots from "
            "execution to execution.\n\n"
            "If more bricks are claimed than there are slots, bricks with a slot keep it and "
            "others are refused. With \"bricks.when_full\" at \"evict\", the bricks that were "
            "claimed longest ago lose their slots instead; among these, those with the highest "
            "indices. A warning counts refused and evicted bricks (sparse/pool-full).\n\n"
            "The map from bricks to slots is an array. For domains of more than four million "
            "bricks it is a hash table, so neither memory nor time depends on the size of the "
            "domain. Points outside the domain are ignored.")
        .source("A. Dunn, \"Interactive Sparse Eulerian Fluid\", GPU Pro 7, 2016; M. Niessner, M. "
                "Zollhoefer, S. Izadi and M. Stamminger, \"Real-time 3D Reconstruction at Scale "
                "using Voxel Hashing\", SIGGRAPH Asia 2013")
        .complexity("O(points + bricks of the domain, or slots where they are hashed)")
        .cost([](const SparseBricksPass& pass, const Graph& graph) {
            const SparseShape& shape = pass.bricks.shape;
            const double map = static_cast<double>(graph.desc(pass.bricks.map).size);
            const double points =
                pass.points ? static_cast<double>(graph.desc(pass.points).size) : 0.0;
            return Cost{.bytes = map + points + 150.0 * shape.capacity,
                        .operations = 60.0 * shape.capacity};
        });
    info.optional_input("points", &SparseBricksPass::points, "cells to allocate, as coordinates")
        .elements<glm::vec4>();
    info.parameter("length", &SparseBricksPass::length, "number of points to use; -1: all")
        .range(-1, kMaxElements)
        .structural();
    info.parameter("dims", &SparseBricksPass::dims, "size of the domain")
        .range(1, kMaxSparseSide)
        .unit("cells")
        .structural();
    info.group("bricks", &SparseBricksPass::bricks_parameters);
    info.parameter("box_low", &SparseBricksPass::box_low,
                   "lower corner of a box of cells to allocate")
        .unit("cells");
    info.parameter("box_high", &SparseBricksPass::box_high, "upper corner of that box, excluded")
        .unit("cells");
    info.parameter("keep", &SparseBricksPass::keep,
                   "whether bricks persist between executions; false: each execution starts "
                   "empty")
        .structural();
    info.parameter("reset", &SparseBricksPass::reset, "frees all bricks of previous executions")
        .structural();
    info.output("bricks", &SparseBricksPass::bricks, "the bricks that have slots");
    info.output("status", &SparseBricksPass::status, "counts of the claims")
        .elements<SparseStatus>();
}

void SparseBricksPass::build(Graph& graph) {
    const auto shape = sparse_shape(graph, bricks_parameters, dims, 4);
    if (!shape) return;
    const std::uint64_t there = points ? graph.desc(points).size / 16 : 0;
    const std::uint64_t count = length < 0 ? there : static_cast<std::uint64_t>(length);
    if (count > there) {
        graph.error("primitives/too-long", "\"points\" has fewer than \"length\" points");
        return;
    }
    if (shape->storage == SparseStorage::dense) {
        bricks = dense_brick(graph, *shape);
        status = bricks.status;
        return;
    }
    SparseClaims claims = start_claims(graph, *shape);
    if (shape->evicts) claims = weighed_claims(graph, claims);
    graph.push_scope(kSparsePool);
    const BufferHistory list =
        keep ? graph.history_buffer("list", list_desc(*shape)) : BufferHistory{};
    const BufferHistory weights = keep && shape->evicts
                                      ? graph.history_buffer("weights", weights_desc(*shape))
                                      : BufferHistory{};
    graph.pop_scope();
    // A brick weighs less by one in each execution that does not claim it.
    if (keep && !reset)
        claims = adopt_bricks(graph, claims, list.previous[0],
                              weights.previous.empty() ? Buffer{} : weights.previous[0], 1);
    const SparseBox box{box_low, box_high};
    claims = claim_boxes(graph, claims, {&box, 1}, kMaxSparseWeight);
    if (count > 0)
        claims = claim_points(graph, claims, points, static_cast<std::uint32_t>(count),
                              kMaxSparseWeight);
    bricks = allocate_bricks(graph, claims);
    status = bricks.status;
    if (keep) keep_bricks(graph, bricks, list.current);
    if (keep && shape->evicts) keep_weights(graph, bricks, claims.weights, weights.current);
}

TUFF_PASS(SparseBricksPass)

} // namespace tuff::passes
