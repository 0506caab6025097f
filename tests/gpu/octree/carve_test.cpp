#include "tests/gpu/octree/octree_test.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

/// Rays from the camera: what they go through becomes free, and is given back.
namespace tuff {
namespace {

using passes::FuseOctree;
using passes::OctreeCounting;
using passes::OctreePoint;
using passes::OctreeShape;
using testing_gpu::HostBox;
using testing_gpu::HostKey;
using testing_gpu::HostNode;
using testing_gpu::HostNodes;
using testing_gpu::HostPoints;
using testing_gpu::OctreeReference;
using testing_gpu::ReadTree;
using testing_gpu::rgba;
using testing_gpu::Running;

using OctreeCarving = testing_gpu::OctreeTest;

/// How long a ray from `eye` to `end` is in a box, in its edges; below 0 by how much it misses it.
double length_within(const HostBox& box, glm::dvec3 eye, glm::dvec3 end) {
    const glm::dvec3 way = end - eye;
    double enter = 0.0;
    double leave = 1.0;
    for (int axis = 0; axis < 3; ++axis) {
        if (way[axis] == 0.0) {
            if (eye[axis] < box.low[axis] || eye[axis] > box.low[axis] + box.edge) return -1e9;
            continue;
        }
        const double a = (box.low[axis] - eye[axis]) / way[axis];
        const double b = (box.low[axis] + box.edge - eye[axis]) / way[axis];
        enter = std::max(enter, std::min(a, b));
        leave = std::min(leave, std::max(a, b));
    }
    return (leave - enter) * glm::length(way) / box.edge;
}

/// Rays that go through a node: surely, and perhaps, for they only touch it.
struct Crossings {
    std::uint32_t least = 0;
    std::uint32_t most = 0;
};

/// By trying each ray with each node at `level` or childless above it.
std::map<HostKey, Crossings> crossings(const FuseOctree& pass, const HostNodes& nodes,
                                       const HostPoints& points, std::uint32_t level) {
    std::map<HostKey, Crossings> all;
    constexpr double kTouch = 1e-3; // of an edge; floats are exact to 1e-5 of a leaf here
    for (const auto& [key, node] : nodes) {
        const std::uint32_t own = testing_gpu::level_of(key);
        if (own > level || (own < level && node.has_children)) continue;
        const HostBox box = testing_gpu::box_of(pass.tree, key);
        Crossings found;
        for (const OctreePoint& point : points) {
            glm::dvec3 end(point.position);
            const glm::dvec3 eye(pass.eye);
            const double range = glm::length(end - eye);
            if (pass.max_range > 0.0f && range > double{pass.max_range})
                end = eye + (end - eye) * (double{pass.max_range} / range);
            const auto at = testing_gpu::key_by_halves(pass.tree, glm::vec3(end));
            if (at && *at >> 3 * (pass.tree.depth - own) == key) continue;
            const double length = length_within(box, eye, end);
            if (length > kTouch) ++found.least;
            if (length > -kTouch) ++found.most;
        }
        if (found.most > 0) all[key] = found;
    }
    return all;
}

HostPoints wall(std::size_t side, float z, std::uint32_t color) {
    HostPoints points;
    for (std::size_t y = 0; y < side; ++y)
        for (std::size_t x = 0; x < side; ++x) {
            const auto at = [&](std::size_t i) {
                return -0.83f + 1.66f * (static_cast<float>(i) + 0.37f) / static_cast<float>(side);
            };
            points.push_back({{at(x), at(y), z}, color});
        }
    return points;
}

TEST_F(OctreeCarving, MissesAreTheRaysThroughEachNode) {
    for (const bool frames : {false, true})
        for (const std::uint32_t levels : {0u, 1u, 2u})
            for (const float range : {0.0f, 1.1f}) {
                FuseOctree pass{.tree = {.depth = 5, .nodes = 1u << 15},
                                .counting =
                                    frames ? OctreeCounting::frames : OctreeCounting::points,
                                .prune = false};
                pass.eye = {0.131f, 0.077f, -0.92f};
                // A near wall with few points, then a far one with many rays and a few beyond the
                // root, or without a hit.
                HostPoints first = wall(24, -0.2f, rgba(200, 90, 30));
                HostPoints second = wall(24, 0.71f, rgba(30, 90, 200));
                second.push_back({{0.3f, 0.2f, 4.0f}, rgba(1, 2, 3)});
                second.push_back({{-0.4f, 0.5f, 0.5f}, rgba(1, 2, 3, 0)});
                second.push_back({pass.eye, rgba(1, 2, 3)});
                Graph g = graph();
                FuseOctree begin = pass;
                begin.points = points(g, "first", first);
                FuseOctree carving = pass;
                carving.carve = true;
                carving.carve_levels = levels;
                carving.max_range = range;
                carving.points = points(g, "second", second);
                carving.before = g.add(begin, "begin").octree;
                output(g, "tree", g.add(carving, "carving").octree);
                Running running = run(std::move(g));
                if (!running) return;
                const ReadTree got = read(running, "tree", pass.tree);
                // What it would be without rays.
                OctreeReference reference(pass);
                reference.update(first);
                HostPoints hits = second;
                std::erase_if(hits, [&](const OctreePoint& p) {
                    return range > 0.0f && glm::distance(p.position, pass.eye) > range;
                });
                reference.update(hits);
                const std::uint32_t level = pass.tree.depth - levels;
                std::map<HostKey, bool> hit_above;
                for (const OctreePoint& point : hits)
                    if (const auto key = testing_gpu::key_by_halves(pass.tree, point.position);
                        key && point.color >> 24 != 0)
                        hit_above[*key >> 3 * levels] = true;
                const auto rays = crossings(carving, reference.nodes(), second, level);
                std::size_t changed = 0;
                ASSERT_EQ(got.nodes.size(), reference.nodes().size());
                for (const auto& [key, node] : reference.nodes()) {
                    if (node.has_children) continue;
                    HostKey above = key;
                    while (testing_gpu::level_of(above) > level)
                        above >>= 3;
                    const auto through = rays.find(above);
                    const bool wins = hit_above.contains(above);
                    Crossings own;
                    if (through != rays.end() && !wins) own = through->second;
                    if (frames) own = {std::min(own.least, 1u), std::min(own.most, 1u)};
                    const int alpha = static_cast<int>(node.value >> 24);
                    const int found = static_cast<int>(got.nodes.at(key).value >> 24);
                    const int loss = static_cast<int>(pass.miss);
                    ASSERT_LE(found, std::max(0, alpha - loss * static_cast<int>(own.least)))
                        << key;
                    ASSERT_GE(found, std::max(0, alpha - loss * static_cast<int>(own.most))) << key;
                    changed += found != alpha;
                }
                EXPECT_GT(changed, 100u);
                EXPECT_EQ(got.status.cut_rays, 0u);
            }
}

TEST_F(OctreeCarving, RaysAlongAnAxisMissExactlyTheNodesOnTheirWay) {
    FuseOctree pass{
        .tree = {.depth = 4, .nodes = 1u << 14}, .counting = OctreeCounting::frames, .carve = true};
    pass.eye = {0.03f, 0.03f, -0.97f};
    const HostPoints frame{{{0.03f, 0.03f, 0.97f}, rgba(10, 20, 30)}};
    const std::vector<ReadTree> got = fused(pass, {frame, frame, frame});
    ASSERT_EQ(got.size(), 3u);
    OctreeReference reference(pass);
    for (std::size_t i = 0; i < 3; ++i) {
        OctreeReference grown = reference;
        grown.update(frame);
        std::map<HostKey, std::uint32_t> misses;
        for (const auto& [key, crossing] : crossings(pass, grown.nodes(), frame, pass.tree.depth))
            misses[key] = crossing.least;
        reference.update(frame, misses);
        EXPECT_EQ(difference(got[i].nodes, reference.nodes(), 1), "") << i;
    }
}

TEST_F(OctreeCarving, WhatWasRemovedIsFreeAfterEnoughFramesAndItsBlocksComeBack) {
    FuseOctree pass{.tree = {.depth = 5, .nodes = 1u << 14},
                    .counting = OctreeCounting::frames,
                    .carve = true,
                    .free_below = 0};
    pass.eye = {0.01f, 0.02f, -0.95f};
    // A small plate before a wall that is seen with it and, after 70 frames, without.
    const HostPoints behind = wall(48, 0.8f, rgba(60, 160, 60));
    HostPoints with_plate = behind; // seen through it: hits win
    HostPoints plate;
    for (int y = -10; y <= 10; ++y)
        for (int x = -10; x <= 10; ++x)
            plate.push_back({{0.0125f * static_cast<float>(x) + 0.003f,
                              0.0125f * static_cast<float>(y) + 0.003f, -0.11f},
                             rgba(220, 40, 40)});
    with_plate.insert(with_plate.end(), plate.begin(), plate.end());
    constexpr std::uint32_t kWith = 70;
    constexpr std::uint32_t kWithout = 128;
    const auto occupied_plate = [&](const ReadTree& tree) {
        std::size_t count = 0;
        for (const auto& [key, node] : tree.nodes) {
            const HostBox box = testing_gpu::box_of(pass.tree, key);
            count += !node.has_children && node.value >> 24 > 127 && box.low.z < 0.0 &&
                     std::abs(box.low.x) < 0.5 && std::abs(box.low.y) < 0.5;
        }
        return count;
    };
    Graph g = graph();
    FuseOctree frame = pass;
    frame.points = points(g, "with", with_plate);
    passes::Octree tree;
    for (std::uint32_t i = 0; i < kWith; ++i) {
        frame.before = tree;
        tree = g.add(frame, "with" + std::to_string(i)).octree;
    }
    output(g, "first", tree);
    frame.points = points(g, "without", behind);
    for (std::uint32_t i = 0; i < kWithout; ++i) {
        frame.before = tree;
        tree = g.add(frame, "without" + std::to_string(i)).octree;
    }
    output(g, "last", tree);
    Running running = run(std::move(g));
    if (!running) return;
    const ReadTree first = read(running, "first", pass.tree);
    const ReadTree last = read(running, "last", pass.tree);
    EXPECT_GT(occupied_plate(first), 15u);
    EXPECT_EQ(occupied_plate(last), 0u);
    EXPECT_GT(last.status.free, 0u);
    EXPECT_LT(last.status.nodes(), first.status.nodes());
    EXPECT_EQ(last.status.blocks, first.status.blocks);
}

TEST_F(OctreeCarving, BlocksOfTheFreeListAreTakenBeforeNewOnes) {
    FuseOctree pass{.tree = {.depth = 6, .nodes = 1u << 14},
                    .counting = OctreeCounting::frames,
                    .miss = 255,
                    .carve = true,
                    .free_below = 127};
    pass.eye = {0.01f, 0.02f, -0.95f};
    const HostPoints near = wall(20, -0.3f, rgba(1, 2, 3));
    const HostPoints far = wall(60, 0.9f, rgba(4, 5, 6));
    const std::vector<ReadTree> got = fused(pass, {near, far, near, far, near, far});
    ASSERT_EQ(got.size(), 6u);
    EXPECT_GT(got[1].status.freed, 0u);
    EXPECT_GT(got[2].status.wanted, 0u);
    // Each round frees what the next one takes, so the pool stops growing.
    EXPECT_EQ(got[3].status.blocks, got[5].status.blocks);
    EXPECT_GT(got[3].status.free, 0u);
}

TEST_F(OctreeCarving, HitsAndMissesInTurnsLeaveTheUnknownAndSixtyFourMissesEmptyIt) {
    FuseOctree pass{.tree = {.depth = 3, .nodes = 512}, .carve = true, .prune = false};
    pass.eye = {0.06f, 0.07f, -0.9f};
    const glm::vec3 place{0.06f, 0.07f, 0.1f};
    const HostPoints hit{{place, rgba(1, 2, 3)}};
    const HostPoints beyond{{{0.06f, 0.07f, 0.9f}, rgba(1, 2, 3)}};
    std::vector<HostPoints> frames;
    for (int i = 0; i < 6; ++i) {
        frames.push_back(hit);
        frames.push_back(beyond);
    }
    for (int i = 0; i < 66; ++i)
        frames.push_back(beyond);
    const std::vector<ReadTree> got = fused(pass, frames);
    ASSERT_EQ(got.size(), frames.size());
    const HostKey leaf = *testing_gpu::key_by_halves(pass.tree, place);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const std::size_t misses = i < 12 ? 0 : i - 11;
        const std::size_t expected =
            i < 12 ? (i % 2 == 0 ? 129 : 127) : 127 - std::min<std::size_t>(127, 2 * misses);
        EXPECT_EQ(got[i].nodes.at(leaf).value >> 24, expected) << i;
    }
}

TEST_F(OctreeCarving, APoseOnTheDeviceIsWhereRaysBegin) {
    FuseOctree pass{.tree = {.depth = 5, .nodes = 1u << 14}, .carve = true, .prune = false};
    pass.eye = {0.131f, 0.077f, -0.92f};
    pass.max_range = 1.75f;
    Graph g = graph();
    FuseOctree by_eye = pass;
    by_eye.points = points(g, "points", wall(20, 0.71f, rgba(30, 90, 200)));
    FuseOctree by_pose = by_eye;
    by_pose.eye = glm::vec3(5.0f);
    std::vector<float> columns(16, 0.0f);
    for (int axis = 0; axis < 3; ++axis) {
        columns[static_cast<std::size_t>(5 * axis)] = 1.0f;
        columns[static_cast<std::size_t>(12 + axis)] = pass.eye[axis];
    }
    columns[15] = 1.0f;
    by_pose.pose =
        g.constant_buffer("pose", {.size = 64, .stride = 16}, testing_gpu::bytes_of(columns));
    for (FuseOctree* one : {&by_eye, &by_pose}) {
        const std::string name = one == &by_eye ? "eye" : "pose";
        FuseOctree again = *one;
        again.before = g.add(*one, name + "_first").octree;
        output(g, name, g.add(again, name).octree);
    }
    Running running = run(std::move(g));
    if (!running) return;
    const ReadTree eye = read(running, "eye", pass.tree);
    const ReadTree pose = read(running, "pose", pass.tree);
    EXPECT_EQ(difference(eye.nodes, pose.nodes), "");
    EXPECT_GT(eye.status.leaves, 25u);
    EXPECT_GT(eye.status.outside, 20u); // beyond the range
    EXPECT_EQ(eye.status.leaves, pose.status.leaves);
    EXPECT_EQ(eye.status.outside, pose.status.outside);
}

TEST_F(OctreeCarving, NoPointsLeaveTheTreeAsItIs) {
    FuseOctree pass{.tree = {.depth = 5, .nodes = 1u << 14}, .carve = true};
    pass.eye = {0.1f, 0.1f, -0.9f};
    Graph g = graph();
    pass.points = points(g, "points", wall(20, 0.5f, rgba(30, 90, 200)));
    FuseOctree lost = pass;
    lost.count = g.constant_buffer("count", {.size = 4, .stride = 4},
                                   testing_gpu::bytes_of(std::vector<std::uint32_t>{0}));
    const passes::Octree first = g.add(pass, "first").octree;
    output(g, "before", first);
    lost.before = first;
    output(g, "after", g.add(lost, "lost").octree);
    Running running = run(std::move(g));
    if (!running) return;
    const ReadTree before = read(running, "before", pass.tree);
    const ReadTree after = read(running, "after", pass.tree);
    EXPECT_EQ(difference(after.nodes, before.nodes), "");
    EXPECT_EQ(after.status.leaves, 0u);
    EXPECT_EQ(after.status.root, before.status.root);
}

} // namespace
} // namespace tuff
