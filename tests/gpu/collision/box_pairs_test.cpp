#include "passes/collision/box.hpp"
#include "passes/collision/box_pairs.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

/// collision/box_pairs against edges cut by boxes in double precision: two boxes meet where an edge
/// of one goes through the other. Nothing of that is a separating axis.
namespace tuff {
namespace {

using passes::BoxPairs;
using passes::OrientedBox;
using testing_gpu::bytes_of;
using testing_gpu::Running;

struct HostBox {
    glm::dvec3 middle;
    glm::dvec3 half_size;
    glm::dmat3 axes; ///< columns
};

HostBox host_box(const OrientedBox& box) {
    const auto vec = [](const std::array<float, 4>& v) { return glm::dvec3(v[0], v[1], v[2]); };
    const glm::dvec3 x = vec(box.x);
    const glm::dvec3 y = vec(box.y);
    return {vec(box.middle), vec(box.half_size), glm::dmat3(x, y, glm::cross(x, y))};
}

bool segment_meets(glm::dvec3 from, glm::dvec3 to, const HostBox& box, double larger) {
    const glm::dvec3 start = (from - box.middle) * box.axes;
    const glm::dvec3 along = (to - from) * box.axes;
    double enter = 0.0;
    double leave = 1.0;
    for (int i = 0; i < 3; ++i) {
        const double size = box.half_size[i] + larger;
        if (size < 0.0) return false;
        if (std::abs(along[i]) < 1e-300) {
            if (std::abs(start[i]) > size) return false;
            continue;
        }
        const double a = (-size - start[i]) / along[i];
        const double b = (size - start[i]) / along[i];
        enter = std::max(enter, std::min(a, b));
        leave = std::min(leave, std::max(a, b));
    }
    return enter <= leave;
}

bool edge_meets(const HostBox& a, const HostBox& b, double larger) {
    for (unsigned axis = 0; axis < 3; ++axis)
        for (unsigned side = 0; side < 4; ++side) {
            glm::dvec3 end = a.half_size;
            end[static_cast<int>((axis + 1) % 3)] *= side & 1 ? 1.0 : -1.0;
            end[static_cast<int>((axis + 2) % 3)] *= side & 2 ? 1.0 : -1.0;
            glm::dvec3 start = end;
            start[static_cast<int>(axis)] = -start[static_cast<int>(axis)];
            if (segment_meets(a.middle + a.axes * start, a.middle + a.axes * end, b, larger))
                return true;
        }
    return false;
}

/// With the second box larger by `larger` on all sides.
bool boxes_meet(const HostBox& a, const HostBox& b, double larger) {
    if (edge_meets(a, b, larger)) return true;
    HostBox grown = b;
    grown.half_size += larger;
    return glm::all(glm::greaterThanEqual(grown.half_size, glm::dvec3(0.0))) &&
           edge_meets(grown, a, 0.0);
}

/// Boxes in a cube: any, flat, needles, and those along the coordinates or along the same axes.
std::vector<OrientedBox> random_boxes(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    std::normal_distribution<double> normal;
    const glm::dvec3 common = glm::normalize(glm::dvec3(0.3, 0.5, -0.8));
    std::vector<OrientedBox> boxes(count);
    for (std::size_t i = 0; i < count; ++i) {
        glm::dvec3 x = glm::normalize(glm::dvec3(normal(random), normal(random), normal(random)));
        if (i % 5 == 1) x = {1.0, 0.0, 0.0};
        if (i % 5 == 2) x = common;
        glm::dvec3 y(normal(random), normal(random), normal(random));
        if (i % 5 == 1) y = {0.0, 1.0, 0.0};
        if (i % 10 == 2) y = {0.1, 0.9, 0.2};
        y = glm::normalize(y - glm::dot(y, x) * x);
        OrientedBox& box = boxes[i];
        for (std::size_t k = 0; k < 3; ++k) {
            box.middle[k] = static_cast<float>(unit(random));
            box.half_size[k] = static_cast<float>(0.4 * std::abs(unit(random)));
            box.x[k] = static_cast<float>(x[static_cast<int>(k)]);
            box.y[k] = static_cast<float>(y[static_cast<int>(k)]);
        }
        if (i % 7 == 3) box.half_size[i % 3] = 0.0f;
        if (i % 11 == 4) box.half_size = {0.0f, 0.0f, 0.6f, 0.0f};
    }
    return boxes;
}

class BoxPairsTest : public testing_gpu::GpuTest {
  protected:
    Buffer boxes(Graph& g, std::string_view name, const std::vector<OrientedBox>& values) {
        return g.constant_buffer(name, {.size = 64 * values.size(), .stride = 64},
                                 bytes_of(values));
    }
};

// Check "SAT against brute force": a million pairs, near-parallel edges among them. Pairs are left
// out that 2e-5 decides, twice what the test's own margin for parallel edges comes to here.
TEST_F(BoxPairsTest, AMillionPairsMeetWhereEdgesSay) {
    constexpr std::size_t kPairs = 1'000'003;
    const std::vector<OrientedBox> a = random_boxes(kPairs, 1);
    const std::vector<OrientedBox> b = random_boxes(kPairs, 2);
    Graph g = graph();
    const BoxPairs pass = g.add(BoxPairs{.a = boxes(g, "a", a), .b = boxes(g, "b", b)});
    g.output("meet", pass.meet);
    g.output("kept", pass.kept);
    g.output("count", pass.count);
    Running running = run(std::move(g));
    const auto meet = running.buffer<std::uint32_t>("meet");
    auto kept = running.buffer<std::uint32_t>("kept");
    ASSERT_GE(meet.size(), kPairs);
    std::size_t doubtful = 0;
    std::vector<std::uint32_t> expected_kept;
    for (std::size_t i = 0; i < kPairs; ++i) {
        if (meet[i] != 0) expected_kept.push_back(static_cast<std::uint32_t>(i));
        const HostBox p = host_box(a[i]);
        const HostBox q = host_box(b[i]);
        const bool surely = boxes_meet(p, q, -2e-5);
        if (surely != boxes_meet(p, q, 2e-5)) {
            // Flat boxes have no inside to be smaller; what touches them is not told apart.
            doubtful += 1;
            continue;
        }
        ASSERT_EQ(meet[i] != 0, surely) << "pair " << i;
    }
    EXPECT_LT(doubtful, kPairs / 50);
    EXPECT_GT(expected_kept.size(), kPairs / 30);
    ASSERT_EQ(running.buffer<std::uint32_t>("count")[0], expected_kept.size());
    kept.resize(expected_kept.size());
    EXPECT_EQ(kept, expected_kept);
}

TEST_F(BoxPairsTest, ListsPairAnyBoxesAndThoseThatAreNotThereDoNotMeet) {
    const std::vector<OrientedBox> a = random_boxes(70, 3);
    const std::vector<OrientedBox> b = random_boxes(40, 4);
    std::vector<glm::uvec2> pairs;
    for (std::uint32_t i = 0; i < 72; ++i)
        for (std::uint32_t j = 0; j < 41; ++j)
            pairs.emplace_back(i, j);
    Graph g = graph();
    const Buffer of_a = boxes(g, "a", a);
    const Buffer of_b = boxes(g, "b", b);
    const Buffer list =
        g.constant_buffer("pairs", {.size = 8 * pairs.size(), .stride = 8}, bytes_of(pairs));
    g.output("listed", g.add(BoxPairs{.a = of_a, .b = of_b, .pairs = list}).meet);
    g.output("apart", g.add(BoxPairs{.a = of_a, .b = of_b, .pairs = list, .slack = 0.5f}).meet);
    g.output("shorter", g.add(BoxPairs{.a = of_a, .b = of_b}).meet);
    Running running = run(std::move(g));
    const auto meet = running.buffer<std::uint32_t>("listed");
    const auto apart = running.buffer<std::uint32_t>("apart");
    const auto shorter = running.buffer<std::uint32_t>("shorter");
    EXPECT_EQ(shorter.size(), b.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const glm::uvec2 pair = pairs[i];
        if (pair.x >= a.size() || pair.y >= b.size()) {
            ASSERT_EQ(meet[i], 0u) << pair.x << ", " << pair.y;
            continue;
        }
        const HostBox p = host_box(a[pair.x]);
        const HostBox q = host_box(b[pair.y]);
        const bool surely = boxes_meet(p, q, -2e-5);
        if (surely == boxes_meet(p, q, 2e-5)) {
            ASSERT_EQ(meet[i] != 0, surely);
        }
        if (boxes_meet(p, q, 0.49)) { // no farther than that on any axis
            ASSERT_NE(apart[i], 0u);
        }
        if (pair.x == pair.y) {
            ASSERT_EQ(shorter[pair.x], meet[i]);
        }
    }
}

} // namespace
} // namespace tuff
