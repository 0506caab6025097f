#include "passes/terrain/cull.hpp"
#include "passes/terrain/draw.hpp"
#include "passes/terrain/map.hpp"
#include "passes/terrain/view.hpp"
#include "tests/gpu/terrain/terrain_test.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace tuff {
namespace {

using passes::BuildQuadTree;
using passes::CullTree;
using passes::MapTree;
using passes::QuadTree;
using passes::TreeDrop;
using passes::TreeKeys;
using passes::TreeMode;

/// A convex body by its corners, and the directions that may separate it from another.
struct Body {
    std::vector<glm::dvec3> corners;
    std::vector<glm::dvec3> normals;
    std::vector<glm::dvec3> edges;
};

bool overlap(const Body& a, const Body& b) {
    const auto apart = [&](glm::dvec3 axis) {
        if (glm::length(axis) < 1e-12) return false;
        axis = glm::normalize(axis);
        double low_a = 1e300, high_a = -1e300, low_b = 1e300, high_b = -1e300;
        for (const glm::dvec3& corner : a.corners) {
            low_a = std::min(low_a, glm::dot(axis, corner));
            high_a = std::max(high_a, glm::dot(axis, corner));
        }
        for (const glm::dvec3& corner : b.corners) {
            low_b = std::min(low_b, glm::dot(axis, corner));
            high_b = std::max(high_b, glm::dot(axis, corner));
        }
        return high_a < low_b - 1e-9 || high_b < low_a - 1e-9;
    };
    for (const glm::dvec3& axis : a.normals)
        if (apart(axis)) return false;
    for (const glm::dvec3& axis : b.normals)
        if (apart(axis)) return false;
    for (const glm::dvec3& e : a.edges)
        for (const glm::dvec3& f : b.edges)
            if (apart(glm::cross(e, f))) return false;
    return true;
}

Body frustum(const Camera& camera, double aspect) {
    Body made;
    const glm::dmat4 world_from_clip = glm::inverse(
        glm::dmat4(camera.projection(static_cast<float>(aspect))) * glm::dmat4(camera.view()));
    for (int i = 0; i < 8; ++i) {
        const glm::dvec4 corner =
            world_from_clip * glm::dvec4(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i >> 2, 1);
        made.corners.push_back(glm::dvec3(corner) / corner.w);
    }
    const auto& c = made.corners;
    made.edges = {c[1] - c[0], c[2] - c[0], c[4] - c[0], c[5] - c[1], c[6] - c[2], c[7] - c[3]};
    made.normals = {glm::cross(c[1] - c[0], c[2] - c[0]), glm::cross(c[1] - c[0], c[4] - c[0]),
                    glm::cross(c[2] - c[0], c[4] - c[0]), glm::cross(c[3] - c[1], c[5] - c[1]),
                    glm::cross(c[3] - c[2], c[6] - c[2])};
    return made;
}

Body flat_box(const TreeNode& node, double low, double high) {
    Body made;
    const double size = std::ldexp(1.0, -static_cast<int>(node.level));
    for (std::uint32_t i = 0; i < 8; ++i)
        made.corners.emplace_back((node.x + (i & 1)) * size - 0.5, i & 2 ? high : low,
                                  (node.y + (i >> 2)) * size - 0.5);
    made.normals = made.edges = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return made;
}

class TreeCullTest : public TerrainTest {
  protected:
    static Camera camera_of(const passes::CameraParameters& camera) {
        return {.position = camera.position,
                .target = camera.target,
                .up = camera.up,
                .vertical_fov = camera.vertical_fov,
                .near_plane = camera.near_plane,
                .far_plane = camera.far_plane};
    }
    HostTree culled(const passes::CameraParameters& camera, std::uint32_t level, TreeMode mode,
                    TreeDrop drop, TreeKeys keys = TreeKeys::narrow) {
        Graph g = graph();
        const passes::Surface surface = flat(g);
        QuadTree tree = g.add(BuildQuadTree{.surface = surface,
                                            .camera = camera,
                                            .max_level = level,
                                            .mode = mode,
                                            .keys = keys,
                                            .drop = drop})
                            .tree;
        if (drop == TreeDrop::nothing)
            tree = g.add(CullTree{.surface = surface, .tree = tree, .camera = camera}).visible;
        output_tree(g, tree);
        return frame(std::move(g), keys);
    }
};

// 11: what is visible holds all leaves that meet the view, and at most 5 % more; while the tree
// grows the same are left out as afterwards. 8: looking down, as many cells as on the host.
TEST_F(TreeCullTest, NoLeafInViewIsLeftOutAndFewOthersStay) {
    std::mt19937 random(12);
    std::uniform_real_distribution<float> any(-1.0f, 1.0f);
    std::size_t seen = 0;
    std::size_t more = 0;
    for (int i = 0; i < 24; ++i) {
        glm::vec3 towards(any(random), -std::abs(any(random)), any(random));
        if (i % 4 == 0) towards = {0.0f, -1.0f, 0.001f};
        const passes::CameraParameters camera = camera_at(random_eye(random), 60.0, towards);
        const Body view = frustum(camera_of(camera), 1280.0 / 720.0);
        const bool wide = i % 3 == 0;
        const TreeKeys keys = wide ? TreeKeys::wide : TreeKeys::narrow;
        const std::set<TreeNode> all =
            TrueTree{.eyes = {glm::dvec3(camera.position)}, .max_level = 9}.leaves();
        std::set<TreeNode> expected;
        for (const TreeNode& leaf : all)
            if (overlap(flat_box(leaf, 0.0, 0.0), view)) expected.insert(leaf);
        const std::set<TreeNode> found =
            culled(camera, 9, TreeMode::windows, TreeDrop::nothing, keys).set();
        EXPECT_TRUE(std::ranges::includes(found, expected)) << "camera " << i;
        EXPECT_TRUE(std::ranges::includes(all, found)) << "camera " << i;
        seen += expected.size();
        more += found.size() - expected.size();
        if (i % 4 == 0) {
            EXPECT_LE(found.size(), expected.size() + 1) << "camera " << i;
        }
        const auto mode = static_cast<TreeMode>(1 + i % 3);
        const std::set<TreeNode> dropped = culled(camera, 9, mode, TreeDrop::outside, keys).set();
        EXPECT_TRUE(std::ranges::includes(dropped, expected)) << "camera " << i;
        EXPECT_TRUE(std::ranges::includes(found, dropped)) << "camera " << i;
    }
    EXPECT_GT(seen, 2000u);
    EXPECT_LE(more, seen / 20);
}

// 11, over hills: leaves of several levels, side by side in the list, each look up the bounds of
// their own part of the map.
TEST_F(TreeCullTest, NoLeafOfHillsInViewIsLeftOut) {
    constexpr std::uint32_t kSide = 65;
    std::mt19937 random(7);
    std::uniform_real_distribution<float> any(-1.0f, 1.0f);
    std::vector<float> hills(kSide * kSide);
    for (std::uint32_t i = 0; i < hills.size();
         ++i) // higher along x and y, so that no two are alike
        hills[i] = 0.2f * static_cast<float>(i % kSide + i / kSide) / kSide + 0.02f * any(random);
    const auto bounds = [&](const TreeNode& leaf) {
        const double cells = std::ldexp(kSide - 1, -static_cast<int>(leaf.level));
        double low = 1e300;
        double high = -1e300;
        for (auto y = static_cast<std::uint32_t>(leaf.y * cells);
             y <= std::ceil((leaf.y + 1) * cells); ++y)
            for (auto x = static_cast<std::uint32_t>(leaf.x * cells);
                 x <= std::ceil((leaf.x + 1) * cells); ++x) {
                low = std::min<double>(low, hills[y * kSide + x]);
                high = std::max<double>(high, hills[y * kSide + x]);
            }
        return std::pair(low, high);
    };
    std::size_t seen = 0;
    for (int i = 0; i < 20; ++i) {
        const glm::vec3 eye(0.45f * any(random), 0.25f + 0.2f * std::abs(any(random)),
                            0.45f * any(random));
        const passes::CameraParameters camera =
            camera_at(eye, 30.0, {any(random), -std::abs(any(random)), any(random)});
        const Body view = frustum(camera_of(camera), 1280.0 / 720.0);
        std::set<TreeNode> expected;
        for (const TreeNode& leaf :
             TrueTree{.eyes = {glm::dvec3(eye)}, .fov = 30.0, .max_level = 7}.leaves()) {
            // The part that is certainly there: half the height, in the middle.
            const auto [low, high] = bounds(leaf);
            const double part = 0.25 * (high - low);
            if (overlap(flat_box(leaf, low + part, high - part), view)) expected.insert(leaf);
        }
        Graph g = graph();
        const passes::Surface surface =
            g.add(
                 passes::MakeSurface{.heights = height_map(g, kSide, kSide, hills), .height = 1.0f})
                .surface;
        QuadTree tree =
            g.add(BuildQuadTree{.surface = surface,
                                .camera = camera,
                                .max_level = 7,
                                .mode = i % 2 == 0 ? TreeMode::incremental : TreeMode::windows,
                                .iterations = 8})
                .tree;
        output_tree(g, g.add(CullTree{.surface = surface, .tree = tree, .camera = camera}).visible);
        const std::set<TreeNode> found = frame(std::move(g), TreeKeys::narrow).set();
        EXPECT_TRUE(std::ranges::includes(found, expected)) << "camera " << i;
        seen += expected.size();
    }
    EXPECT_GT(seen, 2000u);
}

// Behind a ridge lies what the frame before did not show: fewer leaves, and the same picture.
TEST_F(TreeCullTest, WhatTheFrameBeforeHidIsLeftOutAndThePictureIsTheSame) {
    std::vector<float> ridge(65 * 65);
    for (std::uint32_t y = 0; y < 65; ++y)
        for (std::uint32_t x = 0; x < 65; ++x)
            ridge[y * 65 + x] = y >= 30 && y <= 34 ? 0.3f : 0.01f * static_cast<float>(x % 3);
    const passes::CameraParameters camera =
        camera_at({0.0f, 0.1f, 0.4f}, 60.0, {0.0f, -0.1f, -1.0f});
    const auto build = [&](bool hides, bool grows) {
        Graph g = graph();
        const passes::Surface surface =
            g.add(passes::MakeSurface{.heights = height_map(g, 65, 65, ridge), .height = 1.0f})
                .surface;
        const ImageDesc desc{.format = Format::d32_sfloat, .extent = {96, 54, 1}};
        const ImageHistory seen =
            g.history_image("seen", desc, 1, std::array<float, 4>{1, 1, 1, 1});
        QuadTree tree = g.add(BuildQuadTree{.surface = surface,
                                            .depth = hides && grows ? seen.previous[0] : Image{},
                                            .camera = camera,
                                            .width = 96,
                                            .height = 54,
                                            .max_level = 8,
                                            .mode = TreeMode::levels,
                                            .drop = grows ? TreeDrop::outside : TreeDrop::nothing})
                            .tree;
        if (!grows)
            tree = g.add(CullTree{.surface = surface,
                                  .tree = tree,
                                  .depth = hides ? seen.previous[0] : Image{},
                                  .camera = camera,
                                  .width = 96,
                                  .height = 54})
                       .visible;
        const passes::DrawTerrain drawn = g.add(passes::DrawTerrain{
            .surface = surface, .tree = tree, .camera = camera, .width = 96, .height = 54});
        (void)g.copy(drawn.depth, seen.current);
        g.output("picture", drawn.result);
        output_tree(g, tree);
        return g;
    };
    for (const bool grows : {false, true}) {
        runner().begin_again();
        const std::size_t all = frame(build(false, grows), TreeKeys::narrow).leaves.size();
        const auto plain = runner().executor()->read_image("picture");
        runner().begin_again();
        frame(build(true, grows), TreeKeys::narrow);
        const std::size_t fewer = frame(build(true, grows), TreeKeys::narrow).leaves.size();
        const auto same = runner().executor()->read_image("picture");
        ASSERT_TRUE(plain && same);
        EXPECT_LT(fewer, all * 4 / 5);
        EXPECT_GT(fewer, 10u);
        EXPECT_TRUE(plain->texels == same->texels) << "while it grows: " << grows;
    }
}

glm::dvec3 color_of_level(std::uint32_t level) {
    const double hue = 0.58 + 0.38196601 * level - std::floor(0.58 + 0.38196601 * level);
    glm::dvec3 color;
    const std::array shift{0.0, 2.0 / 3.0, 1.0 / 3.0};
    for (int c = 0; c < 3; ++c) {
        const double at = hue + shift[static_cast<std::size_t>(c)];
        const double wheel =
            std::clamp(std::abs((at - std::floor(at)) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
        color[c] = (0.55 + (wheel - 0.55) * 0.7) * 0.8;
    }
    return color;
}

// 10: the map of a tree, pixel by pixel.
TEST_F(TreeCullTest, TheMapIsThatOfTheHost) {
    for (const TreeKeys keys : {TreeKeys::narrow, TreeKeys::wide}) {
        const glm::vec3 eye{0.12f, 0.01f, -0.23f};
        Graph g = graph();
        const QuadTree tree =
            g.add(BuildQuadTree{
                      .surface = flat(g), .camera = camera_at(eye), .max_level = 9, .keys = keys})
                .tree;
        g.output("map", g.add(MapTree{.tree = tree}).result);
        output_tree(g, tree);
        const std::set<TreeNode> all = frame(std::move(g), keys).set();
        const auto map = runner().executor()->read_image("map");
        ASSERT_TRUE(map);
        const auto leaf_at = [&](std::uint32_t x, std::uint32_t y) {
            for (std::uint32_t level = 0;; ++level) {
                const TreeNode node{level, 0, (2 * x + 1) << level >> 9, (2 * y + 1) << level >> 9};
                if (all.contains(node) || level == 20) return node;
            }
        };
        std::size_t wrong = 0;
        std::size_t plain = 0;
        for (std::uint32_t y = 0; y < 256; ++y)
            for (std::uint32_t x = 0; x < 256; ++x) {
                const TreeNode leaf = leaf_at(x, y);
                const double side = std::ldexp(256.0, -static_cast<int>(leaf.level));
                glm::dvec3 color = color_of_level(leaf.level);
                const bool line =
                    (x > 0 && leaf_at(x - 1, y) != leaf) || (y > 0 && leaf_at(x, y - 1) != leaf);
                if (line && side >= 3.0) color *= 0.35;
                for (std::uint32_t s = 0; s < 4 && side >= 6.0; ++s) {
                    if (coarser_beyond(all, leaf, s) == 0) continue;
                    const glm::dvec2 inside(x + 0.5 - leaf.x * side, y + 0.5 - leaf.y * side);
                    const double along = std::abs((s < 2 ? inside.y : inside.x) - 0.5 * side);
                    double into = s < 2 ? inside.x : inside.y;
                    if (s & 1) into = side - into;
                    if (along <= 1.0 && into <= 0.3 * side) color = glm::dvec3(1.0);
                }
                const auto texel = map->texel(x, y);
                for (std::size_t c = 0; c < 3; ++c)
                    if (std::abs(texel[c] - color[static_cast<int>(c)]) > 1e-3) { // halves
                        ++wrong;
                        break;
                    }
                plain += !line;
            }
        EXPECT_EQ(wrong, 0u);
        EXPECT_GT(plain, 20000u);
    }
}

TEST_F(TreeCullTest, HolesAndOverlapsAreMagentaInTheMap) {
    Graph g = graph();
    std::vector<std::uint32_t> keys;
    for (std::uint32_t q = 0; q < 3; ++q) // the fourth quarter is missing
        keys.push_back(passes::narrow_key(passes::child_of({}, q)));
    keys.push_back(passes::narrow_key({3, 0, 0, 0})); // and this lies inside the first
    const QuadTree tree{
        .keys = g.constant_buffer("k", {.size = 16}, testing_gpu::bytes_of(keys)),
        .edges = g.constant_buffer("e", {.size = 16},
                                   testing_gpu::bytes_of(std::vector<std::uint32_t>(4))),
        .status = g.constant_buffer("s", {.size = 4},
                                    testing_gpu::bytes_of(std::vector<std::uint32_t>{4})),
        .capacity = 4};
    g.output("map", g.add(MapTree{.tree = tree, .size = 64}).result);
    auto running = run(std::move(g));
    const HostImage map = running.image("map");
    const auto is_magenta = [&](std::uint32_t x, std::uint32_t y) {
        const auto texel = map.texel(x, y);
        return texel[0] == 1.0 && texel[1] == 0.0 && texel[2] == 1.0;
    };
    for (std::uint32_t y = 0; y < 64; ++y)
        for (std::uint32_t x = 0; x < 64; ++x)
            ASSERT_EQ(is_magenta(x, y), (x >= 32 && y >= 32) || (x < 8 && y < 8)) << x << ", " << y;
}

} // namespace
} // namespace tuff
