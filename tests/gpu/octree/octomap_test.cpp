#include "tests/gpu/octree/octree_test.hpp"

#if __has_include(<octomap/OcTree.h>)
#define TUFF_HAS_OCTOMAP 1
#include <octomap/OcTree.h>
#endif
#if __has_include(<bzlib.h>)
#define TUFF_HAS_BZ2 1
#include <bzlib.h>
#endif

#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <sstream>

/// octree/fuse against OctoMap: with hits and misses that weigh the same, log-odds are counts until
/// they reach a bound.
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

#ifdef TUFF_HAS_OCTOMAP

/// What is fused: first all points, once, so that leaves are there before rays go through them;
/// then frames, with rays from `eye`.
struct Recording {
    HostPoints all;
    std::vector<HostPoints> frames;
    glm::vec3 eye{0.0f};
    float leaf = 0.125f;     ///< edge, a power of two: both compute the same cells
    std::uint32_t depth = 4; ///< of a tree about the origin
};

void add(HostPoints& points, glm::vec3 position) {
    points.push_back({position, rgba(128, 128, 128)});
}

/// A room of noise: 24 points that all frames but the last six have, and six of the frame's own.
Recording recording_of_76_frames() {
    constexpr std::uint32_t kFrames = 76;
    Recording recording{.eye = {-0.9301f, 0.8703f, -0.9107f}};
    std::uint32_t state = 0;
    const auto number = [&state] {
        state = state * 1664525u + 1013904223u;
        return (static_cast<float>(state >> 22) - 511.37f) / 800.0f;
    };
    for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
        HostPoints points;
        state = 12345u;
        for (int i = 0; i < 24; ++i) {
            const float x = number(), y = number(), z = number();
            if (frame + 6 < kFrames) add(points, {x, y, z});
        }
        state = 777u + 91u * frame;
        for (int i = 0; i < 6; ++i) {
            const float x = number(), y = number();
            add(points, {x, y, 0.61f + 0.3f * number()});
        }
        recording.all.insert(recording.all.end(), points.begin(), points.end());
        recording.frames.push_back(std::move(points));
    }
    return recording;
}

/// The occupancy of leaves, in hits less misses.
std::map<HostKey, int> by_octomap(const Recording& recording) {
    octomap::OcTree tree(static_cast<double>(recording.leaf));
    const double step = std::log(0.55 / 0.45); // of the log-odds, for a hit and for a miss
    tree.setProbHit(0.55);
    tree.setProbMiss(0.45);
    const auto probability = [](double odds) { return 1.0 - 1.0 / (1.0 + std::exp(odds)); };
    tree.setClampingThresMax(probability(64.0 * step));
    tree.setClampingThresMin(probability(-63.5 * step));
    const auto at = [](glm::vec3 p) { return octomap::point3d(p.x, p.y, p.z); };
    for (const passes::OctreePoint& point : recording.all)
        if (tree.search(at(point.position)) == nullptr) tree.updateNode(at(point.position), true);
    for (const HostPoints& frame : recording.frames) {
        octomap::Pointcloud cloud;
        for (const passes::OctreePoint& point : frame)
            cloud.push_back(at(point.position));
        tree.insertPointCloud(cloud, at(recording.eye));
    }
    tree.expand();
    const auto half = static_cast<int>(1u << (recording.depth - 1));
    std::map<HostKey, int> counts;
    for (auto leaf = tree.begin_leafs(); leaf != tree.end_leafs(); ++leaf) {
        const octomap::OcTreeKey cell = leaf.getKey();
        HostKey key = 1;
        for (std::uint32_t bit = recording.depth; bit-- > 0;) {
            key <<= 3;
            for (unsigned axis = 0; axis < 3; ++axis)
                key |= HostKey{static_cast<std::uint32_t>(cell[axis] - 32768 + half) >> bit & 1u}
                       << axis;
        }
        counts[key] = static_cast<int>(std::lround(2.0 * double{leaf->getLogOdds()} / step));
    }
    return counts;
}

class OctoMapTest : public testing_gpu::OctreeTest {
  protected:
    struct Compared {
        std::size_t leaves = 0, full = 0, empty = 0, missed = 0, others = 0;
    };

    Compared compare(const Recording& recording, std::uint32_t nodes) {
        FuseOctree pass{
            .tree = {.half = std::ldexp(recording.leaf, static_cast<int>(recording.depth) - 1),
                     .depth = recording.depth,
                     .nodes = nodes},
            .counting = OctreeCounting::frames,
            .eye = recording.eye,
            .prune = false};
        Graph g = graph();
        pass.points = points(g, "all", recording.all);
        Octree tree = g.add(pass, "begin").octree;
        output(g, "begun", tree);
        pass.carve = true;
        for (std::size_t frame = 0; frame < recording.frames.size(); ++frame) {
            const std::string name = "frame" + std::to_string(frame);
            pass.points = points(g, name + "_points", recording.frames[frame]);
            pass.before = tree;
            tree = g.add(pass, name).octree;
        }
        output(g, "tree", tree);
        Running running = run(std::move(g));
        Compared result;
        if (!running) return result;
        const std::map<HostKey, int> theirs = by_octomap(recording);
        const ReadTree begun = read(running, "begun", pass.tree);
        const ReadTree last = read(running, "tree", pass.tree);
        for (const auto& [key, node] : begun.nodes) {
            if (testing_gpu::level_of(key) != pass.tree.depth) continue;
            const auto entry = theirs.find(key);
            const int expected = 127 + (entry == theirs.end() ? 0 : entry->second);
            const int alpha = static_cast<int>(last.nodes.at(key).value >> 24);
            ++result.leaves;
            result.full += alpha == 255;
            result.empty += alpha == 0;
            result.missed += alpha < 127;
            result.others += alpha != expected;
        }
        return result;
    }
};

TEST_F(OctoMapTest, OccupancyOfLeavesIsTheirLogOddsByOctoMap) {
    const Compared found = compare(recording_of_76_frames(), 1u << 14);
    EXPECT_EQ(found.others, 0u);
    EXPECT_GT(found.leaves, 500u);
    EXPECT_GT(found.full, 10u);
    EXPECT_GT(found.empty, 10u);
}

#ifdef TUFF_HAS_BZ2

/// The points of a file of OctoMap's package, by a laser at the origin; empty where it is not
/// there.
HostPoints points_of_scan(const char* path) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "rb"), std::fclose);
    if (!file) return {};
    int status = BZ_OK;
    BZFILE* const packed = BZ2_bzReadOpen(&status, file.get(), 0, 0, nullptr, 0);
    std::string text;
    std::vector<char> part(1 << 16);
    while (status == BZ_OK)
        text.append(part.data(), static_cast<std::size_t>(BZ2_bzRead(
                                     &status, packed, part.data(), static_cast<int>(part.size()))));
    EXPECT_EQ(status, BZ_STREAM_END);
    BZ2_bzReadClose(&status, packed);
    std::istringstream lines(text);
    HostPoints points;
    for (glm::vec3 p; lines >> p.x >> p.y >> p.z;)
        add(points, p);
    return points;
}

// Points half way, where there was something until the laser saw through it.
TEST_F(OctoMapTest, ALaserScanIsAsByOctoMap) {
    TUFF_ONLY_ON(lavapipe); // rays of 88,206 points
    const HostPoints scan =
        points_of_scan("/usr/share/doc/liboctomap-dev/examples/data/scan.dat.bz2");
    if (scan.empty()) GTEST_SKIP() << "the package brings no scan";
    Recording recording{.all = scan, .depth = 9};
    for (std::size_t i = 0; i < scan.size(); i += 5)
        add(recording.all, 0.5f * scan[i].position);
    recording.frames.assign(3, scan);
    const Compared found = compare(recording, 1u << 19);
    EXPECT_EQ(scan.size(), 88206u);
    EXPECT_EQ(found.others, 0u);
    EXPECT_GT(found.leaves, 10000u);
    EXPECT_GT(found.missed, 1000u);
}

#endif
#endif

} // namespace
} // namespace tuff
