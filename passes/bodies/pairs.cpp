#include "passes/bodies/step.hpp"
#include "passes/bvh/lbvh_build.hpp"
#include "passes/bvh/refit.hpp"
#include "passes/primitives/radix_sort.hpp"
#include "passes/primitives/scan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>
#include <utility>

namespace tuff::passes {
namespace {

constexpr float kCellRoom = 1.01f;
constexpr double kMaxPairCells = 1 << 21;
constexpr std::uint64_t kPairBytes = 8;
constexpr std::uint64_t kPairRecordBytes = 160; // of a pair, in the largest array

/// A grid whose cells hold the largest body that moves.
struct PairGrid {
    glm::vec3 origin{0.0f};
    glm::uvec3 cells{1};
    float cell = 1.0f;
    Buffer order;
    Buffer ranges;
    Buffer boxes;

    std::uint32_t count() const { return cells.x * cells.y * cells.z; }
    void set(ComputeNodeBuilder& node) const {
        node.set("origin", origin);
        node.set("per_unit", 1.0f / cell);
        node.set("cells", cells);
        node.set("cell", cell);
    }
};

PairGrid grid_for(const Bodies& bodies, float margin) {
    PairGrid grid{.origin = bodies.low};
    // A little more, or rounding makes bodies larger than a cell.
    grid.cell = kCellRoom * (bodies.largest + 2.0f * margin);
    for (;; grid.cell *= 1.25f) {
        double all = 1.0;
        for (int axis = 0; axis < 3; ++axis) {
            const float along = std::clamp(
                std::ceil((bodies.high[axis] - bodies.low[axis]) / grid.cell), 1.0f, 1e6f);
            grid.cells[axis] = static_cast<std::uint32_t>(along);
            all *= static_cast<double>(along);
        }
        if (all <= kMaxPairCells) return grid;
    }
}

void fill_grid(Graph& graph, PairGrid& grid, Buffer boxes, std::uint32_t count) {
    ComputeNodeBuilder keys = graph.compute("bodies/grid_cells");
    keys.read("boxes", boxes);
    keys.set("count", count);
    grid.set(keys);
    const Buffer unsorted = keys.write("keys", body_array(graph, "keys", count, 4));
    keys.dispatch_each(count);
    const RadixSort sorted =
        graph.add(RadixSort{.keys = unsorted,
                            .length = count,
                            .end_bit = static_cast<int>(std::bit_width(grid.count() + 1)),
                            .with_permutation = true});
    ComputeNodeBuilder ranges = graph.compute("bodies/grid_ranges");
    ranges.read("keys", sorted.sorted_keys);
    ranges.read("order", sorted.permutation);
    ranges.read("boxes", boxes);
    ranges.set("count", count);
    grid.order = sorted.permutation;
    grid.boxes = ranges.write("sorted_boxes", body_array(graph, "sorted_boxes", count, 32));
    grid.ranges = ranges.write(
        "ranges",
        graph.fill(body_array(graph, "ranges", std::uint64_t{grid.count()} + 2, 8), 0, "empty"));
    ranges.dispatch_each(count);
}

constexpr std::uint64_t kTreeNodeBytes = 64;
constexpr std::uint64_t kTreeLeafBytes = 48;
constexpr float kFarShare = 1.0f;          // of a box's side: who has moved by more has moved far
constexpr std::uint32_t kFewOfBodies = 16; // a sixteenth may have

/// The tree of a step's boxes: that of the step before with new boxes, or, where bodies have moved
/// too much, another one.
class TreeOfBoxes {
  public:
    TreeOfBoxes(Graph& graph, const BodyOutlines& outlines, std::uint32_t count)
        : graph_(graph), boxes_(outlines.boxes), count_(count), mesh_(mesh()) {}

    /// `status` counts trees that are built because of what has moved.
    Bvh bring_up_to_date(const PairTree& before, Buffer& status) {
        using State = std::tuple<Buffer, Buffer, Buffer, Buffer>;
        const State start{before.nodes, before.leaves, before.status, before.built};
        const Buffer keeps = look(before, status);
        const State now =
            graph_
                .repeat_until(
                    "rebuild", 1, start,
                    [&](const State&, std::uint32_t) -> Step<State> {
                        const Bvh built = graph_.add(LbvhBuild{.mesh = mesh_}).bvh;
                        const auto [middles, done] = middles_now();
                        return {State{built.nodes, built.leaves, built.status, middles}, done};
                    },
                    BufferView(keeps))
                .state;
        Bvh old{.nodes = std::get<0>(now),
                .leaves = std::get<1>(now),
                .status = std::get<2>(now),
                .mesh = mesh_,
                .layout = BvhLayout::binary};
        built_ = std::get<3>(now);
        return graph_.add(Refit{.source = old, .mesh = mesh_}).bvh;
    }
    Bvh build() {
        built_ = middles_now().first;
        return graph_.add(LbvhBuild{.mesh = mesh_}).bvh;
    }
    Buffer built() const { return built_; }

  private:
    TriangleMesh mesh() {
        ComputeNodeBuilder node = graph_.compute("bodies/box_triangles");
        node.read("boxes", boxes_);
        node.set("count", count_);
        TriangleMesh mesh{
            .positions = node.write("positions", body_array(graph_, "corners", 9 * count_, 4)),
            .indices = node.write("indices", body_array(graph_, "indices", 3 * count_, 4)),
            .draws = {},
            .vertex_count = 3 * count_,
            .triangle_count = count_};
        node.dispatch_each(count_);
        return mesh;
    }
    Buffer look(const PairTree& before, Buffer& status) {
        ComputeNodeBuilder moved = graph_.compute("bodies/tree_moved");
        moved.read("boxes", boxes_);
        moved.read("built", before.built);
        moved.set("count", count_);
        moved.set("share", kFarShare);
        const Buffer counts = moved.write(
            "moved", graph_.fill(body_array(graph_, "moved", 2, 4), 0, "nothing_moved"));
        moved.dispatch_each(count_);
        ComputeNodeBuilder node = graph_.compute("bodies/tree_keep");
        node.read("moved", counts);
        node.set("most", count_ / kFewOfBodies);
        status = node.accumulate("status", status);
        const Buffer keep = node.write("keep", body_array(graph_, "keep", 1, 4));
        node.dispatch(1);
        return keep;
    }
    std::pair<Buffer, Buffer> middles_now() {
        ComputeNodeBuilder node = graph_.compute("bodies/tree_built");
        node.read("boxes", boxes_);
        node.set("count", count_);
        const Buffer middles = node.write("built", body_array(graph_, "built", count_, 16));
        const Buffer done = node.write("done", body_array(graph_, "done", 1, 4));
        node.dispatch_each(std::max(count_, 1u));
        return {middles, done};
    }

    Graph& graph_;
    Buffer boxes_;
    std::uint32_t count_;
    TriangleMesh mesh_;
    Buffer built_;
};

} // namespace

std::uint32_t pair_room(Graph& graph, const Bodies& bodies) {
    const std::uint64_t wanted = std::max<std::uint64_t>(std::uint64_t{8} * bodies.count, 256);
    return static_cast<std::uint32_t>(graph.pool("pairs", wanted, kPairRecordBytes));
}

void FindPairs::describe(PassInfo<FindPairs>& info) {
    info.summary("Finds the pairs of rigid bodies whose boxes touch")
        .details("Pairs are sorted, so they are the same whatever the method and the run. Of two "
                 "bodies that move the pair begins with the lower number; else with the one that "
                 "moves. The two bodies of a joint make no pair. \"grid\" sorts "
                 "bodies into cells as large as the largest that moves; what is larger is tried "
                 "by all. \"tree\" sorts the boxes along a curve (bvh/lbvh_build), for bodies of "
                 "very different sizes or without bounds. Bodies outside the bodies' box are in "
                 "the cells at its border. Pairs without room are counted, and the room grows in "
                 "programs that run frames.")
        .source("C. Ericson, \"Real-Time Collision Detection\", 2005, chapter 7")
        .complexity("O(bodies + pairs)")
        .cost([](const FindPairs& pass, const Graph&) {
            return Cost{.bytes = 150.0 * pass.bodies.count,
                        .operations = 400.0 * pass.bodies.count};
        });
    info.input("bodies", &FindPairs::bodies, "the bodies");
    info.input("outlines", &FindPairs::outlines, "their boxes, of bodies/forces");
    info.optional_input("before", &FindPairs::before,
                        "of \"tree\": that of the step before; it gets new boxes, or is built "
                        "where more than a sixteenth of the bodies have moved by more than their "
                        "size. The pairs are the same");
    info.parameter("method", &FindPairs::method, "how they are found").structural();
    info.parameter("room", &FindPairs::room, "for pairs; 0: 8 a body")
        .range(0, 1 << 27)
        .structural();
    info.output("pairs", &FindPairs::pairs, "the pairs");
    info.output("tree", &FindPairs::tree, "of \"tree\", for the step after");
}

void FindPairs::build(Graph& graph) {
    if (!is_valid(graph, bodies)) return;
    pairs.room = room != 0 ? room : pair_room(graph, bodies);
    pairs.joints = bodies.joint_count;
    PairGrid grid = grid_for(bodies, outlines.margin);
    Bvh hierarchy;
    if (method == PairMethod::grid) fill_grid(graph, grid, outlines.boxes, bodies.count);
    Buffer counted = outlines.status;
    if (method == PairMethod::tree) {
        TreeOfBoxes boxes(graph, outlines, bodies.count);
        hierarchy = before ? boxes.bring_up_to_date(before, counted) : boxes.build();
        tree = {.nodes = hierarchy.nodes,
                .leaves = hierarchy.leaves,
                .status = hierarchy.status,
                .built = boxes.built()};
    }

    const auto look = [&](bool writes) {
        const std::uint32_t kernel = method == PairMethod::all    ? 0
                                     : method == PairMethod::grid ? 1
                                                                  : 2;
        ComputeNodeBuilder node =
            graph.compute("bodies/pairs", {{"METHOD", kernel}, {"WRITES", std::uint32_t(writes)}},
                          writes ? "write_pairs" : "count_pairs");
        node.read("boxes", outlines.boxes);
        node.read_optional("apart", bodies.apart);
        node.set("apart", bodies.apart_count);
        if (method == PairMethod::grid) {
            node.read("order", grid.order);
            node.read("ranges", grid.ranges);
            node.read("sorted_boxes", grid.boxes);
        } else if (method == PairMethod::tree) {
            node.read("nodes", hierarchy.nodes);
            node.read("leaves", hierarchy.leaves);
            node.read("bvh_status", hierarchy.status);
        }
        node.set("count", bodies.count);
        node.set("room", pairs.room);
        grid.set(node);
        return node;
    };
    ComputeNodeBuilder counting = look(false);
    const Buffer counts = counting.write("counts", body_array(graph, "counts", bodies.count, 4));
    counting.dispatch_each(bodies.count);
    const Scan scanned = graph.add(Scan{.source = counts, .length = bodies.count});
    pairs.offsets = scanned.result;
    ComputeNodeBuilder writing = look(true);
    writing.read("offsets", pairs.offsets);
    pairs.pairs = writing.write(
        "pairs", graph.fill(body_array(graph, "pairs", pairs.room, kPairBytes), ~0u, "no_pairs"));
    writing.dispatch_each(bodies.count);

    ComputeNodeBuilder tally = graph.compute("bodies/pairs_tally");
    tally.read("total", scanned.total);
    tally.set("room", pairs.room);
    tally.set("joints", bodies.joint_count);
    pairs.tally = tally.write("tally", body_array(graph, "tally", 8, 4));
    pairs.constraints = tally.write("constraints", body_array(graph, "constraints", 1, 4));
    pairs.status = tally.write("status", counted);
    tally.dispatch(1);
    graph.status<BodiesStatus>(pairs.status);
}

TUFF_PASS(FindPairs)

} // namespace tuff::passes
