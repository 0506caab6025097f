#include "passes/sparse/bricks.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <glm/vec3.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

/// A pool that evicts: bricks that were claimed longest ago lose their slots.
namespace tuff {
namespace {

using passes::SparseBricksPass;
using passes::SparseShape;
using passes::SparseStatus;
using passes::SparseWhenFull;
using testing_gpu::bytes_of;
using testing_gpu::Running;

constexpr std::uint32_t kFreshBit = 1u << 31;

class SparseEvict : public testing_gpu::GpuTest {
  protected:
    struct Scene {
        glm::uvec3 dims;
        std::uint32_t capacity;
        std::vector<glm::vec4> points;
    };
    Graph build(const Scene& scene, glm::ivec3 low, glm::ivec3 high) {
        Graph g = graph();
        SparseBricksPass pass{
            .dims = scene.dims,
            .bricks_parameters = {.capacity = scene.capacity, .when_full = SparseWhenFull::evict},
            .box_low = low,
            .box_high = high};
        if (!scene.points.empty())
            pass.points = g.constant_buffer(
                "points", {.size = 16 * scene.points.size(), .stride = 16}, bytes_of(scene.points));
        const auto bricks = g.add(pass).bricks;
        shape_ = bricks.shape;
        for (const auto& [name, buffer] :
             {std::pair{"list", bricks.list}, {"status", bricks.status}})
            g.output(name, g.copy(buffer, g.buffer("copy", g.desc(buffer))));
        return g;
    }
    std::uint32_t number(glm::ivec3 brick) const {
        const glm::uvec3 grid = shape_.grid();
        return (std::uint32_t(brick.z) * grid.y + std::uint32_t(brick.y)) * grid.x +
               std::uint32_t(brick.x);
    }
    SparseShape shape_;
};

/// Each brick with how many executions ago it was claimed last; the policy, brick by brick.
struct LeastRecent {
    std::size_t capacity;
    std::map<std::uint32_t, unsigned> ages;
    std::size_t evicted = 0, refused = 0;

    void claim(const std::set<std::uint32_t>& wanted) {
        std::map<std::uint32_t, unsigned> all = ages;
        for (auto& [number, age] : all)
            ++age;
        for (const std::uint32_t number : wanted)
            all[number] = 0;
        std::vector<std::pair<unsigned, std::uint32_t>> order;
        for (const auto& [number, age] : all)
            order.emplace_back(age, number);
        std::ranges::sort(order);
        evicted = refused = 0;
        for (std::size_t i = capacity; i < order.size(); ++i)
            ++(ages.contains(order[i].second) ? evicted : refused);
        order.resize(std::min(order.size(), capacity));
        ages.clear();
        for (const auto& [age, number] : order)
            ages[number] = age;
    }
};

TEST_F(SparseEvict, BricksClaimedLongestAgoLoseTheirSlotsAndOthersKeepThem) {
    // The second domain has a hash table, the third so many claims that all digits are looked at.
    for (Scene scene : {Scene{{80, 64, 72}, 40, {}}, Scene{glm::uvec3(8192), 50, {}},
                        Scene{{160, 160, 160}, 700, {}}}) {
        SCOPED_TRACE(scene.capacity);
        std::mt19937 random(scene.capacity);
        const bool hashed = scene.dims.x == 8192;
        for (int i = 0; i < 5; ++i)
            scene.points.emplace_back(random() % 64, random() % 64, random() % 64, 0);
        Running running = start(build(scene, glm::ivec3(0), glm::ivec3(8)));
        ASSERT_TRUE(running);
        ASSERT_EQ(shape_.table_bits > 0, hashed);
        LeastRecent policy{.capacity = scene.capacity};
        std::map<std::uint32_t, std::uint32_t> words;
        std::size_t evicted = 0;
        std::size_t refused = 0;
        for (int step = 0; step < 14; ++step) {
            SCOPED_TRACE(step);
            // At times more than there is room for.
            const int most = step % 6 == 5 ? 5 : 3;
            const int grow = scene.capacity == 700 ? 2 : 1;
            glm::ivec3 low, high;
            std::set<std::uint32_t> wanted;
            for (int axis = 0; axis < 3; ++axis) {
                low[axis] = static_cast<int>(random() % 5);
                high[axis] = low[axis] + grow * (most - static_cast<int>(random() % 2));
                high[axis] = std::min(high[axis], static_cast<int>(shape_.grid()[axis]));
            }
            for (int z = low.z; z < high.z; ++z)
                for (int y = low.y; y < high.y; ++y)
                    for (int x = low.x; x < high.x; ++x)
                        wanted.insert(number({x, y, z}));
            for (const glm::vec4& point : scene.points)
                wanted.insert(number(glm::ivec3(point) / 8));
            const GraphDesc desc = build(scene, 8 * low, 8 * high).finish();
            ASSERT_TRUE(running->set_parameters(desc.parameters));
            running.execute();
            policy.claim(wanted);

            const auto list = running.buffer<std::uint32_t>("list");
            std::map<std::uint32_t, std::uint32_t> now;
            std::set<std::uint32_t> slots;
            for (std::size_t i = 0; i < list[0]; ++i) {
                now[list[4 + 2 * i]] = list[5 + 2 * i];
                EXPECT_TRUE(slots.insert(list[5 + 2 * i] & ~kFreshBit).second) << "given twice";
            }
            std::set<std::uint32_t> numbers, expected;
            for (const auto& [brick, word] : now) {
                numbers.insert(brick);
                const auto before = words.find(brick);
                const std::uint32_t slot = word & ~kFreshBit;
                EXPECT_EQ(word != slot, before == words.end()) << "fresh";
                EXPECT_EQ(slot, before == words.end() ? slot : before->second & ~kFreshBit)
                    << "moved";
            }
            for (const auto& [brick, age] : policy.ages)
                expected.insert(brick);
            ASSERT_EQ(numbers, expected);
            const auto status = SparseStatus::read(running.buffer<std::uint32_t>("status"));
            EXPECT_EQ(status.evicted, policy.evicted);
            EXPECT_EQ(status.refused, policy.refused);
            EXPECT_EQ(status.evicts, 1u);
            EXPECT_EQ(status.warnings().size(), policy.evicted + policy.refused > 0 ? 1u : 0u);
            EXPECT_TRUE(status.pool_needs().empty());
            evicted += policy.evicted;
            refused += policy.refused;
            words = now;
        }
        EXPECT_GT(evicted, 20u);
        EXPECT_GT(refused, 0u);
    }
}

} // namespace
} // namespace tuff
