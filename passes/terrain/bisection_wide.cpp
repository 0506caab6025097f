#include "passes/terrain/bisection_wide.hpp"

#include "passes/primitives/elements.hpp"
#include "passes/primitives/scan.hpp"
#include "passes/terrain/view.hpp"

#include <fmt/format.h>
#include <glm/vec2.hpp>

#include <cmath>
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
        : graph_(graph), pass_(pass), view_(view), faces_(face_count(pass.surface.kind)),
          root_bits_(faces_ > 1 ? 3 : 0),
          status_(graph.fill(array(graph, "status", BisectionStatus::kWords), 0, "no_status")) {}

    void begin();
    void step();
    void finish(BisectWide& pass);

  private:
    ComputeNodeBuilder node(std::string_view shader);
    ComputeNodeBuilder looking(std::string_view shader);
    Buffer nodes(std::string_view name) {
        return graph_.buffer(name, {.size = pass_.capacity * kNodeBytes, .stride = kNodeBytes});
    }

    Graph& graph_;
    const BisectWide& pass_;
    const TerrainView& view_;
    std::uint32_t faces_;
    std::uint32_t root_bits_;
    Buffer status_;
    LeafList list_;
    LeafList kept_; ///< where the last step's are written
};

ComputeNodeBuilder WideSteps::node(std::string_view shader) {
    const glm::vec3 eye = view_.camera.position;
    const bool lost = !(std::isfinite(eye.x) && std::isfinite(eye.y) && std::isfinite(eye.z));
    const double pixels =
        static_cast<double>(pass_.height) / view_.extent / static_cast<double>(pass_.edge);
    ComputeNodeBuilder made = graph_.compute(shader);
    made.specialize("surface_kind", static_cast<std::uint32_t>(pass_.surface.kind));
    made.set("ground", pass_.surface.ground);
    made.set("shape", pass_.surface.shape);
    made.set("bounds", pass_.surface.bounds);
    made.set("depth", pass_.max_level + root_bits_);
    made.set("root_bits", root_bits_);
    made.set("faces", faces_);
    made.set("capacity", pass_.capacity);
    made.set("frozen", lost ? 1u : 0u);
    made.set("reset", pass_.reset);
    made.set("eye", glm::vec4(eye, 1.0f));
    made.set("scale", glm::vec2(pixels, 0.0));
    return made;
}

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
    status_ = write.write("status", status_);
    const LeafList next{write.write("next_keys", nodes("next")),
                        write.write("next_count", array(graph_, "next_count", 2))};
    write.dispatch_each(pass_.capacity);
    list_ = next;
}

void WideSteps::finish(BisectWide& pass) {
    (void)graph_.copy(list_.keys, kept_.keys, "keep_leaves");
    (void)graph_.copy(list_.count, kept_.count, "keep_count");
    ComputeNodeBuilder cull = graph_.compute("terrain/wide_seen");
    set_surface(cull, pass_.surface);
    set_surface_bounds(cull, pass_.surface);
    cull.set("root_bits", root_bits_);
    cull.set("culled", pass_.cull ? 1u : 0u);
    cull.set("planes", std::span<const glm::vec4>(view_.planes));
    cull.read("keys", list_.keys);
    cull.read("count", list_.count);
    pass.tree = {.keys = list_.keys,
                 .status = status_,
                 .capacity = pass_.capacity,
                 .depth = pass_.max_level + root_bits_,
                 .root_bits = root_bits_,
                 .faces = faces_,
                 .key_words = 2};
    pass.seen = pass.tree;
    pass.seen.keys = cull.write("seen", nodes("seen"));
    pass.seen.status =
        cull.write("seen_status", graph_.fill(array(graph_, "seen_status", BisectionStatus::kWords),
                                              0, "none_seen"));
    cull.dispatch_each(pass_.capacity);
    graph_.status<BisectionStatus>(pass.tree.status);
}

} // namespace

void BisectWide::describe(PassInfo<BisectWide>& info) {
    info.summary("Bisects a surface's triangles to great depths, and keeps the leaves alone")
        .details("As terrain/bisection, with nodes of 64 bits: there is no field of bits, but a "
                 "sorted list of leaves, in which the neighbour of a triangle is found by halving. "
                 "What must be cut for another triangle's sake is marked at the leaf that holds "
                 "it, which becomes two, three or four. So memory goes by the leaves that there "
                 "are, and levels go down to centimetres on a planet. The leaves of a step are "
                 "those of the other pass. Where a step would make more leaves than there is room "
                 "for, the tree stays as it is, and a warning says so. Errors: "
                 "terrain/needs-perspective.")
        .source("Dupuy, \"Concurrent Binary Trees (with application to longest edge bisection)\", "
                "HPG 2020; Benyoub and Dupuy, \"Concurrent Binary Trees for Large-Scale Game "
                "Components\", HPG 2024 (memory by leaves)")
        .complexity("O(capacity + leaves * max_level * log leaves) a step")
        .cost([](const BisectWide& pass, const Graph&) {
            const auto leaves = static_cast<double>(pass.capacity) * pass.iterations;
            return Cost{.bytes = 60.0 * leaves, .operations = 800.0 * leaves};
        });
    info.input("surface", &BisectWide::surface, "what the triangles lie on");
    info.group("camera", &BisectWide::camera);
    info.parameter("width", &BisectWide::width, "of the picture").range(1, 32768).unit("texels");
    info.parameter("height", &BisectWide::height, "of the picture").range(1, 32768).unit("texels");
    info.parameter("edge", &BisectWide::edge, "longest edge that is left as it is")
        .range(0.5, 4096.0)
        .unit("pixels");
    info.parameter("max_level", &BisectWide::max_level,
                   "of the smallest triangles: two levels halve an edge; quarters of the square "
                   "have 2. On the ground more than 40 are finer than its numbers")
        .range(2, kMaxWideBisectionLevel);
    info.parameter("iterations", &BisectWide::iterations, "steps a frame")
        .range(1, 64)
        .structural();
    info.parameter("capacity", &BisectWide::capacity, "leaves that there is room for")
        .range(64, kMaxWideLeaves)
        .structural();
    info.parameter("reset", &BisectWide::reset,
                   "another number than before lets the tree begin with its first triangles");
    info.parameter("cull", &BisectWide::cull,
                   "whether \"seen\" leaves out what is outside of the view");
    info.output("tree", &BisectWide::tree, "all leaves, from one end of the surface to the other");
    info.output("seen", &BisectWide::seen, "those that the view may show, in any order");
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
