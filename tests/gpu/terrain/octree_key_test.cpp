#include "passes/terrain/octree_key.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <glm/vec4.hpp>

#include <random>
#include <set>

// Check 14: the codec of octrees.
namespace tuff {
namespace {

using passes::OctreeNode;

using OctreeKeyTest = testing_gpu::GpuTest;

/// Bit by bit.
std::uint32_t plain_key(const OctreeNode& node) {
    std::uint32_t key = node.level;
    for (std::uint32_t bit = 0; bit < 9; ++bit) {
        key |= (node.x >> bit & 1) << (4 + 3 * bit);
        key |= (node.y >> bit & 1) << (5 + 3 * bit);
        key |= (node.z >> bit & 1) << (6 + 3 * bit);
    }
    return key;
}

TEST_F(OctreeKeyTest, KeysAreNodesOnAllTenLevels) {
    // All nodes of levels 0 to 6, and beyond every 509th: there are 153,391,689. 509 is odd, so all
    // residues of powers of two are met.
    for (std::uint32_t level = 0; level <= passes::kMaxOctreeLevel; ++level) {
        const std::uint32_t mask = (1u << level) - 1;
        for (std::uint32_t i = 0; i < 1u << 3 * level; i += level <= 6 ? 1 : 509) {
            const OctreeNode node{level, i & mask, i >> level & mask, i >> 2 * level};
            const std::uint32_t key = passes::octree_key(node);
            ASSERT_EQ(key, plain_key(node));
            ASSERT_EQ(passes::octree_node(key), node);
            if (level == passes::kMaxOctreeLevel) continue;
            std::uint32_t first = 0;
            for (std::uint32_t octant = 0; octant < 8; ++octant) {
                const std::uint32_t child = passes::octree_child(key, octant);
                ASSERT_EQ(passes::octree_node(child),
                          (OctreeNode{level + 1, 2 * node.x + (octant & 1),
                                      2 * node.y + (octant >> 1 & 1), 2 * node.z + (octant >> 2)}));
                ASSERT_EQ(passes::octree_parent(child), key);
                ASSERT_EQ(passes::octant_of(child), octant);
                first += passes::octant_of(child) == 0;
            }
            ASSERT_EQ(first, 1u);
        }
    }
    EXPECT_EQ(passes::octree_parent(0), 0u);
    const OctreeNode last{9, 511, 511, 511};
    EXPECT_EQ(passes::octree_key(last), 0x7ffffff9u);
}

TEST_F(OctreeKeyTest, KernelsHaveTheSameKeys) {
    std::vector<glm::uvec4> nodes;
    for (std::uint32_t level = 0; level <= 5; ++level)
        for (std::uint32_t i = 0; i < 1u << 3 * level; ++i)
            nodes.emplace_back(i & ((1u << level) - 1), i >> level & ((1u << level) - 1),
                               i >> 2 * level, level);
    std::mt19937 random(8);
    for (int i = 0; i < 20000; ++i) {
        const std::uint32_t level = 6 + static_cast<std::uint32_t>(random() % 4);
        const std::uint32_t mask = (1u << level) - 1;
        nodes.emplace_back(random() & mask, random() & mask, random() & mask, level);
    }
    Graph g = graph();
    const BufferDesc desc{.size = nodes.size() * sizeof(glm::uvec4)};
    auto node = g.compute("test/octree_keys");
    node.read("nodes", g.constant_buffer("nodes", desc, testing_gpu::bytes_of(nodes)));
    g.output("keys", node.write("keys", g.buffer("keys", desc)));
    g.output("decoded", node.write("decoded", g.buffer("decoded", desc)));
    node.dispatch_over({static_cast<std::uint32_t>(nodes.size())});
    testing_gpu::Running running = run(std::move(g));
    const auto keys = running.buffer<glm::uvec4>("keys");
    EXPECT_TRUE(running.buffer<glm::uvec4>("decoded") == nodes);
    ASSERT_EQ(keys.size(), nodes.size());
    std::set<std::uint32_t> different;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const std::uint32_t key = plain_key({nodes[i].w, nodes[i].x, nodes[i].y, nodes[i].z});
        const std::uint32_t child =
            nodes[i].w == passes::kMaxOctreeLevel
                ? 0
                : passes::octree_child(key, static_cast<std::uint32_t>(i % 8));
        ASSERT_EQ(keys[i],
                  glm::uvec4(key, passes::octree_parent(key), passes::octant_of(key), child))
            << i;
        if (nodes[i].w <= 5) different.insert(key);
    }
    EXPECT_EQ(different.size(), 37449u); // (8^6 - 1) / 7
}

} // namespace
} // namespace tuff
