#include "passes/bodies/step.hpp"
#include "passes/primitives/radix_sort.hpp"
#include "passes/primitives/scan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kConstraintGroups = 20; // bytes: where the tally has groups for constraints
constexpr std::uint32_t kLockWords = 5;         // a body and set: see locks.glsl
constexpr std::uint32_t kSmallCell = 64;        // constraints there is room for, on average
constexpr std::uint32_t kFewInCell = 256;       // the same; a third of them or less come to be
constexpr std::uint32_t kFewConstraints = 4096; // that one group may put in order
constexpr std::uint32_t kFewCells = 16384;      // that each group may scan
constexpr std::uint32_t kPlaced = 256;          // constraints that a group places at a time
constexpr std::uint32_t kPlacingGroups = 256;   // at most, since each scans the cells
constexpr std::uint32_t kMaxSplit = 1024;       // cells along an axis

/// As shaders/bodies/batch.comp numbers them.
enum class BatchKernel : std::uint32_t { serial, pipelined, masks, priority, rounds, conflicts };

BatchKernel kernel_of(BatchMethod method) {
    switch (method) {
    case BatchMethod::serial: return BatchKernel::serial;
    case BatchMethod::pipelined: return BatchKernel::pipelined;
    case BatchMethod::masks: return BatchKernel::masks;
    case BatchMethod::priority: return BatchKernel::priority;
    case BatchMethod::rounds: return BatchKernel::rounds;
    case BatchMethod::conflicts:
    case BatchMethod::automatic: break;
    }
    return BatchKernel::conflicts;
}

/// By how many constraints a cell has room for, on average. One invocation of a processor that goes
/// through a few is faster than many that wait for each other.
BatchMethod choose(const Graph& graph, std::uint32_t room) {
    if (graph.target().forward_progress)
        return room <= kFewInCell ? BatchMethod::conflicts : BatchMethod::priority;
    return room <= kSmallCell ? BatchMethod::masks : BatchMethod::priority;
}

/// Constraints with their cells, before they are sorted.
struct ConstraintCells {
    Buffer keys;
    Buffer counts;      ///< of a cell
    Buffer ranks;       ///< of a constraint in its cell
    Buffer placed_ends; ///< by place
};

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

/// Where the constraints of each of many cells begin, which is returned, and their ranges.
Buffer find_starts(Graph& graph, BodyBatches& batches, const BodyPairs& pairs, Buffer counts) {
    const std::uint32_t cells = batches.cell_count();
    const Buffer starts = graph.add(Scan{.source = counts, .length = cells + 1}).result;
    ComputeNodeBuilder node = graph.compute("bodies/start_ranges");
    node.read("tally", pairs.tally);
    node.read("starts", starts);
    node.set("all_cells", cells);
    batches.ranges = node.write("ranges", body_array(graph, "ranges", std::uint64_t{cells} + 1, 8));
    node.dispatch_each(cells + 1);
    return starts;
}

/// Sorts by cell only: the kernel that makes the batches puts those of a cell in order. Returns
/// locks for cells that are too full for it.
Buffer count_by_cell(Graph& graph, BodyBatches& batches, const BodyPairs& pairs,
                     ConstraintCells& unsorted, Buffer locks, std::uint32_t most) {
    const std::uint32_t cells = batches.cell_count();
    const bool few = cells <= kFewCells;
    Buffer starts;
    if (!few) starts = find_starts(graph, batches, pairs, unsorted.counts);
    ComputeNodeBuilder node = graph.compute("bodies/place_constraints", {{"SCANS", few ? 1u : 0u}});
    node.read("tally", pairs.tally);
    node.read("unsorted", unsorted.keys);
    node.read("ranks", unsorted.ranks);
    node.read("ends", batches.ends);
    node.set("cells", batches.cells);
    node.set("sets", batches.sets());
    if (few) {
        node.read("counts", unsorted.counts);
        batches.ranges =
            node.write("ranges", body_array(graph, "ranges", std::uint64_t{cells} + 1, 8));
    } else {
        node.read("starts", starts);
    }
    batches.keys = node.write("keys", body_array(graph, "sorted_keys", most, 4));
    batches.order = node.write("order", body_array(graph, "order", most, 4));
    unsorted.placed_ends = node.write("placed_ends", body_array(graph, "placed_ends", most, 8));
    locks = node.write("locks", locks);
    node.dispatch(std::clamp((most + kPlaced - 1) / kPlaced, 1u, kPlacingGroups));
    return locks;
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
    info.summary("Orders the constraints of rigid bodies into batches that can be solved in "
                 "parallel")
        .details(
            "The bodies' box is divided into cells. Each constraint belongs to the cell of its "
            "contact point. A set contains every second cell along each axis that is divided; "
            "cells of a set share no body, so groups of invocations solve them at the same "
            "time. Within a cell, no two constraints of a batch share a body. Bodies that "
            "never move do not count.\n\n"
            "All methods except \"rounds\" give exactly the batches of first fit. \"serial\" "
            "and \"masks\" use one invocation. \"pipelined\" uses one for each batch; they "
            "pass constraints on. \"priority\" works in rounds. \"conflicts\" compares the "
            "constraints of a cell in pairs, up to 128; fuller cells take \"priority\". "
            "\"auto\" is \"conflicts\" on GPUs and \"masks\" on software devices, and \"priority\" "
            "if the "
            "capacity allows many constraints a cell. \"rounds\" makes more batches.\n\n"
            "Beyond 128 batches, each constraint is a batch of its own; the status counts "
            "these. Cells are enlarged if bodies would reach beyond the next cell. The number "
            "of cells along a divided axis is even.")
        .source("T. Harada, \"Two-Level Constraint Solver and Pipelined Local Batching for Rigid "
                "Body Simulation on GPUs\", GPU Pro 4, 2013")
        .complexity("O(constraints)")
        .cost([](const BatchConstraints& pass, const Graph&) {
            const double n = 2.0 * pass.bodies.count;
            return Cost{.bytes = 150.0 * n, .operations = 100.0 * n};
        });
    info.input("bodies", &BatchConstraints::bodies, "the bodies");
    info.input("outlines", &BatchConstraints::outlines, "bounds and inertia, from bodies/forces");
    info.input("contacts", &BatchConstraints::contacts, "the contacts, from bodies/contacts");
    info.parameter("split", &BatchConstraints::split,
                   "largest number of cells along each "
                   "axis; 1: not divided")
        .range(1, kMaxSplit)
        .unit("cells")
        .structural();
    info.parameter("method", &BatchConstraints::method, "how the batches are made").structural();
    info.parameter("group", &BatchConstraints::group, "invocations for each cell")
        .range(32, 256)
        .structural();
    info.output("batches", &BatchConstraints::batches,
                "the constraints in the order of the solver");
}

void BatchConstraints::build(Graph& graph) {
    if (!is_valid(graph, bodies)) return;
    const std::uint32_t most = std::max(contacts.pairs.most(), 1u);
    batches.cells = cells_for(bodies, outlines.margin, split);
    const std::uint32_t cells = batches.cell_count();

    // Small cells leave room for more groups at a time.
    const bool small = most / cells <= kSmallCell;
    const BatchKernel kernel =
        kernel_of(method == BatchMethod::automatic ? choose(graph, most / cells) : method);
    const bool conflicts = kernel == BatchKernel::conflicts;
    const bool by_counts = conflicts && cells > 1;

    ComputeNodeBuilder keys =
        graph.compute("bodies/constraint_keys", {{"COUNTS", by_counts ? 1u : 0u}});
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
    ConstraintCells unsorted;
    if (by_counts) {
        // Whole vec4s, which a scan reads.
        const std::uint64_t words = (std::uint64_t{cells} / 4 + 1) * 4;
        unsorted.counts =
            keys.write("counts", graph.fill(body_array(graph, "counts", words, 4), 0, "no_counts"));
        unsorted.ranks = keys.write("ranks", body_array(graph, "ranks", most, 4));
    }
    unsorted.keys = keys.write("keys", body_array(graph, "keys", most, 4));
    batches.ends = keys.write("ends", body_array(graph, "ends", most, 8));
    keys.dispatch_indirect(contacts.pairs.tally, kConstraintGroups);

    const std::uint64_t lock_words = std::uint64_t{kLockWords} * bodies.count * batches.sets();
    Buffer locks = body_array(graph, "locks", lock_words, 4);
    if (by_counts)
        locks = count_by_cell(graph, batches, contacts.pairs, unsorted, locks, most);
    else if (cells == 1 && most <= kFewConstraints)
        put_live_first(graph, batches, contacts.pairs, unsorted.keys, most);
    else
        sort_by_cell(graph, batches, contacts.pairs, unsorted.keys, most);

    ComputeNodeBuilder node =
        graph.compute("bodies/batch", {{"METHOD", static_cast<std::uint32_t>(kernel)},
                                       {"LOCAL", small || conflicts ? 64u : 256u}});
    // An invocation for each constraint of most cells, and no others, which would wait for them.
    node.specialize("local_size_x", conflicts ? group_for_cell(most / cells, group) : group);
    node.read("ends", batches.ends);
    node.read("ranges", batches.ranges);
    if (conflicts) node.read_optional("placed_ends", unsorted.placed_ends, "has_placed_ends");
    if (conflicts)
        batches.order = node.write("order", batches.order);
    else
        node.read("order", batches.order);
    node.set("cells", batches.cells);
    node.set("sets", batches.sets());
    (void)node.write("locks", by_counts ? locks : graph.fill(locks, 0, "no_locks"));
    const Buffer scratch =
        conflicts ? unsorted.keys // which nobody reads after this
                  : graph.fill(body_array(graph, "batches", most, 4), ~0u, "no_batches");
    batches.batches = node.write("batches", scratch);
    batches.ordered = node.write("ordered", body_array(graph, "ordered", most, 4));
    batches.ordered_batches =
        node.write("ordered_batches", body_array(graph, "ordered_batches", most, 4));
    batches.cell_batches = node.write("cell_batches", body_array(graph, "cell_batches", cells, 4));
    batches.status = node.accumulate("status", contacts.pairs.status);
    fold_groups(cells).dispatch(node);
}

TUFF_PASS(BatchConstraints)

} // namespace tuff::passes
