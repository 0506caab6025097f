#include "passes/bvh/cast.hpp"
#include "passes/bvh/collapse.hpp"
#include "passes/bvh/hardware_build.hpp"
#include "passes/bvh/implicit_build.hpp"
#include "passes/bvh/lbvh_build.hpp"
#include "tests/gpu/bvh/bvh_test.hpp"
#include "tests/gpu/ways_of_rays.hpp"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <random>

/// What rays hit: the triangle test against double precision, all traversals against brute force.
namespace tuff {
namespace {

using passes::Bvh;
using passes::CastRays;
using passes::LbvhBuild;
using passes::RayQuestion;
using passes::Traversal;
using passes::TriangleTest;
using testing_gpu::HostHit;
using testing_gpu::HostRay;
using testing_gpu::Kind;
using testing_gpu::Running;
using testing_gpu::Soup;

constexpr std::uint32_t kNothing = ~0u;

std::string label(const Soup& soup) {
    return soup.name + " " + std::to_string(soup.triangles.size());
}

/// How a ray passes a triangle, in double precision.
struct Passing {
    double t = 0.0;
    glm::dvec3 weights{0.0};
    double inside = -1.0; ///< the least weight: negative outside
};
std::optional<Passing> passing(const HostRay& ray, const std::array<glm::vec3, 3>& corners) {
    const glm::dvec3 o(ray.origin);
    const glm::dvec3 d(ray.direction);
    const glm::dvec3 a(corners[0]);
    const glm::dvec3 ab = glm::dvec3(corners[1]) - a;
    const glm::dvec3 ac = glm::dvec3(corners[2]) - a;
    const glm::dvec3 p = glm::cross(d, ac);
    const double determinant = glm::dot(ab, p);
    if (determinant == 0.0 || !std::isfinite(determinant)) return {};
    const glm::dvec3 q = glm::cross(o - a, ab);
    const double b = glm::dot(o - a, p) / determinant;
    const double c = glm::dot(d, q) / determinant;
    return Passing{.t = glm::dot(ac, q) / determinant,
                   .weights = {1.0 - b - c, b, c},
                   .inside = std::min({1.0 - b - c, b, c})};
}

/// How steeply a ray meets a triangle: sine of the angle.
double steepness(const HostRay& ray, const std::array<glm::vec3, 3>& corners) {
    const glm::dvec3 normal = glm::cross(glm::dvec3(corners[1]) - glm::dvec3(corners[0]),
                                         glm::dvec3(corners[2]) - glm::dvec3(corners[0]));
    return std::abs(glm::dot(glm::normalize(normal), glm::normalize(glm::dvec3(ray.direction))));
}

/// Hits found to be those of double precision, and those that are a question of rounding.
struct Agreement {
    std::size_t same = 0;
    std::size_t hits = 0;
    std::size_t weighed = 0; ///< hits whose weights double precision tells to 1e-3
    std::size_t ties = 0;
    std::string fault;
};

/// The least height of a triangle: weights change by 1 over it.
double least_height(const std::array<glm::vec3, 3>& corners) {
    const glm::dvec3 a(corners[0]);
    const glm::dvec3 b(corners[1]);
    const glm::dvec3 c(corners[2]);
    const double longest =
        std::max({glm::distance(a, b), glm::distance(b, c), glm::distance(c, a)});
    return glm::length(glm::cross(b - a, c - a)) / longest;
}

bool is_finite(const glm::vec3& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

Agreement compare(const Soup& soup, const std::vector<HostRay>& rays,
                  const std::vector<HostHit>& got) {
    Agreement result;
    for (std::size_t i = 0; i < rays.size() && result.fault.empty(); ++i) {
        const HostRay& ray = rays[i];
        // The nearest of all that are surely hit, and of all that may be.
        double surely = ray.t_max;
        std::uint32_t triangle = kNothing;
        const bool may_hit = is_finite(ray.origin) && is_finite(ray.direction);
        for (std::uint32_t k = 0; may_hit && k < soup.triangles.size(); ++k) {
            if (k == ray.leaves || testing_gpu::kind_of(soup, k) != Kind::proper) continue;
            const auto hit = passing(ray, soup.corners(k));
            if (!hit || hit->inside < 0.0 || hit->t < 0.0 || hit->t > surely) continue;
            if (hit->t == surely && triangle != kNothing) continue;
            surely = hit->t;
            triangle = k;
        }
        if (triangle != kNothing) ++result.hits;
        if (got[i].triangle == triangle) {
            ++result.same;
            if (triangle == kNothing) {
                if (got[i].t != ray.t_max && !std::isnan(ray.t_max))
                    result.fault = "t of nothing is not the greatest";
                continue;
            }
            const auto hit = *passing(ray, soup.corners(triangle));
            // Rounding moves a hit along the triangle, by more where the ray grazes it.
            const double scale = 1.0 / std::max(steepness(ray, soup.corners(triangle)), 1e-9);
            const double length = glm::length(glm::dvec3(ray.direction));
            const double size =
                glm::length(glm::dvec3(ray.origin)) + std::abs(hit.t) * length + 2.0;
            if (std::abs(got[i].t - hit.t) * length > 3e-6 * size * scale)
                result.fault = fmt::format("ray {}: t {} instead of {}", i, got[i].t, hit.t);
            // And by as much over the triangle's height weights are off.
            const double off = 3e-6 * size * scale / least_height(soup.corners(triangle));
            if (off < 1e-3) ++result.weighed;
            if (!(std::abs(got[i].b - hit.weights.y) <= off) ||
                !(std::abs(got[i].c - hit.weights.z) <= off))
                result.fault = fmt::format("ray {}: weights {} and {} instead of {} and {}", i,
                                           got[i].b, got[i].c, hit.weights.y, hit.weights.z);
            continue;
        }
        // Otherwise one of the two is hit at its edge, or both are at one place, or the ray ends
        // where it hits.
        ++result.ties;
        const auto explain = [&](std::uint32_t k) -> std::optional<Passing> {
            return k == kNothing ? std::nullopt : passing(ray, soup.corners(k));
        };
        const auto wanted = explain(triangle);
        const auto found = explain(got[i].triangle);
        const double size = glm::length(glm::dvec3(ray.origin)) + 2.0;
        const auto near_edge = [&](const std::optional<Passing>& hit, std::uint32_t k) {
            if (k == kNothing) return false;
            // In the triangle's plane, as far as its corners tell: what weights mean nothing.
            const double sine = steepness(ray, soup.corners(k));
            if (!hit || sine < 1e-6) return true;
            const double scale = 1.0 / sine;
            double least = 1e300;
            const auto corners = soup.corners(k);
            for (int e = 0; e < 3; ++e)
                least = std::min(least, static_cast<double>(glm::distance(
                                            corners[static_cast<std::size_t>(e)],
                                            corners[static_cast<std::size_t>((e + 1) % 3)])));
            return std::abs(hit->inside) * least < 1e-6 * size * scale;
        };
        const bool one_place =
            wanted && found && std::abs(wanted->t - found->t) <= 1e-5 * std::abs(wanted->t) + 1e-6;
        const auto at_end = [&](const std::optional<Passing>& hit) {
            return hit &&
                   (std::abs(hit->t) * glm::length(glm::dvec3(ray.direction)) < 1e-5 * size ||
                    std::abs(hit->t - ray.t_max) <= 1e-5 * std::abs(ray.t_max));
        };
        if (!one_place && !near_edge(wanted, triangle) && !near_edge(found, got[i].triangle) &&
            !at_end(wanted) && !at_end(found))
            result.fault = fmt::format(
                "ray {} hits triangle {} at {} instead of {} at {} (by {} and {}, sines {} and {})",
                i, got[i].triangle, got[i].t, triangle, surely, found ? found->inside : -9.0,
                wanted ? wanted->inside : -9.0,
                got[i].triangle == kNothing ? 0.0 : steepness(ray, soup.corners(got[i].triangle)),
                triangle == kNothing ? 0.0 : steepness(ray, soup.corners(triangle)));
    }
    return result;
}

/// A mesh and the rays that are cast at it.
struct Shot {
    Soup soup;
    std::vector<HostRay> rays;
    TriangleTest test = TriangleTest::watertight;
};

class CastTest : public testing_gpu::BvhTest {
  protected:
    /// What the rays hit, shot by shot; all are cast in one graph, for making kernels takes
    /// longest.
    std::vector<std::vector<HostHit>> cast(const std::vector<Shot>& shots) {
        Graph g = graph();
        for (std::size_t i = 0; i < shots.size(); ++i) {
            const Bvh bvh = g.add(LbvhBuild{.mesh = mesh(g, shots[i].soup)}).bvh;
            const Buffer queries = rays(g, shots[i].rays);
            g.output(std::to_string(i),
                     g.add(CastRays{.bvh = bvh, .rays = queries, .test = shots[i].test}).hits);
        }
        Running running = run(std::move(g));
        std::vector<std::vector<HostHit>> hits;
        for (std::size_t i = 0; i < shots.size(); ++i) {
            hits.push_back(running.buffer<HostHit>(std::to_string(i)));
            hits.back().resize(shots[i].rays.size());
        }
        return hits;
    }
    void cast_by_the_device(const DeviceCaps& way);
};

std::vector<Soup> cast_soups() {
    return {testing_gpu::random_soup(0),      testing_gpu::random_soup(1),
            testing_gpu::random_soup(2),      testing_gpu::random_soup(300),
            testing_gpu::clustered_soup(400), testing_gpu::duplicate_soup(90),
            testing_gpu::broken_soup(300),    testing_gpu::flat_soup(9),
            testing_gpu::line_soup(70),       testing_gpu::sphere(2)};
}

TEST_F(CastTest, HitsAreThoseOfDoublePrecision) {
    std::vector<Shot> shots;
    for (const Soup& soup : cast_soups())
        for (const TriangleTest test : {TriangleTest::watertight, TriangleTest::moeller_trumbore})
            shots.push_back({soup, testing_gpu::random_rays(1500), test});
    const auto hits = cast(shots);
    std::size_t count = 0;
    std::size_t weighed = 0;
    std::size_t ties = 0;
    for (std::size_t i = 0; i < shots.size(); ++i) {
        SCOPED_TRACE(label(shots[i].soup));
        const Agreement agreement = compare(shots[i].soup, shots[i].rays, hits[i]);
        EXPECT_EQ(agreement.fault, "");
        count += agreement.hits;
        weighed += agreement.weighed;
        ties += agreement.ties;
    }
    EXPECT_GT(count, 9000u) << "nothing has been tried";
    EXPECT_GT(weighed, count * 9 / 10);
    EXPECT_EQ(ties, 0u);
}

/// Whether awkward ray `i` passes a corner or an edge, or begins or ends on a triangle: see
/// `awkward_rays`.
bool is_a_tie_by_making(std::size_t i) {
    constexpr std::size_t kKinds[] = {0, 1, 2, 3, 6, 7, 11, 12, 14};
    return std::ranges::find(kKinds, i % 16) != std::end(kKinds);
}

TEST_F(CastTest, AwkwardRaysHitWhatDoublePrecisionSaysButForEdges) {
    std::vector<Shot> ties;
    std::vector<Shot> others;
    for (const Soup& soup : cast_soups()) {
        const auto all = testing_gpu::awkward_rays(soup, 1600);
        ties.push_back({soup, {}});
        others.push_back({soup, {}});
        for (std::size_t i = 0; i < all.size(); ++i)
            (is_a_tie_by_making(i) ? ties : others).back().rays.push_back(all[i]);
    }
    const auto hits_of_ties = cast(ties);
    const auto hits_of_others = cast(others);
    std::size_t hits = 0;
    for (std::size_t i = 0; i < ties.size(); ++i) {
        SCOPED_TRACE(label(ties[i].soup));
        const Agreement at_edges = compare(ties[i].soup, ties[i].rays, hits_of_ties[i]);
        EXPECT_EQ(at_edges.fault, "");
        EXPECT_LT(at_edges.ties, ties[i].rays.size() / 2);
        const Agreement apart = compare(others[i].soup, others[i].rays, hits_of_others[i]);
        EXPECT_EQ(apart.fault, "");
        EXPECT_EQ(apart.ties, 0u);
        hits += apart.hits;
    }
    EXPECT_GT(hits, 1000u) << "nothing has been tried";
}

/// The same rays through each hierarchy in each way.
class Ways {
  public:
    Ways(Graph& g, const passes::TriangleMesh& source, Buffer rays, std::string prefix)
        : g_(g), rays_(rays), prefix_(std::move(prefix)) {
        add("brute force", passes::without_hierarchy(source), Traversal::automatic);
        for (const auto bits : {passes::CodeBits::bits30, passes::CodeBits::bits60}) {
            const std::string name = bits == passes::CodeBits::bits30 ? "lbvh 30" : "lbvh 60";
            const Bvh bvh = g.add(LbvhBuild{.mesh = source, .bits = bits}).bvh;
            add(name + " stack", bvh, Traversal::stack);
            add(name + " bit_trail", bvh, Traversal::bit_trail);
            add(name + " wide", g.add(passes::CollapseBvh{.source = bvh, .bvh = {}}).bvh,
                Traversal::stack);
        }
        passes::ImplicitBuild build{.mesh = source};
        const Bvh heap = g.add(build).bvh;
        add("heap stack", heap, Traversal::stack);
        add("heap bit_trail", heap, Traversal::bit_trail);
        build.split = passes::HeapSplit::in_turn;
        add("heap in turn", g.add(build).bvh, Traversal::bit_trail);
        build.split = passes::HeapSplit::highest_bit;
        build.interleave = passes::Interleave::extents;
        build.levels = 4;
        add("low heap", g.add(build).bvh, Traversal::automatic);
    }

    /// Compares all with brute force, bit by bit.
    std::string fault(Running& running) const {
        for (const char* test : kTests) {
            const auto expected = running.buffer<HostHit>(prefix_ + names_[0] + test);
            for (const std::string& name : names_) {
                const auto hits = running.buffer<HostHit>(prefix_ + name + test);
                const auto any = running.buffer<std::uint32_t>(prefix_ + name + test + " any");
                for (std::size_t i = 0; i < expected.size(); ++i) {
                    const bool hit = expected[i].triangle != kNothing;
                    if (std::memcmp(&hits[i], &expected[i], sizeof(HostHit)) != 0 ||
                        any[i] != (hit ? 1u : 0u))
                        return fmt::format("{}{}, ray {}: triangle {} at {} instead of {} at {}",
                                           name, test, i, hits[i].triangle, hits[i].t,
                                           expected[i].triangle, expected[i].t);
                }
            }
        }
        return "";
    }

  private:
    static constexpr const char* kTests[] = {" watertight", " moeller"};

    void add(const std::string& name, const Bvh& bvh, Traversal traversal) {
        names_.push_back(name);
        for (const char* test : kTests) {
            CastRays pass{.bvh = bvh, .rays = rays_, .traversal = traversal};
            if (test == kTests[1]) pass.test = TriangleTest::moeller_trumbore;
            g_.output(prefix_ + name + test, g_.add(pass).hits);
            pass.question = RayQuestion::any;
            g_.output(prefix_ + name + test + " any", g_.add(pass).hits);
        }
    }
    Graph& g_;
    Buffer rays_;
    std::string prefix_;
    std::vector<std::string> names_;
};

TEST_F(CastTest, AllTraversalsHitWhatBruteForceHitsToTheBit) {
    Graph g = graph();
    std::vector<std::pair<std::string, Ways>> all;
    for (const Soup& soup : cast_soups()) {
        auto queries = testing_gpu::awkward_rays(soup, 800);
        const auto more = testing_gpu::random_rays(400, 77);
        queries.insert(queries.end(), more.begin(), more.end());
        all.emplace_back(label(soup), Ways(g, mesh(g, soup), rays(g, queries), label(soup) + "."));
    }
    Running running = run(std::move(g));
    for (const auto& [name, ways] : all)
        EXPECT_EQ(ways.fault(running), "") << name;
}

// Of the device's own hierarchy, by its own traversal. What both find is the same to the bit; where
// they differ, double precision says that it is a question of rounding.
void CastTest::cast_by_the_device(const DeviceCaps& way) {
    Graph g = graph();
    g.set_target(way);
    std::vector<Shot> shots;
    for (const Soup& soup : cast_soups()) {
        Shot shot{soup, testing_gpu::awkward_rays(soup, 800)};
        const auto more = testing_gpu::random_rays(1500);
        shot.rays.insert(shot.rays.end(), more.begin(), more.end());
        const passes::TriangleMesh source = mesh(g, soup);
        const std::string name = std::to_string(shots.size());
        CastRays pass{.bvh = g.add(LbvhBuild{.mesh = source}).bvh, .rays = rays(g, shot.rays)};
        g.output(name, g.add(pass).hits);
        pass.bvh = g.add(passes::HardwareBuild{.mesh = source, .bvh = {}}).bvh;
        g.output(name + " device", g.add(pass).hits);
        pass.traversal = Traversal::device;
        pass.question = RayQuestion::any;
        g.output(name + " any", g.add(pass).hits);
        shots.push_back(std::move(shot));
    }
    const bool launches = std::ranges::any_of(g.peek().payloads, [](const NodePayload& work) {
        return std::holds_alternative<RayNode>(work);
    });
    EXPECT_EQ(launches, !way.ray_query);
    Running running = run(std::move(g), 2);
    std::size_t count = 0;
    for (std::size_t s = 0; s < shots.size(); ++s) {
        SCOPED_TRACE(label(shots[s].soup));
        const std::string name = std::to_string(s);
        const auto ours = running.buffer<HostHit>(name);
        const auto theirs = running.buffer<HostHit>(name + " device");
        const auto any = running.buffer<std::uint32_t>(name + " any");
        const Agreement agreement = compare(shots[s].soup, shots[s].rays, theirs);
        EXPECT_EQ(agreement.fault, "");
        count += agreement.hits;
        for (std::size_t i = 0; i < shots[s].rays.size(); ++i) {
            EXPECT_EQ(any[i], theirs[i].triangle != kNothing ? 1u : 0u) << "ray " << i;
            const bool same = std::memcmp(&theirs[i], &ours[i], sizeof(HostHit)) == 0;
            EXPECT_TRUE(same || theirs[i].triangle != ours[i].triangle) << "ray " << i;
        }
    }
    EXPECT_GT(count, 6000u) << "nothing has been tried";
}

TEST_F(CastTest, RaysOfTheDeviceHitTheSameButForTies) {
    const std::vector<DeviceCaps> ways = testing_gpu::ways_of_rays(device().caps());
    if (ways.empty()) GTEST_SKIP() << "the device sends no rays of its own";
    for (const DeviceCaps& way : ways) {
        SCOPED_TRACE(way.ray_query ? "ray queries" : "ray-tracing pipeline");
        cast_by_the_device(way);
    }
}

TEST_F(CastTest, NoRayLeavesAClosedMesh) {
    const Soup soup = testing_gpu::sphere(4); // 2048 triangles
    std::vector<HostRay> queries(16000);
    for (std::size_t i = 0; i < queries.size(); ++i) {
        HostRay& ray = queries[i];
        ray.origin = glm::vec3(0.3f, -0.2f, 0.1f) * static_cast<float>(i % 3);
        // Through corners, edges and centroids.
        const auto corners = soup.corners(i % soup.triangles.size());
        const glm::vec3 to = i % 4 == 0   ? corners[0]
                             : i % 4 == 1 ? 0.5f * (corners[0] + corners[1])
                             : i % 4 == 2 ? 0.25f * corners[1] + 0.75f * corners[2]
                                          : (corners[0] + corners[1] + corners[2]) / 3.0f;
        ray.direction = to - ray.origin;
        ray.t_max = 10.0f;
    }
    const auto hits = cast({{soup, queries}})[0];
    for (std::size_t i = 0; i < queries.size(); ++i) {
        ASSERT_NE(hits[i].triangle, kNothing) << "ray " << i;
        ASSERT_NEAR(hits[i].t, 1.0f, 1e-5f) << "ray " << i;
    }
}

TEST_F(CastTest, TheHierarchySparesMostTests) {
    const Soup soup = testing_gpu::random_soup(4000, 1, 0.05f);
    const auto queries = testing_gpu::random_rays(500);
    Graph g = graph();
    const Bvh bvh = g.add(LbvhBuild{.mesh = mesh(g, soup)}).bvh;
    const Buffer buffer = rays(g, queries);
    for (const Traversal traversal : {Traversal::stack, Traversal::bit_trail}) {
        const std::string name = traversal == Traversal::stack ? "stack" : "bit_trail";
        g.output(
            name,
            g.add(CastRays{.bvh = bvh, .rays = buffer, .traversal = traversal, .with_work = true},
                  name)
                .work);
    }
    Running running = run(std::move(g));
    for (const char* name : {"stack", "bit_trail"}) {
        std::uint64_t boxes = 0;
        std::uint64_t triangles = 0;
        for (const glm::uvec2 work : running.buffer<glm::uvec2>(name)) {
            boxes += work.x;
            triangles += work.y;
        }
        EXPECT_LT(boxes, queries.size() * 400) << name;
        EXPECT_LT(triangles, queries.size() * 60) << name;
        EXPECT_GT(triangles, queries.size() / 4) << name;
    }
}

TEST_F(CastTest, TrailAndStackVisitTheSameBoxesOfAHeap) {
    const Soup soup = testing_gpu::clustered_soup(1000);
    const auto queries = testing_gpu::awkward_rays(soup, 2000);
    Graph g = graph();
    const Bvh bvh = g.add(passes::ImplicitBuild{.mesh = mesh(g, soup)}).bvh;
    CastRays pass{
        .bvh = bvh, .rays = rays(g, queries), .traversal = Traversal::stack, .with_work = true};
    g.output("stack", g.add(pass, "stack").work);
    pass.traversal = Traversal::bit_trail;
    g.output("bit_trail", g.add(pass, "bit_trail").work);
    Running running = run(std::move(g));
    const auto stack = running.buffer<glm::uvec2>("stack");
    EXPECT_EQ(stack, running.buffer<glm::uvec2>("bit_trail"));
    std::uint64_t boxes = 0;
    for (const glm::uvec2 work : stack)
        boxes += work.x;
    EXPECT_GT(boxes, queries.size() * 10);
}

TEST_F(CastTest, ManySmallScenesOfAllKinds) {
    constexpr std::uint32_t kScenes = 60;
    std::mt19937 random(11);
    Graph g = graph();
    std::vector<Soup> scenes;
    for (std::uint32_t i = 0; i < kScenes; ++i) {
        const std::size_t count = 1 + random() % 200;
        switch (i % 6) {
        case 0: scenes.push_back(testing_gpu::random_soup(count, i)); break;
        case 1: scenes.push_back(testing_gpu::clustered_soup(count, i)); break;
        case 2: scenes.push_back(testing_gpu::duplicate_soup(count, i)); break;
        case 3: scenes.push_back(testing_gpu::broken_soup(count, i)); break;
        case 4: scenes.push_back(testing_gpu::line_soup(count)); break;
        default: // all centroids at one place
            scenes.push_back({.name = "onion", .positions = {}, .triangles = {}});
            for (std::size_t k = 1; k <= count; ++k) {
                const float size = static_cast<float>(k) / static_cast<float>(count);
                scenes.back().add({-size, -size, -size}, {size, size, size}, {-size, size, 0.0f});
            }
        }
        const passes::TriangleMesh source = mesh(g, scenes.back());
        const Buffer queries = rays(g, testing_gpu::awkward_rays(scenes.back(), 64, i));
        const std::string name = std::to_string(i);
        const Bvh binary = g.add(LbvhBuild{.mesh = source}).bvh;
        testing_gpu::output_bvh(g, name, binary);
        const auto trace = [&](const char* way, const Bvh& bvh) {
            g.output(name + way, g.add(CastRays{.bvh = bvh, .rays = queries}).hits);
        };
        trace(" all", passes::without_hierarchy(source));
        trace(" binary", binary);
        trace(" heap", g.add(passes::ImplicitBuild{.mesh = source}).bvh);
    }
    Running running = run(std::move(g));
    for (std::uint32_t i = 0; i < kScenes; ++i) {
        const std::string name = std::to_string(i);
        SCOPED_TRACE(name + " " + label(scenes[i]));
        EXPECT_EQ(testing_gpu::fault_in(testing_gpu::read_bvh(running, name), scenes[i]), "");
        const auto expected = running.buffer<glm::uvec4>(name + " all");
        EXPECT_EQ(running.buffer<glm::uvec4>(name + " binary"), expected);
        EXPECT_EQ(running.buffer<glm::uvec4>(name + " heap"), expected);
    }
}

TEST_F(CastTest, RaysMayBeginAnywhereInTheTree) {
    const Soup soup = testing_gpu::clustered_soup(600);
    const auto queries = testing_gpu::random_rays(3000);
    Graph g = graph();
    const passes::TriangleMesh source = mesh(g, soup);
    const Buffer buffer = rays(g, queries);
    const Bvh binary = g.add(LbvhBuild{.mesh = source}).bvh;
    const Bvh heap = g.add(passes::ImplicitBuild{.mesh = source}).bvh;
    // Where the ray before has hit; elsewhere the root.
    const auto trace = [&](const std::string& name, const Bvh& bvh) {
        CastRays pass{.bvh = bvh,
                      .rays = buffer,
                      .traversal = Traversal::bit_trail,
                      .with_work = true,
                      .with_ends = true};
        const CastRays first = g.add(pass);
        g.output(name + " first", first.hits);
        g.output(name + " first work", first.work);
        pass.starts = first.ends;
        const CastRays again = g.add(pass);
        g.output(name + " again", again.hits);
        g.output(name + " again work", again.work);
        g.output(name + " ends", first.ends);
    };
    trace("binary", binary);
    trace("heap", heap);
    Running running = run(std::move(g));
    for (const std::string name : {"binary", "heap"}) {
        EXPECT_EQ(running.buffer<glm::uvec4>(name + " first"),
                  running.buffer<glm::uvec4>(name + " again"));
        const auto first = running.buffer<glm::uvec2>(name + " first work");
        const auto again = running.buffer<glm::uvec2>(name + " again work");
        std::uint64_t all_first = 0;
        std::uint64_t all_again = 0;
        for (std::size_t i = 0; i < first.size(); ++i) {
            // The nearest hit is known from the start: what its box hides then, it hides now, and
            // where it lies is tested once.
            EXPECT_LE(again[i].y, first[i].y) << name << ", ray " << i;
            all_first += first[i].y;
            all_again += again[i].y;
        }
        RecordProperty(name, fmt::format("{} triangle tests from the root, {} from hits", all_first,
                                         all_again));
        EXPECT_LT(all_again, all_first) << name;
        // Any leaf and any node does.
        auto ends = running.buffer<std::uint32_t>(name + " ends");
        ends.resize(queries.size());
        std::ranges::reverse(ends);
        if (name == "heap")
            for (std::size_t i = 0; i < ends.size(); i += 3)
                if (ends[i] != kNothing) ends[i] >>= i % 7; // somewhere above
        Graph other = graph();
        const passes::TriangleMesh same = mesh(other, soup);
        const Bvh bvh = name == "heap" ? other.add(passes::ImplicitBuild{.mesh = same}).bvh
                                       : other.add(LbvhBuild{.mesh = same}).bvh;
        for (std::uint32_t& end : ends)
            if (end == 0) end = kNothing;
        const auto bytes = testing_gpu::bytes_of(ends);
        CastRays pass{.bvh = bvh, .rays = rays(other, queries), .traversal = Traversal::bit_trail};
        pass.starts = other.constant_buffer("starts", {.size = bytes->size(), .stride = 4}, bytes);
        other.output("hits", other.add(pass).hits);
        Running once_more = run(std::move(other));
        EXPECT_EQ(once_more.buffer<glm::uvec4>("hits"),
                  running.buffer<glm::uvec4>(name + " first"));
    }
}

TEST_F(CastTest, ReadsNothingWhereNothingIsConnected) {
    Graph g = graph();
    const Bvh built = g.add(LbvhBuild{.mesh = mesh(g, testing_gpu::random_soup(4))}).bvh;
    const Buffer one = rays(g, std::vector<HostRay>(1));
    const auto accesses_of = [&](CastRays pass) {
        const std::size_t before = g.peek().accesses.size();
        pass.rays = one;
        static_cast<void>(g.add(pass));
        return g.peek().accesses.size() - before;
    };
    // Positions, indices and rays are read; hits, work and ends are written.
    EXPECT_EQ(accesses_of({.bvh = passes::without_hierarchy(built.mesh)}), 6u);
    EXPECT_EQ(accesses_of({.bvh = built, .traversal = Traversal::brute_force}), 6u);
    // Nodes, leaves and status are read, too; then where each ray begins.
    EXPECT_EQ(accesses_of({.bvh = built}), 9u);
    EXPECT_EQ(accesses_of({.bvh = built, .starts = one, .traversal = Traversal::bit_trail}), 10u);
}

TEST_F(CastTest, ReportsTraversalsThatThereAreNot) {
    const Soup soup = testing_gpu::random_soup(4);
    for (const Traversal traversal : {Traversal::bit_trail, Traversal::device}) {
        Graph g = graph();
        const Bvh bvh = passes::without_hierarchy(mesh(g, soup));
        static_cast<void>(g.add(CastRays{
            .bvh = bvh, .rays = rays(g, std::vector<HostRay>(1)), .traversal = traversal}));
        const auto plan = compile(std::move(g).finish(), device().caps());
        ASSERT_FALSE(plan);
        EXPECT_EQ(plan.error().front().code, "bvh/no-such-traversal");
    }
}

} // namespace
} // namespace tuff
