#include "passes/octree/keys.hpp"
#include "tests/gpu/octree/octree_test.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

/// Keys, nodes and values after updates, against a map on the host.
namespace tuff {
namespace {

using passes::FuseOctree;
using passes::Octree;
using passes::OctreeBlend;
using passes::OctreeCounting;
using passes::OctreeGrowth;
using passes::OctreeKeys;
using passes::OctreePoint;
using passes::OctreeShape;
using testing_gpu::bytes_of;
using testing_gpu::HostKey;
using testing_gpu::HostNode;
using testing_gpu::HostNodes;
using testing_gpu::HostPoints;
using testing_gpu::OctreeReference;
using testing_gpu::ReadTree;
using testing_gpu::rgba;
using testing_gpu::Running;

using OctreeStructure = testing_gpu::OctreeTest;

/// Points on a sphere, with noise; some outside the root.
HostPoints noisy_sphere(std::size_t count, float radius, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    HostPoints points;
    for (std::size_t i = 0; i < count; ++i) {
        glm::vec3 p(normal(random), normal(random), normal(random));
        p *= radius * (1.0f + 0.02f * normal(random)) / std::hypot(std::hypot(p.x, p.y), p.z);
        points.push_back({p, rgba(random() % 256, random() % 256, random() % 256)});
    }
    return points;
}

HostPoints random_points(std::size_t count, float reach, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> number(-reach, reach);
    HostPoints points;
    for (std::size_t i = 0; i < count; ++i)
        points.push_back({{number(random), number(random), number(random)},
                          rgba(random() % 256, random() % 256, random() % 256)});
    return points;
}

TEST_F(OctreeStructure, KeysAreOfTheCellsThatPointsAreInAtEveryDepth) {
    // Center and half length are powers of two, so that halving boxes in double is exact.
    HostPoints points = random_points(50'000, 2.2f, 1);
    for (const float edge :
         {-2.0f, 0.0f, -0.0f, 1.0f, 2.0f, 1e-30f, -1e-30f, std::nextafter(2.0f, 0.0f)})
        points.push_back({{edge, edge, -edge}, rgba(1, 2, 3)});
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    for (const glm::vec3 bad :
         {glm::vec3(nan, 0, 0), glm::vec3(0, infinity, 0), glm::vec3(0, 0, -infinity)})
        points.push_back({bad, rgba(1, 2, 3)});
    Graph g = graph();
    const Buffer given = OctreeStructure::points(g, "points", points);
    for (std::uint32_t depth = 1; depth <= passes::kMaxOctreeDepth; ++depth)
        g.output(std::to_string(depth),
                 g.add(OctreeKeys{.points = given, .tree = {.half = 2.0f, .depth = depth}},
                       "depth" + std::to_string(depth))
                     .keys);
    Running running = run(std::move(g));
    if (!running) return;
    for (std::uint32_t depth = 1; depth <= passes::kMaxOctreeDepth; ++depth) {
        const OctreeShape shape{.half = 2.0f, .depth = depth};
        const auto words = running.buffer<std::uint32_t>(std::to_string(depth));
        ASSERT_EQ(words.size(), points.size() * shape.key_words());
        for (std::size_t i = 0; i < points.size(); ++i) {
            const HostKey key = shape.key_words() == 1
                                    ? HostKey{words[i]}
                                    : words[2 * i] | HostKey{words[2 * i + 1]} << 32;
            const auto expected = testing_gpu::key_by_halves(shape, points[i].position);
            ASSERT_EQ(key, expected.value_or(0)) << depth << ", point " << i;
            if (!expected) continue;
            ASSERT_EQ(testing_gpu::level_of(key), depth);
            const testing_gpu::HostBox box = testing_gpu::box_of(shape, key);
            for (int axis = 0; axis < 3; ++axis) {
                ASSERT_GE(double{points[i].position[axis]}, box.low[axis]);
                ASSERT_LT(double{points[i].position[axis]}, box.low[axis] + box.edge);
            }
        }
    }
    EXPECT_EQ(testing_gpu::level_of(0b1001010111), 3u);
}

/// Frames of the same sphere, the last one elsewhere.
std::vector<HostPoints> sphere_frames(std::size_t frames, std::size_t points) {
    std::vector<HostPoints> all;
    for (std::size_t i = 0; i < frames; ++i)
        all.push_back(noisy_sphere(points, i + 1 < frames ? 0.7f : 0.99f,
                                   static_cast<std::uint32_t>(i + 10)));
    return all;
}

TEST_F(OctreeStructure, NodesAndValuesAreThoseOfAMapAfterEveryFrame) {
    struct One {
        std::uint32_t depth;
        std::size_t points;
        OctreeCounting counting;
        OctreeBlend blend;
        OctreeGrowth growth = OctreeGrowth::at_once;
    };
    for (const One& one :
         {One{5, 3072, OctreeCounting::points, OctreeBlend::fine},
          One{5, 3072, OctreeCounting::frames, OctreeBlend::printed},
          One{1, 300, OctreeCounting::frames, OctreeBlend::fine},
          One{5, 3072, OctreeCounting::points, OctreeBlend::fine, OctreeGrowth::levels},
          One{1, 300, OctreeCounting::points, OctreeBlend::fine, OctreeGrowth::levels},
          One{12, 200, OctreeCounting::points, OctreeBlend::printed, OctreeGrowth::levels},
          One{10, 1000, OctreeCounting::points, OctreeBlend::fine},
          One{15, 100, OctreeCounting::points, OctreeBlend::fine},
          One{21, 257, OctreeCounting::frames, OctreeBlend::printed}}) {
        FuseOctree pass{.tree = {.depth = one.depth, .nodes = 1u << 19},
                        .counting = one.counting,
                        .blend = one.blend,
                        .growth = one.growth};
        const std::vector<HostPoints> frames = sphere_frames(8, one.points);
        const std::vector<ReadTree> got = fused(pass, frames);
        ASSERT_EQ(got.size(), frames.size());
        OctreeReference reference(pass);
        for (std::size_t i = 0; i < frames.size(); ++i) {
            reference.update(frames[i]);
            // Fine colours may round to the other side of a half: 18 bits against a double. Means
            // of eight such are as near.
            const int tolerance = one.blend == OctreeBlend::fine ? 1 : 0;
            EXPECT_EQ(difference(got[i].nodes, reference.nodes(), tolerance), "")
                << one.depth << ", frame " << i;
            EXPECT_EQ(got[i].status.leaves, reference.leaves());
            EXPECT_EQ(got[i].status.outside, reference.outside());
            EXPECT_EQ(got[i].status.root >> 24, reference.root() >> 24);
            EXPECT_EQ(got[i].status.frames, i + 1);
            EXPECT_EQ(got[i].status.no_room, 0u);
            EXPECT_EQ(got[i].status.lost, 0u);
        }
        // Eight nodes for each node above the leaves.
        std::set<HostKey> inner;
        for (const HostPoints& frame : frames)
            for (const OctreePoint& point : frame)
                if (const auto key = testing_gpu::key_by_halves(pass.tree, point.position))
                    for (HostKey above = *key >> 3; above != 0; above >>= 3)
                        inner.insert(above);
        EXPECT_EQ(got.back().nodes.size(), 8 * inner.size());
    }
}

TEST_F(OctreeStructure, TheOrderOfPointsMakesNoDifference) {
    const FuseOctree pass{.tree = {.depth = 7, .nodes = 1u << 17}};
    std::vector<HostPoints> frames = sphere_frames(3, 2500);
    const std::vector<ReadTree> one = fused(pass, frames);
    std::mt19937 random(5);
    for (HostPoints& frame : frames)
        std::ranges::shuffle(frame, random);
    const std::vector<ReadTree> other = fused(pass, frames);
    ASSERT_EQ(one.size(), 3u);
    ASSERT_EQ(other.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(difference(one[i].nodes, other[i].nodes), "");
        EXPECT_EQ(one[i].status.root, other[i].status.root);
    }
}

TEST_F(OctreeStructure, TheTreeLastsFromOneExecutionToTheNext) {
    FuseOctree pass{.tree = {.depth = 6, .nodes = 1u << 16}};
    const HostPoints frame = noisy_sphere(1500, 0.6f, 3);
    Graph g = graph();
    pass.points = points(g, "points", frame);
    const FuseOctree added = g.add(pass, "map");
    output(g, "tree", added.octree);
    Running running = run(std::move(g), 5);
    if (!running) return;
    OctreeReference reference(pass);
    for (int i = 0; i < 5; ++i)
        reference.update(frame);
    const ReadTree got = read(running, "tree", pass.tree);
    EXPECT_EQ(difference(got.nodes, reference.nodes(), 1), "");
    EXPECT_EQ(got.status.frames, 5u);
}

TEST_F(OctreeStructure, TwoCamerasAnExecutionUpdateOneTreeThatLasts) {
    FuseOctree pass{.tree = {.depth = 6, .nodes = 1u << 16}};
    const HostPoints left = noisy_sphere(700, 0.6f, 3);
    const HostPoints right = noisy_sphere(900, 0.4f, 5);
    Graph g = graph();
    FuseOctree first = pass;
    first.points = points(g, "left", left);
    FuseOctree second = pass;
    second.points = points(g, "right", right);
    second.before = g.add(first, "first").octree;
    output(g, "tree", g.add(second, "second").octree);
    Running running = run(std::move(g), 4);
    if (!running) return;
    OctreeReference reference(pass);
    for (int i = 0; i < 4; ++i) {
        reference.update(left);
        reference.update(right);
    }
    const ReadTree got = read(running, "tree", pass.tree);
    EXPECT_EQ(difference(got.nodes, reference.nodes(), 1), "");
    EXPECT_EQ(got.status.frames, 8u);
}

TEST_F(OctreeStructure, ResetBeginsWithAnEmptyTree) {
    const FuseOctree pass{.tree = {.depth = 6, .nodes = 1u << 16}};
    Graph g = graph();
    FuseOctree first = pass;
    first.points = points(g, "first", noisy_sphere(500, 0.6f, 3));
    FuseOctree second = pass;
    const HostPoints frame = noisy_sphere(400, 0.3f, 4);
    second.points = points(g, "second", frame);
    second.before = g.add(first, "one").octree;
    second.reset = true;
    output(g, "tree", g.add(second, "two").octree);
    Running running = run(std::move(g));
    if (!running) return;
    OctreeReference reference(pass);
    reference.update(frame);
    const ReadTree got = read(running, "tree", pass.tree);
    EXPECT_EQ(difference(got.nodes, reference.nodes(), 1), "");
    EXPECT_EQ(got.status.frames, 1u);
}

TEST_F(OctreeStructure, ManyGroupsOfPointsAndADeviceCountGiveTheSameTree) {
    // More than 2^16 points in one leaf, whose sums are exact all the same.
    HostPoints many = random_points(40'000, 0.9f, 8);
    for (std::uint32_t i = 0; i < 70'000; ++i)
        many.push_back({{0.1f, 0.2f, 0.3f}, rgba(200 + i % 3, 255, i % 2)});
    HostPoints given = many;
    for (std::size_t i = 0; i < 1000; ++i)
        given.push_back({{-0.9f, -0.9f, -0.9f}, rgba(9, 9, 9)});
    FuseOctree pass{.tree = {.depth = 6, .nodes = 1u << 18}};
    Graph g = graph();
    pass.points = points(g, "points", given);
    pass.count = g.constant_buffer(
        "count", {.size = 4, .stride = 4},
        bytes_of(std::vector<std::uint32_t>{static_cast<std::uint32_t>(many.size())}));
    output(g, "tree", g.add(pass, "map").octree);
    Running running = run(std::move(g));
    if (!running) return;
    OctreeReference reference(pass);
    reference.update(many);
    const ReadTree got = read(running, "tree", pass.tree);
    EXPECT_EQ(difference(got.nodes, reference.nodes(), 1), "");
}

TEST_F(OctreeStructure, SixtyFourHitsSaturateAndPrintedColoursBeginFromBlack) {
    const HostPoints frame{{{0.3f, 0.3f, 0.3f}, rgba(200, 200, 200)}};
    for (const OctreeBlend blend : {OctreeBlend::printed, OctreeBlend::fine}) {
        const FuseOctree pass{.tree = {.depth = 2, .nodes = 64}, .blend = blend};
        const std::vector<ReadTree> got = fused(pass, std::vector<HostPoints>(66, frame));
        ASSERT_EQ(got.size(), 66u);
        const HostKey leaf = *testing_gpu::key_by_halves(pass.tree, frame[0].position);
        std::vector<std::uint32_t> reds;
        for (std::size_t i = 0; i < got.size(); ++i) {
            const std::uint32_t value = got[i].nodes.at(leaf).value;
            EXPECT_EQ(value >> 24, std::min<std::size_t>(127 + 2 * (i + 1), 255));
            if (i < 8) reds.push_back(value & 0xff);
        }
        if (blend == OctreeBlend::printed)
            EXPECT_THAT(reds, testing::ElementsAre(100, 149, 173, 185, 192, 195, 197, 198));
        else
            EXPECT_THAT(reds, testing::Each(200u));
    }
}

TEST_F(OctreeStructure, FineColoursDoNotDriftWherePrintedOnesGoDark) {
    std::mt19937 random(2);
    std::normal_distribution<double> noise(120.0, 8.0);
    constexpr std::size_t kFrames = 250;
    for (const OctreeBlend blend : {OctreeBlend::printed, OctreeBlend::fine}) {
        Graph g = graph();
        FuseOctree pass{.tree = {.depth = 1, .nodes = 8}, .blend = blend};
        // Saturated first.
        HostPoints first(64, {glm::vec3(0.3f), rgba(120, 120, 120)});
        pass.points = points(g, "first", first);
        Octree tree = g.add(pass, "saturated").octree;
        for (std::size_t i = 0; i < kFrames; ++i) {
            const auto grey = static_cast<std::uint32_t>(std::lround(noise(random)));
            FuseOctree one = pass;
            one.points = points(g, "points" + std::to_string(i),
                                {{glm::vec3(0.3f), rgba(grey, grey, grey)}});
            one.before = tree;
            tree = g.add(one, "frame" + std::to_string(i)).octree;
        }
        output(g, "tree", tree);
        Running running = run(std::move(g));
        if (!running) return;
        const ReadTree got = read(running, "tree", pass.tree);
        const int red = static_cast<int>(got.nodes.at(8 + 7).value & 0xff);
        if (blend == OctreeBlend::fine)
            EXPECT_NEAR(red, 120, 1);
        else
            EXPECT_LT(red, 116);
    }
}

TEST_F(OctreeStructure, WhatFindsNoRoomIsCountedAndTheTreeStaysSound) {
    // 512 nodes for a tree that needs thousands.
    for (const OctreeGrowth growth : {OctreeGrowth::at_once, OctreeGrowth::levels}) {
        FuseOctree pass{.tree = {.depth = 6, .nodes = 512}, .growth = growth};
        const std::vector<HostPoints> frames(3, random_points(2000, 0.95f, 6));
        const std::vector<ReadTree> got = fused(pass, frames);
        ASSERT_EQ(got.size(), 3u);
        for (const ReadTree& tree : got) {
            EXPECT_GT(tree.status.no_room, 0u);
            EXPECT_GT(tree.status.lost, 0u);
            EXPECT_LE(tree.status.blocks, 64u);
            const auto warnings = tree.status.warnings();
            ASSERT_EQ(warnings.size(), 1u);
            EXPECT_EQ(warnings[0].code, "octree/no-room");
        }
        // What is there is right: leaves that are were hit in each frame that found them.
        OctreeReference reference(pass);
        for (const HostPoints& frame : frames)
            reference.update(frame);
        for (const auto& [key, node] : got.back().nodes)
            ASSERT_TRUE(reference.nodes().contains(key));
        EXPECT_EQ(got.back().nodes.size(), got.back().status.nodes());
    }
}

TEST_F(OctreeStructure, BadInputIsRefused) {
    Graph g = graph();
    const Buffer small = g.constant_buffer("small", {.size = 4, .stride = 4},
                                           bytes_of(std::vector<std::uint32_t>{1}));
    EXPECT_FALSE(g.add(FuseOctree{.points = small}, "short").octree);
    EXPECT_FALSE(g.add(OctreeKeys{.points = small}, "keys").keys);
    EXPECT_FALSE(g.add(FuseOctree{}, "none").octree);
    std::vector<std::string> codes;
    for (const Diagnostic& diagnostic : g.peek().diagnostics)
        codes.push_back(diagnostic.code);
    EXPECT_THAT(
        codes, testing::ElementsAre("octree/bad-points", "octree/bad-points", "graph/unconnected"));
}

} // namespace
} // namespace tuff
