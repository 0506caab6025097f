#include "passes/bvh/cast.hpp"
#include "passes/bvh/collapse.hpp"
#include "passes/bvh/restructure_treelets.hpp"
#include "passes/bvh/statistics.hpp"
#include "tests/gpu/bvh/bvh_test.hpp"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/vector_relational.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

/// Nodes of eight children.
namespace tuff {
namespace {

using passes::Bvh;
using passes::BvhStatus;
using passes::CastRays;
using passes::CollapseBvh;
using passes::QualityBuild;
using passes::Traversal;
using testing_gpu::floats;
using testing_gpu::HostBvh;
using testing_gpu::output_bvh;
using testing_gpu::read_bvh;
using testing_gpu::Running;
using testing_gpu::Soup;

struct Box {
    glm::vec3 low{std::numeric_limits<float>::max()};
    glm::vec3 high{-std::numeric_limits<float>::max()};
};

/// Walks from the root: what each node says of a child holds all triangles below it.
class WideWalk {
  public:
    explicit WideWalk(const HostBvh& bvh) : bvh_(bvh), seen_(bvh.status.leaves, false) {}

    std::string run() {
        if (bvh_.status.leaves == 0) return "";
        static_cast<void>(visit(bvh_.status.root));
        for (std::size_t leaf = 0; leaf < seen_.size(); ++leaf)
            if (!seen_[leaf] && fault_.empty())
                fault_ = fmt::format("leaf {} is not reached", leaf);
        return fault_;
    }
    std::size_t nodes() const { return nodes_; }
    std::uint32_t levels() const { return levels_; }
    /// What bvh/statistics tells.
    double cost() const { return bvh_.status.leaves == 0 ? 0.0 : 1.0 + cost_; }

  private:
    static double area(const Box& box) {
        const glm::dvec3 size = glm::dvec3(box.high) - glm::dvec3(box.low);
        return size.x * size.y + size.y * size.z + size.z * size.x;
    }
    double share(const Box& box) const {
        const auto corner = [](const std::array<float, 4>& c) {
            return glm::vec3(c[0], c[1], c[2]);
        };
        const double whole = area({corner(bvh_.status.low), corner(bvh_.status.high)});
        return whole > 0.0 ? area(box) / whole : 1.0;
    }
    Box visit(std::uint32_t reference, std::uint32_t level = 1) {
        Box all;
        levels_ = std::max(levels_, level);
        if (!fault_.empty()) return all;
        if ((reference & BvhStatus::kLeafBit) != 0) return visit_leaf(reference);
        if (std::size_t{reference} * 6 + 6 > bvh_.nodes.size() || ++nodes_ > seen_.size()) {
            fault_ = fmt::format("node {}", reference);
            return all;
        }
        const glm::uvec4* quads = &bvh_.nodes[std::size_t{reference} * 6];
        const auto word = [&](std::size_t at) {
            return quads[at / 4][static_cast<glm::length_t>(at % 4)];
        };
        for (std::size_t place = 0; place < 8; ++place) {
            const std::uint32_t child = word(4 + place);
            if (child == BvhStatus::kNoNode) continue;
            const Box box = visit(child, level + 1);
            Box told;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const auto plane = [&](std::size_t first) {
                    const std::uint32_t steps =
                        word(12 + first + 2 * axis + place / 4) >> (8 * (place % 4)) & 255u;
                    const int exponent = static_cast<int>(quads[0].w >> (8 * axis) & 255u) - 127;
                    return floats(quads[0])[static_cast<glm::length_t>(axis)] +
                           static_cast<float>(steps) * std::exp2(static_cast<float>(exponent));
                };
                told.low[static_cast<glm::length_t>(axis)] = plane(0);
                told.high[static_cast<glm::length_t>(axis)] = plane(6);
            }
            cost_ += share(told);
            if (fault_.empty() && (glm::any(glm::greaterThan(told.low, box.low)) ||
                                   glm::any(glm::lessThan(told.high, box.high))))
                fault_ = fmt::format("child {} of node {} is not in its box", place, reference);
            all.low = glm::min(all.low, box.low);
            all.high = glm::max(all.high, box.high);
        }
        return all;
    }
    Box visit_leaf(std::uint32_t reference) {
        Box box;
        const std::size_t leaf = reference & ~BvhStatus::kLeafBit;
        if (leaf >= seen_.size() || seen_[leaf]) {
            fault_ = fmt::format("leaf {}", leaf);
            return box;
        }
        seen_[leaf] = true;
        for (std::size_t i = 0; i < 3; ++i) {
            box.low = glm::min(box.low, floats(bvh_.leaves[3 * leaf + i]));
            box.high = glm::max(box.high, floats(bvh_.leaves[3 * leaf + i]));
        }
        return box;
    }

    const HostBvh& bvh_;
    std::vector<bool> seen_;
    std::size_t nodes_ = 0;
    std::uint32_t levels_ = 0;
    double cost_ = 0.0;
    std::string fault_;
};

class WidenTest : public testing_gpu::BvhTest {};

/// One triangle within the next, each a little smaller: as uneven a tree as codes give.
Soup nested_soup(std::size_t triangles) {
    Soup soup{.name = "nested", .positions = {}, .triangles = {}};
    float size = 1.0f;
    for (std::size_t i = 0; i < triangles; ++i, size *= 0.7f)
        soup.add(glm::vec3(0.0f), glm::vec3(size, 0.0f, 0.5f * size), glm::vec3(0.0f, size, size));
    return soup;
}

TEST_F(WidenTest, ReachesEachLeafOnceInBoxesThatHoldIt) {
    std::vector<Soup> soups;
    for (const std::size_t count : {0u, 1u, 2u, 3u, 8u, 9u, 64u, 65u, 300u, 3000u})
        soups.push_back(testing_gpu::random_soup(count));
    soups.push_back(testing_gpu::broken_soup(400));
    soups.push_back(testing_gpu::duplicate_soup(300));
    soups.push_back(testing_gpu::clustered_soup(1500));
    soups.push_back(testing_gpu::flat_soup(10));
    soups.push_back(testing_gpu::line_soup(300));
    soups.push_back(nested_soup(120));
    const auto name_of = [](const Soup& soup) {
        return soup.name + " " + std::to_string(soup.triangles.size());
    };
    Graph g = graph();
    for (const Soup& soup : soups) {
        const passes::TriangleMesh source = mesh(g, soup);
        const auto bits = passes::CodeBits::bits60;
        const Bvh fast = g.add(passes::LbvhBuild{.mesh = source, .bits = bits}).bvh;
        const Bvh good = g.add(QualityBuild{.mesh = source}).bvh;
        const Bvh wide = g.add(CollapseBvh{.source = good, .bvh = {}}).bvh;
        output_bvh(g, name_of(soup), wide);
        g.output(name_of(soup) + " statistics", g.add(passes::MeasureBvh{.bvh = wide}).result);
        output_bvh(g, name_of(soup) + " fast", g.add(CollapseBvh{.source = fast, .bvh = {}}).bvh);
        const Buffer queries = rays(g, testing_gpu::awkward_rays(soup, 300));
        g.output(name_of(soup) + " all",
                 g.add(CastRays{.bvh = passes::without_hierarchy(source), .rays = queries}).hits);
        g.output(name_of(soup) + " hits", g.add(CastRays{.bvh = wide, .rays = queries}).hits);
    }
    Running running = run(std::move(g), 2);
    for (const Soup& soup : soups) {
        const std::string name = name_of(soup);
        SCOPED_TRACE(name);
        for (const char* kind : {"", " fast"}) {
            const HostBvh bvh = read_bvh(running, name + kind);
            WideWalk walk(bvh);
            EXPECT_EQ(walk.run(), "") << kind;
            if (kind == std::string()) {
                const auto told = running.buffer<passes::BvhStatistics>(name + " statistics")[0];
                EXPECT_NEAR(static_cast<double>(told.cost), walk.cost(), 1e-4 * walk.cost());
                EXPECT_EQ(told.nodes, walk.nodes());
                EXPECT_EQ(told.leaves, bvh.status.leaves);
                EXPECT_EQ(told.triangles, bvh.status.leaves);
                EXPECT_EQ(told.levels, walk.levels());
            }
            if (soup.name == "random" && bvh.status.leaves >= 300) {
                EXPECT_LT(walk.nodes(), bvh.status.leaves / 3) << kind;
            }
        }
        EXPECT_EQ(running.buffer<glm::uvec4>(name + " all"),
                  running.buffer<glm::uvec4>(name + " hits"));
    }
}

TEST_F(WidenTest, ReportsOtherNodesAndTraversalsThatThereAreNot) {
    const Soup soup = testing_gpu::random_soup(5);
    Graph g = graph();
    const passes::TriangleMesh source = mesh(g, soup);
    const Bvh wide =
        g.add(CollapseBvh{.source = g.add(QualityBuild{.mesh = source}).bvh, .bvh = {}}).bvh;
    static_cast<void>(g.add(CollapseBvh{.source = wide, .bvh = {}}));
    static_cast<void>(g.add(CastRays{.bvh = wide,
                                     .rays = rays(g, testing_gpu::random_rays(1)),
                                     .traversal = Traversal::bit_trail}));
    const auto plan = compile(std::move(g).finish(), device().caps());
    ASSERT_FALSE(plan);
    ASSERT_EQ(plan.error().size(), 2u);
    EXPECT_EQ(plan.error()[0].code, "bvh/wrong-layout");
    EXPECT_EQ(plan.error()[1].code, "bvh/no-such-traversal");
}

} // namespace
} // namespace tuff
