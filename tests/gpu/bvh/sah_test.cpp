#include "passes/bvh/cast.hpp"
#include "passes/bvh/implicit_build.hpp"
#include "passes/bvh/restructure_treelets.hpp"
#include "passes/bvh/sah_build.hpp"
#include "passes/bvh/sah_tree.hpp"
#include "passes/bvh/statistics.hpp"
#include "passes/geometry/triangles.hpp"
#include "tests/gpu/bvh/bvh_test.hpp"

#include <fmt/format.h>
#include <glm/common.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

/// The hierarchy that others are measured by.
namespace tuff {
namespace {

using passes::Bvh;
using passes::BvhStatistics;
using passes::BvhStatus;
using passes::CastRays;
using passes::MeasureBvh;
using passes::SahBuild;
using passes::Traversal;
using testing_gpu::Kind;
using testing_gpu::kind_of;
using testing_gpu::output_bvh;
using testing_gpu::read_bvh;
using testing_gpu::Running;
using testing_gpu::Soup;

/// A scene of one draw, or of none.
SceneData scene_of(const Soup& soup) {
    SceneData scene;
    for (const glm::vec3 position : soup.positions) {
        scene.vertices.push_back({.position = position});
        scene.bounds.grow(position);
    }
    for (const glm::uvec3 triangle : soup.triangles)
        scene.indices.insert(scene.indices.end(), {triangle.x, triangle.y, triangle.z});
    if (soup.triangles.empty()) return scene;
    scene.draws.push_back({.index_count = static_cast<std::uint32_t>(scene.indices.size()),
                           .vertex_count = static_cast<std::uint32_t>(scene.vertices.size())});
    scene.draw_bounds.push_back(scene.bounds);
    scene.transforms.emplace_back();
    scene.materials.emplace_back();
    scene.material_names.emplace_back("grey");
    scene.mesh_names.emplace_back("soup");
    scene.node_count = 1;
    return scene;
}

/// Every fifth triangle has no area: a corner twice, or three on a line.
Soup flattened_soup() {
    Soup soup = testing_gpu::random_soup(400);
    soup.name = "flattened";
    for (std::size_t i = 0; i < soup.triangles.size(); i += 5) {
        const glm::uvec3 of = soup.triangles[i];
        if (i % 2 == 0)
            soup.triangles[i].z = of.x;
        else
            soup.positions[of.z] = soup.positions[of.y] = soup.positions[of.x];
    }
    return soup;
}

std::string name_of(const Soup& soup) {
    return soup.name + " " + std::to_string(soup.triangles.size());
}

/// The expected cost of a ray as bvh/statistics tells it: of the tree that takes at each node the
/// cheapest of all splits, tried one by one.
class NaiveSah {
  public:
    explicit NaiveSah(const Soup& soup) : soup_(soup) {
        for (std::size_t i = 0; i < soup.triangles.size(); ++i)
            if (kind_of(soup, i) == Kind::proper) all_.push_back(i);
    }
    /// The box of each node costs 1, and the triangle of each leaf.
    double cost() { return below(all_) / area(all_); }

  private:
    struct Corners {
        glm::dvec3 low;
        glm::dvec3 high;
    };
    Corners box(std::size_t triangle) const {
        const auto c = soup_.corners(triangle);
        return {glm::min(glm::min(c[0], c[1]), c[2]), glm::max(glm::max(c[0], c[1]), c[2])};
    }
    double area(std::span<const std::size_t> triangles) const {
        Corners all = box(triangles[0]);
        for (const std::size_t triangle : triangles) {
            all.low = glm::min(all.low, box(triangle).low);
            all.high = glm::max(all.high, box(triangle).high);
        }
        const glm::dvec3 size = all.high - all.low;
        return size.x * size.y + size.y * size.z + size.z * size.x;
    }
    double below(std::vector<std::size_t> triangles) const {
        if (triangles.size() == 1) return area(triangles);
        double least = std::numeric_limits<double>::infinity();
        std::vector<std::size_t> best;
        std::size_t best_left = 0;
        for (glm::length_t axis = 0; axis < 3; ++axis) {
            std::ranges::stable_sort(triangles, std::less<>(), [&](std::size_t triangle) {
                return box(triangle).low[axis] + box(triangle).high[axis];
            });
            for (std::size_t left = 1; left < triangles.size(); ++left) {
                const std::span<const std::size_t> both = triangles;
                const double cost =
                    area(both.first(left)) * static_cast<double>(left) +
                    area(both.subspan(left)) * static_cast<double>(both.size() - left);
                if (cost >= least) continue;
                least = cost;
                best = triangles;
                best_left = left;
            }
        }
        const auto middle = best.begin() + static_cast<std::ptrdiff_t>(best_left);
        return area(best) + below({best.begin(), middle}) + below({middle, best.end()});
    }

    const Soup& soup_;
    std::vector<std::size_t> all_;
};

class SahTest : public testing_gpu::BvhTest {
  protected:
    static passes::TriangleMesh triangles(Graph& g, const Scene& scene) {
        return g.add(passes::Triangles{.scene = scene, .mesh = {}}).mesh;
    }
    Scene scene(Graph& g, const Soup& soup) {
        return add_scene(g, name_of(soup), pack_scene(scene_of(soup)));
    }
    Bvh built(Graph& g, const Soup& soup) {
        const Scene source = scene(g, soup);
        return g.add(SahBuild{.scene = source, .mesh = triangles(g, source), .bvh = {}}).bvh;
    }
    Buffer hits(Graph& g, const Bvh& bvh, Buffer rays, Traversal traversal) {
        return g.add(CastRays{.bvh = bvh, .rays = rays, .traversal = traversal}).hits;
    }
};

TEST_F(SahTest, HoldsEachTriangleOnceInBoxesOfTheirOwn) {
    std::vector<Soup> soups;
    for (const std::size_t count : {0u, 1u, 2u, 3u, 4u, 9u, 300u, 2500u})
        soups.push_back(testing_gpu::random_soup(count));
    soups.push_back(testing_gpu::duplicate_soup(300));
    soups.push_back(testing_gpu::clustered_soup(1500));
    soups.push_back(testing_gpu::flat_soup(10));
    soups.push_back(testing_gpu::line_soup(300));
    soups.push_back(flattened_soup());
    Graph g = graph();
    for (const Soup& soup : soups) {
        const Bvh bvh = built(g, soup);
        output_bvh(g, name_of(soup), bvh);
        const Buffer queries = rays(g, testing_gpu::awkward_rays(soup, 300));
        g.output(name_of(soup) + " all",
                 hits(g, passes::without_hierarchy(bvh.mesh), queries, Traversal::automatic));
        g.output(name_of(soup) + " stack", hits(g, bvh, queries, Traversal::stack));
        g.output(name_of(soup) + " bit_trail", hits(g, bvh, queries, Traversal::bit_trail));
    }
    Running running = run(std::move(g), 2);
    for (const Soup& soup : soups) {
        const std::string name = name_of(soup);
        SCOPED_TRACE(name);
        EXPECT_EQ(testing_gpu::fault_in(read_bvh(running, name), soup), "");
        const auto expected = running.buffer<glm::uvec4>(name + " all");
        EXPECT_EQ(running.buffer<glm::uvec4>(name + " stack"), expected);
        EXPECT_EQ(running.buffer<glm::uvec4>(name + " bit_trail"), expected);
    }
}

TEST_F(SahTest, TakesTheCheapestOfAllSplits) {
    const Soup soups[] = {testing_gpu::random_soup(60), testing_gpu::clustered_soup(60)};
    Graph g = graph();
    for (const Soup& soup : soups)
        g.output(name_of(soup), g.add(MeasureBvh{.bvh = built(g, soup)}, soup.name).result);
    Running running = run(std::move(g));
    for (const Soup& soup : soups) {
        const double expected = NaiveSah(soup).cost();
        EXPECT_NEAR(running.buffer<BvhStatistics>(name_of(soup))[0].cost, expected, 1e-4 * expected)
            << soup.name;
    }
}

TEST_F(SahTest, FastBuildersCostMoreAndTheImprovedOneAboutAsMuch) {
    // The sweep is greedy: where triangles overlap much, as in the second, joining from below finds
    // what costs an eighth less. Rays in a heap test a node's own box, not its children's: only its
    // cost can be compared.
    const Soup soups[] = {testing_gpu::random_soup(4000, 1, 0.1f),
                          testing_gpu::clustered_soup(4000), testing_gpu::sphere(4)};
    const auto queries = testing_gpu::random_rays(1000);
    for (const Soup& soup : soups) {
        SCOPED_TRACE(soup.name);
        Graph g = graph();
        const Bvh sah = built(g, soup);
        const Buffer buffer = rays(g, queries);
        const auto measure = [&](const std::string& name, const Bvh& bvh) {
            g.output(name, g.add(MeasureBvh{.bvh = bvh}, name).result);
            g.output(name + " work",
                     g.add(CastRays{.bvh = bvh, .rays = buffer, .with_work = true}).work);
        };
        measure("sah", sah);
        measure("quality", g.add(passes::QualityBuild{.mesh = sah.mesh}).bvh);
        measure("lbvh", g.add(passes::LbvhBuild{.mesh = sah.mesh}).bvh);
        measure("heap", g.add(passes::ImplicitBuild{.mesh = sah.mesh}).bvh);
        Running running = run(std::move(g));
        const auto cost = [&](const std::string& name) {
            return running.buffer<BvhStatistics>(name)[0].cost;
        };
        const auto boxes = [&](const std::string& name) {
            double sum = 0.0;
            for (const glm::uvec2 work : running.buffer<glm::uvec2>(name + " work"))
                sum += work.x;
            return sum / static_cast<double>(queries.size());
        };
        std::string told;
        for (const char* name : {"sah", "quality", "lbvh", "heap"})
            told += fmt::format("{} {:.2f} {:.2f}; ", name, cost(name), boxes(name));
        RecordProperty(soup.name, told);
        EXPECT_LT(cost("sah"), 0.95f * cost("lbvh")) << told;
        EXPECT_LT(cost("sah"), 0.95f * cost("heap")) << told;
        EXPECT_LT(cost("quality"), 1.04f * cost("sah")) << told;
        EXPECT_LT(boxes("sah"), 0.95 * boxes("lbvh")) << told;
        EXPECT_LT(boxes("quality"), 1.04 * boxes("sah")) << told;
    }
}

/// Nodes on the longest path below a reference; counts the leaves, which must follow each other.
std::uint32_t levels_below(const passes::SahTree& tree, std::uint32_t reference,
                           std::uint32_t& leaves) {
    if ((reference & BvhStatus::kLeafBit) != 0) {
        EXPECT_EQ(reference & ~BvhStatus::kLeafBit, leaves++);
        return 1;
    }
    const passes::SahTree::Node& node = tree.nodes[reference];
    const std::uint32_t left = levels_below(tree, node.left, leaves);
    return 1 + std::max(left, levels_below(tree, node.right, leaves));
}

TEST(SahTreeTest, PathsFitTheStack) {
    // Each box is an eighth of the one before and lies at an eighth of its distance: the sweep
    // takes off one or two at a time, a path of about 180 nodes if it were let.
    std::vector<passes::SahItem> items;
    for (std::uint32_t i = 0; i < 300; ++i) {
        const double at = std::ldexp(1.0, 450 - 3 * static_cast<int>(i));
        items.push_back({.low = glm::dvec3(at, 0.0, 0.0),
                         .high = glm::dvec3(1.25 * at, 0.25 * at, 0.25 * at),
                         .triangle = i});
    }
    const passes::SahTree tree = passes::sah_tree(items);
    std::uint32_t leaves = 0;
    EXPECT_EQ(levels_below(tree, tree.root, leaves), passes::kMaxBinaryLevels);
    EXPECT_EQ(leaves, 300u);
    std::vector<std::uint32_t> order = tree.order;
    std::ranges::sort(order);
    for (std::uint32_t i = 0; i < 300; ++i)
        EXPECT_EQ(order[i], i);
}

TEST_F(SahTest, HitsAreThoseOfTheMeshWhereItHasMoved) {
    const Soup before = testing_gpu::random_soup(500);
    Soup after = before;
    for (glm::vec3& p : after.positions)
        p = {p.y + 0.3f * p.x * p.x, p.z - p.x, 1.5f * p.x};
    Graph g = graph();
    const passes::TriangleMesh moved = mesh(g, after);
    const Bvh bvh = g.add(SahBuild{.scene = scene(g, before), .mesh = moved, .bvh = {}}).bvh;
    output_bvh(g, "bvh", bvh);
    const Buffer queries = rays(g, testing_gpu::awkward_rays(after, 500));
    g.output("all", hits(g, passes::without_hierarchy(moved), queries, Traversal::automatic));
    g.output("stack", hits(g, bvh, queries, Traversal::stack));
    Running running = run(std::move(g));
    EXPECT_EQ(testing_gpu::fault_in(read_bvh(running, "bvh"), after), "");
    EXPECT_EQ(running.buffer<glm::uvec4>("stack"), running.buffer<glm::uvec4>("all"));
}

TEST_F(SahTest, RefusesWhatItCannotBuildOver) {
    const auto refused = [&](const Scene& (*change)(Graph&, Scene&), std::size_t triangles) {
        Graph g = graph();
        Scene few = scene(g, testing_gpu::random_soup(3));
        const passes::TriangleMesh source = mesh(g, testing_gpu::random_soup(triangles));
        static_cast<void>(g.add(SahBuild{.scene = change(g, few), .mesh = source, .bvh = {}}));
        std::vector<std::string> codes;
        for (const Diagnostic& diagnostic : std::move(g).finish().diagnostics)
            codes.push_back(diagnostic.code);
        return codes;
    };
    const auto same = [](Graph&, Scene& given) -> const Scene& { return given; };
    const auto made = [](Graph& g, Scene& given) -> const Scene& {
        given.vertices = g.copy(given.vertices, g.buffer("made", g.desc(given.vertices)), "make");
        return given;
    };
    EXPECT_EQ(refused(same, 3), std::vector<std::string>{});
    EXPECT_EQ(refused(same, 4), std::vector<std::string>{"bvh/mesh-mismatch"});
    EXPECT_EQ(refused(made, 3), std::vector<std::string>{"bvh/scene-on-device"});
}

} // namespace
} // namespace tuff
