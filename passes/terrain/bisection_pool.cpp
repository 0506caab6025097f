#include "passes/terrain/bisection_pool.hpp"

#include "passes/primitives/elements.hpp"
#include "passes/primitives/scan.hpp"
#include "passes/terrain/bisection_terms.hpp"

#include <fmt/format.h>

#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxPoolLeaves = 1u << 22;
constexpr std::uint32_t kPoolNodeBytes = 8;
constexpr std::uint32_t kPoolLinkBytes = 16;

/// Of each slot a leaf, or none, and the slots of the leaves across its edges.
struct LeafPool {
    Buffer keys;
    Buffer links;
};

class PoolSteps {
  public:
    PoolSteps(Graph& graph, const BisectPool& pass, const TerrainView& view)
        : graph_(graph), pass_(pass), view_(view), tree_(bisection_shape(graph, pass)) {
        tree_.key_words = 2;
    }

    void begin();
    void step();
    void finish(BisectPool& pass);

  private:
    ComputeNodeBuilder node(std::string_view shader) {
        ComputeNodeBuilder made = bisection_node(graph_, shader, pass_, view_, tree_);
        made.dispatch_each(pass_.capacity);
        return made;
    }
    ComputeNodeBuilder looking(std::string_view shader) {
        ComputeNodeBuilder made = node(shader);
        set_surface(made, pass_.surface);
        set_surface_bounds(made, pass_.surface);
        made.read("keys", pool_.keys);
        made.read("links", pool_.links);
        return made;
    }
    Buffer slots(std::string_view name, std::uint32_t bytes) {
        return graph_.buffer(name, room(bytes));
    }
    BufferDesc room(std::uint32_t bytes) const {
        return {.size = std::uint64_t{pass_.capacity} * bytes, .stride = bytes};
    }

    Graph& graph_;
    const BisectPool& pass_;
    const TerrainView& view_;
    BisectionTree tree_;
    LeafPool pool_;
    LeafPool kept_; ///< where the last step's are written
    Buffer used_;   ///< a word a slot: 1 where a leaf is, after a step
};

void PoolSteps::begin() {
    const BufferHistory keys = graph_.history_buffer("leaves", room(kPoolNodeBytes));
    const BufferHistory links = graph_.history_buffer("links", room(kPoolLinkBytes));
    const BufferHistory mark =
        graph_.history_buffer("mark", {.size = 2 * kWordBytes, .stride = kWordBytes});
    ComputeNodeBuilder made = node("terrain/pool_begin");
    made.read("before", keys.previous.front());
    made.read("before_links", links.previous.front());
    made.read("before_mark", mark.previous.front());
    pool_.keys = made.write("keys", slots("begun", kPoolNodeBytes));
    pool_.links = made.write("links", slots("begun_links", kPoolLinkBytes));
    (void)made.write("mark", mark.current);
    kept_ = {keys.current, links.current};
}

void PoolSteps::step() {
    ComputeNodeBuilder decide = looking("terrain/pool_decide");
    const Buffer plans =
        decide.write("plans", graph_.fill(array(graph_, "plans", pass_.capacity), 0, "no_plans"));
    ComputeNodeBuilder plan = looking("terrain/pool_plan");
    plan.read("plans", plans);
    const Buffer fates = plan.write("fates", array(graph_, "fates", pass_.capacity));
    const Buffer needs = plan.write("needs", array(graph_, "needs", pass_.capacity));
    const Buffer free = plan.write("free", array(graph_, "free", pass_.capacity));
    const Scan needed = graph_.add(Scan{.source = needs, .length = pass_.capacity}, "needed");
    const Scan freed = graph_.add(Scan{.source = free, .length = pass_.capacity}, "freed");
    ComputeNodeBuilder list = graph_.compute("terrain/pool_free");
    list.set("capacity", pass_.capacity);
    list.read("free", free);
    list.read("offsets", freed.result);
    const Buffer free_list = list.write("list", array(graph_, "free_list", pass_.capacity));
    list.dispatch_each(pass_.capacity);

    ComputeNodeBuilder write = node("terrain/pool_write");
    write.read("keys", pool_.keys);
    write.read("links", pool_.links);
    write.read("fates", fates);
    write.read("needs", needed.result);
    write.read("total", needed.total);
    write.read("free_offsets", freed.result);
    write.read("free_total", freed.total);
    write.read("free_list", free_list);
    const Buffer next = write.write("next_keys", slots("next", kPoolNodeBytes));
    const Buffer families = write.write("families", slots("families", kPoolLinkBytes));
    const Buffer origins = write.write("origins", slots("origins", kPoolNodeBytes));
    tree_.status = write.write("status", tree_.status);

    ComputeNodeBuilder link = node("terrain/pool_link");
    link.read("keys", next);
    link.read("links_before", pool_.links);
    link.read("families", families);
    link.read("origins", origins);
    pool_ = {next, link.write("links", slots("next_links", kPoolLinkBytes))};
    used_ = link.write("used", array(graph_, "used", pass_.capacity));
}

void PoolSteps::finish(BisectPool& pass) {
    (void)graph_.copy(pool_.keys, kept_.keys, "keep_leaves");
    (void)graph_.copy(pool_.links, kept_.links, "keep_links");
    const Scan places = graph_.add(Scan{.source = used_, .length = pass_.capacity}, "places");
    ComputeNodeBuilder list = graph_.compute("terrain/pool_list");
    list.set("capacity", pass_.capacity);
    list.read("keys", pool_.keys);
    list.read("used", used_);
    list.read("offsets", places.result);
    list.read("total", places.total);
    pass.tree = tree_;
    pass.tree.keys = list.write("list", slots("keys", kPoolNodeBytes));
    pass.tree.status = list.write("status", tree_.status);
    pass.seen = list_seen(graph_, list, pass_, view_, pass.tree, slots("seen", kPoolNodeBytes));
    list.dispatch_each(pass_.capacity);
    graph_.status<BisectionStatus>(pass.tree.status);
}

} // namespace

void BisectPool::describe(PassInfo<BisectPool>& info) {
    info.summary("Bisects a surface's triangles to great depths, with a pool of leaves that "
                 "store their neighbours")
        .details("The pass makes the same leaves as terrain/bisection_wide in every step, in "
                 "another order. A leaf has a slot of a pool, a 64-bit index, and the slots of "
                 "the leaves across its edges, so no search is needed. When a leaf is split, "
                 "its first child takes its slot; the others take slots that were free before "
                 "the step. If there are not enough, the tree stays as it is, and a warning "
                 "reports it. Errors: terrain/needs-perspective.")
        .source("Benyoub and Dupuy, \"Concurrent Binary Trees for Large-Scale Game Components\", "
                "HPG 2024")
        .complexity("O(capacity + leaves * max_level) a step")
        .cost([](const BisectPool& pass, const Graph&) {
            const auto leaves = static_cast<double>(pass.capacity) * pass.iterations;
            return Cost{.bytes = 200.0 * leaves, .operations = 600.0 * leaves};
        });
    describe_bisected(info);
    info.parameter("max_level", &BisectPool::max_level,
                   "level of the smallest triangles: two levels halve an edge; quarters of the "
                   "square have level 2. On the ground, levels above 40 are below the "
                   "numerical precision")
        .range(2, kMaxWideBisectionLevel);
    describe_bisection_steps(info, kMaxPoolLeaves, "all leaves, in the order of their slots");
}

void BisectPool::build(Graph& graph) {
    const std::optional<TerrainView> view = terrain_view(graph, camera, surface, width, height);
    if (!view) return;
    PoolSteps steps(graph, *this, *view);
    steps.begin();
    for (std::uint32_t i = 0; i < iterations; ++i) {
        graph.push_scope(fmt::format("step_{}", i));
        steps.step();
        graph.pop_scope();
    }
    steps.finish(*this);
}

TUFF_PASS(BisectPool)

} // namespace tuff::passes
