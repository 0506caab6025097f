#include "apps/bench/checks.hpp"
#include "passes/terrain/beside.hpp"
#include "passes/terrain/cull.hpp"
#include "passes/terrain/quadtree.hpp"
#include "passes/terrain/view.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <expected>
#include <string>
#include <unordered_map>
#include <vector>

/// Quadtrees of about as many leaves as the case has elements.
namespace tuff::bench {
namespace {

using passes::BuildQuadTree;
using passes::QuadTree;
using passes::TreeDrop;
using passes::TreeKeys;
using passes::TreeMode;
using passes::TreeNode;

constexpr std::uint32_t kBenchLevels = 14;

passes::CameraParameters tree_camera() {
    return {.mode = passes::CameraMode::free,
            .position = {0.11f, 0.004f, 0.23f},
            .target = {0.05f, 0.0f, 0.1f},
            .vertical_fov = 60.0f,
            .near_plane = 1e-4f,
            .far_plane = 10.0f};
}

/// k for about so many leaves: 3 pi (k / c)^2 a level.
float k_for(std::uint64_t leaves) {
    const double reach = std::sqrt(static_cast<double>(leaves) / (3.0 * 3.14159 * 10.0));
    return static_cast<float>(std::clamp(1.1547 * reach, 2.6, 900.0));
}

BuildQuadTree tree_pass(CaseBuilder& c, TreeMode mode, TreeDrop drop) {
    const passes::Surface surface =
        c.graph()
            .add(passes::MakeSurface{.kind = passes::SurfaceKind::fbm, .height = 0.02f})
            .surface;
    return {.surface = surface,
            .camera = tree_camera(),
            .k = k_for(c.size()),
            .max_level = kBenchLevels,
            .mode = mode,
            .drop = drop};
}

/// Further places, all over the square; k is made smaller, for about as many leaves.
void add_eyes(CaseBuilder& c, BuildQuadTree& pass, std::uint32_t eyes) {
    std::vector<glm::vec4> places;
    for (std::uint32_t i = 0; i < eyes; ++i)
        places.emplace_back(-0.4f + 0.8f * static_cast<float>(i) / static_cast<float>(eyes), 0.004f,
                            0.4f * std::sin(7.0f * static_cast<float>(i)), 0.0f);
    pass.k = k_for(c.size() / (eyes + 1));
    std::vector<std::byte> bytes(places.size() * sizeof(glm::vec4));
    std::memcpy(bytes.data(), places.data(), bytes.size());
    const BufferDesc desc{.size = bytes.size(), .stride = sizeof(glm::vec4)};
    pass.eyes = c.graph().constant_buffer(
        "further", desc, std::make_shared<const std::vector<std::byte>>(std::move(bytes)));
}

void output_tree(CaseBuilder& c, const std::string& name, const QuadTree& tree) {
    Graph& g = c.graph();
    c.output(name + "_status", tree.status);
    // A history cannot be an output.
    c.output(name + "_keys", g.copy(tree.keys, g.buffer("read_" + name, g.desc(tree.keys))));
    c.output(name + "_edges", tree.edges);
}

using EdgesOfLeaves = std::unordered_map<std::uint32_t, std::uint32_t>; ///< by key

std::expected<EdgesOfLeaves, std::string> read_tree(CaseResults& results, const std::string& name) {
    const std::uint32_t count = results.read<std::uint32_t>(name + "_status").at(0);
    const auto keys = results.read<std::uint32_t>(name + "_keys");
    const auto edges = results.read<std::uint32_t>(name + "_edges");
    if (count == 0 || count > keys.size())
        return std::unexpected(fmt::format("{} leaves, and room for {}", count, keys.size()));
    EdgesOfLeaves leaves;
    leaves.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i)
        if (!leaves.emplace(keys[i], edges[i]).second)
            return std::unexpected(fmt::format("leaf {} comes twice", i));
    results.set_remark(fmt::format("{} leaves", count));
    return leaves;
}

/// How many levels coarser the leaf beyond a side is.
std::uint32_t coarser_beyond(const EdgesOfLeaves& leaves, const TreeNode& node,
                             std::uint32_t side) {
    const auto there =
        passes::beside(passes::SurfaceKind::fbm, {0, node.x, node.y, side}, 1u << node.level);
    if (!there) return 0;
    for (TreeNode above{node.level, 0, there->x, there->y};; above = passes::parent_of(above)) {
        if (leaves.contains(passes::narrow_key(above))) return node.level - above.level;
        if (above.level == 0) return 0; // finer leaves lie there
    }
}

/// The leaves cover the square once, and about 4,000 of them have the right edges.
Verdict is_whole_tree(const EdgesOfLeaves& leaves) {
    std::uint64_t area = 0; // in cells of the last level
    const std::size_t step = leaves.size() / 4096 + 1;
    for (std::size_t i = 0; const auto& [key, edges] : leaves) {
        const TreeNode node = passes::node_of_narrow(key);
        area += std::uint64_t{1} << (2 * (kBenchLevels - node.level));
        if (i++ % step != 0) continue;
        for (std::uint32_t side = 0; side < 4; ++side)
            if ((edges >> (4 * side) & 15) != coarser_beyond(leaves, node, side))
                return std::unexpected(fmt::format("side {} of leaf {:x} is wrong", side, key));
    }
    if (area == std::uint64_t{1} << (2 * kBenchLevels)) return {};
    return std::unexpected(fmt::format("the leaves cover {} cells", area));
}

void whole_tree(CaseBuilder& c, TreeMode mode, std::uint32_t eyes) {
    BuildQuadTree pass = tree_pass(c, mode, TreeDrop::nothing);
    if (eyes > 0) add_eyes(c, pass, eyes);
    output_tree(c, "tree", c.add(pass, "timed").tree);
    c.time_only("timed/");
    c.check([](CaseResults& results) -> Verdict {
        const auto leaves = read_tree(results, "tree");
        if (!leaves) return std::unexpected(leaves.error());
        return is_whole_tree(*leaves);
    });
}

/// How the leaves in view are found.
enum class SeenBy {
    dropping, ///< while the tree is built
    culling,  ///< behind that, and only this is timed
    both,     ///< the tree of 16 eyes, and what the first of them sees
};

/// What is in view are leaves of the whole tree, with their edges, and among them all whose centres
/// are in view.
void seen_tree(CaseBuilder& c, SeenBy by) {
    BuildQuadTree pass = tree_pass(c, TreeMode::windows, TreeDrop::nothing);
    if (by == SeenBy::both) add_eyes(c, pass, 15);
    const QuadTree whole =
        by == SeenBy::both ? c.add(pass, "timed/tree").tree : c.graph().add(pass, "whole").tree;
    QuadTree seen;
    if (by == SeenBy::dropping) {
        pass.drop = TreeDrop::outside;
        seen = c.add(pass, "timed/tree").tree;
    } else {
        seen =
            c.add(passes::CullTree{.surface = pass.surface, .tree = whole, .camera = pass.camera},
                  "timed/cull")
                .visible;
    }
    c.time_only("timed/");
    output_tree(c, "whole", whole);
    output_tree(c, "seen", seen);
    const auto view =
        passes::terrain_view(c.graph(), pass.camera, pass.surface, pass.width, pass.height);
    if (!view) return;
    c.check([planes = view->planes](CaseResults& results) -> Verdict {
        const auto all = read_tree(results, "whole");
        if (!all) return std::unexpected(all.error());
        if (auto whole_verdict = is_whole_tree(*all); !whole_verdict) return whole_verdict;
        const auto visible = read_tree(results, "seen");
        if (!visible) return std::unexpected(visible.error());
        results.set_remark(fmt::format("{} of {} leaves", visible->size(), all->size()));
        for (const auto& [key, edges] : *visible) {
            const auto found = all->find(key);
            if (found == all->end() || found->second != edges)
                return std::unexpected(fmt::format("{:x} is no leaf with these edges", key));
        }
        for (const auto& [key, edges] : *all) {
            const TreeNode node = passes::node_of_narrow(key);
            const float size = std::ldexp(1.0f, -static_cast<int>(node.level));
            const glm::vec4 centre((static_cast<float>(node.x) + 0.5f) * size - 0.5f, 0.0f,
                                   (static_cast<float>(node.y) + 0.5f) * size - 0.5f, 1.0f);
            const bool inside = std::ranges::all_of(
                planes, [&](glm::vec4 plane) { return glm::dot(plane, centre) > 1e-5f; });
            if (inside && !visible->contains(key))
                return std::unexpected(fmt::format("leaf {:x} is in view, and left out", key));
        }
        return {};
    });
}

} // namespace

void add_terrain_cases(CaseList& cases) {
    const auto add = [&](std::string_view pass, std::string name,
                         std::function<void(CaseBuilder&)> build) {
        cases.add({.pass = std::string(pass),
                   .name = std::move(name),
                   .build = std::move(build),
                   .least = 1u << 10,
                   .most = 1u << 21,
                   .most_on_software = 1u << 14});
    };
    const auto whole = [&](std::string name, TreeMode mode, std::uint32_t eyes) {
        add(BuildQuadTree::kName, std::move(name),
            [mode, eyes](CaseBuilder& c) { whole_tree(c, mode, eyes); });
    };
    whole("windows", TreeMode::windows, 0);
    whole("one group", TreeMode::one_group, 0);
    whole("levels", TreeMode::levels, 0);
    whole("windows of 16 eyes", TreeMode::windows, 15);
    whole("levels of 16 eyes", TreeMode::levels, 15);
    whole("incremental", TreeMode::incremental, 0);
    add(BuildQuadTree::kName, "windows and what is seen",
        [](CaseBuilder& c) { seen_tree(c, SeenBy::dropping); });
    add(BuildQuadTree::kName, "windows of 16 eyes and what one sees",
        [](CaseBuilder& c) { seen_tree(c, SeenBy::both); });
    add(passes::CullTree::kName, "what is seen",
        [](CaseBuilder& c) { seen_tree(c, SeenBy::culling); });
}

} // namespace tuff::bench
