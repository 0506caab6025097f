#include "passes/terrain/cull.hpp"
#include "passes/terrain/draw.hpp"
#include "passes/terrain/patch.hpp"
#include "tests/gpu/terrain/terrain_test.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace tuff {
namespace {

using passes::BuildQuadTree;
using passes::CullTree;
using passes::DrawTerrain;
using passes::PatchSide;
using passes::QuadTree;
using passes::Stitching;
using passes::Surface;
using passes::TreeMode;

/// A picture of a ground, with the camera that it is seen by.
struct Shot {
    glm::vec3 eye{0.0f, 0.2f, 0.0f};
    glm::vec3 towards{0.3f, -0.4f, -1.0f};
    TreeMode mode = TreeMode::windows;
    Stitching stitching = Stitching::snap;
    PatchSide side = PatchSide::side4;
    std::uint32_t max_level = 7;
    std::uint32_t width = 96;
    std::uint32_t height = 54;
    bool culled = true;
    float morph_from = 0.6f;
    float morph_to = 0.88f;
    std::uint32_t margin = 0; ///< more of the picture on each side: so many widths and heights
    passes::CameraParameters camera(double fov = 60.0) const {
        passes::CameraParameters made = camera_at(eye, fov, towards);
        made.near_plane = 5e-3f;
        made.far_plane = 8.0f;
        return made;
    }
    std::uint32_t scale() const { return 1 + 2 * margin; }
    passes::CameraParameters wide_camera() const {
        return camera(2.0 * glm::degrees(std::atan(scale() * std::tan(glm::radians(30.0)))));
    }
};

class TerrainDrawTest : public TerrainTest {
  protected:
    /// Hills in a bowl that is higher at its rim than any eye inside: whoever looks ahead or down
    /// sees ground in every pixel.
    static std::vector<float> bowl(std::uint32_t side) {
        std::mt19937 random(3);
        std::uniform_real_distribution<float> hill(-0.03f, 0.03f);
        std::vector<float> values;
        for (std::uint32_t y = 0; y < side; ++y)
            for (std::uint32_t x = 0; x < side; ++x) {
                const auto at = [&](std::uint32_t i) {
                    return std::abs(static_cast<float>(i) / static_cast<float>(side - 1) - 0.5f);
                };
                const float wall = std::max((std::max(at(x), at(y)) - 0.3f) / 0.2f, 0.0f);
                values.push_back(2.0f * wall * wall + hill(random));
            }
        return values;
    }
    static Surface bowl_ground(Graph& g) {
        // The same bytes each time: graphs that follow one another are alike, and are not compiled.
        static const auto kBowl = testing_gpu::bytes_of(bowl(129));
        const Image map =
            g.constant_image("map", {.format = Format::r32_sfloat, .extent = {129, 129, 1}}, kBowl);
        return g.add(passes::MakeSurface{.heights = map, .height = 1.0f}).surface;
    }
    static glm::vec3 eye_in_bowl(std::mt19937& random) {
        std::uniform_real_distribution<float> along(-0.28f, 0.28f);
        std::uniform_real_distribution<float> height(0.05f, 0.5f);
        return {along(random), height(random), along(random)};
    }
    static glm::vec3 ahead_or_down(std::mt19937& random) {
        std::uniform_real_distribution<float> around(0.0f, 6.2831853f);
        std::uniform_real_distribution<float> down(0.0f, 1.4f);
        const float a = around(random);
        const float d = down(random);
        return {std::cos(d) * std::cos(a), -std::sin(d), std::cos(d) * std::sin(a)};
    }

    /// Adds the outputs "picture" and "depth".
    template <typename Ground>
    Graph shot_graph(const Shot& shot, const Ground& ground) {
        Graph g = graph();
        const Surface surface = ground(g);
        QuadTree tree = g.add(BuildQuadTree{.surface = surface,
                                            .camera = shot.camera(),
                                            .width = shot.width,
                                            .height = shot.height,
                                            .max_level = shot.max_level,
                                            .mode = shot.mode})
                            .tree;
        if (shot.culled)
            tree = g.add(CullTree{.surface = surface,
                                  .tree = tree,
                                  .camera = shot.wide_camera(),
                                  .width = shot.scale() * shot.width,
                                  .height = shot.scale() * shot.height})
                       .visible;
        const DrawTerrain drawn = g.add(DrawTerrain{.surface = surface,
                                                    .tree = tree,
                                                    .camera = shot.wide_camera(),
                                                    .width = shot.scale() * shot.width,
                                                    .height = shot.scale() * shot.height,
                                                    .side = shot.side,
                                                    .stitching = shot.stitching,
                                                    .morph_from = shot.morph_from,
                                                    .morph_to = shot.morph_to,
                                                    .natural = 0.0f,
                                                    .light = 0.0f,
                                                    .color = glm::vec3(1.0f),
                                                    .background = {1.0f, 0.0f, 1.0f}});
        g.output("picture", drawn.result);
        g.output("depth", drawn.depth);
        output_tree(g, tree);
        return g;
    }
    HostTree draw(const Shot& shot) {
        return frame(shot_graph(shot, [](Graph& g) { return bowl_ground(g); }),
                     passes::TreeKeys::narrow);
    }
    HostImage image(std::string_view name) {
        auto read = runner().executor()->read_image(name);
        EXPECT_TRUE(read);
        return read ? std::move(*read) : HostImage{};
    }
    /// Pixels where the background is seen, within the margin.
    std::size_t cracks(const Shot& shot) {
        const HostImage picture = image("picture");
        const std::uint32_t left = shot.margin * shot.width;
        const std::uint32_t top = shot.margin * shot.height;
        std::size_t count = 0;
        for (std::uint32_t y = top; y < top + shot.height; ++y)
            for (std::uint32_t x = left; x < left + shot.width; ++x)
                count += picture.texel(x, y)[1] != 1.0;
        return count;
    }
};

// 5: 400 poses in all, half of them teleports of a tree that lags, spread over sizes and stitches.
// Where a morph is nearly complete its triangles are a tenth of a pixel wide. SwiftShader loses
// pixels of those that it clips at the picture's border, and only of those: so a margin is drawn.
TEST_F(TerrainDrawTest, NoPixelShowsTheBackgroundFromTwoHundredRandomPoses) {
    std::mt19937 random(1);
    std::size_t seen = 0;
    int pose = 0;
    for (const auto& [stitching, side, level] :
         {std::tuple(Stitching::snap, PatchSide::side4, 6u),
          std::tuple(Stitching::snap, PatchSide::side2, 9u),
          std::tuple(Stitching::indices, PatchSide::side4, 7u),
          std::tuple(Stitching::morph, PatchSide::side4, 7u),
          std::tuple(Stitching::morph, PatchSide::side8, 5u)})
        for (int i = 0; i < 40; ++i, ++pose) {
            const Shot shot{
                .eye = eye_in_bowl(random),
                .towards = ahead_or_down(random),
                .stitching = stitching,
                .side = side,
                .max_level = level,
                .width = (i < 30 ? 96u : 160u) / (stitching == Stitching::morph ? 2 : 1),
                .height = (i < 30 ? 54u : 90u) / (stitching == Stitching::morph ? 2 : 1),
                .margin = stitching == Stitching::morph ? 1u : 0u};
            seen += draw(shot).leaves.size();
            ASSERT_EQ(cracks(shot), 0u) << "pose " << pose;
        }
    EXPECT_GT(seen, 200u * 30u);
}

TEST_F(TerrainDrawTest, NoPixelShowsTheBackgroundInTwoHundredFramesOfTeleports) {
    // The first frames see the root alone, through whose walls the eye may be.
    constexpr int kFirstFrames = 3;
    std::mt19937 random(2);
    Shot shot{.mode = TreeMode::incremental,
              .side = PatchSide::side2,
              .max_level = 9,
              .width = 64,
              .height = 36};
    for (int i = 0; i < kFirstFrames + 200; ++i) {
        if (i % 4 == 0) shot.eye = eye_in_bowl(random);
        if (i % 8 == 0) shot.eye.y = 0.04f;
        shot.towards = ahead_or_down(random);
        draw(shot);
        if (i < kFirstFrames) continue;
        ASSERT_EQ(cracks(shot), 0u) << "frame " << i;
    }
}

// What the tests above look for is there where nothing is stitched.
TEST_F(TerrainDrawTest, WithoutStitchesThereAreCracks) {
    std::mt19937 random(1);
    std::size_t found = 0;
    for (int i = 0; i < 20; ++i) {
        const Shot shot{.eye = eye_in_bowl(random),
                        .towards = ahead_or_down(random),
                        .stitching = Stitching::none};
        draw(shot);
        found += cracks(shot);
    }
    EXPECT_GT(found, 20u);
}

// 11: with and without culling, and 12: by indices as by moved vertices, all pixels are the same.
TEST_F(TerrainDrawTest, CullingAndTheWayOfStitchingChangeNoPixel) {
    std::mt19937 random(5);
    for (int i = 0; i < 10; ++i) {
        Shot shot{.eye = eye_in_bowl(random), .towards = ahead_or_down(random), .max_level = 8};
        const std::size_t visible = draw(shot).leaves.size();
        const std::vector<std::byte> expected = image("depth").texels;
        shot.culled = false;
        EXPECT_GT(draw(shot).leaves.size(), visible);
        EXPECT_TRUE(image("depth").texels == expected) << "whole tree, pose " << i;
        shot.stitching = Stitching::indices;
        draw(shot);
        EXPECT_TRUE(image("depth").texels == expected) << "indices, pose " << i;
    }
}

// 12: where vertices are moved not at all or all the way, as far from the eye as may be or as near
// as may be, there are no cracks, and pixels differ from stitched ones only in leaves that reach
// beyond that distance.
TEST_F(TerrainDrawTest, AMorphChangesOnlyLeavesThatReachIntoIt) {
    std::mt19937 random(12);
    std::size_t same = 0, changed = 0;
    for (int i = 0; i < 12; ++i) {
        const bool early = i % 2 == 0;
        Shot shot{.eye = eye_in_bowl(random),
                  .towards = ahead_or_down(random),
                  .width = 64,
                  .height = 36,
                  .morph_from = early ? 0.0f : 1.0f,
                  .morph_to = early ? 0.0f : 1.0f,
                  .margin = 1};
        const std::set<TreeNode> leaves = draw(shot).set();
        const HostImage stitched = image("depth");
        ASSERT_EQ(cracks(shot), 0u) << i;
        shot.stitching = Stitching::morph;
        draw(shot);
        const HostImage morphed = image("depth");
        ASSERT_EQ(cracks(shot), 0u) << i;

        const double reach = 8.0 / (2.0 * std::tan(glm::radians(30.0)));
        const auto [least, most] = passes::morph_limits(reach);
        const double begins = early ? least : most - 1e-3;
        // Whether the leaf's farthest corner is beyond that, on the ground without heights.
        const auto is_morphed = [&](const TreeNode& leaf) {
            const double size = std::ldexp(1.0, -static_cast<int>(leaf.level));
            double farthest = 0.0;
            for (std::uint32_t q = 0; q < 4; ++q)
                farthest = std::max(farthest, glm::distance(glm::dvec3(shot.eye),
                                                            {(leaf.x + (q & 1)) * size - 0.5, 0.0,
                                                             (leaf.y + (q >> 1)) * size - 0.5}));
            return farthest / (2.0 * reach * size) > begins - 1e-4;
        };
        const passes::CameraParameters camera = shot.wide_camera();
        const Camera eye{.position = camera.position,
                         .target = camera.target,
                         .vertical_fov = camera.vertical_fov,
                         .near_plane = camera.near_plane,
                         .far_plane = camera.far_plane};
        const glm::dmat4 world_from_clip =
            glm::inverse(glm::dmat4(eye.projection(64.0f / 36.0f)) * glm::dmat4(eye.view()));
        // By a leaf there, or within what rounding moves a pixel by.
        const auto may_change = [&](double x, double y, double z) {
            glm::dvec4 world = world_from_clip * glm::dvec4(x, y, z, 1.0);
            world /= world.w;
            for (const double u : {world.x + 0.4999, world.x + 0.5001})
                for (const double v : {world.z + 0.4999, world.z + 0.5001})
                    for (std::uint32_t level = 0; level <= shot.max_level; ++level) {
                        const double cells = std::ldexp(1.0, static_cast<int>(level));
                        const TreeNode node{level, 0, static_cast<std::uint32_t>(u * cells),
                                            static_cast<std::uint32_t>(v * cells)};
                        if (leaves.contains(node) && is_morphed(node)) return true;
                    }
            return false;
        };
        std::size_t wrong = 0;
        for (std::uint32_t y = 36; y < 72; ++y)
            for (std::uint32_t x = 64; x < 128; ++x) {
                const float a = stitched.texel(x, y)[0], b = morphed.texel(x, y)[0];
                ++(a == b ? same : changed);
                const double clip_x = (x + 0.5) / 96.0 - 1.0, clip_y = (y + 0.5) / 54.0 - 1.0;
                wrong += a != b && !may_change(clip_x, clip_y, static_cast<double>(a)) &&
                         !may_change(clip_x, clip_y, static_cast<double>(b));
            }
        EXPECT_EQ(wrong, 0u) << i;
    }
    EXPECT_GT(same, 3000u);
    EXPECT_GT(changed, 1000u);
}

// 5, on the host: each edge inside the square belongs to two triangles.
TEST_F(TerrainDrawTest, EveryEdgeInsideBelongsToTwoTriangles) {
    using Place = std::pair<std::uint32_t, std::uint32_t>;
    std::mt19937 random(9);
    for (const bool by_indices : {false, true}) {
        const std::uint32_t side = 4;
        Shot shot{.eye = eye_in_bowl(random), .culled = false};
        const HostTree tree = draw(shot);
        std::map<std::pair<Place, Place>, int> edges;
        for (std::size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
            const TreeNode& node = tree.leaves[leaf];
            std::uint32_t coarser = 0;
            for (std::uint32_t s = 0; s < 4; ++s)
                coarser |= (tree.edges[leaf] >> (4 * s) & 15) != 0 ? 1u << s : 0u;
            const std::uint32_t step = (1u << (31 - node.level)) / side;
            const auto place_of = [&](std::uint32_t vertex) {
                const std::uint32_t x = vertex % (side + 1);
                const std::uint32_t y = vertex / (side + 1);
                Place place{(node.x << (31 - node.level)) + x * step,
                            (node.y << (31 - node.level)) + y * step};
                if (by_indices) return place;
                const bool along_y = (x == 0 && coarser & 1) || (x == side && coarser & 2);
                const bool along_x = (y == 0 && coarser & 4) || (y == side && coarser & 8);
                if (along_x) place.first &= ~(2 * step - 1);
                if (along_y) place.second &= ~(2 * step - 1);
                return place;
            };
            const std::vector<std::uint32_t> indices =
                passes::patch_triangles(side, by_indices ? coarser : 0);
            for (std::size_t i = 0; i < indices.size(); i += 3) {
                const std::array corners{place_of(indices[i]), place_of(indices[i + 1]),
                                         place_of(indices[i + 2])};
                if (corners[0] == corners[1] || corners[1] == corners[2] ||
                    corners[2] == corners[0])
                    continue;
                for (std::size_t c = 0; c < 3; ++c)
                    ++edges[std::minmax(corners[c], corners[(c + 1) % 3])];
            }
        }
        std::size_t wrong = 0;
        for (const auto& [edge, count] : edges) {
            const auto on_rim = [](std::uint32_t a, std::uint32_t b) {
                return a == b && (a == 0 || a == 1u << 31);
            };
            const bool rim = on_rim(edge.first.first, edge.second.first) ||
                             on_rim(edge.first.second, edge.second.second);
            wrong += count != (rim ? 1 : 2);
        }
        EXPECT_GT(edges.size(), 3000u);
        EXPECT_EQ(wrong, 0u) << "by indices: " << by_indices;
    }
}

// 13: a ground of waves is as far away as they say, but for what straight lines between vertices
// leave out: h^2 (|f_xx| + 2 |f_xz| + |f_zz|) / 8.
TEST_F(TerrainDrawTest, WavesAreWhereTheyShouldBeInEveryPixel) {
    constexpr float kHeight = 0.05f;
    constexpr float kWave = 12.0f;
    for (const Stitching stitching : {Stitching::snap, Stitching::morph}) {
        Shot shot{.eye = {0.1f, 0.3f, 0.25f},
                  .towards = {-0.2f, -0.8f, -0.9f},
                  .stitching = stitching,
                  .max_level = 5,
                  .width = 128,
                  .height = 72};
        passes::CameraParameters camera = shot.camera();
        const HostTree tree =
            frame(shot_graph(shot,
                             [&](Graph& g) {
                                 return g
                                     .add(passes::MakeSurface{.kind = passes::SurfaceKind::sine,
                                                              .height = kHeight,
                                                              .waves = {kWave, kWave}})
                                     .surface;
                             }),
                  passes::TreeKeys::narrow);
        const HostImage depth = image("depth");
        Camera eye{.position = camera.position,
                   .target = camera.target,
                   .vertical_fov = 60.0f,
                   .near_plane = camera.near_plane,
                   .far_plane = camera.far_plane};
        const glm::dmat4 world_from_clip =
            glm::inverse(glm::dmat4(eye.projection(128.0f / 72.0f)) * glm::dmat4(eye.view()));
        std::size_t seen = 0;
        std::size_t wrong = 0;
        double worst = 0.0;
        for (std::uint32_t y = 0; y < 72; ++y)
            for (std::uint32_t x = 0; x < 128; ++x) {
                const double z = depth.texel(x, y)[0];
                if (z >= 1.0) continue;
                glm::dvec4 world = world_from_clip * glm::dvec4((x + 0.5) / 64.0 - 1.0,
                                                                (y + 0.5) / 36.0 - 1.0, z, 1.0);
                world /= world.w;
                const double truth =
                    kHeight * std::sin(kWave * world.x) * std::cos(kWave * world.z);
                const auto leaf = std::ranges::find_if(tree.leaves, [&](const TreeNode& node) {
                    const double size = std::ldexp(1.0, -static_cast<int>(node.level));
                    return std::floor((world.x + 0.5) / size) == node.x &&
                           std::floor((world.z + 0.5) / size) == node.y;
                });
                if (leaf == tree.leaves.end()) continue; // on the border of two, by rounding
                ++seen;
                // Cells next to coarser leaves, or half morphed, are up to twice as wide.
                const double h = 2.0 * std::ldexp(0.25, -static_cast<int>(leaf->level));
                const double bound = h * h * 4.0 * kHeight * kWave * kWave / 8.0;
                // Depth has 24 bits, and near is 5e-3: the distance is off by d^2 2^-24 / near.
                const double off = std::abs(world.y - truth);
                worst = std::max(worst, off / (bound + 5e-5));
                wrong += off > bound + 5e-5;
            }
        EXPECT_GT(seen, 6000u);
        EXPECT_EQ(wrong, 0u) << worst;
    }
}

TEST_F(TerrainDrawTest, TreesThatMayBeUnbalancedAreNotMorphed) {
    for (const Stitching stitching : {Stitching::indices, Stitching::morph}) {
        const Graph g = shot_graph({.mode = TreeMode::incremental, .stitching = stitching},
                                   [](Graph& made) { return bowl_ground(made); });
        ASSERT_FALSE(g.peek().diagnostics.empty());
        EXPECT_EQ(g.peek().diagnostics.front().code, "terrain/needs-balanced");
    }
}

// Maps of one texel, of two, and with heights that are not finite.
TEST_F(TerrainDrawTest, MapsOfATexelAndWithoutNumbersAreDrawn) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto drawn = [&](std::uint32_t width, std::uint32_t height,
                           const std::vector<float>& values) {
        const Shot shot{.eye = {0.0f, 0.4f, 0.3f}, .towards = {0.0f, -1.0f, -0.5f}};
        frame(shot_graph(shot,
                         [&](Graph& g) {
                             return g
                                 .add(passes::MakeSurface{.heights =
                                                              height_map(g, width, height, values)})
                                 .surface;
                         }),
              passes::TreeKeys::narrow);
        return image("depth").texels;
    };
    const auto flat_one = drawn(1, 1, {0.0f});
    EXPECT_TRUE(drawn(1, 1, {nan}) == flat_one);
    EXPECT_TRUE(drawn(2, 2, {nan, -std::numeric_limits<float>::infinity(), 0.0f, 0.0f}) ==
                flat_one);
    EXPECT_FALSE(drawn(1, 1, {1.0f}) == flat_one);
    EXPECT_FALSE(drawn(3, 1, {0.0f, 1.0f, 0.0f}) == flat_one);
}

} // namespace
} // namespace tuff
