#include "passes/bodies/hull.hpp"
#include "tests/gpu/bodies/manifolds_test.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

/// Where bodies touch, against the greatest separation over all directions, in double precision.
namespace tuff {
namespace {

using passes::BodyList;
using passes::BodyStart;
using passes::Hull;
using testing_gpu::kMargin;
using testing_gpu::Manifold;
using testing_gpu::Numbers;

/// A convex body by its farthest point along a direction.
using Farthest = std::function<glm::dvec3(glm::dvec3)>;

/// The greatest over all directions of how far apart two convex bodies are along it: their
/// distance, or less the depth of their overlap. By trying many directions, and going uphill from
/// the best.
double separation(const Farthest& a, const Farthest& b, bool refined = true) {
    const auto along = [&](glm::dvec3 n) { return glm::dot(b(-n) - a(n), n); };
    constexpr int kTried = 300;
    std::vector<std::pair<double, glm::dvec3>> tried;
    for (int i = 0; i < kTried; ++i) {
        const double z = 1.0 - (2.0 * i + 1.0) / kTried;
        const double turn = 2.399963229728653 * i;
        const double r = std::sqrt(1.0 - z * z);
        const glm::dvec3 n(r * std::cos(turn), r * std::sin(turn), z);
        tried.emplace_back(along(n), n);
    }
    std::ranges::partial_sort(tried, tried.begin() + 8,
                              [](const auto& x, const auto& y) { return x.first > y.first; });
    double best = -1e300;
    for (std::size_t k = 0; k < 4; ++k) {
        auto [value, n] = tried[k];
        if (!refined) return value;
        for (double step = 0.1; step > 1e-7;) {
            const glm::dvec3 u = glm::normalize(
                glm::cross(n, std::abs(n.x) < 0.7 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0)));
            const glm::dvec3 v = glm::cross(n, u);
            bool better = false;
            for (int d = 0; d < 8; ++d) {
                const double angle = d * 0.7853981633974483;
                const glm::dvec3 m =
                    glm::normalize(n + step * (std::cos(angle) * u + std::sin(angle) * v));
                if (along(m) > value) {
                    value = along(m);
                    n = m;
                    better = true;
                    break;
                }
            }
            if (!better) step *= 0.5;
        }
        best = std::max(best, value);
    }
    return best;
}

class BodiesContacts : public testing_gpu::ManifoldsTest {
  protected:
    enum Kind { kSphere, kCapsule, kBox, kHull };

    static Hull gem() {
        Numbers numbers(77);
        std::vector<glm::vec3> points;
        for (int i = 0; i < 14; ++i)
            points.push_back(0.6f * glm::normalize(numbers.vector(-1.0f, 1.0f)));
        return *passes::convex_hull(points);
    }
    Farthest add(BodyList& list, Kind kind, const BodyStart& start) {
        const glm::dvec3 place(start.place);
        const glm::dquat turn(start.turn);
        switch (kind) {
        case kSphere: {
            list.sphere(0.5f, start);
            return [=](glm::dvec3 n) { return place + 0.5 * n; };
        }
        case kCapsule: {
            list.capsule(0.3f, 0.5f, start);
            return [=](glm::dvec3 n) {
                const glm::dvec3 axis = turn * glm::dvec3(0.0, 0.5, 0.0);
                return place + (glm::dot(axis, n) > 0.0 ? axis : -axis) + double(0.3f) * n;
            };
        }
        case kBox: {
            const glm::vec3 half(0.5f, 0.4f, 0.6f);
            list.box(half, start);
            return [=](glm::dvec3 n) {
                const glm::dvec3 local = glm::inverse(turn) * n;
                return place + turn * (glm::sign(local) * glm::dvec3(half));
            };
        }
        case kHull: {
            static const Hull hull = gem();
            list.hull(hull, start);
            const std::size_t id = list.size() - 1;
            const glm::dvec3 center(list.places[id]);
            const glm::vec4 q = list.turns[id];
            const glm::dquat own(q.w, q.x, q.y, q.z);
            return [=](glm::dvec3 n) {
                glm::dvec3 best(0.0);
                double most = -1e300;
                for (const glm::dvec3& v : hull.vertices)
                    if (const glm::dvec3 p = own * v; glm::dot(p, n) > most) {
                        most = glm::dot(p, n);
                        best = p;
                    }
                return center + best;
            };
        }
        }
        return {};
    }

    /// Pairs of bodies of two kinds, each pair far from the others.
    void compare(Kind first, Kind second, std::uint32_t seed) {
        constexpr std::uint32_t kPairs = 40;
        Numbers numbers(seed);
        BodyList list;
        std::vector<double> expected;
        std::vector<std::pair<Farthest, Farthest>> shapes;
        for (std::uint32_t i = 0; i < kPairs; ++i) {
            const glm::vec3 corner(static_cast<float>(i % 8) * 6.0f,
                                   static_cast<float>(i / 8) * 6.0f, 0.0f);
            const Farthest a = add(list, first, {.place = corner, .turn = numbers.turn()});
            const glm::vec3 way = glm::normalize(numbers.vector(-1.0f, 1.0f));
            const glm::vec3 place = corner + numbers.between(0.6f, 1.25f) * way;
            const Farthest b = add(list, second, {.place = place, .turn = numbers.turn()});
            shapes.emplace_back(a, b);
            expected.push_back(separation(a, b));
        }
        std::vector<bool> touches(kPairs, false);
        int overlapping = 0;
        for (const auto& [pair, m] : touching(list)) {
            const std::uint32_t i = pair.x / 2;
            ASSERT_EQ(pair, glm::uvec2(2 * i, 2 * i + 1));
            touches[i] = true;
            double least = 1e300;
            for (const glm::dvec4& p : m.points) {
                least = std::min(least, p.w);
                // The point is halfway between the surfaces, so not outside of either by more; but
                // for faces that are taken in place of edges, which see the other aslant.
                for (const Farthest& shape : {shapes[i].first, shapes[i].second})
                    ASSERT_LT(separation(
                                  shape, [&](glm::dvec3) { return glm::dvec3(p); }, false),
                              0.5 * std::abs(p.w) + 0.02)
                        << i;
            }
            ASSERT_NEAR(glm::length(m.normal), 1.0, 1e-5);
            // Along the normal they are apart as the deepest point says.
            const double along =
                glm::dot(shapes[i].second(-m.normal) - shapes[i].first(m.normal), m.normal);
            if (expected[i] < 0.0) {
                ++overlapping;
                // A face is taken in place of edges that are better by less than a hundredth of a
                // side.
                EXPECT_NEAR(least, expected[i], 0.012) << first << second << " " << i;
                // But for a hull's corner beside the face that was cut, and for a rod that is in a
                // solid deeper than its radius: there its parts over the face count.
                if ((first != kCapsule && second != kCapsule) || least > -0.3) {
                    EXPECT_NEAR(along, least, 6e-3) << first << second << " " << i;
                }
            } else {
                EXPECT_LT(least, 2.0 * kMargin + 1e-4) << i;
                EXPECT_LT(least, expected[i] + 6e-3) << i;
            }
        }
        for (std::uint32_t i = 0; i < kPairs; ++i) {
            if (expected[i] < -1e-4) {
                EXPECT_TRUE(touches[i]) << first << second << " " << i;
            }
            if (expected[i] > 2.0 * kMargin + 0.06) {
                EXPECT_FALSE(touches[i]) << first << second << " " << i;
            }
        }
        EXPECT_GT(overlapping, 10) << first << second;
    }
};

TEST_F(BodiesContacts, OfRoundBodiesAreTheirClosestPoints) {
    compare(kSphere, kSphere, 1);
    compare(kSphere, kCapsule, 2);
    compare(kCapsule, kCapsule, 3);
}
TEST_F(BodiesContacts, OfBoxesAndHullsAreThoseOfTheBestAxis) {
    compare(kBox, kBox, 4);
    compare(kBox, kHull, 5);
    compare(kHull, kHull, 6);
}
TEST_F(BodiesContacts, OfRoundBodiesWithBoxesAndHulls) {
    compare(kSphere, kBox, 7);
    compare(kCapsule, kBox, 8);
    compare(kBox, kSphere, 9);
    compare(kHull, kCapsule, 10);
}

TEST_F(BodiesContacts, OfABoxOnABoxAreItsFourCorners) {
    BodyList list;
    list.box({2.0f, 0.5f, 2.0f}, {.place = {0.0f, -0.5f, 0.0f}, .mass = 0.0f});
    list.box(glm::vec3(0.5f),
             {.place = {0.3f, 0.499f, 0.2f}, .turn = glm::angleAxis(0.4f, glm::vec3(0, 1, 0))});
    const auto all = touching(list);
    ASSERT_EQ(all.size(), 1u);
    const Manifold& m = all[0].second;
    ASSERT_EQ(m.points.size(), 4u);
    EXPECT_NEAR(m.normal.y, -1.0, 1e-5); // from the one that moves, which is the first
    glm::dvec3 middle(0.0);
    for (const glm::dvec4& p : m.points) {
        EXPECT_NEAR(p.w, -0.001, 1e-5);
        EXPECT_NEAR(glm::length(glm::dvec2(p.x - 0.3, p.z - 0.2)), std::sqrt(0.5), 1e-4);
        middle += glm::dvec3(p) / 4.0;
    }
    EXPECT_NEAR(middle.x, 0.3, 1e-4);
    EXPECT_NEAR(middle.z, 0.2, 1e-4);
}

// Where boxes of one size lie on each other, the sides of one pass through the corners of the
// other: whatever rounding makes of that, points are known by the same numbers, or they lose their
// impulses.
TEST_F(BodiesContacts, OfBoxesOfOneSizeAreKnownByTheSameNumbers) {
    BodyList list;
    Numbers numbers(11);
    for (int i = 0; i < 40; ++i) {
        const glm::vec3 place(static_cast<float>(i) * 3.0f, 0.0f, 0.0f);
        const auto nearly = [&](glm::vec3 at) -> BodyStart {
            return {.place = place + at + numbers.vector(-2e-6f, 2e-6f),
                    .turn = glm::normalize(glm::quat(1.0f, numbers.vector(-2e-6f, 2e-6f) *
                                                               glm::vec3(0.0f, 1.0f, 0.0f)))};
        };
        list.box(glm::vec3(0.5f), nearly(glm::vec3(0.0f)));
        list.box(glm::vec3(0.5f), nearly({0.0f, 0.999f, 0.0f}));
    }
    const auto all = touching(list);
    ASSERT_EQ(all.size(), 40u);
    for (const auto& [pair, manifold] : all) {
        EXPECT_EQ(manifold.points.size(), 4u) << pair.x;
        EXPECT_EQ(manifold.features, all[0].second.features) << pair.x;
    }
}

TEST_F(BodiesContacts, WithAPlaneAreTheLowestPoints) {
    Numbers numbers(20);
    BodyList list;
    const glm::quat tilt = glm::angleAxis(0.3f, glm::vec3(0, 0, 1));
    const glm::dvec3 up = glm::dquat(tilt) * glm::dvec3(0, 1, 0);
    list.plane({.turn = tilt});
    std::vector<Farthest> shapes;
    for (std::uint32_t i = 0; i < 40; ++i) {
        const glm::vec3 along =
            tilt * glm::vec3(static_cast<float>(i) * 3.0f, numbers.between(0.2f, 0.8f), 0.0f);
        shapes.push_back(
            add(list, static_cast<Kind>(i % 4), {.place = along, .turn = numbers.turn()}));
    }
    std::size_t touched = 0;
    for (const auto& [pair, m] : touching(list)) {
        ASSERT_EQ(pair.y, 0u);
        ++touched;
        double least = 1e300;
        for (const glm::dvec4& p : m.points)
            least = std::min(least, p.w);
        EXPECT_NEAR(least, glm::dot(shapes[pair.x - 1](-up), up), 1e-4) << pair.x;
        EXPECT_NEAR(glm::dot(m.normal, up), -1.0, 1e-5);
    }
    EXPECT_GT(touched, 20u);
}

TEST_F(BodiesContacts, WithHeightsAndDistancesAreThoseOfTheirSurface) {
    // Heights of a tilted plane, and the distances of a ball: both are known everywhere.
    BodyList list;
    std::vector<float> heights;
    for (int z = 0; z < 17; ++z)
        for (int x = 0; x < 33; ++x)
            heights.push_back(0.25f * (static_cast<float>(x) - 16.0f) * 0.5f);
    list.heights({33, 17}, {16.0f, 8.0f}, heights, {});
    std::vector<float> values;
    constexpr int kSide = 40;
    for (int z = 0; z < kSide; ++z)
        for (int y = 0; y < kSide; ++y)
            for (int x = 0; x < kSide; ++x)
                values.push_back(glm::length(0.1f * (glm::vec3(x, y, z) - 19.5f)) - 1.5f);
    list.distances(glm::uvec3(kSide), 0.1f, values, {.place = {0.0f, 20.0f, 0.0f}});
    const glm::dvec3 up = glm::normalize(glm::dvec3(-0.25, 1.0, 0.0));
    for (int i = 0; i < 6; ++i) {
        const float x = static_cast<float>(i) * 2.0f - 5.0f;
        list.sphere(0.5f, {.place = {x, 0.25f * x + 0.5f, 0.3f * x}});
    }
    for (int i = 0; i < 6; ++i) {
        const glm::vec3 way = glm::normalize(glm::vec3(i - 3, 2, 1));
        list.sphere(0.4f, {.place = glm::vec3(0.0f, 20.0f, 0.0f) +
                                    (1.85f + 0.01f * static_cast<float>(i)) * way});
    }
    const auto all = touching(list);
    EXPECT_GE(all.size(), 12u);
    for (const auto& [pair, m] : all) {
        const glm::dvec3 place(list.places[pair.x]);
        if (pair.y == 0) {
            EXPECT_NEAR(m.points[0].w, glm::dot(place, up) - 0.5, 1e-4);
            EXPECT_NEAR(glm::dot(m.normal, up), -1.0, 1e-5);
        } else if (pair.y == 1) {
            const glm::dvec3 from = place - glm::dvec3(0.0, 20.0, 0.0);
            // A lattice of a tenth bends by h^2 / 8 r.
            EXPECT_NEAR(m.points[0].w, glm::length(from) - 1.9, 2e-3);
            EXPECT_NEAR(glm::dot(m.normal, glm::normalize(from)), -1.0, 2e-3);
        }
    }
}

// Pitfall of section 6: coincident centres.
TEST_F(BodiesContacts, OfSpheresAtOnePlacePointUpAndAreCounted) {
    BodyList list;
    list.sphere(0.5f, {});
    list.sphere(0.5f, {});
    const auto all = touching(list);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].second.normal, glm::dvec3(0, 1, 0));
    EXPECT_EQ(status_.coincident, 1u);
    ASSERT_EQ(status_.warnings().size(), 1u);
    EXPECT_EQ(status_.warnings()[0].code, "bodies/coincident");
}

} // namespace
} // namespace tuff
