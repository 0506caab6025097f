#include "passes/octree/octree_store.hpp"
#include "tests/gpu/octree/octree_test.hpp"

#include <tuff/graph_runner.hpp>

#include <algorithm>
#include <cstring>
#include <map>

/// Pools that grow, and trees that are larger than the pool.
namespace tuff {
namespace {

using passes::FuseOctree;
using passes::OctreeBox;
using passes::OctreePool;
using passes::OctreeShape;
using passes::OctreeStatus;
using passes::OctreeStore;
using testing_gpu::HostNodes;
using testing_gpu::HostPoints;
using testing_gpu::OctreeReference;
using testing_gpu::read_tree;
using testing_gpu::ReadTree;
using testing_gpu::rgba;
using testing_gpu::Running;

class OctreePools : public testing_gpu::OctreeTest {
  protected:
    /// A pass whose tree lasts, with these points.
    Running running_map(FuseOctree pass, const HostPoints& frame) {
        Graph g = graph();
        pass.points = points(g, "points", frame);
        output(g, "tree", g.add(pass, "map").octree);
        return start(std::move(g));
    }
    static std::size_t history(Running& running, std::string_view name) {
        const auto& all = running->histories();
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].name == name) return i;
        ADD_FAILURE() << "no history " << name;
        return 0;
    }
    /// What the next execution begins with: the last copy.
    static OctreePool fetched(Running& running, const OctreeShape& shape) {
        OctreePool pool(shape);
        const auto fetch = [&](std::string_view name, void* to, std::size_t bytes) {
            const auto all = running->read_history(history(running, name));
            ASSERT_TRUE(all.has_value());
            ASSERT_EQ(all->size(), 2 * bytes);
            std::memcpy(to, all->data() + bytes, bytes);
        };
        fetch("map/nodes/nodes", pool.nodes.data(), 4 * pool.nodes.size());
        fetch("map/nodes/blocks", pool.blocks.data(), 4 * pool.blocks.size());
        fetch("map/nodes/free", pool.free.data(), 4 * pool.free.size());
        fetch("map/nodes/fractions", pool.fractions.data(), 4 * pool.fractions.size());
        fetch("map/status", &pool.status, sizeof(OctreeStatus));
        return pool;
    }
    static void bring(Running& running, const OctreePool& pool) {
        const auto write = [&](std::string_view name, const void* from, std::size_t bytes) {
            std::vector<std::byte> both(2 * bytes);
            std::memcpy(both.data() + bytes, from, bytes);
            EXPECT_TRUE(running->write_history(history(running, name), both).has_value());
        };
        write("map/nodes/nodes", pool.nodes.data(), 4 * pool.nodes.size());
        write("map/nodes/blocks", pool.blocks.data(), 4 * pool.blocks.size());
        write("map/nodes/free", pool.free.data(), 4 * pool.free.size());
        write("map/nodes/fractions", pool.fractions.data(), 4 * pool.fractions.size());
        write("map/status", &pool.status, sizeof(OctreeStatus));
    }
    static HostNodes nodes_of(const OctreePool& pool) {
        testing_gpu::DeviceTree tree =
            read_tree(pool.shape, pool.status, pool.nodes, pool.blocks, pool.free);
        EXPECT_THAT(tree.faults, testing::IsEmpty());
        EXPECT_EQ(tree.nodes.size(), pool.status.nodes());
        return tree.nodes;
    }
};

HostPoints cluster(glm::vec3 middle, float reach, std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> number(-reach, reach);
    HostPoints points;
    for (std::size_t i = 0; i < count; ++i)
        points.push_back({middle + glm::vec3(number(random), number(random), number(random)),
                          rgba(random() % 256, random() % 256, random() % 256)});
    return points;
}

TEST_F(OctreePools, APoolThatWasTooSmallGoesOnTwiceAsLargeWithWhatItHas) {
    const HostPoints frame = cluster(glm::vec3(0.0f), 0.95f, 600, 4);
    FuseOctree pass{.tree = {.depth = 6, .nodes = 4096}};
    Running small = running_map(pass, frame);
    if (!small) return;
    small.execute();
    const ReadTree before = read(small, "tree", pass.tree);
    EXPECT_GT(before.status.no_room, 0u);
    EXPECT_GT(before.status.lost, 0u);
    OctreePool pool = fetched(small, pass.tree);
    EXPECT_EQ(difference(nodes_of(pool), before.nodes), "");
    EXPECT_FALSE(pool.resized(512).has_value());
    std::uint32_t doublings = 0;
    while (pool.shape.nodes < 8u * 6 * 600) {
        pool = *pool.resized(2 * pool.shape.nodes);
        ++doublings;
    }
    EXPECT_EQ(doublings, 3u);
    EXPECT_EQ(difference(nodes_of(pool), before.nodes), "");
    pass.tree.nodes = pool.shape.nodes;
    Running large = running_map(pass, frame);
    if (!large) return;
    bring(large, pool);
    large.execute();
    const ReadTree after = read(large, "tree", pass.tree);
    EXPECT_EQ(after.status.no_room, 0u);
    EXPECT_EQ(after.status.lost, 0u);
    EXPECT_EQ(after.status.frames, 2u);
    // Leaves that the small pool had were hit twice as often as those that it had not.
    OctreeReference reference(pass);
    reference.update(frame);
    for (const auto& [key, node] : reference.nodes()) {
        const std::uint32_t alpha = after.nodes.at(key).value >> 24;
        ASSERT_EQ(after.nodes.at(key).has_children, node.has_children);
        if (testing_gpu::level_of(key) != pass.tree.depth) continue;
        const auto had = before.nodes.find(key);
        const std::uint32_t first = had == before.nodes.end() ? 127 : had->second.value >> 24;
        ASSERT_EQ(alpha, first + (node.value >> 24) - 127);
    }
    EXPECT_EQ(after.nodes.size(), reference.nodes().size());
}

/// A run's pool grows by itself: what it holds stays, nothing is lost once there is room, and each
/// leaf is what the frames that found room for it have made it.
TEST_F(OctreePools, APoolGrowsOverARunAndKeepsWhatItHolds) {
    GraphRunner runner(device());
    FuseOctree pass{.tree = {.depth = 6, .nodes = 1024}};
    const HostPoints frame = cluster(glm::vec3(0.0f), 0.95f, 400, 9);
    OctreeReference reference(pass);
    reference.update(frame);
    OctreeStatus status;
    ReadTree before;
    std::uint32_t grown = 0;
    std::map<std::uint64_t, std::uint32_t> hits; // of leaves
    for (int i = 0; i < 12; ++i) {
        auto told = runner.grow_pools();
        ASSERT_TRUE(told);
        grown += static_cast<std::uint32_t>(told->size());
        Graph g = graph();
        g.set_pools(runner.pools());
        FuseOctree wired = pass;
        wired.points = points(g, "points", frame);
        const auto tree = g.add(wired, "map").octree;
        output(g, "tree", tree);
        ASSERT_TRUE(runner.take(std::move(g).finish(), shaders()));
        ASSERT_TRUE(runner.executor()->execute());
        const auto words = [&](const std::string& part) {
            const auto bytes = runner.executor()->read_buffer("tree." + part);
            EXPECT_TRUE(bytes);
            std::vector<std::uint32_t> all(bytes ? bytes->size() / 4 : 0);
            if (bytes) std::memcpy(all.data(), bytes->data(), 4 * all.size());
            return all;
        };
        status = OctreeStatus::read(words("status"));
        testing_gpu::DeviceTree read =
            read_tree(tree.shape, status, words("nodes"), words("blocks"), words("free"));
        EXPECT_THAT(read.faults, testing::IsEmpty());
        const ReadTree now{.nodes = std::move(read.nodes), .status = status};
        EXPECT_EQ(status.frames, static_cast<std::uint32_t>(i + 1)) << "the tree went on";
        for (const auto& [key, node] : before.nodes)
            ASSERT_TRUE(now.nodes.contains(key)) << "what was held stays";
        for (const auto& [key, node] : now.nodes) {
            if (testing_gpu::level_of(key) != pass.tree.depth) continue;
            const std::uint32_t one = (reference.nodes().at(key).value >> 24) - 127;
            hits[key] += one;
            ASSERT_EQ(node.value >> 24, std::min(127 + hits[key], 255u)) << i;
        }
        before = now;
    }
    EXPECT_GT(grown, 0u);
    EXPECT_EQ(status.no_room, 0u);
    EXPECT_EQ(status.lost, 0u);
    EXPECT_EQ(before.nodes.size(), reference.nodes().size());
}

TEST_F(OctreePools, ATreeLargerThanItsPoolWaitsOnTheHost) {
    const std::array<glm::vec3, 4> middles{
        {{-0.5f, -0.5f, -0.5f}, {0.5f, -0.5f, -0.5f}, {-0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}}};
    constexpr float kReach = 0.4f;
    constexpr std::uint32_t kSpare = 450; // blocks that a frame may want
    FuseOctree pass{.tree = {.depth = 6, .nodes = 8 * 1200}};
    OctreeStore store(pass.tree, 2, 1);
    OctreePool pool(pass.tree);
    OctreeReference reference(pass);
    std::size_t most_stored = 0;
    for (std::uint32_t visit = 0; visit < 8; ++visit) {
        const glm::vec3 middle = middles[visit % 4];
        const HostPoints frame = cluster(middle, kReach, 300, visit % 4 + 20 * (visit / 4));
        ASSERT_TRUE(store.request(pool, {middle - kReach, middle + kReach}, kSpare)) << visit;
        Running running = running_map(pass, frame);
        if (!running) return;
        bring(running, pool);
        running.execute();
        reference.update(frame);
        const ReadTree now = read(running, "tree", pass.tree);
        EXPECT_EQ(now.status.no_room, 0u) << visit;
        pool = fetched(running, pass.tree);
        // What is here is right, and so are the means above what is not.
        for (const auto& [key, node] : now.nodes) {
            const auto expected = reference.nodes().find(key);
            ASSERT_NE(expected, reference.nodes().end());
            ASSERT_EQ(node.value >> 24, expected->second.value >> 24) << visit;
        }
        most_stored = std::max(most_stored, store.stored());
    }
    EXPECT_GT(most_stored, 4u);
    EXPECT_GT(8 * store.stored_blocks() + pool.status.nodes(), 8u * 1200u);
    // All of it together takes a larger pool.
    EXPECT_FALSE(store.request(pool, {glm::vec3(-1.0f), glm::vec3(1.0f)}, 0));
    OctreePool whole = *pool.resized(8 * 4096);
    EXPECT_TRUE(store.push(whole, {glm::vec3(-1.0f), glm::vec3(1.0f)}));
    EXPECT_EQ(store.stored(), 0u);
    EXPECT_EQ(difference(nodes_of(whole), reference.nodes(), 1), "");
}

TEST_F(OctreePools, DataForSubtreesOnTheHostIsCountedWhenTheyComeBack) {
    const std::array<glm::vec3, 2> middles{{{-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}}};
    constexpr float kReach = 0.4f;
    const OctreeBox everywhere{glm::vec3(-1.0f), glm::vec3(1.0f)};
    FuseOctree pass{.tree = {.depth = 5, .nodes = 8 * 4096}};
    for (const bool asked : {true, false}) {
        SCOPED_TRACE(asked);
        OctreeStore store(pass.tree, 2, 1);
        OctreePool pool(pass.tree);
        OctreeReference last(pass); // of the last frame alone
        std::uint64_t lost = 0;
        for (std::uint32_t visit = 0; visit < 3; ++visit) {
            const glm::vec3 middle = middles[visit % 2];
            const HostPoints frame = cluster(middle, kReach, 200, visit);
            if (asked || visit < 2) {
                ASSERT_TRUE(store.request(pool, {middle - kReach, middle + kReach}, 0));
            }
            Running running = running_map(pass, frame);
            if (!running) return;
            bring(running, pool);
            running.execute();
            pool = fetched(running, pass.tree);
            if (visit == 1) {
                EXPECT_GT(store.pull_unused(pool), 4u);
            }
            if (visit == 2) last.update(frame);
        }
        EXPECT_EQ(store.lost_leaves(), 0u);
        EXPECT_TRUE(store.push(pool, everywhere));
        for (const auto& [key, node] : last.nodes())
            lost += testing_gpu::level_of(key) == pass.tree.depth && node.value >> 24 != 127;
        EXPECT_GT(lost, 100u);
        EXPECT_EQ(store.lost_leaves(), asked ? 0u : lost);
        nodes_of(pool);
    }
}

TEST_F(OctreePools, TheLastBoxesStayAndOthersGo) {
    const OctreeShape shape{.depth = 3, .nodes = 1u << 12};
    OctreePool pool(shape);
    for (std::uint32_t node = 0; node < 8; ++node)
        ASSERT_TRUE(pool.take_block(node).has_value());
    OctreeStore store(shape, 1, 2);
    const auto octant = [](float x, float y, float z) {
        return OctreeBox{0.5f * glm::vec3(x, y, z) - 0.1f, 0.5f * glm::vec3(x, y, z) + 0.1f};
    };
    EXPECT_TRUE(store.request(pool, octant(-1, -1, -1), 0));
    EXPECT_TRUE(store.request(pool, octant(1, -1, -1), 0));
    EXPECT_TRUE(store.request(pool, octant(-1, 1, -1), 0));
    EXPECT_EQ(store.stored(), 0u); // there is room
    EXPECT_EQ(store.pull_unused(pool), 6u);
    EXPECT_EQ(pool.status.free, 6u);
    EXPECT_EQ(store.stored_blocks(), 6u);
    const auto in_pool = [&](std::uint32_t node) { return (pool.nodes[2 * node] >> 30 & 1u) != 0; };
    EXPECT_FALSE(in_pool(0));
    EXPECT_TRUE(in_pool(1));
    EXPECT_TRUE(in_pool(2));
    EXPECT_TRUE(store.push(pool, octant(-1, -1, -1)));
    EXPECT_TRUE(in_pool(0));
    EXPECT_EQ(pool.status.blocks, 9u);
    nodes_of(pool);
    // One that was pruned away meanwhile comes back with those above it.
    OctreeStore deep(shape, 2, 1);
    OctreePool other(shape);
    const std::uint32_t block = *other.take_block(7);
    ASSERT_TRUE(other.take_block(8 * block + 7).has_value());
    EXPECT_TRUE(deep.request(other, octant(-1, -1, -1), 0));
    EXPECT_EQ(deep.pull_unused(other), 1u);
    other.give_back_below(7);
    EXPECT_EQ(other.status.nodes(), 8u);
    EXPECT_TRUE(deep.push(other, {glm::vec3(-1.0f), glm::vec3(1.0f)}));
    EXPECT_EQ(other.status.nodes(), 24u);
    nodes_of(other);
}

} // namespace
} // namespace tuff
