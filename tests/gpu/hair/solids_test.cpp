#include "passes/bodies/body_list.hpp"
#include "passes/hair/colliders.hpp"
#include "tests/gpu/hair/hair_test.hpp"

#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <array>

/// Rigid bodies and moving fields of distances that hair keeps out of.
namespace tuff {
namespace {

using passes::BodyList;
using passes::BodyStart;
using passes::CollideHair;
using passes::HairPipeline;
using passes::StepHair;
using reference::Vec;
using testing_gpu::HostHair;
using testing_gpu::Running;

class HairSolidsTest : public testing_gpu::HairTest {};

/// A tetrahedron with its top cut off, whose centre is not the origin of its points.
std::vector<glm::vec3> cut_tetrahedron() {
    return {{-0.4f, -0.3f, -0.3f}, {0.4f, -0.3f, -0.3f}, {0.0f, -0.3f, 0.5f},
            {-0.1f, 0.3f, -0.1f},  {0.15f, 0.3f, -0.1f}, {0.0f, 0.3f, 0.2f}};
}

/// Distance from a convex polyhedron given by points: the farthest of the planes through three of
/// them that have all others on one side. Negative within.
double hull_distance(const std::vector<Vec>& points, Vec x) {
    double most = -1e300;
    for (std::size_t a = 0; a < points.size(); ++a)
        for (std::size_t b = a + 1; b < points.size(); ++b)
            for (std::size_t c = b + 1; c < points.size(); ++c) {
                Vec normal =
                    glm::normalize(glm::cross(points[b] - points[a], points[c] - points[a]));
                double high = -1e300;
                double low = 1e300;
                for (const Vec& p : points) {
                    high = std::max(high, glm::dot(normal, p - points[a]));
                    low = std::min(low, glm::dot(normal, p - points[a]));
                }
                if (high > 1e-6 && low < -1e-6) continue;
                if (high > 1e-6) normal = -normal;
                most = std::max(most, glm::dot(normal, x - points[a]));
            }
    return most;
}

TEST_F(HairSolidsTest, HairIsOutOfSpheresCapsulesBoxesHullsAndHalfSpaces) {
    const HostHair hair = testing_gpu::random_hair(120, 16, 51);
    const glm::quat turn = glm::normalize(glm::quat(0.8f, 0.3f, -0.2f, 0.4f));
    const std::vector<glm::vec3> corners = cut_tetrahedron();
    const auto hull = passes::convex_hull(corners);
    ASSERT_TRUE(hull);
    BodyList list;
    list.sphere(0.4f, {.place = {-0.6f, 0.5f, 0.0f}});
    list.capsule(0.2f, 0.3f, {.place = {0.7f, 0.6f, 0.3f}, .turn = turn});
    list.box({0.3f, 0.2f, 0.4f}, {.place = {0.6f, -0.3f, -0.4f}, .turn = turn});
    list.hull(*hull, {.place = {-0.4f, -0.4f, 0.4f}, .turn = turn});
    list.plane({.place = {0.0f, -0.9f, 0.0f}});
    const glm::dquat q(turn);
    std::vector<Vec> placed;
    for (const glm::vec3& p : corners)
        placed.push_back(q * Vec(p) + Vec(-0.4f, -0.4f, 0.4f));
    const auto distances = [&](Vec x) {
        const Vec in_capsule = glm::inverse(q) * (x - Vec(0.7f, 0.6f, 0.3f));
        const Vec in_box =
            glm::abs(glm::inverse(q) * (x - Vec(0.6f, -0.3f, -0.4f))) - Vec(0.3f, 0.2f, 0.4f);
        const Vec off = in_capsule - Vec(0.0, std::clamp(in_capsule.y, -0.3, 0.3), 0.0);
        return std::array{glm::distance(x, Vec(-0.6f, 0.5f, 0.0f)) - 0.4, glm::length(off) - 0.2,
                          std::max({in_box.x, in_box.y, in_box.z}), hull_distance(placed, x),
                          x.y + 0.9};
    };
    std::vector<std::vector<glm::vec4>> results;
    for (const HairPipeline pipeline : {HairPipeline::fused, HairPipeline::split}) {
        Graph g = graph();
        StepHair pass{.groom = groom_of(g, hair)};
        pass.motion.pipeline = pipeline;
        pass.colliders = g.add(CollideHair{.bodies = list.upload(g)}).colliders;
        g.output("positions", g.add(pass).after.positions);
        Running running = run(std::move(g));
        results.push_back(running.buffer<glm::vec4>("positions"));
        std::array<std::uint32_t, 5> touching{};
        for (std::size_t i = 0; i < results.back().size(); ++i) {
            if (i % 16 < 2) continue;
            const auto away = distances(Vec(results.back()[i]));
            for (std::size_t k = 0; k < away.size(); ++k) {
                ASSERT_GE(away[k], -1e-5) << "body " << k << ", vertex " << i;
                touching[k] += away[k] < 1e-5;
            }
        }
        for (const std::uint32_t count : touching)
            EXPECT_GT(count, 5u);
    }
    for (std::size_t i = 0; i < results[0].size(); ++i)
        ASSERT_LT(glm::distance(results[0][i], results[1][i]), 2e-6) << i;
}

TEST_F(HairSolidsTest, FrictionDragsHairAlongWithBodiesThatMove) {
    // Vertices just below the top of a box that slides, and turns about its middle.
    HostHair hair{.count = 1, .vertices = 6};
    for (std::uint32_t v = 0; v < 6; ++v)
        hair.points.emplace_back(0.02f * static_cast<float>(v), -0.001f, 0.0f, 1.0f);
    for (const bool turns : {false, true})
        for (const HairPipeline pipeline : {HairPipeline::fused, HairPipeline::split})
            for (const std::uint32_t substeps : {1u, 4u}) {
                BodyList list;
                list.box({1.0f, 0.5f, 1.0f},
                         {.place = {0.01f, -0.5f, 0.0f}, // at the end of the step
                          .velocity = turns ? glm::vec3(0.0f) : glm::vec3(0.6f, 0.0f, 0.0f),
                          .spin = turns ? glm::vec3(0.0f, 1.2f, 0.0f) : glm::vec3(0.0f)});
                Graph g = graph();
                StepHair pass{.groom = groom_of(g, hair)};
                pass.motion.pipeline = pipeline;
                pass.motion.substeps = substeps;
                pass.motion.gravity = glm::vec3(0.0f);
                pass.motion.local_stiffness = {0.0f};
                pass.motion.global_stiffness = {0.0f};
                pass.motion.length_iterations = 0;
                pass.motion.damping = {0.0f};
                pass.motion.friction = 1.0f;
                pass.colliders = g.add(CollideHair{.bodies = list.upload(g)}).colliders;
                g.output("positions", g.add(pass).after.positions);
                Running running = run(std::move(g));
                const auto got = running.buffer<glm::vec4>("positions");
                for (std::size_t v = 2; v < 6; ++v) {
                    Vec wanted = Vec(hair.points[v]);
                    wanted.y = 0.0;
                    if (turns) { // about the middle, by 1.2 / 60
                        const Vec arm = wanted - Vec(0.01f, 0.0, 0.0);
                        wanted += glm::cross(Vec(0.0, 1.2 / 60.0, 0.0), arm);
                    } else {
                        wanted.x += 0.01;
                    }
                    // A turn of 0.02 in small straight steps: its square times 0.1.
                    EXPECT_LT(glm::distance(Vec(got[v]), wanted), turns ? 3e-5 : 1e-6)
                        << turns << ", " << int(pipeline) << ", " << substeps << ", vertex " << v;
                }
            }
}

TEST_F(HairSolidsTest, AFieldThatMovesWithTheHeadKeepsHairOutWhereItIs) {
    // A sphere beside the origin, so that a turn moves it.
    constexpr std::uint32_t kTexels = 32;
    const glm::vec3 middle{0.3f, 0.0f, 0.0f};
    std::vector<float> distances;
    for (std::uint32_t z = 0; z < kTexels; ++z)
        for (std::uint32_t y = 0; y < kTexels; ++y)
            for (std::uint32_t x = 0; x < kTexels; ++x) {
                const glm::vec3 at = (glm::vec3(x, y, z) + 0.5f) * (2.0f / kTexels) - 1.0f;
                distances.push_back(glm::distance(at, middle) - 0.5f);
            }
    const HostHair hair = testing_gpu::random_hair(80, 16, 51);
    for (const bool attached : {true, false})
        for (const HairPipeline pipeline : {HairPipeline::fused, HairPipeline::split}) {
            Graph g = graph();
            const Image field = g.constant_image("field",
                                                 {.format = Format::r32_sfloat,
                                                  .extent = {kTexels, kTexels, kTexels},
                                                  .shape = ImageShape::d3},
                                                 testing_gpu::bytes_of(distances));
            StepHair pass{.groom = groom_of(g, hair)};
            pass.head = {.position = {0.2f, 0.1f, -0.1f}, .turn = {0.0f, 0.0f, 90.0f}};
            pass.motion.pipeline = pipeline;
            pass.motion.global_stiffness = {0.0f};
            pass.motion.length_iterations = 0;
            pass.colliders =
                g.add(CollideHair{.field = field, .field_attached = attached}).colliders;
            g.output("positions", g.add(pass).after.positions);
            Running running = run(std::move(g));
            const auto got = running.buffer<glm::vec4>("positions");
            const Vec center = attached ? Vec(0.2, 0.1 + 0.3, -0.1) : Vec(middle);
            std::uint32_t touching = 0;
            for (std::size_t i = 0; i < got.size(); ++i) {
                if (i % 16 < 2) continue;
                const double away = glm::distance(Vec(got[i]), center) - 0.5;
                ASSERT_GT(away, -0.01) << i; // texels of 0.0625: a polyhedron of them
                touching += away < 0.01;
            }
            EXPECT_GT(touching, 20u) << attached;
        }
}

TEST_F(HairSolidsTest, BodiesThatAreTooManyOrNoSolidsAreOneDiagnostic) {
    const auto code_of = [&](const BodyList& list) {
        Graph g = graph();
        (void)g.add(CollideHair{.bodies = list.upload(g)});
        const GraphDesc built = std::move(g).finish();
        EXPECT_LE(built.diagnostics.size(), 1u);
        return built.diagnostics.empty() ? std::string() : built.diagnostics.front().code;
    };
    BodyList many;
    for (std::uint32_t i = 0; i < passes::kMaxHairSolids; ++i)
        many.sphere(0.1f, {});
    EXPECT_EQ(code_of(many), "");
    many.sphere(0.1f, {});
    EXPECT_EQ(code_of(many), "hair/bad-bodies");
    BodyList hills;
    hills.heights({2, 2}, {1.0f, 1.0f}, std::array{0.0f, 0.0f, 0.0f, 0.1f}, {});
    EXPECT_EQ(code_of(hills), "hair/bad-bodies");
}

} // namespace
} // namespace tuff
