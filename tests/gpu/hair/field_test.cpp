#include "passes/distance/signed.hpp"
#include "passes/hair/colliders.hpp"
#include "tests/gpu/hair/hair_test.hpp"

#include <glm/gtc/quaternion.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

/// Volumes of distances that hair keeps out of, compared with the bodies that they describe.
namespace tuff {
namespace {

using passes::CollideHair;
using passes::HairPipeline;
using passes::HairStatus;
using passes::StepHair;
using reference::Vec;
using testing_gpu::HostHair;
using testing_gpu::Running;

constexpr std::uint32_t kStrandPoints = 16; // as in other tests, whose kernels are these
constexpr double kFieldBallRadius = 0.6;    // radius of a ball at the origin
constexpr float kFieldReach = 1.2f;         // half the side of the box around it

/// Strands in all directions from the origin, whose free vertices are at 0.7 to 1.2 radii of it.
HostHair around_a_ball(std::uint32_t count) {
    HostHair hair{.count = count, .vertices = kStrandPoints};
    for (std::uint32_t s = 0; s < count; ++s) {
        const double height = 1.0 - 2.0 * (s + 0.5) / count;
        const double turn = 2.399963 * s;
        const double across = std::sqrt(1.0 - height * height);
        const Vec to(across * std::cos(turn), height, across * std::sin(turn));
        for (std::uint32_t v = 0; v < kStrandPoints; ++v) {
            const double way = v < 2 ? 1.4 - 0.05 * v : 0.7 + 0.5 * ((s * 7 + v * 3) % 23) / 22.0;
            hair.points.emplace_back(glm::vec3(kFieldBallRadius * way * to), 1.0f);
        }
    }
    return hair;
}

/// A step in which nothing but bodies moves hair.
StepHair only_bodies(passes::HairGroom groom, HairPipeline pipeline) {
    StepHair pass{.groom = std::move(groom)};
    pass.motion.pipeline = pipeline;
    pass.motion.gravity = glm::vec3(0.0f);
    pass.motion.local_stiffness = {0.0f};
    pass.motion.global_stiffness = {0.0f};
    pass.motion.length_iterations = 0;
    pass.motion.friction = 0.0f;
    return pass;
}

class HairFieldTest : public testing_gpu::HairTest {
  protected:
    /// Distances at the centres of texels, by the share of the box where each is.
    static std::vector<float> sampled(glm::uvec3 size, const std::function<double(Vec)>& at) {
        std::vector<float> all;
        for (std::uint32_t z = 0; z < size.z; ++z)
            for (std::uint32_t y = 0; y < size.y; ++y)
                for (std::uint32_t x = 0; x < size.x; ++x)
                    all.push_back(static_cast<float>(at((Vec(x, y, z) + 0.5) / Vec(size))));
        return all;
    }
    static std::vector<float> ball(std::uint32_t side) {
        return sampled(glm::uvec3(side), [](Vec share) {
            return glm::length((2.0 * share - 1.0) * static_cast<double>(kFieldReach)) -
                   kFieldBallRadius;
        });
    }
    static Image volume(Graph& g, glm::uvec3 size, const std::vector<float>& distances) {
        return g.constant_image("field",
                                {.format = Format::r32_sfloat,
                                 .extent = {size.x, size.y, size.z},
                                 .shape = ImageShape::d3},
                                testing_gpu::bytes_of(distances));
    }
    struct Result {
        std::vector<glm::vec4> positions;
        HairStatus status;
        Diagnostics warnings;
    };
    Result collided(const HostHair& hair, HairPipeline pipeline,
                    const std::function<CollideHair(Graph&)>& bodies,
                    const passes::HeadParameters& head = {}) {
        Graph g = graph();
        StepHair pass = only_bodies(groom_of(g, hair), pipeline);
        pass.head = head;
        pass.head_before = head;
        if (bodies) pass.colliders = g.add(bodies(g)).colliders;
        pass = g.add(pass);
        g.output("positions", pass.after.positions);
        g.output("status", pass.status);
        Running running = run(std::move(g));
        return {running.buffer<glm::vec4>("positions"),
                HairStatus::read(running.buffer<std::uint32_t>("status")),
                running->warnings().value()};
    }
    Result in_ball(const HostHair& hair, HairPipeline pipeline, std::uint32_t side,
                   const std::vector<float>& distances) {
        return collided(hair, pipeline, [&](Graph& g) {
            return CollideHair{.field = volume(g, glm::uvec3(side), distances),
                               .low = glm::vec3(-kFieldReach),
                               .high = glm::vec3(kFieldReach)};
        });
    }
};

TEST_F(HairFieldTest, AFieldOfASphereMovesHairWhereTheSphereDoesToTheSquareOfACell) {
    const HostHair hair = around_a_ball(60);
    for (const HairPipeline pipeline : {HairPipeline::fused, HairPipeline::split})
        for (const std::uint32_t side : {12u, 24u, 48u}) {
            const double cell = 2.0 * static_cast<double>(kFieldReach) / side;
            // Between texels the distance to a sphere is too large by at most the square of a cell
            // times a quarter of the curvature. The slope is a mean over a cell; what its error
            // turns a way of 0.3 radii by is no more than that again.
            const double tolerance = 0.5 * cell * cell / kFieldBallRadius + 1e-5;
            const auto got = in_ball(hair, pipeline, side, ball(side)).positions;
            std::uint32_t touching = 0;
            for (std::size_t i = 0; i < got.size(); ++i) {
                const Vec from(hair.points[i]);
                const double away = glm::length(from);
                const bool inside = i % kStrandPoints >= 2 && away < kFieldBallRadius;
                const Vec wanted = inside ? from * (kFieldBallRadius / away) : from;
                ASSERT_LT(glm::distance(Vec(got[i]), wanted), tolerance)
                    << int(pipeline) << ", side " << side << ", vertex " << i;
                touching += inside;
            }
            EXPECT_GT(touching, 200u);
        }
}

TEST_F(HairFieldTest, AFieldOfAPlaneIsThatPlaneHoweverItsBoxIsTurnedAndStretched) {
    // Distances of a plane are linear, so there is no error between texels, whatever their size.
    // Flat texels, a slanting plane in the box, a turned box, and for half of the runs a turned
    // head.
    const glm::uvec3 size(6, 9, 12);
    const Vec low(-2.2, -2.0, -2.6);
    const Vec high(2.4, 2.2, 2.0);
    const Vec normal = glm::normalize(Vec(0.3, 1.0, -0.2));
    const double height = 0.1;
    const auto distances = sampled(size, [&](Vec share) { // in tenths
        return 10.0 * (glm::dot(low + share * (high - low), normal) - height);
    });
    const glm::vec3 position(0.2f, -0.1f, 0.4f);
    const glm::vec3 turn(20.0f, -35.0f, 50.0f);
    const passes::HeadParameters head{.position = {-0.1f, 0.05f, 0.1f}, .turn = {0, 40, 10}};
    const auto quaternion = [](glm::vec3 degrees) {
        const Vec axis(degrees);
        return glm::angleAxis(glm::radians(glm::length(axis)), glm::normalize(axis));
    };
    const HostHair hair = around_a_ball(40);
    for (const HairPipeline pipeline : {HairPipeline::fused, HairPipeline::split})
        for (const bool attached : {false, true}) {
            const auto got = collided(
                                 hair, pipeline,
                                 [&](Graph& g) {
                                     return CollideHair{.field = volume(g, size, distances),
                                                        .low = glm::vec3(low),
                                                        .high = glm::vec3(high),
                                                        .scale = 0.1f,
                                                        .field_position = position,
                                                        .field_turn = turn,
                                                        .field_attached = attached};
                                 },
                                 head)
                                 .positions;
            std::uint32_t touching = 0;
            for (std::size_t i = 0; i < got.size(); ++i) {
                const Vec rest(hair.points[i]);
                const Vec from = quaternion(head.turn) * rest + Vec(head.position);
                const Vec in_head = attached ? rest : from;
                const Vec in_box = glm::inverse(quaternion(turn)) * (in_head - Vec(position));
                const double away = glm::dot(in_box, normal) - height;
                const bool inside = i % kStrandPoints >= 2 && away < 0.0;
                Vec out = quaternion(turn) * normal;
                if (attached) out = quaternion(head.turn) * out;
                const Vec wanted = inside ? from - away * out : from;
                ASSERT_LT(glm::distance(Vec(got[i]), wanted), 1e-5)
                    << int(pipeline) << ", " << attached << ", vertex " << i;
                touching += inside && away > -0.5;
            }
            EXPECT_GT(touching, 50u) << attached;
        }
}

TEST_F(HairFieldTest, TheFieldOfASeedIsTheBodyWithinATexelAndAThird) {
    TUFF_ONLY_ON(lavapipe);
    // A ball around texels within 0.6; the nearest of them is at most the diagonal of a cell, 1.74,
    // farther than the ball, and the contour lies half a texel before its centre.
    constexpr std::uint32_t kSide = 24;
    constexpr double kCell = 2.0 * static_cast<double>(kFieldReach) / kSide;
    std::vector<std::uint32_t> seed;
    for (const float away : ball(kSide))
        seed.push_back(away < 0.0f ? 1u : 0u);
    const HostHair hair = around_a_ball(60);
    const auto got =
        collided(hair, HairPipeline::fused, [&](Graph& g) {
            const Image texels = g.constant_image("seed",
                                                  {.format = Format::r32_uint,
                                                   .extent = {kSide, kSide, kSide},
                                                   .shape = ImageShape::d3},
                                                  testing_gpu::bytes_of(seed));
            return CollideHair{.field = g.add(passes::SignedDistance{.seed = texels}).field,
                               .low = glm::vec3(-kFieldReach),
                               .high = glm::vec3(kFieldReach),
                               .scale = static_cast<float>(kCell)};
        }).positions;
    std::uint32_t moved = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (i % kStrandPoints < 2) continue;
        const double away = glm::length(Vec(got[i])) - kFieldBallRadius;
        ASSERT_GT(away, -1.3 * kCell) << i;
        if (glm::distance(got[i], hair.points[i]) == 0.0f) continue;
        ASSERT_LT(away, 1.3 * kCell) << i;
        ++moved;
    }
    EXPECT_GT(moved, 200u);
}

TEST_F(HairFieldTest, WhereDistancesAreNotFiniteHairPassesAndIsCounted) {
    constexpr std::uint32_t kSide = 24;
    const HostHair hair = around_a_ball(60);
    const auto good = ball(kSide);
    const auto clean = in_ball(hair, HairPipeline::fused, kSide, good);
    EXPECT_EQ(clean.status.bad_distances, 0u);
    EXPECT_TRUE(clean.warnings.empty());
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
          -std::numeric_limits<float>::infinity()}) {
        auto distances = good;
        for (std::size_t i = 0; i < distances.size(); ++i)
            if (i % kSide >= kSide / 2) distances[i] = bad; // x > 0
        const auto fused = in_ball(hair, HairPipeline::fused, kSide, distances);
        const auto split = in_ball(hair, HairPipeline::split, kSide, distances);
        EXPECT_EQ(fused.status.bad_distances, split.status.bad_distances);
        EXPECT_EQ(fused.status.resets, 0u);
        ASSERT_EQ(fused.warnings.size(), 1u);
        EXPECT_EQ(fused.warnings[0].code, "hair/bad-distances");
        std::uint32_t beside = 0;
        std::uint32_t within = 0;
        for (std::size_t i = 0; i < hair.points.size(); ++i) {
            // A slope is taken half a texel to both sides of where texels are mixed.
            const glm::vec3 from(hair.points[i]);
            const glm::vec3 got(fused.positions[i]);
            const glm::vec3 as_ever(clean.positions[i]);
            const float texels = from.x * kSide / (2.0f * kFieldReach);
            ASSERT_TRUE(glm::length(got) < 10.0f) << bad << ", vertex " << i;
            if (texels < -1.1f) {
                ASSERT_EQ(got, as_ever) << bad << ", vertex " << i;
                beside += as_ever != from;
            } else if (texels > 1.1f) {
                ASSERT_EQ(got, from) << bad << ", vertex " << i;
                within += as_ever != from;
            }
        }
        EXPECT_GT(beside, 50u);
        EXPECT_GT(within, 50u);
        // Infinitely far outside is no mistake that moves anything.
        EXPECT_GE(fused.status.bad_distances, bad > 0.0f ? 1u : within);
    }
}

TEST_F(HairFieldTest, HairOutsideOfTheBoxHasTheBitsOfHairWithoutAField) {
    const HostHair hair = around_a_ball(40);
    // Distances that are negative everywhere, in a box beside the hair.
    const std::vector<float> inside(std::size_t{8} * 8 * 8, -1.0f);
    for (const HairPipeline pipeline : {HairPipeline::fused, HairPipeline::split}) {
        const auto free = collided(hair, pipeline, {});
        const auto beside = collided(hair, pipeline, [&](Graph& g) {
            return CollideHair{.field = volume(g, glm::uvec3(8), inside),
                               .low = glm::vec3(1.0f),
                               .high = glm::vec3(2.0f)};
        });
        EXPECT_EQ(free.positions, beside.positions);
        EXPECT_EQ(beside.status.bad_distances, 0u);
    }
}

} // namespace
} // namespace tuff
