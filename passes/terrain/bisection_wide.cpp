#include "passes/terrain/bisection_wide.hpp"

#include "passes/primitives/elements.hpp"
#include "passes/primitives/scan.hpp"
#include "passes/terrain/bisection_terms.hpp"

#include <fmt/format.h>

#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxWideLeaves = 1u << 22;
constexpr std::uint64_t kNodeBytes = 8;

/// Leaves in the order of their places, and how many there are.
struct LeafList {
    Buffer keys;
    Buffer count;
};

class WideSteps {
  public:
    WideSteps(Graph& graph, const BisectWide& pass, const TerrainView& view)
        : graph_(graph), pass_(pass), view_(view), tree_(bisection_shape(graph, pass)) {
        tree_.key_words = 2;
    }

    void begin();
    void step();
    void finish(BisectWide& pass);

  private:
    ComputeNodeBuilder node(std::string_view shader) {
        return bisection_node(graph_, shader, pass_, view_, tree_);
    }
    ComputeNodeBuilder looking(std::string_view shader);
    Buffer nodes(std::string_view name) {
        return graph_.buffer(name, {.size = pass_.capacity * kNodeBytes, .stride = kNodeBytes});
    }

    Graph& graph_;
    const BisectWide& pass_;
    const TerrainView& view_;
    BisectionTree tree_;
    LeafList list_;
    LeafList kept_; ///< where the last step's are written
};

ComputeNodeBuilder WideSteps::looking(std::string_view shader) {
    ComputeNodeBuilder made = node(shader);
    set_surface(made, pass_.surface);
    set_surface_bounds(made, pass_.surface);
    made.read("keys", list_.keys);
    made.read("count", list_.count);
    return made;
}

void WideSteps::begin() {
    const BufferHistory leaves = graph_.history_buffer(
        "leaves", {.size = pass_.capacity * kNodeBytes, .stride = kNodeBytes});
    const BufferHistory count =
        graph_.history_buffer("count", {.size = kNodeBytes, .stride = kWordBytes});
    ComputeNodeBuilder made = node("terrain/wide_begin");
    made.read("before", leaves.previous.front());
    made.read("before_count", count.previous.front());
    list_.keys = made.write("keys", nodes("begun"));
    list_.count = made.write("count", array(graph_, "begun_count", 2));
    made.dispatch_each(pass_.capacity);
    kept_ = {leaves.current, count.current};
}

void WideSteps::step() {
    ComputeNodeBuilder decide = looking("terrain/wide_decide");
    const Buffer plans =
        decide.write("plans", graph_.fill(array(graph_, "plans", pass_.capacity), 0, "no_plans"));
    decide.dispatch_each(pass_.capacity);
    ComputeNodeBuilder plan = looking("terrain/wide_plan");
    plan.read("plans", plans);
    const Buffer sizes = plan.write("sizes", array(graph_, "sizes", pass_.capacity));
    plan.dispatch_each(pass_.capacity);
    const Scan sums = graph_.add(Scan{.source = sizes, .length = pass_.capacity});

    ComputeNodeBuilder write = node("terrain/wide_write");
    write.read("keys", list_.keys);
    write.read("count", list_.count);
    write.read("plans", plans);
    write.read("offsets", sums.result);
    write.read("total", sums.total);
    tree_.status = write.write("status", tree_.status);
    const LeafList next{write.write("next_keys", nodes("next")),
                        write.write("next_count", array(graph_, "next_count", 2))};
    write.dispatch_each(pass_.capacity);
    list_ = next;
}

void WideSteps::finish(BisectWide& pass) {
    (void)graph_.copy(list_.keys, kept_.keys, "keep_leaves");
    (void)graph_.copy(list_.count, kept_.count, "keep_count");
    ComputeNodeBuilder cull = graph_.compute("terrain/wide_seen");
    cull.read("keys", list_.keys);
    cull.read("count", list_.count);
    pass.tree = tree_;
    pass.tree.keys = list_.keys;
    pass.seen = list_seen(graph_, cull, pass_, view_, pass.tree, nodes("seen"));
    cull.dispatch_each(pass_.capacity);
    graph_.status<BisectionStatus>(pass.tree.status);
}

} // namespace

void BisectWide::describe(PassInfo<BisectWide>& info) {
    info.summary("Bisects a surface's triangles to great depths, storing only the leaves")
        .details("The pass makes the same leaves as terrain/bisection in every step, with "
                 "64-bit nodes. Instead of a bit field there is a sorted list of leaves, in "
                 "which a binary search finds the neighbour of a triangle. Splits that another "
                 "triangle needs are marked at the leaf that contains them, which becomes two, "
                 "three or four leaves. So memory depends on the number of leaves, and levels "
                 "reach centimetres on a planet. If a step would make more leaves than fit, "
                 "the tree stays as it is, and a warning reports it. Errors: "
                 "terrain/needs-perspective.")
        .source("Dupuy, \"Concurrent Binary Trees (with application to longest edge bisection)\", "
                "HPG 2020; Benyoub and Dupuy, \"Concurrent Binary Trees for Large-Scale Game "
                "Components\", HPG 2024 (memory by leaves)")
        .complexity("O(capacity + leaves * max_level * log leaves) a step")
        .cost([](const BisectWide& pass, const Graph&) {
            const auto leaves = static_cast<double>(pass.capacity) * pass.iterations;
            return Cost{.bytes = 60.0 * leaves, .operations = 800.0 * leaves};
        });
    describe_bisected(info);
    info.parameter("max_level", &BisectWide::max_level,
                   "level of the smallest triangles: two levels halve an edge; quarters of the "
                   "square have level 2. On the ground, levels above 40 are below the "
                   "numerical precision")
        .range(2, kMaxWideBisectionLevel);
    describe_bisection_steps(info, kMaxWideLeaves);
}

void BisectWide::build(Graph& graph) {
    const std::optional<TerrainView> view = terrain_view(graph, camera, surface, width, height);
    if (!view) return;
    WideSteps steps(graph, *this, *view);
    steps.begin();
    for (std::uint32_t i = 0; i < iterations; ++i) {
        graph.push_scope(fmt::format("step_{}", i));
        steps.step();
        graph.pop_scope();
    }
    steps.finish(*this);
}

TUFF_PASS(BisectWide)

} // namespace tuff::passes
