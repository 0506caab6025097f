#include "passes/bodies/step.hpp"
#include "passes/primitives/radix_sort.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kConstraintGroups = 20; // bytes: where the tally has groups for constraints
constexpr std::uint32_t kLockWords = 5;         // a body and set
constexpr std::uint32_t kSmallCell = 64;        // constraints there is room for, on average
constexpr std::uint32_t kFewConstraints = 4096; // that one group may put in order
constexpr std::uint32_t kMaxSplit = 1024;       // cells along an axis

/// As shaders/bodies/batch.comp numbers them.
std::uint32_t kernel_of(BatchMethod method) {
    switch (method) {
    case BatchMethod::serial: return 0;
    case BatchMethod::pipelined: return 1;
    case BatchMethod::masks: return 2;
    case BatchMethod::priority: return 3;
    case BatchMethod::rounds:
    case BatchMethod::automatic: break;
    }
    return 4;
}

/// Where one cell has few constraints.
void put_live_first(Graph& graph, BodyBatches& batches, const BodyPairs& pairs, Buffer unsorted,
                    std::uint32_t most) {
    ComputeNodeBuilder node = graph.compute("bodies/live");
    node.read("tally", pairs.tally);
    node.read("unsorted", unsorted);
    batches.keys = node.write("keys", body_array(graph, "sorted_keys", most, 4));
    batches.order = node.write("order", body_array(graph, "order", most, 4));
    batches.ranges = node.write("ranges", body_array(graph, "ranges", 2, 8));
    node.dispatch(1);
}

void sort_by_cell(Graph& graph, BodyBatches& batches, const BodyPairs& pairs, Buffer unsorted,
                  std::uint32_t most) {
    const std::uint32_t cells = batches.cell_count();
    const RadixSort sorted = graph.add(RadixSort{.keys = unsorted,
                                                 .count = pairs.constraints,
                                                 .length = most,
                                                 .end_bit = static_cast<int>(std::bit_width(cells)),
                                                 .with_permutation = true});
    batches.keys = sorted.sorted_keys;
    batches.order = sorted.permutation;
    ComputeNodeBuilder ranges = graph.compute("bodies/cell_ranges");
    ranges.read("tally", pairs.tally);
    ranges.read("keys", batches.keys);
    batches.ranges = ranges.write(
        "ranges", graph.fill(body_array(graph, "ranges", std::uint64_t{cells} + 1, 8), 0, "empty"));
    ranges.dispatch_indirect(pairs.tally, kConstraintGroups);
}

} // namespace

glm::uvec3 cells_for(const Bodies& bodies, float margin, glm::uvec3 split) {
    glm::uvec3 cells(1);
    const float least = bodies.largest + 4.0f * margin;
    for (int axis = 0; axis < 3; ++axis) {
        const float fit = std::floor((bodies.high[axis] - bodies.low[axis]) / least);
        const auto most = static_cast<std::uint32_t>(std::clamp(fit, 1.0f, 1024.0f));
        const std::uint32_t along = std::min(split[axis], most);
        cells[axis] = along < 2 ? 1u : along / 2 * 2;
    }
    return cells;
}

void BatchConstraints::describe(PassInfo<BatchConstraints>& info) {
    info.summary("Orders the constraints of rigid bodies so that many can be solved at a time")
        .details(
            "The bodies' box is cut into cells, and each constraint belongs to the cell of its "
            "point of contact. Cells of a set, every second one along each axis that is cut, share "
            "no body: they are solved at the same time, a group of invocations each. Within a cell "
            "no two constraints of a batch share a body. Bodies that never move count for nobody. "
            "All methods but \"rounds\" give the batches of first fit, to the number: \"serial\" "
            "and \"masks\" by one invocation, \"pipelined\" by one for each batch that hand "
            "constraints on, \"priority\" in rounds, and \"auto\" is \"masks\" where there is room "
            "for "
            "few constraints a cell, else \"priority\". \"rounds\" makes more batches. Beyond 128 "
            "a "
            "constraint is a batch of its own (counted). Cells are made larger where bodies would "
            "reach beyond the next; numbers of cells are even.")
        .source("T. Harada, \"Two-Level Constraint Solver and Pipelined Local Batching for Rigid "
                "Body Simulation on GPUs\", GPU Pro 4, 2013")
        .complexity("O(constraints)")
        .cost([](const BatchConstraints& pass, const Graph&) {
            const double n = 2.0 * pass.bodies.count;
            return Cost{.bytes = 150.0 * n, .operations = 100.0 * n};
        });
    info.input("bodies", &BatchConstraints::bodies, "the bodies");
    info.input("outlines", &BatchConstraints::outlines, "of bodies/forces");
    info.input("contacts", &BatchConstraints::contacts, "of bodies/contacts");
    info.parameter("split", &BatchConstraints::split, "cells along each axis, at most; 1: not cut")
        .range(1, kMaxSplit)
        .unit("cells")
        .structural();
    info.parameter("method", &BatchConstraints::method, "who makes the batches").structural();
    info.parameter("group", &BatchConstraints::group, "invocations for a cell")
        .range(32, 256)
        .structural();
    info.output("batches", &BatchConstraints::batches, "the order");
}

void BatchConstraints::build(Graph& graph) {
    if (!is_valid(graph, bodies)) return;
    const std::uint32_t most = std::max(contacts.pairs.most(), 1u);
    batches.cells = cells_for(bodies, outlines.margin, split);
    const std::uint32_t cells = batches.cell_count();

    ComputeNodeBuilder keys = graph.compute("bodies/constraint_keys");
    keys.read("tally", contacts.pairs.tally);
    keys.read("pairs", contacts.pairs.pairs);
    keys.read("manifolds", contacts.manifolds);
    keys.read("masses", outlines.masses);
    keys.read("places", bodies.places);
    keys.read("turns", bodies.turns);
    keys.read_optional("joints", bodies.joints);
    keys.set("count", bodies.count);
    keys.set("joint_count", bodies.joint_count);
    keys.set("origin", bodies.low);
    keys.set("per_unit", glm::vec3(batches.cells) / (bodies.high - bodies.low));
    keys.set("cells", batches.cells);
    const Buffer unsorted = keys.write("keys", body_array(graph, "keys", most, 4));
    batches.ends = keys.write("ends", body_array(graph, "ends", most, 8));
    keys.dispatch_indirect(contacts.pairs.tally, kConstraintGroups);

    if (cells == 1 && most <= kFewConstraints)
        put_live_first(graph, batches, contacts.pairs, unsorted, most);
    else
        sort_by_cell(graph, batches, contacts.pairs, unsorted, most);

    // Small cells leave room for more groups at a time.
    const bool small = most / cells <= kSmallCell;
    // One invocation that goes through a few constraints is faster than rounds of many that wait
    // for each other.
    const BatchMethod chosen = method != BatchMethod::automatic ? method
                               : small                          ? BatchMethod::masks
                                                                : BatchMethod::priority;
    ComputeNodeBuilder node = graph.compute(
        "bodies/batch", {{"METHOD", kernel_of(chosen)}, {"LOCAL", small ? 64u : 256u}});
    node.specialize("local_size_x", group);
    node.read("ends", batches.ends);
    node.read("ranges", batches.ranges);
    node.read("order", batches.order);
    node.set("cells", batches.cells);
    node.set("sets", batches.sets());
    const std::uint64_t locks = std::uint64_t{kLockWords} * bodies.count * batches.sets();
    (void)node.write("locks", graph.fill(body_array(graph, "locks", locks, 4), 0, "no_locks"));
    batches.batches =
        node.write("batches", graph.fill(body_array(graph, "batches", most, 4), ~0u, "no_batches"));
    batches.ordered = node.write("ordered", body_array(graph, "ordered", most, 4));
    batches.ordered_batches =
        node.write("ordered_batches", body_array(graph, "ordered_batches", most, 4));
    batches.cell_batches = node.write("cell_batches", body_array(graph, "cell_batches", cells, 4));
    batches.status = node.accumulate("status", contacts.pairs.status);
    fold_groups(cells).dispatch(node);
}

TUFF_PASS(BatchConstraints)

} // namespace tuff::passes
