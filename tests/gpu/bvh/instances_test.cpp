#include "passes/bvh/cast.hpp"
#include "passes/bvh/collapse.hpp"
#include "passes/bvh/implicit_build.hpp"
#include "passes/bvh/instances.hpp"
#include "passes/bvh/lbvh_build.hpp"
#include "tests/gpu/bvh/bvh_test.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/mat4x4.hpp>
#include <glm/matrix.hpp>

#include <cmath>
#include <cstring>
#include <random>

/// Hierarchies over instances of meshes.
namespace tuff {
namespace {

using passes::Bvh;
using passes::BvhStatus;
using passes::CastRays;
using passes::InstanceBvh;
using passes::LbvhBuild;
using passes::MeshInstance;
using passes::RayQuestion;
using passes::Traversal;
using testing_gpu::HostHit;
using testing_gpu::HostRay;
using testing_gpu::Kind;
using testing_gpu::Running;
using testing_gpu::Soup;

constexpr std::uint32_t kNoTriangle = ~0u;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

MeshInstance instance_of(const glm::mat4& matrix, std::uint32_t mesh = 0) {
    MeshInstance instance;
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 4; ++column)
            instance.transform[static_cast<std::size_t>(4 * row + column)] = matrix[column][row];
    instance.mesh = mesh;
    return instance;
}

/// Turned, moved, of another size along each axis, some of them mirrored and some thin.
std::vector<MeshInstance> many_instances(std::uint32_t count, std::uint32_t meshes) {
    std::mt19937 random(9);
    std::uniform_real_distribution<float> number(-1.0f, 1.0f);
    std::vector<MeshInstance> all;
    for (std::uint32_t i = 0; i < count; ++i) {
        const glm::vec3 axis{number(random), number(random), 1.1f};
        const glm::vec3 place{number(random), number(random), number(random)};
        glm::vec3 size = 0.3f + 0.25f * glm::vec3{number(random), number(random), number(random)};
        if (i % 5 == 1) size.x = -size.x;
        if (i % 7 == 2) size.y *= 1e-3f;
        glm::mat4 matrix = glm::translate(glm::mat4(1.0f), place);
        matrix = glm::rotate(matrix, 3.0f * number(random), axis);
        all.push_back(instance_of(glm::scale(matrix, size), i % meshes));
    }
    return all;
}

class InstancesTest : public testing_gpu::BvhTest {
  protected:
    Buffer buffer(Graph& g, const std::vector<MeshInstance>& instances) {
        const auto bytes = testing_gpu::bytes_of(instances);
        return g.constant_buffer("instances", {.size = bytes->size(), .stride = 16}, bytes);
    }
    Buffer words(Graph& g, const std::vector<std::uint32_t>& values) {
        const auto bytes = testing_gpu::bytes_of(values);
        return g.constant_buffer("words", {.size = bytes->size(), .stride = 4}, bytes);
    }
};

/// A way through a hierarchy.
struct Way {
    std::string name;
    Bvh bvh;
    Traversal traversal = Traversal::automatic;
};

void cast(Graph& g, const Way& way, Buffer rays) {
    const CastRays closest =
        g.add(CastRays{.bvh = way.bvh, .rays = rays, .traversal = way.traversal});
    g.output(way.name, closest.hits);
    if (closest.hit_instances) g.output(way.name + " instances", closest.hit_instances);
}

void cast_any(Graph& g, const Way& way, Buffer rays) {
    CastRays pass{.bvh = way.bvh, .rays = rays, .traversal = way.traversal};
    pass.question = RayQuestion::any;
    g.output(way.name + " any", g.add(pass).hits);
}

std::string difference(Running& running, const std::string& expected, const std::string& way) {
    const auto a = running.buffer<HostHit>(expected);
    const auto b = running.buffer<HostHit>(way);
    for (std::size_t i = 0; i < a.size(); ++i)
        if (std::memcmp(&a[i], &b[i], sizeof(HostHit)) != 0)
            return fmt::format("{}, ray {}: triangle {} at {} instead of {} at {}", way, i,
                               b[i].triangle, b[i].t, a[i].triangle, a[i].t);
    return "";
}

TEST_F(InstancesTest, OneThatIsNotMovedIsHitAsItsMeshIsToTheBit) {
    Graph g = graph();
    std::vector<std::pair<std::string, std::vector<std::string>>> all;
    for (const Soup& soup : {testing_gpu::random_soup(1), testing_gpu::broken_soup(200),
                             testing_gpu::flat_soup(8), testing_gpu::sphere(2)}) {
        auto queries = testing_gpu::awkward_rays(soup, 700);
        const auto more = testing_gpu::random_rays(300);
        queries.insert(queries.end(), more.begin(), more.end());
        const Buffer buffered = rays(g, queries);
        const Bvh binary = g.add(LbvhBuild{.mesh = mesh(g, soup)}).bvh;
        const Bvh wide = g.add(passes::CollapseBvh{.source = binary, .bvh = {}}).bvh;
        const Buffer one = buffer(g, {MeshInstance{}});
        const auto over = [&](const Bvh& bvh) {
            return g.add(InstanceBvh{.meshes = {bvh}, .instances = one}).bvh;
        };
        const Bvh instances = over(binary);
        const Way ways[] = {{soup.name + " alone", binary},
                            {soup.name + " all", instances, Traversal::brute_force},
                            {soup.name + " stack", instances, Traversal::stack},
                            {soup.name + " bit_trail", instances, Traversal::bit_trail},
                            {soup.name + " wide", over(wide)}};
        all.push_back({ways[0].name, {}});
        for (const Way& way : ways) {
            cast(g, way, buffered);
            if (&way != &ways[0]) all.back().second.push_back(way.name);
        }
    }
    Running running = run(std::move(g));
    for (const auto& [expected, ways] : all)
        for (const std::string& way : ways) {
            EXPECT_EQ(difference(running, expected, way), "");
            const auto hits = running.buffer<HostHit>(expected);
            const auto in = running.buffer<std::uint32_t>(way + " instances");
            std::size_t count = 0;
            for (std::size_t i = 0; i < hits.size(); ++i) {
                count += hits[i].triangle != kNoTriangle;
                ASSERT_EQ(in[i], hits[i].triangle == kNoTriangle ? kNoTriangle : 0u) << way << i;
            }
            EXPECT_GT(count, 30u) << "nothing has been tried";
        }
}

/// What a ray hits of a triangle in the world, in double precision.
struct PlacedPassing {
    double t = 0.0;
    double inside = -1.0; ///< the least weight: negative outside
};
std::optional<PlacedPassing> placed_passing(const HostRay& ray,
                                            const std::array<glm::dvec3, 3>& corners) {
    const glm::dvec3 d(ray.direction);
    const glm::dvec3 from = glm::dvec3(ray.origin) - corners[0];
    const glm::dvec3 ab = corners[1] - corners[0];
    const glm::dvec3 ac = corners[2] - corners[0];
    const glm::dvec3 p = glm::cross(d, ac);
    const double determinant = glm::dot(ab, p);
    if (determinant == 0.0) return {};
    const glm::dvec3 q = glm::cross(from, ab);
    const double b = glm::dot(from, p) / determinant;
    const double c = glm::dot(d, q) / determinant;
    return PlacedPassing{.t = glm::dot(ac, q) / determinant,
                         .inside = std::min({1.0 - b - c, b, c})};
}

std::array<glm::dvec3, 3> placed(const MeshInstance& instance, const Soup& soup, std::size_t k) {
    std::array<glm::dvec3, 3> corners;
    for (std::size_t c = 0; c < 3; ++c) {
        const glm::dvec3 at(soup.corners(k)[c]);
        for (int row = 0; row < 3; ++row) {
            const float* m = &instance.transform[static_cast<std::size_t>(4 * row)];
            corners[c][row] = static_cast<double>(m[0]) * at.x + static_cast<double>(m[1]) * at.y +
                              static_cast<double>(m[2]) * at.z + static_cast<double>(m[3]);
        }
    }
    return corners;
}

TEST_F(InstancesTest, HitsAreThoseOfDoublePrecisionAndOfAllTraversalsToTheBit) {
    const std::vector<Soup> soups = {testing_gpu::random_soup(60), testing_gpu::sphere(1),
                                     testing_gpu::flat_soup(4), testing_gpu::broken_soup(50)};
    for (const std::uint32_t count : {1u, 2u, 60u}) {
        SCOPED_TRACE(count);
        const auto instances = many_instances(count, static_cast<std::uint32_t>(soups.size()));
        const auto queries = testing_gpu::random_rays(2000);
        Graph g = graph();
        std::vector<Bvh> binary;
        std::vector<Bvh> wide;
        for (const Soup& soup : soups) {
            binary.push_back(g.add(LbvhBuild{.mesh = mesh(g, soup)}).bvh);
            wide.push_back(g.add(passes::CollapseBvh{.source = binary.back(), .bvh = {}}).bvh);
        }
        const Buffer buffered = rays(g, queries);
        const Buffer placing = buffer(g, instances);
        const Bvh two = g.add(InstanceBvh{.meshes = binary, .instances = placing}).bvh;
        const Bvh eight = g.add(InstanceBvh{.meshes = wide, .instances = placing}).bvh;
        const Way ways[] = {{"all", two, Traversal::brute_force},
                            {"stack", two, Traversal::stack},
                            {"bit_trail", two, Traversal::bit_trail},
                            {"wide", eight},
                            {"all wide", eight, Traversal::brute_force}};
        for (const Way& way : ways) {
            cast(g, way, buffered);
            if (!way.name.starts_with("all")) cast_any(g, way, buffered);
        }
        g.output("status", two.status);
        Running running = run(std::move(g));
        EXPECT_EQ(running.buffer<BvhStatus>("status")[0].leaves, count);
        const auto in = running.buffer<std::uint32_t>("all instances");
        for (const Way& way : ways) {
            EXPECT_EQ(difference(running, "all", way.name), "");
            EXPECT_EQ(running.buffer<std::uint32_t>(way.name + " instances"), in) << way.name;
            if (way.name.starts_with("all")) continue;
            const auto any = running.buffer<std::uint32_t>(way.name + " any");
            for (std::size_t i = 0; i < queries.size(); ++i)
                ASSERT_EQ(any[i], in[i] == kNoTriangle ? 0u : 1u) << way.name << ", ray " << i;
        }

        const auto hits = running.buffer<HostHit>("all");
        std::size_t found = 0;
        std::size_t ties = 0;
        for (std::size_t i = 0; i < queries.size(); ++i) {
            const HostRay& ray = queries[i];
            double nearest = static_cast<double>(ray.t_max);
            std::pair<std::uint32_t, std::uint32_t> expected{kNoTriangle, kNoTriangle};
            for (std::uint32_t k = 0; k < count; ++k) {
                const Soup& soup = soups[instances[k].mesh];
                for (std::uint32_t triangle = 0; triangle < soup.triangles.size(); ++triangle) {
                    if (testing_gpu::kind_of(soup, triangle) != Kind::proper) continue;
                    const auto hit = placed_passing(ray, placed(instances[k], soup, triangle));
                    if (!hit || hit->inside < 0.0 || hit->t < 0.0 || hit->t >= nearest) continue;
                    nearest = hit->t;
                    expected = {k, triangle};
                }
            }
            found += expected.first != kNoTriangle;
            if (std::pair{in[i], hits[i].triangle} == expected) {
                if (expected.first != kNoTriangle) {
                    ASSERT_NEAR(static_cast<double>(hits[i].t), nearest, 2e-4 * nearest + 1e-6)
                        << "ray " << i;
                }
                continue;
            }
            // The edge of one of the two, or both at one place; an instance a thousandth as thin as
            // it is wide has edges where rounding is a thousand times as much.
            ++ties;
            const auto at_edge = [&](std::uint32_t k, std::uint32_t triangle) {
                if (k == kNoTriangle) return false;
                const auto hit =
                    placed_passing(ray, placed(instances[k], soups[instances[k].mesh], triangle));
                return !hit || std::abs(hit->inside) < 1e-3 || hit->t < 1e-4;
            };
            const bool one_place =
                std::abs(static_cast<double>(hits[i].t) - nearest) < 1e-4 * nearest;
            EXPECT_TRUE(one_place || at_edge(expected.first, expected.second) ||
                        at_edge(in[i], hits[i].triangle))
                << "ray " << i << " hits " << in[i] << " " << hits[i].triangle << " at "
                << hits[i].t << " instead of " << expected.first << " " << expected.second << " at "
                << nearest;
        }
        EXPECT_GT(found, count == 60 ? 700u : 5u) << "nothing has been tried";
        EXPECT_LE(ties, queries.size() / 500);
    }
}

TEST_F(InstancesTest, ThatCannotBeHitAreCountedAndNotHit) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto scaled = [](float x, float y, float z) {
        return instance_of(glm::scale(glm::mat4(1.0f), glm::vec3(x, y, z)));
    };
    MeshInstance not_a_number = scaled(1, 1, 1);
    not_a_number.transform[6] = nan;
    MeshInstance endless = scaled(1, 1, 1);
    endless.transform[3] = kInfinity;
    MeshInstance flat; // turned, so that rounding leaves something of its volume
    const glm::mat4 turned = glm::rotate(glm::mat4(1.0f), 0.7f, glm::vec3(1, 2, 3));
    flat = instance_of(turned * glm::scale(glm::mat4(1.0f), glm::vec3(1, 0, 1)) * turned);
    MeshInstance no_such = scaled(1, 1, 1);
    no_such.mesh = 2;
    MeshInstance empty = scaled(1, 1, 1);
    empty.mesh = 1;
    const std::vector<MeshInstance> broken = {
        scaled(0, 0, 0),     flat,    scaled(1, 0, 1), empty,
        not_a_number,        endless, no_such,         scaled(3e38f, 1, 1),
        scaled(1e-45f, 1, 1)};
    // Thin and tiny ones are not singular.
    const MeshInstance tiny = scaled(1e-9f, 1e-9f, 1e-9f);
    const MeshInstance thin =
        instance_of(turned * glm::scale(glm::mat4(1.0f), glm::vec3(1.0f, 1e-7f, 1.0f)));
    HostRay ray{.origin = {0.1f, 0.2f, -5.0f}, .direction = {0.0f, 0.0f, 1.0f}};
    const std::vector<HostRay> through(1, ray);
    HostRay near = ray;
    near.origin = {0.0f, 0.0f, -5e-9f};
    HostRay across = ray;
    across.origin = glm::vec3(turned * glm::vec4(0.1f, 1.0f, 0.05f, 1.0f));
    across.direction = glm::vec3(turned * glm::vec4(0.0f, -1.0f, 0.0f, 0.0f));

    Graph g = graph();
    Soup ball = testing_gpu::sphere(2, 1.2f);
    const std::vector<Bvh> meshes = {
        g.add(LbvhBuild{.mesh = mesh(g, ball)}).bvh,
        g.add(LbvhBuild{.mesh = mesh(g, testing_gpu::random_soup(0))}).bvh};
    const auto shoot = [&](const std::string& name, const std::vector<MeshInstance>& instances,
                           const std::vector<HostRay>& queries, std::int64_t length = -1) {
        InstanceBvh pass{.meshes = meshes, .instances = buffer(g, instances)};
        pass.length = length;
        const Bvh bvh = g.add(pass, name).bvh;
        cast(g, {name, bvh}, rays(g, queries));
        g.output(name + " status", bvh.status);
    };
    shoot("broken", broken, through);
    std::vector<MeshInstance> with_one = broken;
    with_one.push_back(scaled(1, 1, 1));
    shoot("one is whole", with_one, through);
    shoot("none", {scaled(1, 1, 1)}, through, 0);
    shoot("tiny", {tiny}, {near});
    shoot("thin", {thin}, {across});
    Running running = run(std::move(g));
    const auto status = running.buffer<BvhStatus>("broken status")[0];
    EXPECT_EQ(status.root, BvhStatus::kNoNode);
    EXPECT_EQ(status.degenerate + status.not_finite + status.bad_index, broken.size());
    EXPECT_GE(status.degenerate, 4u);
    EXPECT_GE(status.not_finite, 2u);
    EXPECT_EQ(status.bad_index, 1u);
    EXPECT_EQ(running.buffer<HostHit>("broken")[0].triangle, kNoTriangle);
    EXPECT_EQ(running.buffer<std::uint32_t>("one is whole instances")[0], broken.size());
    EXPECT_NEAR(running.buffer<HostHit>("one is whole")[0].t, 5.0f - 1.18f, 0.05f);
    EXPECT_EQ(running.buffer<HostHit>("none")[0].triangle, kNoTriangle);
    EXPECT_EQ(running.buffer<BvhStatus>("none status")[0].leaves, 0u);
    EXPECT_NEAR(running.buffer<HostHit>("tiny")[0].t, 3.8e-9f, 1e-10f);
    EXPECT_NEAR(running.buffer<HostHit>("thin")[0].t, 1.0f, 1e-5f);
}

TEST_F(InstancesTest, ARayLeavesTheTriangleOfItsInstanceOnly) {
    const Soup soup = testing_gpu::flat_soup(2); // z = 0.25
    MeshInstance behind;
    behind.transform[11] = 0.5f;
    Graph g = graph();
    const Bvh bvh = g.add(InstanceBvh{.meshes = {g.add(LbvhBuild{.mesh = mesh(g, soup)}).bvh},
                                      .instances = buffer(g, {MeshInstance{}, behind})})
                        .bvh;
    const auto corners = soup.corners(3);
    const glm::vec3 middle = (corners[0] + corners[1] + corners[2]) / 3.0f;
    HostRay ray{.origin = middle - glm::vec3(0, 0, 1), .leaves = 3};
    const Buffer queries = rays(g, {ray, ray, ray});
    CastRays pass{.bvh = bvh, .rays = queries};
    g.output("every", g.add(pass).hits);
    pass.left = words(g, {0, 1, 7});
    const CastRays by_instance = g.add(pass);
    g.output("its", by_instance.hits);
    g.output("in", by_instance.hit_instances);
    Running running = run(std::move(g));
    for (int i = 0; i < 3; ++i)
        EXPECT_NE(running.buffer<HostHit>("every")[static_cast<std::size_t>(i)].triangle, 3u);
    const auto hits = running.buffer<HostHit>("its");
    const auto in = running.buffer<std::uint32_t>("in");
    EXPECT_EQ(in[0], 1u);
    EXPECT_NEAR(hits[0].t, 1.5f, 1e-6f);
    EXPECT_EQ(in[1], 0u);
    EXPECT_NEAR(hits[1].t, 1.0f, 1e-6f);
    EXPECT_EQ(in[2], 0u);
}

TEST_F(InstancesTest, AreRefusedOfHierarchiesThatDoNotFit) {
    const auto error_of = [&](auto add) {
        Graph g = graph();
        const passes::TriangleMesh source = mesh(g, testing_gpu::random_soup(4));
        add(g, source, buffer(g, {MeshInstance{}}));
        const auto plan = compile(std::move(g).finish(), device().caps());
        return plan ? std::string() : plan.error().front().code;
    };
    using passes::TriangleMesh;
    const auto instances = [](Graph& g, std::vector<Bvh> meshes, Buffer buffer) {
        return g.add(InstanceBvh{.meshes = std::move(meshes), .instances = buffer}).bvh;
    };
    EXPECT_EQ(error_of([&](Graph& g, const TriangleMesh& source, Buffer one) {
                  static_cast<void>(
                      instances(g, {g.add(passes::ImplicitBuild{.mesh = source}).bvh}, one));
              }),
              "bvh/wrong-layout");
    EXPECT_EQ(error_of([&](Graph& g, const TriangleMesh& source, Buffer one) {
                  const Bvh two = g.add(LbvhBuild{.mesh = source}).bvh;
                  static_cast<void>(instances(
                      g, {two, g.add(passes::CollapseBvh{.source = two, .bvh = {}}).bvh}, one));
              }),
              "bvh/wrong-layout");
    EXPECT_EQ(error_of([&](Graph& g, const TriangleMesh& source, Buffer one) {
                  const Bvh two = g.add(LbvhBuild{.mesh = source}).bvh;
                  const Bvh over = instances(g, {two}, one);
                  static_cast<void>(g.add(passes::CollapseBvh{.source = over, .bvh = {}}));
              }),
              "bvh/wrong-layout");
    EXPECT_EQ(error_of([&](Graph& g, const TriangleMesh& source, Buffer one) {
                  InstanceBvh pass{.meshes = {g.add(LbvhBuild{.mesh = source}).bvh},
                                   .instances = one};
                  pass.length = 2;
                  static_cast<void>(g.add(pass));
              }),
              "primitives/too-long");
    EXPECT_EQ(error_of([&](Graph& g, const TriangleMesh&, Buffer one) {
                  static_cast<void>(instances(g, {}, one));
              }),
              "graph/unconnected");
}

} // namespace
} // namespace tuff
