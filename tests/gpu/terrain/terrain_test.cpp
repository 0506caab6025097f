#include "tests/gpu/terrain/terrain_test.hpp"

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace tuff {

double TrueTree::extent_at(double distance) const {
    return 2.0 * distance * std::tan(0.5 * glm::radians(fov));
}

double TrueTree::size_of(const TreeNode& node) const {
    return side * std::ldexp(1.0, -static_cast<int>(node.level));
}

double TrueTree::distance_of(const TreeNode& node, glm::dvec3 eye) const {
    const glm::dvec3 centre((node.x + 0.5) * size_of(node) - 0.5 * side, 0.0,
                            (node.y + 0.5) * size_of(node) - 0.5 * side);
    return glm::distance(centre, eye);
}

bool TrueTree::divides(const TreeNode& node) const {
    return node.level < max_level && std::ranges::any_of(eyes, [&](glm::dvec3 eye) {
               return k * size_of(node) > extent_at(distance_of(node, eye));
           });
}

bool TrueTree::is_close(const TreeNode& node) const {
    return std::ranges::any_of(eyes, [&](glm::dvec3 eye) {
        const double extent = extent_at(distance_of(node, eye));
        return std::abs(k * size_of(node) - extent) < 1e-5 * extent;
    });
}

std::set<TreeNode> TrueTree::leaves() const {
    std::set<TreeNode> found;
    const std::function<void(const TreeNode&)> visit = [&](const TreeNode& node) {
        if (!divides(node)) {
            found.insert(node);
            return;
        }
        for (std::uint32_t q = 0; q < 4; ++q)
            visit(passes::child_of(node, q));
    };
    visit({});
    return found;
}

glm::vec3 random_eye(std::mt19937& random, double side) {
    std::uniform_real_distribution<double> along(-0.6, 0.6);
    std::uniform_real_distribution<double> height(std::log(1e-4), std::log(0.7));
    return glm::vec3(side * along(random), side * std::exp(height(random)), side * along(random));
}

passes::CameraParameters camera_at(glm::vec3 eye, double fov, glm::vec3 towards) {
    return {.mode = passes::CameraMode::free,
            .position = eye,
            .target = eye + towards,
            .vertical_fov = static_cast<float>(fov),
            .near_plane = 1e-4f,
            .far_plane = 10.0f};
}

passes::Surface TerrainTest::flat(Graph& g, float side) {
    return g.add(passes::MakeSurface{.side = side, .height = 0.0f}).surface;
}

Image TerrainTest::height_map(Graph& g, std::uint32_t width, std::uint32_t height,
                              const std::vector<float>& values) {
    return g.constant_image("map", {.format = Format::r32_sfloat, .extent = {width, height, 1}},
                            testing_gpu::bytes_of(values));
}

GraphRunner& TerrainTest::runner() {
    if (!runner_) runner_.emplace(device());
    return *runner_;
}

void TerrainTest::output_tree(Graph& g, const passes::QuadTree& tree) {
    // A history cannot be an output.
    g.output("leaves", g.copy(tree.keys, g.buffer("read_leaves", g.desc(tree.keys))));
    g.output("edges", tree.edges);
    g.output("status", tree.status);
}

HostTree TerrainTest::frame(Graph g, passes::TreeKeys keys) {
    HostTree tree;
    if (auto taken = runner().take(std::move(g).finish(), shaders()); !taken) {
        for (const Diagnostic& mistake : taken.error())
            ADD_FAILURE() << mistake.message;
        return tree;
    }
    if (auto done = runner().executor()->execute(); !done) {
        ADD_FAILURE() << done.error().front().message;
        return tree;
    }
    tree.status = passes::TreeStatus::read(read<std::uint32_t>("status"));
    const std::uint32_t count = tree.status.count;
    tree.edges = read<std::uint32_t>("edges");
    if (count > tree.edges.size()) {
        ADD_FAILURE() << count << " leaves, and room for " << tree.edges.size();
        return tree;
    }
    tree.edges.resize(count);
    if (keys == passes::TreeKeys::wide) {
        const auto words = read<std::uint64_t>("leaves");
        for (std::uint32_t i = 0; i < count; ++i)
            tree.leaves.push_back(passes::node_of_wide(words[i]));
    } else {
        const auto words = read<std::uint32_t>("leaves");
        for (std::uint32_t i = 0; i < count; ++i)
            tree.leaves.push_back(passes::node_of_narrow(words[i]));
    }
    return tree;
}

HostTree TerrainTest::frame(const passes::BuildQuadTree& pass, float side) {
    Graph g = graph();
    passes::BuildQuadTree own = pass;
    own.surface = flat(g, side);
    output_tree(g, g.add(own).tree);
    return frame(std::move(g), pass.keys);
}

void expect_partition(const std::vector<TreeNode>& leaves, std::uint32_t faces,
                      const std::string& what) {
    // In areas of cells of level 28.
    std::uint64_t area = 0;
    const std::set<TreeNode> all(leaves.begin(), leaves.end());
    EXPECT_EQ(all.size(), leaves.size()) << what << ": a leaf comes twice";
    std::size_t inside = 0;
    for (const TreeNode& leaf : leaves) {
        area += std::uint64_t{1} << (2 * (passes::kMaxWideLevel - leaf.level));
        for (TreeNode above = leaf; above.level > 0;) {
            above = passes::parent_of(above);
            inside += all.contains(above);
        }
    }
    EXPECT_EQ(area, std::uint64_t{faces} << 56) << what;
    EXPECT_EQ(inside, 0u) << what << ": leaves lie inside other leaves";
}

std::uint32_t coarser_beyond(const std::set<TreeNode>& leaves, const TreeNode& node,
                             std::uint32_t side) {
    const std::uint32_t last = (1u << node.level) - 1;
    TreeNode beyond = node;
    std::uint32_t& at = side < 2 ? beyond.x : beyond.y;
    if (at == (side % 2 == 0 ? 0 : last)) return 0;
    at += side % 2 == 0 ? ~0u : 1u;
    for (TreeNode above = beyond;; above = passes::parent_of(above)) {
        if (leaves.contains(above)) return node.level - above.level;
        if (above.level == 0) return 0; // finer leaves lie there
    }
}

} // namespace tuff
