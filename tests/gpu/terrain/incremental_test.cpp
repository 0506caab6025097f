#include "passes/terrain/planet.hpp"
#include "tests/gpu/terrain/terrain_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace tuff {
namespace {

using passes::BuildQuadTree;
using passes::TreeKeys;
using passes::TreeMode;

constexpr std::uint32_t kLevels = 12;

class IncrementalTreeTest : public TerrainTest {
  protected:
    static BuildQuadTree pass_at(glm::vec3 eye, TreeMode mode, std::uint32_t iterations = 1) {
        return {
            .camera = camera_at(eye), .max_level = kLevels, .mode = mode, .iterations = iterations};
    }
    /// Holes and overlaps, as areas and nodes say.
    static bool is_partition(const std::vector<TreeNode>& leaves) {
        std::uint64_t area = 0;
        const std::set<TreeNode> all(leaves.begin(), leaves.end());
        for (const TreeNode& leaf : leaves) {
            area += std::uint64_t{1} << (2 * (passes::kMaxWideLevel - leaf.level));
            for (TreeNode above = leaf; above.level > 0;) {
                above = passes::parent_of(above);
                if (all.contains(above)) return false;
            }
        }
        return area == std::uint64_t{1} << 56 && all.size() == leaves.size();
    }
    /// Sides whose edges are not those of the tree there is; `steepest`: levels that neighbours
    /// differ by.
    static std::size_t wrong_edges(const HostTree& tree, std::uint32_t& steepest) {
        const std::set<TreeNode> all = tree.set();
        std::size_t wrong = 0;
        for (std::size_t leaf = 0; leaf < tree.leaves.size(); ++leaf)
            for (std::uint32_t side = 0; side < 4; ++side) {
                const std::uint32_t steps = coarser_beyond(all, tree.leaves[leaf], side);
                wrong += steps != (tree.edges[leaf] >> (4 * side) & 15);
                steepest = std::max(steepest, steps);
            }
        return wrong;
    }
};

// 9: after a path with at most twice the height per frame, 15 frames at rest make both equal.
TEST_F(IncrementalTreeTest, APathThatComesToRestEndsInTheTreeFromNothing) {
    std::mt19937 random(4);
    std::uniform_real_distribution<float> factor(0.5f, 2.0f);
    std::uniform_real_distribution<float> step(-0.05f, 0.05f);
    for (int path = 0; path < 3; ++path) {
        glm::vec3 eye = random_eye(random);
        runner().begin_again();
        HostTree tree;
        for (int i = 0; i < 60; ++i) {
            if (i < 45)
                eye = {std::clamp(eye.x + step(random), -0.5f, 0.5f),
                       std::clamp(eye.y * factor(random), 1e-4f, 1.0f),
                       std::clamp(eye.z + step(random), -0.5f, 0.5f)};
            tree = frame(pass_at(eye, TreeMode::incremental));
            if (i % 5 == 0) expect_partition(tree.leaves, 1, fmt::format("frame {}", i));
            EXPECT_EQ(tree.status.broken, 0u);
        }
        EXPECT_TRUE(tree.set() ==
                    (TrueTree{.eyes = {glm::dvec3(eye)}, .max_level = kLevels}.leaves()))
            << "path " << path;
        EXPECT_EQ(tree.status.resets, 0u);
        // The list goes from leaf to leaf without a gap, which is what lookups rely on.
        for (std::size_t i = 1; i < tree.leaves.size(); ++i)
            ASSERT_LT(passes::morton_code(tree.leaves[i - 1].x << (28 - tree.leaves[i - 1].level),
                                          tree.leaves[i - 1].y << (28 - tree.leaves[i - 1].level)),
                      passes::morton_code(tree.leaves[i].x << (28 - tree.leaves[i].level),
                                          tree.leaves[i].y << (28 - tree.leaves[i].level)));
    }
}

// 6 of the pitfalls: teleports. With the look at the siblings no frame has a hole or an overlap,
// and the edges are those of the tree there is, which lags.
TEST_F(IncrementalTreeTest, TeleportsNeverBreakTheTreeAndEdgesAreThoseOfTheTreeThereIs) {
    std::mt19937 random(6);
    std::uint32_t steepest = 0;
    glm::vec3 eye{};
    for (int i = 0; i < 120; ++i) {
        if (i % 3 == 0) eye = random_eye(random);
        const HostTree tree = frame(pass_at(eye, TreeMode::incremental));
        expect_partition(tree.leaves, 1, fmt::format("frame {}", i));
        ASSERT_EQ(tree.status.broken, 0u);
        ASSERT_EQ(wrong_edges(tree, steepest), 0u) << "frame " << i;
    }
    EXPECT_GT(steepest, 1u) << "the tree never lagged";
}

// Where there is room for some of a frame's divisions, edges are those of the tree that is made.
// Rooms end in the first group of leaves, in a later one, and where there are several leaves to a
// sample of the look-ups.
TEST_F(IncrementalTreeTest, EdgesAreRightWhereSomeDivisionsAreRefused) {
    std::uint32_t both = 0; // frames with divisions of which some were refused
    std::uint32_t steepest = 0;
    for (const std::uint32_t room : {50u, 100u, 701u, 1500u, 1502u}) {
        runner().begin_again();
        std::size_t before = 1;
        for (int i = 0; i < 12; ++i) {
            BuildQuadTree pass = pass_at({0.1f, 0.001f, 0.2f}, TreeMode::incremental);
            pass.capacity = room;
            pass.k = 12.0f;
            const HostTree tree = frame(pass);
            expect_partition(tree.leaves, 1, fmt::format("room {}, frame {}", room, i));
            ASSERT_LE(tree.leaves.size(), room);
            ASSERT_EQ(wrong_edges(tree, steepest), 0u) << "room " << room << ", frame " << i;
            both += tree.status.refused > 0 && tree.leaves.size() > before;
            before = tree.leaves.size();
        }
        EXPECT_GT(before + 3, room) << "there was room for more";
    }
    EXPECT_GE(both, 5u);
}

// 100,000 leaves: a look-up's samples are 512 leaves apart, and a group adds up the sums of more
// groups than it has invocations.
TEST_F(IncrementalTreeTest, LargeTreesComeToTheTreeFromNothingWithItsEdges) {
    BuildQuadTree pass = pass_at({0.1f, 0.02f, 0.2f}, TreeMode::incremental, 10);
    pass.k = 72.0f;
    pass.max_level = 10;
    const HostTree tree = frame(pass);
    pass.mode = TreeMode::windows;
    const HostTree expected = frame(pass);
    ASSERT_GT(tree.leaves.size(), 100000u);
    ASSERT_TRUE(tree.set() == expected.set());
    std::map<TreeNode, std::uint32_t> edges;
    for (std::size_t i = 0; i < expected.leaves.size(); ++i)
        edges.emplace(expected.leaves[i], expected.edges[i]);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < tree.leaves.size(); ++i)
        wrong += edges.at(tree.leaves[i]) != tree.edges[i];
    EXPECT_EQ(wrong, 0u);
}

// The merge race: the printed rule breaks the tree after teleports; that is seen in the next frame,
// which begins with the root, and nothing stays broken.
TEST_F(IncrementalTreeTest, ThePrintedRuleBreaksAfterTeleportsAndIsCaught) {
    std::mt19937 random(7);
    std::uint32_t broken_frames = 0;
    std::uint32_t resets = 0;
    bool was_broken = false;
    glm::vec3 eye{};
    for (int i = 0; i < 200; ++i) {
        if (i % 5 == 0 && i < 160) eye = random_eye(random);
        const HostTree tree = frame(pass_at(eye, TreeMode::printed));
        // What one frame leaves broken, the next one finds.
        EXPECT_EQ(tree.status.broken > 0, was_broken) << "frame " << i;
        if (was_broken) {
            EXPECT_EQ(tree.leaves.size(), 1u) << "frame " << i;
            EXPECT_EQ(tree.status.warnings().size(), 1u);
        }
        resets += was_broken;
        EXPECT_EQ(tree.status.resets, resets) << "frame " << i;
        was_broken = !is_partition(tree.leaves);
        broken_frames += was_broken;
        if (i == 199) {
            EXPECT_TRUE(tree.set() ==
                        (TrueTree{.eyes = {glm::dvec3(eye)}, .max_level = kLevels}.leaves()));
        }
    }
    EXPECT_GT(broken_frames, 5u) << "the race was not met";
}

// Smooth zooms do not break it: up to twice the height per frame.
TEST_F(IncrementalTreeTest, ThePrintedRuleKeepsTheTreeInSmoothZooms) {
    float height = 0.7f;
    for (int i = 0; i < 60; ++i) {
        height = i % 24 < 12 ? height * 0.5f : height * 2.0f;
        const HostTree tree = frame(pass_at({0.1f, height, 0.2f}, TreeMode::printed));
        ASSERT_TRUE(is_partition(tree.leaves)) << "frame " << i;
        ASSERT_EQ(tree.status.broken, 0u);
    }
}

// 15: fixed camera, 100 frames; and from the root it takes as many steps as there are levels.
TEST_F(IncrementalTreeTest, AFixedCameraHasAConstantTreeOnceItHasConverged) {
    const glm::vec3 eye{0.13f, 0.0004f, -0.21f};
    const std::set<TreeNode> expected =
        TrueTree{.eyes = {glm::dvec3(eye)}, .max_level = kLevels}.leaves();
    std::vector<TreeNode> first;
    for (std::uint32_t i = 1; i <= 100; ++i) {
        const HostTree tree = frame(pass_at(eye, TreeMode::incremental));
        if (i < kLevels) {
            EXPECT_FALSE(tree.set() == expected) << i;
        } else if (i == kLevels) {
            EXPECT_TRUE(tree.set() == expected);
            first = tree.leaves;
        } else {
            ASSERT_TRUE(tree.leaves == first) << "frame " << i;
        }
    }
}

TEST_F(IncrementalTreeTest, IterationsAreStepsOfOneFrameAndAResetBeginsAgain) {
    const glm::vec3 eye{0.13f, 0.0004f, -0.21f};
    BuildQuadTree pass = pass_at(eye, TreeMode::incremental, kLevels);
    const std::set<TreeNode> expected =
        TrueTree{.eyes = {glm::dvec3(eye)}, .max_level = kLevels}.leaves();
    EXPECT_TRUE(frame(pass).set() == expected);
    pass.iterations = 3;
    EXPECT_TRUE(frame(pass).set() == expected); // the list went on
    pass.reset = 1;
    EXPECT_LT(frame(pass).leaves.size(), 65u); // three steps from the root
    EXPECT_LT(frame(pass).leaves.size(), expected.size());
    for (int i = 0; i < 4; ++i)
        frame(pass);
    EXPECT_TRUE(frame(pass).set() == expected);
    // A smaller greatest level takes away what is too fine.
    pass.max_level = 6;
    HostTree tree;
    for (int i = 0; i < 3; ++i)
        tree = frame(pass);
    EXPECT_TRUE(tree.set() == (TrueTree{.eyes = {glm::dvec3(eye)}, .max_level = 6}.leaves()));
}

// Look-ups cross the ends of squares that close, and the edges of a planet's cube, also where
// neighbours differ by several levels.
TEST_F(IncrementalTreeTest, ClosedSurfacesHaveTheEdgesOfTreesFromNothing) {
    using passes::MakeSurface;
    using passes::SurfaceKind;
    const glm::dvec3 eye(1.05, 0.98, 1.02);
    struct Closed {
        std::string name;
        std::function<passes::Surface(Graph&)> surface;
        glm::vec3 eye;
        float k = 8.0f;
    };
    // So short a span makes trees in which neighbours differ by several levels.
    constexpr float kShort = 0.12f;
    const std::vector<Closed> all{
        {"torus",
         [](Graph& g) {
             return g.add(MakeSurface{.kind = SurfaceKind::torus, .radius = 0.8f, .span = kShort})
                 .surface;
         },
         {1.06f, 0.02f, 0.03f}},
        {"knot",
         [](Graph& g) {
             return g
                 .add(MakeSurface{
                     .kind = SurfaceKind::knot, .radius = 0.3f, .tube = 0.12f, .span = kShort})
                 .surface;
         },
         {0.95f, 0.1f, 0.1f}},
        {"sphere",
         [](Graph& g) { return g.add(MakeSurface{.kind = SurfaceKind::sphere}).surface; },
         {1.1f, 0.3f, 0.05f}},
        {"planet",
         [&](Graph& g) { return g.add(passes::MakePlanet{.eye = eye, .octaves = 4}).surface; },
         {},
         20.0f}};
    std::uint32_t steepest = 0;
    for (const Closed& one : all) {
        const auto tree_of = [&](TreeMode mode) {
            runner().begin_again();
            Graph made = graph();
            output_tree(made,
                        made.add(BuildQuadTree{.surface = one.surface(made),
                                               .camera = camera_at(one.eye, 60.0, glm::vec3(-eye)),
                                               .k = one.k,
                                               .max_level = 9,
                                               .mode = mode,
                                               .keys = TreeKeys::wide,
                                               .iterations = 10,
                                               .capacity = 1u << 15})
                            .tree);
            return frame(std::move(made), TreeKeys::wide);
        };
        const HostTree tree = tree_of(TreeMode::incremental);
        const HostTree expected = tree_of(TreeMode::levels);
        ASSERT_EQ(tree.status.refused, 0u) << one.name;
        ASSERT_GT(tree.leaves.size(), 60u) << one.name;
        ASSERT_TRUE(tree.set() == expected.set()) << one.name;
        std::map<TreeNode, std::uint32_t> edges;
        for (std::size_t i = 0; i < expected.leaves.size(); ++i)
            edges.emplace(expected.leaves[i], expected.edges[i]);
        std::size_t wrong = 0;
        std::size_t across_ends = 0;
        for (std::size_t i = 0; i < tree.leaves.size(); ++i) {
            const TreeNode& leaf = tree.leaves[i];
            wrong += edges.at(leaf) != tree.edges[i];
            const std::uint32_t last = (1u << leaf.level) - 1;
            const bool at_end[] = {leaf.x == 0, leaf.x == last, leaf.y == 0, leaf.y == last};
            for (std::uint32_t side = 0; side < 4; ++side) {
                const std::uint32_t coarser = tree.edges[i] >> (4 * side) & 15;
                steepest = std::max(steepest, coarser);
                across_ends += at_end[side] && coarser > 0;
            }
        }
        EXPECT_EQ(wrong, 0u) << one.name;
        EXPECT_GT(across_ends, 0u) << one.name;
    }
    EXPECT_GT(steepest, 1u) << "no neighbours differ by two levels";
}

TEST_F(IncrementalTreeTest, WideKeysGoTwentyEightLevelsDown) {
    const glm::vec3 eye{0.0f, 1e-9f, 0.0f};
    const auto build = [&] {
        Graph made = graph();
        output_tree(made, made.add(BuildQuadTree{.surface = flat(made),
                                                 .camera = camera_at(eye),
                                                 .max_level = 28,
                                                 .mode = TreeMode::incremental,
                                                 .keys = TreeKeys::wide,
                                                 .iterations = 28})
                              .tree);
        return made;
    };
    const HostTree tree = frame(build(), TreeKeys::wide);
    expect_partition(tree.leaves, 1, "28 levels");
    EXPECT_EQ(std::ranges::max(tree.leaves, {}, &TreeNode::level).level, 28u);
    EXPECT_TRUE(tree.set() == (TrueTree{.eyes = {glm::dvec3(eye)}, .max_level = 28}.leaves()));
    for (const TreeMode mode : {TreeMode::windows, TreeMode::levels, TreeMode::one_group}) {
        const HostTree same = frame(
            {.camera = camera_at(eye), .max_level = 28, .mode = mode, .keys = TreeKeys::wide});
        EXPECT_TRUE(same.set() == tree.set()) << static_cast<int>(mode);
    }
}

} // namespace
} // namespace tuff
