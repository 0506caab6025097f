#include "passes/terrain/bisection.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/common/warning.hpp"
#include "passes/terrain/bisection_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxBisectionLeaves = 1u << 24;
constexpr std::uint32_t kWordLevels = 15; // levels above the bits that terrain/sum_words makes
constexpr std::uint32_t kUpLevels = 11;   // and terrain/sum_up

/// What the nodes of a step share.
class BisectionSteps {
  public:
    BisectionSteps(Graph& graph, const Bisect& pass, const TerrainView& view)
        : graph_(graph), pass_(pass), view_(view), tree_(bisection_shape(graph, pass)) {}

    void begin();
    void sum();
    void step();
    void list(BisectionTree& all, BisectionTree& seen);

  private:
    std::uint64_t words() const { return std::uint64_t{1} << (tree_.depth - 5); }

    Graph& graph_;
    const Bisect& pass_;
    const TerrainView& view_;
    BisectionTree tree_;
    Buffer bits_;
    Buffer sums_;
    Buffer arguments_; ///< groups of leaves
};

void BisectionSteps::begin() {
    const BufferHistory kept =
        graph_.history_buffer("bits", {.size = words() * kWordBytes, .stride = kWordBytes});
    const BufferHistory mark =
        graph_.history_buffer("mark", {.size = kWordBytes, .stride = kWordBytes});
    ComputeNodeBuilder node = graph_.compute("terrain/bisect_begin");
    node.set("words", static_cast<std::uint32_t>(words()));
    node.set("reset", pass_.reset);
    node.read("before", kept.previous.front());
    node.read("mark_before", mark.previous.front());
    bits_ = node.write("bits", kept.current);
    (void)node.write("mark", mark.current);
    node.dispatch_each(static_cast<std::uint32_t>(words()));
    sums_ = array(graph_, "sums", sum_words(tree_.depth));
}

void BisectionSteps::sum() {
    ComputeNodeBuilder words_node = graph_.compute("terrain/sum_words");
    words_node.set("depth", tree_.depth);
    words_node.set("root_bits", tree_.root_bits);
    words_node.set("faces", tree_.faces);
    words_node.read("bits", bits_);
    sums_ = words_node.write("sums", sums_);
    constexpr std::uint64_t kWordsOfGroup = 1024;
    dispatch_each(words_node, div_round_up(words(), kWordsOfGroup), 1);
    std::uint32_t depth = tree_.depth > kWordLevels ? tree_.depth - kWordLevels : 0;
    for (;;) {
        ComputeNodeBuilder up = graph_.compute("terrain/sum_up");
        up.set("depth", tree_.depth);
        up.set("from", depth);
        up.set("capacity", tree_.capacity);
        sums_ = up.write("sums", sums_);
        tree_.status = up.write("status", tree_.status);
        arguments_ = up.write("arguments", array(graph_, "arguments", 3));
        const std::uint32_t reached = depth > kUpLevels ? depth - kUpLevels : 0;
        up.dispatch(1u << reached);
        if (reached == 0) break;
        depth = reached;
    }
}

void BisectionSteps::step() {
    ComputeNodeBuilder decide =
        bisection_node(graph_, "terrain/bisect_decide", pass_, view_, tree_);
    set_surface(decide, pass_.surface);
    set_surface_bounds(decide, pass_.surface);
    decide.read("bits", bits_);
    decide.read("sums", sums_);
    decide.read("status", tree_.status);
    const Buffer keys = decide.write("keys", array(graph_, "step_keys", tree_.capacity));
    const Buffer plans = decide.write("plans", array(graph_, "plans", tree_.capacity));
    decide.dispatch_indirect(arguments_);
    for (const std::string_view shader : {"terrain/bisect_cut", "terrain/bisect_merge"}) {
        ComputeNodeBuilder change = bisection_node(graph_, shader, pass_, view_, tree_);
        change.read("keys", keys);
        change.read("plans", plans);
        bits_ = change.write("bits", bits_);
        tree_.status = change.write("status", tree_.status);
        change.dispatch_indirect(arguments_);
    }
}

void BisectionSteps::list(BisectionTree& all, BisectionTree& seen) {
    ComputeNodeBuilder made = graph_.compute("terrain/bisect_list");
    made.set("depth", tree_.depth);
    made.set("faces", tree_.faces);
    made.read("bits", bits_);
    made.read("sums", sums_);
    made.read("status", tree_.status);
    seen = list_seen(graph_, made, pass_, view_, tree_, array(graph_, "seen", tree_.capacity));
    all = tree_;
    all.keys = made.write("keys", array(graph_, "keys", tree_.capacity));
    made.dispatch_indirect(arguments_);
}

} // namespace

std::uint64_t sum_words(std::uint32_t tree_depth) {
    std::uint64_t words = 0;
    for (std::uint32_t depth = 0; depth + 5 <= tree_depth; ++depth) {
        const std::uint32_t height = tree_depth - depth;
        const std::uint64_t bits = height <= 7 ? 8 : height <= 14 ? 16 : 32;
        words += std::max<std::uint64_t>((bits << depth) / 32, 1);
    }
    return words;
}

BisectionStatus BisectionStatus::read(std::span<const std::uint32_t> words) {
    assert(words.size() >= 4);
    return {.listed = words[0], .leaves = words[1], .refused = words[2], .changed = words[3]};
}

Diagnostics BisectionStatus::warnings() const {
    if (refused == 0) return {};
    return {warning("terrain/full-bisection",
                    fmt::format("{} triangles were not cut, for there is room for no more than the "
                                "{} that there are",
                                refused, leaves),
                    "give \"capacity\" a larger number, or \"edge\"")};
}

void Bisect::describe(PassInfo<Bisect>& info) {
    info.summary("Bisects a surface's triangles until their edges look about equally long")
        .details(
            "Each square of the surface is four triangles, which are cut in two at the middle of "
            "their longest edge, again and again, where that edge looks longer than \"edge\" "
            "pixels. The triangle across the edge is cut with it, and coarser ones around as far "
            "as that needs, so edges match and there is nothing to stitch. A tree of all "
            "triangles that there may be is kept from frame to frame as a field of bits, set "
            "where a leaf begins, with sums above it that find the leaf of each number. In a step "
            "a leaf is cut once, or merged with its sibling, and the pair across, where none of "
            "the four would be cut again. Distances are bounds for all that a triangle may "
            "come to, so the tree comes to depend on the camera alone, after a few more "
            "steps than \"max_level\".\n\n"
            "The field takes 2^max_level bits, eight times as many for a planet, and the sums half "
            "of that. Where there is no room for further leaves, triangles stay as they are, and a "
            "warning says so. Errors: terrain/too-deep, terrain/needs-perspective.")
        .source("Dupuy, \"Concurrent Binary Trees (with application to longest edge bisection)\", "
                "HPG 2020")
        .complexity("O(2^max_level / 32 + leaves * max_level) a step")
        .cost([](const Bisect& pass, const Graph&) -> Cost {
            if (!pass.tree) return {};
            const double words = std::ldexp(1.0, static_cast<int>(pass.tree.depth) - 5);
            // The bits are copied, and summed up once more than there are steps.
            const double sums = pass.iterations + 1.0;
            const double leaves = pass.tree.capacity;
            return {.bytes = 4.0 * (2.0 * words + sums * 1.6 * words + 16.0 * leaves),
                    .operations = 20.0 * sums * words + 300.0 * leaves * pass.iterations};
        });
    describe_bisected(info);
    info.parameter("max_level", &Bisect::max_level,
                   "of the smallest triangles: two levels halve an edge; quarters of the square "
                   "have 2. Planets: at most 25")
        .range(kMinBisectionDepth, kMaxBisectionDepth)
        .structural();
    describe_bisection_steps(info, kMaxBisectionLeaves);
}

void Bisect::build(Graph& graph) {
    const std::uint32_t root_bits = face_count(surface.kind) > 1 ? 3 : 0;
    const std::uint64_t bytes = std::uint64_t{1} << (max_level + root_bits - 3);
    if (max_level + root_bits > kMaxBisectionDepth ||
        bytes > graph.target().max_storage_buffer_bytes) {
        graph.error(
            "terrain/too-deep",
            fmt::format("\"max_level\" is {}, which takes {} bytes of bits", max_level, bytes),
            fmt::format("at most {} goes on this surface, and buffers of the device hold "
                        "{} bytes",
                        kMaxBisectionDepth - root_bits, graph.target().max_storage_buffer_bytes));
        return;
    }
    const std::optional<TerrainView> view = terrain_view(graph, camera, surface, width, height);
    if (!view) return;
    BisectionSteps steps(graph, *this, *view);
    steps.begin();
    for (std::uint32_t i = 0; i < iterations; ++i) {
        graph.push_scope(fmt::format("step_{}", i));
        steps.sum();
        steps.step();
        graph.pop_scope();
    }
    steps.sum();
    steps.list(tree, seen);
    graph.status<BisectionStatus>(tree.status);
}

TUFF_PASS(Bisect)

} // namespace tuff::passes
