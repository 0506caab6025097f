#include "tests/gpu/terrain/terrain_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <vector>

// Numbers are those of the checks of the chapter on quadtrees, in their order.
namespace tuff {
namespace {

using passes::BuildQuadTree;
using passes::QuadTree;
using passes::TreeKeys;
using passes::TreeMode;
using passes::TreeStatus;

class QuadTreeTest : public TerrainTest {
  protected:
    /// Nodes of only one of both trees, apart from those that rounding may decide about.
    static std::size_t unexplained(const std::set<TreeNode>& found, const TrueTree& truth) {
        const std::set<TreeNode> expected = truth.leaves();
        std::size_t count = 0;
        const auto compare = [&](const std::set<TreeNode>& a, const std::set<TreeNode>& b) {
            for (const TreeNode& leaf : a) {
                if (b.contains(leaf)) continue;
                bool close = truth.is_close(leaf);
                for (TreeNode above = leaf; above.level > 0 && !close;) {
                    above = passes::parent_of(above);
                    close = truth.is_close(above);
                }
                count += !close;
            }
        };
        compare(found, expected);
        compare(expected, found);
        return count;
    }
};

// 1: codec.
TEST_F(QuadTreeTest, KeysAreNodesExhaustivelyUpToLevelEightAndAtRandomUpToTheDeepest) {
    std::mt19937 random(3);
    const auto expect_codec = [](const TreeNode& node, bool narrow) {
        if (narrow) {
            ASSERT_EQ(passes::node_of_narrow(passes::narrow_key(node)), node);
        }
        ASSERT_EQ(passes::node_of_wide(passes::wide_key(node)), node);
        std::uint32_t upper_left = 0;
        for (std::uint32_t q = 0; q < 4 && node.level < passes::kMaxWideLevel; ++q) {
            const TreeNode child = passes::child_of(node, q);
            ASSERT_EQ(passes::parent_of(child), node);
            ASSERT_EQ(passes::quadrant_of(child), q);
            upper_left += passes::quadrant_of(child) == 0;
        }
        ASSERT_EQ(upper_left, node.level < passes::kMaxWideLevel ? 1u : 0u);
    };
    for (std::uint32_t level = 0; level <= 8; ++level)
        for (std::uint32_t y = 0; y < 1u << level; ++y)
            for (std::uint32_t x = 0; x < 1u << level; ++x)
                expect_codec({level, 0, x, y}, true);
    for (int i = 0; i < 20000; ++i) {
        const std::uint32_t level = 9 + static_cast<std::uint32_t>(random() % 20);
        const std::uint32_t mask = (1u << level) - 1;
        const bool narrow = level <= passes::kMaxNarrowLevel;
        expect_codec({level, narrow ? 0 : static_cast<std::uint32_t>(random() % 8),
                      static_cast<std::uint32_t>(random()) & mask,
                      static_cast<std::uint32_t>(random()) & mask},
                     narrow);
    }
}

// 2 and 3: partition and the converged tree. All modes, both keys, 60 cameras.
TEST_F(QuadTreeTest, TreesFromNothingAreThoseOfDoublePrecision) {
    std::mt19937 random(1);
    std::array<std::size_t, 4> compared{};
    for (int i = 0; i < 60; ++i) {
        const double fov = std::array{45.0, 60.0, 90.0, 110.0}[static_cast<std::size_t>(i) % 4];
        const auto mode = static_cast<TreeMode>(i % 4);
        const bool wide = i % 3 == 0;
        const std::uint32_t level =
            std::array{6u, 9u, 14u, wide ? 24u : 12u}[static_cast<std::size_t>(i / 4) % 4];
        const float side = i % 5 == 0 ? 4096.0f : 1.0f;
        const glm::vec3 eye = random_eye(random, side);
        const BuildQuadTree pass{.camera = camera_at(eye, fov),
                                 .max_level = level,
                                 .mode = mode,
                                 .keys = wide ? TreeKeys::wide : TreeKeys::narrow};
        const HostTree tree = frame(pass, side);
        const std::string what =
            fmt::format("camera {}, mode {}, level {}", i, static_cast<int>(mode), level);
        expect_partition(tree.leaves, 1, what);
        const TrueTree truth{
            .eyes = {glm::dvec3(eye)}, .fov = fov, .side = side, .max_level = level};
        EXPECT_EQ(unexplained(tree.set(), truth), 0u) << what;
        EXPECT_EQ(tree.status.refused, 0u) << what;
        compared[static_cast<std::size_t>(mode)] += tree.leaves.size();
    }
    for (const std::size_t leaves : compared)
        EXPECT_GT(leaves, 4000u);
}

// 4: neighbours differ by one level, and the masks are those of the tree.
TEST_F(QuadTreeTest, NeighboursDifferByOneLevelAndEdgesSayWhichAreCoarser) {
    std::mt19937 random(2);
    for (int i = 0; i < 24; ++i) {
        const double fov = std::array{40.0, 60.0, 100.0, 120.0}[static_cast<std::size_t>(i) % 4];
        const HostTree tree = frame({.camera = camera_at(random_eye(random), fov),
                                     .max_level = 11,
                                     .mode = static_cast<TreeMode>(1 + i % 4)});
        const std::set<TreeNode> all = tree.set();
        std::size_t wrong = 0;
        std::uint32_t most = 0;
        for (std::size_t leaf = 0; leaf < tree.leaves.size(); ++leaf)
            for (std::uint32_t side = 0; side < 4; ++side) {
                const std::uint32_t steps = coarser_beyond(all, tree.leaves[leaf], side);
                wrong += steps != (tree.edges[leaf] >> (4 * side) & 15);
                most = std::max(most, steps);
            }
        EXPECT_EQ(wrong, 0u) << "camera " << i;
        EXPECT_LE(most, 1u) << "camera " << i;
    }
}

// 7: projected size, exactly but for 1e-5.
TEST_F(QuadTreeTest, LeavesLookAsLargeAsAnEighthOfThePictureOrHalfOfThat) {
    std::mt19937 random(5);
    for (int i = 0; i < 12; ++i) {
        const glm::vec3 eye = random_eye(random);
        const HostTree tree = frame({.camera = camera_at(eye), .max_level = 13});
        const TrueTree truth{.eyes = {glm::dvec3(eye)}, .max_level = 13};
        std::size_t wrong = 0;
        for (const TreeNode& leaf : tree.leaves) {
            const glm::dvec3 at(eye);
            const double own = truth.extent_at(truth.distance_of(leaf, at));
            if (leaf.level < 13) wrong += truth.k * truth.size_of(leaf) > own * (1.0 + 1e-5);
            const TreeNode above = passes::parent_of(leaf);
            const double of_parent = truth.extent_at(truth.distance_of(above, at));
            if (leaf.level > 0) wrong += truth.k * truth.size_of(above) < of_parent * (1.0 - 1e-5);
        }
        EXPECT_EQ(wrong, 0u) << "camera " << i;
    }
}

TEST_F(QuadTreeTest, SeveralEyesWantTheUnionOfTheirTreesInAllModes) {
    std::mt19937 random(8);
    for (int i = 0; i < 8; ++i) {
        std::vector<glm::vec4> further;
        TrueTree truth{.max_level = 10};
        const glm::vec3 eye = random_eye(random);
        truth.eyes.push_back(glm::dvec3(eye));
        for (int e = 0; e < 3 + i; ++e) {
            further.emplace_back(random_eye(random), 0.0f);
            truth.eyes.push_back(glm::dvec3(further.back()));
        }
        Graph g = graph();
        const Buffer eyes =
            g.constant_buffer("further", {.size = further.size() * sizeof(glm::vec4)},
                              testing_gpu::bytes_of(further));
        const QuadTree tree = g.add(BuildQuadTree{.surface = flat(g),
                                                  .eyes = eyes,
                                                  .camera = camera_at(eye),
                                                  .max_level = 10,
                                                  .mode = static_cast<TreeMode>(1 + i % 3)})
                                  .tree;
        output_tree(g, tree);
        const HostTree found = frame(std::move(g), TreeKeys::narrow);
        expect_partition(found.leaves, 1, fmt::format("case {}", i));
        EXPECT_EQ(unexplained(found.set(), truth), 0u) << i;
    }
}

TEST_F(QuadTreeTest, ATreeWithoutRoomIsStillAPartitionAndSaysSo) {
    for (const TreeMode mode : {TreeMode::one_group, TreeMode::levels, TreeMode::incremental})
        for (const std::uint32_t room : {1u, 3u, 4u, 100u, 1000u}) {
            runner().begin_again();
            const BuildQuadTree pass{.camera = camera_at({0.1f, 0.001f, 0.2f}),
                                     .mode = mode,
                                     .iterations = 16,
                                     .capacity = room};
            const HostTree tree = frame(pass);
            expect_partition(tree.leaves, 1, fmt::format("room {}", room));
            EXPECT_LE(tree.leaves.size(), room);
            EXPECT_GT(tree.leaves.size() + 3, room) << "there was room for more";
            EXPECT_GT(tree.status.refused, 0u);
            ASSERT_EQ(tree.status.warnings().size(), 1u);
            EXPECT_EQ(tree.status.warnings().front().code, "terrain/full-tree");
            EXPECT_EQ(tree.status.warnings().front().message,
                      fmt::format("{} nodes were not divided, because the tree has {} leaves and "
                                  "no capacity for more",
                                  tree.status.refused, tree.leaves.size()));
        }
}

// More leaves than a group of 65,535 lanes or one row of sums holds; the levels go to the second
// chunk, and one group to nodes outside its shared memory.
TEST_F(QuadTreeTest, LargeTreesAreTheSameInAllModes) {
    std::set<TreeNode> first;
    for (const TreeMode mode : {TreeMode::windows, TreeMode::levels, TreeMode::one_group}) {
        const HostTree tree = frame(
            {.camera = camera_at({0.1f, 0.02f, 0.2f}), .k = 48.0f, .max_level = 10, .mode = mode});
        EXPECT_GT(tree.leaves.size(), 50000u);
        if (first.empty()) first = tree.set();
        EXPECT_TRUE(tree.set() == first) << static_cast<int>(mode);
        expect_partition(tree.leaves, 1, "large");
    }
}

TEST_F(QuadTreeTest, EyesOnACentreUnderTheGroundAndFarAwayHaveTrees) {
    const auto expect_tree = [&](glm::vec3 eye) {
        const HostTree tree = frame({.camera = camera_at(eye), .max_level = 14});
        expect_partition(tree.leaves, 1, fmt::format("{}, {}, {}", eye.x, eye.y, eye.z));
        EXPECT_EQ(unexplained(tree.set(), {.eyes = {glm::dvec3(eye)}}), 0u);
        return tree.leaves.size();
    };
    // On the centre of a cell of the last level but one: z = 0, which divides.
    const float centre = (8191.5f + 0.25f) / 16384.0f;
    EXPECT_GT(expect_tree({centre - 0.5f + 0.25f / 16384.0f, 0.0f, 0.0f}), 1000u);
    EXPECT_GT(expect_tree({0.0f, 0.0f, 0.0f}), 1000u);
    EXPECT_GT(expect_tree({0.2f, -0.01f, 0.0f}), 1000u); // under the ground
    EXPECT_EQ(expect_tree({0.0f, 1e6f, 0.0f}), 1u);
    EXPECT_EQ(expect_tree({-1e12f, 1.0f, 3.0f}), 1u);
    EXPECT_GT(expect_tree({0.9f, 0.1f, 0.9f}), 10u); // beyond the edge
}

TEST_F(QuadTreeTest, EyesWithoutAPlaceCountWhereTheyWereAndAreTold) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinite = std::numeric_limits<float>::infinity();
    const auto with_eye = [&](glm::vec4 eye) {
        Graph g = graph();
        const Buffer eyes = g.upload(g.buffer("further", {.size = sizeof(glm::vec4)}),
                                     testing_gpu::bytes_of(std::vector<glm::vec4>{eye}));
        output_tree(g, g.add(BuildQuadTree{.surface = flat(g),
                                           .eyes = eyes,
                                           .camera = camera_at({0.0f, 1e5f, 0.0f}),
                                           .max_level = 8})
                           .tree);
        return frame(std::move(g), TreeKeys::narrow).set();
    };
    EXPECT_EQ(with_eye({nan, 0.0f, 0.0f, 0.0f}).size(), 1u); // there never was one
    const std::set<TreeNode> first = with_eye({0.1f, 0.01f, 0.3f, 0.0f});
    EXPECT_GT(first.size(), 100u);
    EXPECT_TRUE(with_eye({0.1f, infinite, 0.3f, 0.0f}) == first);
    EXPECT_TRUE(with_eye({nan, nan, nan, nan}) == first);
    const auto warnings = runner().executor()->warnings();
    ASSERT_TRUE(warnings);
    ASSERT_EQ(warnings->size(), 1u);
    EXPECT_EQ(warnings->front().code, "terrain/lost-eye");
    EXPECT_FALSE(with_eye({-0.2f, 0.01f, 0.3f, 0.0f}) == first);
}

TEST_F(QuadTreeTest, WhatCannotBeIsRefusedAndSmallKIsRaised) {
    const auto code_of = [&](BuildQuadTree pass) {
        Graph g = graph();
        pass.surface = flat(g);
        g.add(pass);
        const Diagnostics& all = g.peek().diagnostics;
        return all.empty() ? std::string() : all.front().code;
    };
    const passes::CameraParameters camera = camera_at({0.0f, 0.1f, 0.0f});
    EXPECT_EQ(code_of({.camera = camera, .max_level = 15}), "terrain/too-deep");
    EXPECT_EQ(code_of({.camera = camera, .max_level = 15, .keys = TreeKeys::wide}), "");
    EXPECT_EQ(code_of({.camera = camera, .max_level = 29, .keys = TreeKeys::wide}),
              "pass/out-of-range");
    EXPECT_EQ(code_of({.camera = camera, .mode = TreeMode::windows, .capacity = 100}),
              "terrain/no-windows");
    EXPECT_EQ(
        code_of(
            {.camera = camera, .mode = TreeMode::incremental, .drop = passes::TreeDrop::outside}),
        "terrain/cannot-drop");
    EXPECT_EQ(code_of({.camera = camera_at({0.0f, 0.1f, 0.0f}, 150.0)}), "terrain/small-k");
    const HostTree tree = frame({.camera = camera_at({0.0f, 0.1f, 0.0f}, 150.0), .max_level = 9});
    expect_partition(tree.leaves, 1, "small k");
    const std::set<TreeNode> all = tree.set();
    for (const TreeNode& leaf : tree.leaves)
        for (std::uint32_t side = 0; side < 4; ++side)
            ASSERT_LE(coarser_beyond(all, leaf, side), 1u);
    passes::CameraParameters nowhere = camera;
    nowhere.position.y = std::numeric_limits<float>::quiet_NaN();
    EXPECT_NE(code_of({.camera = nowhere}), "");
}

// The number of leaves is bounded by what windows and capacities rely on.
TEST_F(QuadTreeTest, NoTreeHasMoreLeavesThanTheBoundSays) {
    std::mt19937 random(11);
    for (int i = 0; i < 200; ++i) {
        const double fov = 30.0 + 0.5 * i;
        TrueTree truth{.eyes = {glm::dvec3(random_eye(random))}, .fov = fov, .max_level = 9};
        const double reach = truth.k / truth.extent_at(1.0);
        EXPECT_LE(truth.leaves().size(), passes::most_leaves(reach, 9, 1)) << i;
    }
}

} // namespace
} // namespace tuff
