#include "passes/bodies/hull.hpp"
#include "tests/gpu/bodies/manifolds_test.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

/// Where capsules, boxes and hulls touch solids given by distances, against closed forms.
namespace tuff {
namespace {

using passes::BodyList;
using passes::BodyStart;
using testing_gpu::kMargin;
using testing_gpu::Manifold;
using testing_gpu::Numbers;

std::vector<glm::vec3> box_corners(glm::vec3 half) {
    std::vector<glm::vec3> corners;
    for (int i = 0; i < 8; ++i)
        corners.push_back(half * glm::vec3((i & 1) != 0 ? 1.0f : -1.0f, (i & 2) != 0 ? 1.0f : -1.0f,
                                           (i & 4) != 0 ? 1.0f : -1.0f));
    return corners;
}

constexpr double kFieldBall = 1.5; // radius
constexpr double kFieldError =
    3e-3; // a lattice of a tenth bends by h^2 / 4 r, and less for both ways

class BodiesFieldContacts : public testing_gpu::ManifoldsTest {
  protected:
    /// Balls given by distances, all with the same numbers, and a body at each: its gap and the
    /// direction from the ball to where it is nearest.
    struct OnBalls {
        BodyList list;
        std::vector<std::pair<double, glm::dvec3>> expected;

        BodyStart next(glm::quat turn_of_field) {
            const glm::vec3 place =
                8.0f * glm::vec3(expected.size() % 8, expected.size() / 8, 0.5f);
            const BodyStart start{.place = place, .turn = turn_of_field, .mass = 0.0f};
            if (expected.empty()) {
                constexpr int kSide = 40;
                std::vector<float> values;
                for (int z = 0; z < kSide; ++z)
                    for (int y = 0; y < kSide; ++y)
                        for (int x = 0; x < kSide; ++x)
                            values.push_back(glm::length(0.1f * (glm::vec3(x, y, z) - 19.5f)) -
                                             static_cast<float>(kFieldBall));
                list.distances(glm::uvec3(kSide), 0.1f, values, start);
            } else {
                list.field_on_device(passes::ShapeKind::distances, list.shapes[0].size,
                                     list.shapes[0].geometry, start);
            }
            return {.place = place};
        }
    };
    /// Every gap, and the direction of every normal.
    void compare(const OnBalls& balls, std::string_view name) {
        const std::size_t count = balls.expected.size();
        std::vector<bool> touched(count, false);
        for (const auto& [pair, m] : touching(balls.list)) {
            const std::uint32_t i = pair.y / 2;
            ASSERT_EQ(pair, glm::uvec2(2 * i + 1, 2 * i));
            touched[i] = true;
            EXPECT_NEAR(m.least(), balls.expected[i].first, kFieldError) << name << i;
            EXPECT_GT(glm::dot(-m.normal, balls.expected[i].second), 0.998) << name << i;
        }
        const double margin = 2.0 * static_cast<double>(kMargin);
        for (std::size_t i = 0; i < count; ++i) {
            if (std::abs(balls.expected[i].first - margin) < kFieldError) continue;
            EXPECT_EQ(touched[i], balls.expected[i].first < margin) << name << i;
        }
        EXPECT_GT(std::ranges::count(touched, true), static_cast<std::ptrdiff_t>(count / 2));
    }
};

// The distances of a plane are linear, so the lattice gives them but for rounding, which is a few
// times 1e-7 of two metres: what a box touches is what it touches of a box with the same top.
TEST_F(BodiesFieldContacts, OfABoxOnAPlaneAreThoseOfABoxOnABox) {
    for (const bool hull : {false, true})
        for (const float tilt : {0.0f, 0.02f}) {
            const BodyStart start{.place = {0.1f, 0.5f + 0.5f * tilt, -0.2f},
                                  .turn = glm::angleAxis(tilt, glm::vec3(1, 0, 0)) *
                                          glm::angleAxis(0.4f, glm::vec3(0, 1, 0))};
            std::array<Manifold, 2> found;
            for (const bool field : {false, true}) {
                BodyList list;
                std::vector<float> values;
                for (int i = 0; i < 20 * 20 * 20; ++i)
                    values.push_back(0.2f * (static_cast<float>(i / 20 % 20) - 9.5f));
                if (field)
                    list.distances(glm::uvec3(20), 0.2f, values, {.mass = 0.0f});
                else
                    list.box({1.9f, 0.5f, 1.9f}, {.place = {0.0f, -0.5f, 0.0f}, .mass = 0.0f});
                if (hull)
                    list.hull(*passes::convex_hull(box_corners(glm::vec3(0.5f))), start);
                else
                    list.box(glm::vec3(0.5f), start);
                const auto all = touching(list);
                ASSERT_EQ(all.size(), 1u);
                found[field ? 1 : 0] = all[0].second;
            }
            EXPECT_LT(glm::length(found[1].normal - found[0].normal), 1e-5);
            ASSERT_EQ(found[0].points.size(), 4u);
            ASSERT_EQ(found[1].points.size(), 4u);
            for (const glm::dvec4& p : found[1].points) {
                double nearest = 1.0;
                for (const glm::dvec4& q : found[0].points)
                    nearest = std::min(nearest, glm::length(p - q));
                EXPECT_LT(nearest, 1e-5) << hull << tilt;
            }
        }
}

TEST_F(BodiesFieldContacts, OfCapsulesOnABallAreTheNearestPointsOfTheirAxes) {
    Numbers numbers(32);
    OnBalls balls;
    int within = 0;
    for (int i = 0; i < 40; ++i) {
        BodyStart start = balls.next(numbers.turn());
        const glm::vec3 ball = start.place;
        start.turn = numbers.turn();
        const glm::vec3 axis = start.turn * glm::vec3(0.0f, 1.0f, 0.0f);
        const glm::vec3 aside =
            glm::normalize(glm::cross(axis, glm::normalize(numbers.vector(-1.0f, 1.0f))));
        start.place += numbers.between(1.7f, 1.95f) * aside + numbers.between(-0.9f, 0.9f) * axis;
        balls.list.capsule(0.3f, 0.7f, start);
        const glm::dvec3 from = glm::dvec3(start.place) - glm::dvec3(ball);
        const double along = std::clamp(-glm::dot(from, glm::dvec3(axis)), -0.7, 0.7);
        within += std::abs(along) < 0.65 ? 1 : 0;
        const glm::dvec3 nearest = from + along * glm::dvec3(axis);
        balls.expected.emplace_back(glm::length(nearest) - kFieldBall - 0.3,
                                    glm::normalize(nearest));
    }
    EXPECT_GT(within, 20);
    compare(balls, "capsule ");
}

// The ball is nearest to a face, an edge or a corner, none of them at its middle.
TEST_F(BodiesFieldContacts, OfBoxesAndHullsOnABallAreTheirNearestPoints) {
    const glm::vec3 half(0.8f, 0.3f, 0.6f);
    const passes::Hull shape = *passes::convex_hull(box_corners(half));
    for (const bool hull : {false, true}) {
        Numbers numbers(33);
        OnBalls balls;
        for (int i = 0; i < 48; ++i) {
            // Where the ball's middle is, seen from the box: beyond one, two or three sides.
            glm::vec3 way(numbers.between(0.5f, 1.0f), numbers.between(0.5f, 1.0f),
                          numbers.between(0.5f, 1.0f));
            for (int axis = i % 3 + 1; axis < 3; ++axis)
                way[axis] = 0.0f;
            way *= numbers.between(1.42f, 1.62f) / glm::length(way);
            glm::vec3 local = half * numbers.vector(-0.8f, 0.8f);
            for (int axis = 0; axis <= i % 3; ++axis)
                local[axis] = half[axis] + way[axis];
            // Another side for each.
            const int turned = i / 3 % 3;
            glm::vec3 sides(1.0f, i % 2 != 0 ? -1.0f : 1.0f, i % 4 >= 2 ? -1.0f : 1.0f);
            if (i % 3 == 0 && turned != 0) {
                local[0] = half[0] * numbers.between(-0.8f, 0.8f);
                local[turned] = half[turned] + glm::length(way);
            }
            local *= sides;
            BodyStart start = balls.next(numbers.turn());
            start.turn = numbers.turn();
            start.place -= start.turn * local;
            if (hull)
                balls.list.hull(shape, start);
            else
                balls.list.box(half, start);
            const glm::dvec3 center(local);
            const glm::dvec3 nearest = glm::clamp(center, -glm::dvec3(half), glm::dvec3(half));
            const glm::dvec3 to_box = glm::dquat(start.turn) * (nearest - center);
            balls.expected.emplace_back(glm::length(to_box) - kFieldBall, glm::normalize(to_box));
        }
        compare(balls, hull ? "hull " : "box ");
    }
}

// A plank lies on two balls, where it has neither corners nor the middles of edges and faces: it
// neither sinks nor slides.
TEST_F(BodiesFieldContacts, HoldAPlankOnTwoBalls) {
    OnBalls balls;
    BodyList& list = balls.list;
    BodyStart start = balls.next({1.0f, 0.0f, 0.0f, 0.0f});
    for (const float x : {-0.5f, 0.5f}) {
        BodyStart ball = start;
        ball.place.x += x;
        ball.mass = 0.0f;
        list.field_on_device(passes::ShapeKind::distances, list.shapes[0].size,
                             list.shapes[0].geometry, ball);
    }
    list.places[0].y -= 4.0f; // only its numbers are needed
    start.place.y += static_cast<float>(kFieldBall) + 0.1f;
    const std::uint32_t plank = list.box({1.5f, 0.1f, 0.4f}, start);
    const testing_gpu::BodyState state = simulated(list, few(20));
    ASSERT_EQ(state.places.size(), 4u);
    EXPECT_LT(glm::length(glm::vec3(state.places[plank]) - start.place), 0.012f);
    EXPECT_LT(state.status.penetration(), 0.01f);
}

} // namespace
} // namespace tuff
