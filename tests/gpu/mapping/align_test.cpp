#include "passes/mapping/align.hpp"
#include "passes/mapping/normals.hpp"
#include "tests/gpu/mapping/mapping_test.hpp"

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include <cmath>
#include <numbers>
#include <random>

/// mapping/align: the motion between two views.
namespace tuff {
namespace {

using passes::MappingAlign;
using passes::MappingNormals;
using passes::MappingRoom;
using passes::RgbdMaps;
using passes::TrackingSettings;
using passes::TrackingStatus;
using testing_gpu::error_of;
using testing_gpu::pose_of;
using testing_gpu::PoseError;
using testing_gpu::Running;

struct Aligned {
    glm::dmat4 pose{1.0};
    glm::vec4 last{0.0f};
    TrackingStatus status;
};

class AlignTest : public testing_gpu::MappingTest {
  protected:
    Aligned result_of(Graph g, const MappingAlign& pass) {
        const MappingAlign added = g.add(pass);
        g.output("pose", added.pose);
        g.output("status", added.status);
        Running running = run(std::move(g));
        if (!running) return {};
        const auto rows = running.buffer<glm::vec4>("pose");
        return {pose_of(rows), rows.at(3),
                TrackingStatus::read(running.buffer<std::uint32_t>("status"))};
    }
    /// A view at `place` against one at `reference`.
    Aligned between(const MappingRoom& place, const MappingRoom& reference,
                    const TrackingSettings& settings) {
        Graph g = graph();
        const auto a = g.add(MappingNormals{.frame = g.add(place, "a").result}, "maps_a").maps;
        const auto b = g.add(MappingNormals{.frame = g.add(reference, "b").result}, "maps_b").maps;
        return result_of(std::move(g), {.maps = a, .reference = b, .tracking = settings});
    }
    Aligned planes(double tilt, const TrackingSettings& settings) {
        const Extent extent{80, 60, 1};
        const glm::dvec4 k(testing_gpu::lens_of(extent));
        std::vector<float> depths(80 * 60);
        for (std::uint32_t i = 0; i < depths.size(); ++i)
            depths[i] =
                static_cast<float>(1.5 / (1.0 + tilt * testing_gpu::ray_of(k, i % 80, i / 80).x));
        Graph g = graph();
        const auto maps = g.add(MappingNormals{.frame = frame_of(g, extent, depths)}).maps;
        return result_of(std::move(g), {.maps = maps, .reference = maps, .tracking = settings});
    }
};

MappingRoom still_room(glm::vec3 position, glm::vec3 target) {
    return {.width = 160,
            .height = 120,
            .path = passes::RoomPath::still,
            .position = position,
            .target = target,
            .noise = 0.0f,
            .dropout = 0.0f,
            .ball = 0.0f};
}

constexpr glm::vec3 kEye{1.1f, 1.3f, 0.2f};
constexpr glm::vec3 kTarget{-0.3f, 0.7f, 0.1f};

/// 2 cm and 1 degree away, one way or another.
MappingRoom perturbed(std::uint32_t seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> number;
    const auto direction = [&] {
        return glm::normalize(glm::dvec3(number(random), number(random), number(random)));
    };
    const glm::dvec3 moved = glm::dvec3(kEye) + 0.02 * direction();
    const glm::dvec3 ahead = glm::dvec3(kTarget) - glm::dvec3(kEye);
    const glm::dvec3 axis = glm::normalize(glm::cross(ahead, direction()));
    const glm::dvec3 turned =
        glm::dmat3(glm::rotate(glm::dmat4(1.0), std::numbers::pi / 180.0, axis)) * ahead;
    return still_room(glm::vec3(moved), glm::vec3(moved + turned));
}

PoseError error_of_motion(const Aligned& aligned, const MappingRoom& place,
                          const MappingRoom& reference) {
    return error_of(aligned.pose, glm::inverse(reference.camera()) * place.camera());
}

TEST_F(AlignTest, TwoCentimetresAndADegreeAreRecovered) {
    const MappingRoom reference = still_room(kEye, kTarget);
    for (std::uint32_t seed = 0; seed < 4; ++seed) {
        const MappingRoom place = perturbed(seed);
        for (const float photometric : {0.0f, 0.1f}) {
            const Aligned found = between(place, reference, {.photometric = photometric});
            const PoseError error = error_of_motion(found, place, reference);
            EXPECT_LT(error.distance, 1e-3) << seed << ", " << photometric;
            EXPECT_LT(error.angle, 0.05) << seed << ", " << photometric;
            EXPECT_EQ(found.status.lost, 0u);
            EXPECT_EQ(found.status.unconstrained, 0u);
            EXPECT_NEAR(found.status.moved, 0.02, 1.5e-3);
            EXPECT_NEAR(found.status.turned * 180.0 / std::numbers::pi, 1.0, 0.06);
            EXPECT_EQ(found.last, glm::vec4(0, 0, 0, 1));
            EXPECT_EQ(found.status.looks > 0u, photometric > 0.0f);
        }
    }
}

TEST_F(AlignTest, BrightnessAloneRecoversTheMotion) {
    const MappingRoom reference = still_room(kEye, kTarget);
    for (std::uint32_t seed = 0; seed < 3; ++seed) {
        const MappingRoom place = perturbed(seed);
        const Aligned found = between(place, reference, {.geometric = 0.0f, .photometric = 1.0f});
        const PoseError error = error_of_motion(found, place, reference);
        // Half a pixel at two metres: edges of furniture move over what is behind them.
        EXPECT_LT(error.distance, 8e-3) << seed;
        EXPECT_LT(error.angle, 0.22) << seed;
        EXPECT_EQ(found.status.pairs, 0u);
        EXPECT_EQ(found.status.lost, 0u);
    }
}

TEST_F(AlignTest, AWallHoldsThreeDirections) {
    for (const double tilt : {0.0, 0.4}) {
        const Aligned found = planes(tilt, {.photometric = 0.0f});
        EXPECT_EQ(found.status.unconstrained, 3u) << tilt;
        EXPECT_LT(error_of(found.pose, glm::dmat4(1.0)).distance, 1e-4);
        ASSERT_EQ(found.status.warnings().size(), 1u);
        EXPECT_EQ(found.status.warnings()[0].code, "mapping/unconstrained");
    }
    // The wall is white: brightness adds nothing.
    EXPECT_EQ(planes(0.0, {}).status.unconstrained, 3u);
}

TEST_F(AlignTest, ALevelEndsWhenItsStepsAreSmall) {
    const MappingRoom reference = still_room(kEye, kTarget);
    const Aligned same = between(reference, reference, {.photometric = 0.0f});
    EXPECT_EQ(same.status.iterations, 3u);
    EXPECT_LT(error_of(same.pose, glm::dmat4(1.0)).distance, 1e-6);
    const Aligned all = between(perturbed(1), reference, {.small_step = 0.0f});
    EXPECT_EQ(all.status.iterations, 19u);
    const Aligned none = between(perturbed(1), reference, {.iterations = {0, 0, 0}});
    EXPECT_EQ(none.status.iterations, 0u);
    EXPECT_EQ(none.status.lost, 1u) << "nothing was compared";
}

TEST_F(AlignTest, FramesWithoutDepthAreLost) {
    const Extent extent{32, 24, 1};
    Graph g = graph();
    const auto nothing =
        g.add(MappingNormals{.frame = frame_of(g, extent, std::vector<float>(32 * 24, 0.0f))}).maps;
    const Aligned found =
        result_of(std::move(g), {.maps = nothing, .reference = nothing, .tracking = {}});
    EXPECT_EQ(found.status.lost, 1u);
    EXPECT_EQ(found.last, glm::vec4(0.0f));
    EXPECT_EQ(found.status.unconstrained, 6u);
    ASSERT_EQ(found.status.warnings().size(), 1u);
    EXPECT_EQ(found.status.warnings()[0].code, "mapping/tracking-lost");
}

TEST_F(AlignTest, ViewsOfOtherPlacesAreLost) {
    const MappingRoom reference = still_room(kEye, kTarget);
    const Aligned found =
        between(still_room({-1.2f, 1.0f, -1.2f}, {1.5f, 0.5f, -0.5f}), reference, {});
    EXPECT_EQ(found.status.lost, 1u);
    EXPECT_LT(error_of(found.pose, glm::dmat4(1.0)).distance, 1e-6) << "it stays where it was";
}

TEST_F(AlignTest, WhatMakesNoSenseIsRefused) {
    const auto code_of = [&](const TrackingSettings& settings, Extent other) {
        Graph g = graph();
        const auto maps = [&](Extent extent) {
            return g
                .add(MappingNormals{
                    .frame = frame_of(g, extent,
                                      std::vector<float>(extent.width * extent.height, 1.0f))})
                .maps;
        };
        const RgbdMaps a = maps({16, 16, 1});
        const RgbdMaps b = maps(other);
        g.output("pose", g.add(MappingAlign{.maps = a, .reference = b, .tracking = settings}).pose);
        const auto plan = compile(std::move(g).finish(), device().caps(), {});
        return plan ? std::string() : plan.error().front().code;
    };
    EXPECT_EQ(code_of({}, {16, 16, 1}), "");
    EXPECT_EQ(code_of({}, {16, 17, 1}), "mapping/bad-reference");
    EXPECT_EQ(code_of({.geometric = 0.0f, .photometric = 0.0f}, {16, 16, 1}), "mapping/no-weight");
}

} // namespace
} // namespace tuff
