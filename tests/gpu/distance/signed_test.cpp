#include "passes/distance/exact.hpp"
#include "passes/distance/signed.hpp"
#include "tests/gpu/distance/distance_test.hpp"
#include "tests/gpu/distance/exact_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tuff {
namespace {

using passes::DistanceTo;
using passes::ExactDistance;
using passes::SignedDistance;
using passes::SignedStorage;

constexpr double kInfinitelyFar = 46340.95; // sqrt(2^31 - 1)

/// Distances of both sides, on the CPU.
struct BothSides {
    std::vector<std::uint32_t> outside;
    std::vector<std::uint32_t> inside;

    explicit BothSides(const reference::Seed& seed)
        : outside(reference::squared_distances(seed)),
          inside(reference::squared_distances(seed.inverted())) {}
    double signed_distance(std::size_t i, double shift) const {
        return outside[i] != 0 ? std::sqrt(static_cast<double>(outside[i])) - shift
                               : shift - std::sqrt(static_cast<double>(inside[i]));
    }
};

reference::Seed disc_seed(std::uint32_t side, double radius) {
    const double middle = 0.5 * (side - 1);
    return seed_where(side, side, [&](std::uint32_t x, std::uint32_t y) {
        return std::hypot(x - middle, y - middle) < radius;
    });
}

class SignedDistanceTest : public DistanceTest {
  protected:
    void expect_signed(const NamedSeed& one, bool half_pixel, SignedStorage storage) {
        Graph g = graph();
        g.output("field", g.add(SignedDistance{.seed = image_of(g, one.seed),
                                               .half_pixel = half_pixel,
                                               .storage = storage})
                              .field);
        const HostImage field = run(std::move(g)).image("field");
        const BothSides expected(one.seed);
        // Floats of 16 bits have 11 binary digits; devices may cut the rest off.
        const double relative = storage == SignedStorage::r32_sfloat ? 2e-7 : 1e-3;
        for (std::uint32_t y = 0; y < one.seed.height; ++y)
            for (std::uint32_t x = 0; x < one.seed.width; ++x) {
                const double wanted = expected.signed_distance(std::size_t{y} * one.seed.width + x,
                                                               half_pixel ? 0.5 : 0.0);
                ASSERT_NEAR(field.texel(x, y)[0], wanted, relative * std::abs(wanted) + 1e-6)
                    << one.name << " at " << x << ", " << y;
            }
    }
    /// Squared distances to the objects, or to the background.
    std::vector<std::uint32_t> side_of(const reference::Seed& seed, DistanceTo to) {
        Graph g = graph();
        g.output("field", g.add(ExactDistance{.seed = image_of(g, seed), .to = to}).field);
        return whole_numbers(run(std::move(g)).image("field"));
    }
    std::vector<std::string> warnings_for(const reference::Seed& seed) {
        Graph g = graph();
        g.output("field", g.add(SignedDistance{.seed = image_of(g, seed)}).field);
        testing_gpu::Running running = run(std::move(g));
        std::vector<std::string> codes;
        for (const Diagnostic& warning : running->warnings().value_or(Diagnostics{}))
            codes.push_back(warning.code);
        return codes;
    }
};

TEST_F(SignedDistanceTest, IsTheDifferenceOfTheDistancesOfBothSides) {
    for (const NamedSeed& one : seeds_of_all_kinds())
        expect_signed(one, true, SignedStorage::r32_sfloat);
    const NamedSeed half{"half", random_seed(97, 61, 0.5)};
    expect_signed(half, false, SignedStorage::r32_sfloat);
    expect_signed(half, true, SignedStorage::r16_sfloat);
    expect_signed({"disc", disc_seed(67, 20.0)}, false, SignedStorage::r16_sfloat);
}

TEST_F(SignedDistanceTest, Check6OneSideIsZeroEverywhereAndInversionSwapsBoth) {
    for (const double density : {0.1, 0.5, 0.9}) {
        const reference::Seed seed = random_seed(97, 61, density, 7);
        const auto outside = side_of(seed, DistanceTo::objects);
        const auto inside = side_of(seed, DistanceTo::background);
        for (std::size_t i = 0; i < outside.size(); ++i)
            ASSERT_TRUE((outside[i] == 0) != (inside[i] == 0)) << i;
        EXPECT_EQ(side_of(seed.inverted(), DistanceTo::objects), inside);
        EXPECT_EQ(side_of(seed.inverted(), DistanceTo::background), outside);
    }
}

TEST_F(SignedDistanceTest, Check6NeighboursAcrossTheContourAreOneApart) {
    const reference::Seed seed = random_seed(130, 75, 0.3, 3);
    const auto outside = side_of(seed, DistanceTo::objects);
    const auto inside = side_of(seed, DistanceTo::background);
    std::size_t pairs = 0;
    const auto look = [&](std::size_t a, std::size_t b) {
        if ((seed.texels[a] != 0) == (seed.texels[b] != 0)) return;
        const bool first = seed.texels[a] != 0;
        EXPECT_EQ(outside[first ? b : a], 1u);
        EXPECT_EQ(inside[first ? a : b], 1u);
        ++pairs;
    };
    for (std::uint32_t y = 0; y < seed.height; ++y)
        for (std::uint32_t x = 0; x < seed.width; ++x) {
            const std::size_t at = std::size_t{y} * seed.width + x;
            if (x + 1 < seed.width) look(at, at + 1);
            if (y + 1 < seed.height) look(at, at + seed.width);
        }
    EXPECT_GT(pairs, 1000u);
}

/// Of the slopes by central differences, those of texels at least two away from contour, border and
/// medial axis: where the gradients of the neighbours differ little.
TEST_F(SignedDistanceTest, Check7TheSlopeIsOne) {
    for (const bool disc : {true, false}) {
        const reference::Seed seed = disc ? disc_seed(129, 37.3) : random_seed(193, 140, 0.0008, 9);
        Graph g = graph();
        const auto pass = g.add(SignedDistance{.seed = image_of(g, seed)});
        g.output("field", pass.field);
        g.output("gradient", pass.gradient);
        testing_gpu::Running running = run(std::move(g));
        const HostImage field = running.image("field");
        const HostImage gradient = running.image("gradient");
        std::vector<double> slopes;
        std::vector<double> along; // of the pass's gradient with the differences
        for (std::uint32_t y = 2; y + 2 < seed.height; ++y)
            for (std::uint32_t x = 2; x + 2 < seed.width; ++x) {
                if (std::abs(field.texel(x, y)[0]) < 2.5f) continue;
                const auto here = gradient.texel(x, y);
                double least = 1.0;
                for (const auto& [dx, dy] : {std::pair{-2, 0}, {2, 0}, {0, -2}, {0, 2}}) {
                    const auto other = gradient.texel(x + static_cast<std::uint32_t>(dx),
                                                      y + static_cast<std::uint32_t>(dy));
                    least = std::min(least, double{here[0]} * static_cast<double>(other[0]) +
                                                double{here[1]} * static_cast<double>(other[1]));
                }
                if (least < 0.7) continue;
                const double right = static_cast<double>(field.texel(x + 1, y)[0]) -
                                     static_cast<double>(field.texel(x - 1, y)[0]);
                const double down = static_cast<double>(field.texel(x, y + 1)[0]) -
                                    static_cast<double>(field.texel(x, y - 1)[0]);
                slopes.push_back(0.5 * std::hypot(right, down));
                along.push_back(0.5 * (right * static_cast<double>(here[0]) +
                                       down * static_cast<double>(here[1])));
            }
        ASSERT_GT(slopes.size(), 1000u);
        for (std::vector<double>* values : {&slopes, &along}) {
            const auto middle = values->begin() + static_cast<std::ptrdiff_t>(values->size() / 2);
            std::ranges::nth_element(*values, middle);
            EXPECT_NEAR(*middle, 1.0, 0.02) << (disc ? "disc" : "random");
        }
    }
}

TEST_F(SignedDistanceTest, GradientsLeadAwayFromTheNearestObjectAndOutOfIt) {
    for (const NamedSeed& one : seeds_of_all_kinds()) {
        const BothSides expected(one.seed);
        const bool one_sided =
            one.seed.empty_of_objects() || one.seed.inverted().empty_of_objects();
        Graph g = graph();
        g.output("gradient", g.add(SignedDistance{.seed = image_of(g, one.seed)}).gradient);
        const HostImage gradient = run(std::move(g)).image("gradient");
        for (std::uint32_t y = 0; y < one.seed.height; ++y)
            for (std::uint32_t x = 0; x < one.seed.width; ++x) {
                const auto got = gradient.texel(x, y);
                const std::size_t at = std::size_t{y} * one.seed.width + x;
                if (one_sided) {
                    ASSERT_EQ(got[0], 0.0f);
                    ASSERT_EQ(got[1], 0.0f);
                    continue;
                }
                // From outside against it, from within along it: there the other side begins.
                const double way = expected.outside[at] != 0
                                       ? -std::sqrt(static_cast<double>(expected.outside[at]))
                                       : std::sqrt(static_cast<double>(expected.inside[at]));
                const double to_x = x + way * static_cast<double>(got[0]);
                const double to_y = y + way * static_cast<double>(got[1]);
                ASSERT_NEAR(to_x, std::round(to_x), 1e-3) << one.name;
                ASSERT_NEAR(to_y, std::round(to_y), 1e-3) << one.name;
                const auto site_x = static_cast<std::uint32_t>(std::lround(to_x));
                const auto site_y = static_cast<std::uint32_t>(std::lround(to_y));
                ASSERT_LT(site_x, one.seed.width) << one.name;
                ASSERT_LT(site_y, one.seed.height) << one.name;
                ASSERT_EQ(one.seed.at(site_x, site_y), expected.outside[at] != 0) << one.name;
                ASSERT_NEAR(std::hypot(got[0], got[1]), 1.0f, 1e-6f);
            }
    }
}

TEST_F(SignedDistanceTest, VolumesHaveThreeAxes) {
    using testing_distance::ExactSeed;
    for (const Extent extent : {Extent{19, 13, 11}, Extent{1, 9, 30}}) {
        ExactSeed seed("volume", extent);
        std::mt19937 random(5);
        for (std::uint8_t& texel : seed.texels)
            texel = random() % 100 < 30 ? 1 : 0;
        const auto outside = testing_distance::brute_force(seed, true);
        const auto inside = testing_distance::brute_force(seed, false);
        Graph g = graph();
        const auto pass = g.add(SignedDistance{
            .seed = g.constant_image(
                "seed", {.format = Format::r8_uint, .extent = extent, .shape = ImageShape::d3},
                testing_gpu::bytes_of(seed.texels))});
        g.output("field", pass.field);
        g.output("gradient", pass.gradient);
        testing_gpu::Running running = run(std::move(g));
        const HostImage field = running.image("field");
        const HostImage gradient = running.image("gradient");
        for (std::uint32_t z = 0; z < extent.depth; ++z)
            for (std::uint32_t y = 0; y < extent.height; ++y)
                for (std::uint32_t x = 0; x < extent.width; ++x) {
                    const std::size_t at = seed.index(x, y, z);
                    const bool is_outside = outside[at].squared != 0;
                    const double away =
                        std::sqrt(static_cast<double>((is_outside ? outside : inside)[at].squared));
                    ASSERT_NEAR(field.texel(x, y, z)[0], is_outside ? away - 0.5 : 0.5 - away,
                                1e-5);
                    const std::size_t site = (is_outside ? outside : inside)[at].nearest;
                    const double sign = is_outside ? 1.0 : -1.0;
                    const std::array<double, 3> way{
                        sign * (x - static_cast<double>(site % extent.width)),
                        sign * (y - static_cast<double>(site / extent.width % extent.height)),
                        sign * (z - static_cast<double>(site / extent.width / extent.height))};
                    const auto got = gradient.texel(x, y, z);
                    for (std::size_t axis = 0; axis < 3; ++axis)
                        ASSERT_NEAR(got[axis], way[axis] / away, 1e-5) << at << ", " << axis;
                }
    }
}

TEST_F(SignedDistanceTest, SeedsOfOneSideAreInfinitelyFarAndSaySo) {
    const auto empty = seed_where(9, 5, [](auto, auto) { return false; });
    const auto full = seed_where(9, 5, [](auto, auto) { return true; });
    EXPECT_EQ(warnings_for(empty), std::vector<std::string>{"distance/empty-seed"});
    EXPECT_EQ(warnings_for(full), std::vector<std::string>{"distance/full-seed"});
    EXPECT_TRUE(warnings_for(random_seed(9, 5, 0.5)).empty());
    for (const bool objects : {false, true}) {
        Graph g = graph();
        const Image seed = image_of(g, objects ? full : empty);
        g.output("field", g.add(SignedDistance{.seed = seed, .half_pixel = false}).field);
        const HostImage field = run(std::move(g)).image("field");
        EXPECT_NEAR(field.texel(4, 2)[0], objects ? -kInfinitelyFar : kInfinitelyFar, 0.01);
    }
}

} // namespace
} // namespace tuff
