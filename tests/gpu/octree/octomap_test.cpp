#include "tests/gpu/octree/octomap_frames.hpp"
#include "tests/gpu/octree/octree_test.hpp"

#include <array>

/// octree/fuse against OctoMap 1.9.7: with hits and misses that weigh the same, log-odds are counts
/// until they reach a bound. octomap_numbers.cc prints the numbers.
namespace tuff {
namespace {

using passes::FuseOctree;
using passes::Octree;
using passes::OctreeCounting;
using testing_gpu::HostKey;
using testing_gpu::HostPoints;
using testing_gpu::ReadTree;
using testing_gpu::rgba;
using testing_gpu::Running;

using OctoMapTest = testing_gpu::OctreeTest;

constexpr auto kOctomapCells = std::to_array<std::uint32_t>({
#include "tests/gpu/octree/octomap_numbers.inc"
});

HostPoints points_of(unsigned frame) {
    HostPoints points;
    for (const testing_gpu::FramePoint& p : testing_gpu::octomap_frame(frame))
        points.push_back({{p[0], p[1], p[2]}, rgba(128, 128, 128)});
    return points;
}

TEST_F(OctoMapTest, OccupancyOfLeavesIsTheirLogOddsByOctoMap) {
    FuseOctree pass{.tree = {.depth = 4, .nodes = 1u << 14},
                    .counting = OctreeCounting::frames,
                    .prune = false};
    const auto& eye = testing_gpu::kOctomapEye;
    pass.eye = {eye[0], eye[1], eye[2]};
    Graph g = graph();
    // All that is ever hit, once, so that leaves are there before rays go through them.
    HostPoints all;
    for (unsigned frame = 0; frame < testing_gpu::kOctomapFrames; ++frame)
        for (const passes::OctreePoint& point : points_of(frame))
            all.push_back(point);
    pass.points = points(g, "all", all);
    Octree tree = g.add(pass, "begin").octree;
    output(g, "begun", tree);
    pass.carve = true;
    for (unsigned frame = 0; frame < testing_gpu::kOctomapFrames; ++frame) {
        const std::string name = "frame" + std::to_string(frame);
        pass.points = points(g, name + "_points", points_of(frame));
        pass.before = tree;
        tree = g.add(pass, name).octree;
    }
    output(g, "tree", tree);
    Running running = run(std::move(g));
    if (!running) return;
    std::map<HostKey, int> by_octomap;
    for (const std::uint32_t packed : kOctomapCells) {
        HostKey key = 1;
        for (std::uint32_t bit = 4; bit-- > 0;)
            key = key << 3 | (packed >> bit & 1u) | (packed >> (bit + 4) & 1u) << 1 |
                  (packed >> (bit + 8) & 1u) << 2;
        by_octomap[key] = static_cast<int>(packed >> 16) - 128;
    }
    const ReadTree begun = read(running, "begun", pass.tree);
    const ReadTree last = read(running, "tree", pass.tree);
    std::size_t leaves = 0;
    std::size_t full = 0;
    std::size_t empty = 0;
    for (const auto& [key, node] : begun.nodes) {
        if (testing_gpu::level_of(key) != pass.tree.depth) continue;
        const auto entry = by_octomap.find(key);
        const int expected = 127 + (entry == by_octomap.end() ? 0 : entry->second);
        const int alpha = static_cast<int>(last.nodes.at(key).value >> 24);
        EXPECT_EQ(alpha, expected) << key;
        ++leaves;
        full += alpha == 255;
        empty += alpha == 0;
    }
    EXPECT_GT(leaves, 500u);
    EXPECT_GT(full, 10u);
    EXPECT_GT(empty, 10u);
}

} // namespace
} // namespace tuff
