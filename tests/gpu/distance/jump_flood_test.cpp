#include "passes/distance/cones.hpp"
#include "passes/distance/exact.hpp"
#include "passes/distance/jump_flood.hpp"
#include "tests/gpu/distance/distance_test.hpp"
#include "tests/gpu/distance/exact_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tuff {
namespace {

using passes::DistanceCones;
using passes::JumpFlood;
using passes::JumpVariant;
using Numbers = std::vector<std::uint32_t>;

/// How far a field is from the exact one.
struct FieldErrors {
    double share = 0;       ///< of the texels that are farther
    double most = 0;        ///< texels
    std::size_t nearer = 0; ///< texels that are nearer than they can be
};
FieldErrors errors_of(const Numbers& field, const Numbers& exact) {
    FieldErrors errors;
    EXPECT_EQ(field.size(), exact.size());
    for (std::size_t i = 0; i < std::min(field.size(), exact.size()); ++i) {
        errors.nearer += field[i] < exact[i] ? 1u : 0u;
        errors.share += field[i] > exact[i] ? 1.0 : 0.0;
        errors.most = std::max(errors.most, std::sqrt(field[i]) - std::sqrt(exact[i]));
    }
    errors.share /= static_cast<double>(field.size());
    return errors;
}

class SiteFieldsTest : public DistanceTest {
  protected:
    struct Fetched {
        Numbers field, site;
        passes::DistanceStatus status;
    };
    template <typename Pass>
    Fetched fetch(const reference::Seed& seed, Pass pass) {
        Graph g = graph();
        pass.seed = image_of(g, seed);
        pass = g.add(pass);
        g.output("field", pass.field);
        g.output("site", pass.site);
        g.output("status", pass.status);
        testing_gpu::Running running = run(std::move(g));
        return {whole_numbers(running.image("field")), whole_numbers(running.image("site")),
                passes::DistanceStatus::read(running.buffer<std::uint32_t>("status"))};
    }
    /// Sites are objects at the distance that the field says.
    static void expect_sites(const reference::Seed& seed, const Fetched& got,
                             const std::string& name) {
        ASSERT_EQ(got.site.size(), seed.texels.size()) << name;
        for (std::uint32_t i = 0; i < got.site.size(); ++i) {
            const std::uint32_t x = got.site[i] & 0xffffu, y = got.site[i] >> 16;
            ASSERT_TRUE(x < seed.width && y < seed.height && seed.at(x, y)) << name << ", " << i;
            const auto dx = std::int64_t{x} - i % seed.width;
            const auto dy = std::int64_t{y} - i / seed.width;
            ASSERT_EQ(got.field[i], dx * dx + dy * dy) << name << ", " << i;
        }
    }
};

reference::Seed sprinkled(std::uint32_t side, std::uint32_t count, unsigned number) {
    reference::Seed seed = seed_where(side, side, [](auto, auto) { return false; });
    std::mt19937 random(number);
    for (std::uint32_t i = 0; i < count; ++i)
        seed.texels[random() % seed.texels.size()] = 1;
    return seed;
}

TEST_F(SiteFieldsTest, Check8JumpFloodingMissesFewNearestObjects) {
    struct Gate {
        JumpVariant variant;
        std::vector<int> jumps;
        double share;
        double most;
    };
    const std::vector<int> halving{128, 64, 32, 16, 8, 4, 2, 1};
    const auto with = [&](std::vector<int> before, const std::vector<int>& after) {
        before.insert(before.end(), halving.begin(), halving.end());
        before.insert(before.end(), after.begin(), after.end());
        return before;
    };
    const std::array gates{Gate{JumpVariant::jfa, halving, 0.002, 2.0},
                           Gate{JumpVariant::jfa_plus_1, with({}, {1}), 0.0005, 1.0},
                           Gate{JumpVariant::jfa_plus_2, with({}, {2, 1}), 0.0005, 1.0},
                           Gate{JumpVariant::one_plus_jfa, with({1}, {}), 0.0005, 1.0}};
    for (const std::uint32_t count : {10u, 100u, 1000u, 20000u}) {
        const reference::Seed seed = sprinkled(256, count, count);
        const Numbers exact = reference::squared_distances(seed);
        for (const Gate& gate : gates) {
            const std::string name =
                fmt::format("{} objects, variant {}", count, int(gate.variant));
            const Fetched got = fetch(seed, JumpFlood{.variant = gate.variant});
            expect_sites(seed, got, name);
            EXPECT_EQ(got.field, reference::jump_flood_distances(seed, gate.jumps)) << name;
            const FieldErrors errors = errors_of(got.field, exact);
            EXPECT_EQ(errors.nearer, 0u) << name;
            EXPECT_LE(errors.share, gate.share) << name;
            EXPECT_LE(errors.most, gate.most) << name;
            EXPECT_EQ(got.status.passes, gate.jumps.size()) << name;
            EXPECT_EQ(got.status.codes, 0u) << name;
        }
    }
}

// Every texel finds an object, whatever the size; of one object there is nothing to miss.
TEST_F(SiteFieldsTest, JumpsReachEveryTexelOfOddPictures) {
    for (const NamedSeed& one : seeds_of_all_kinds()) {
        const Numbers exact = reference::squared_distances(one.seed);
        const Fetched got = fetch(one.seed, JumpFlood{});
        expect_sites(one.seed, got, one.name);
        const FieldErrors errors = errors_of(got.field, exact);
        EXPECT_EQ(errors.nearer, 0u) << one.name;
        EXPECT_LE(errors.share, 0.002) << one.name;
        EXPECT_LE(errors.most, 1.0) << one.name;
        if (got.status.objects == 1) {
            EXPECT_EQ(got.field, exact) << one.name;
        }
    }
}

TEST_F(SiteFieldsTest, AnEmptySeedHasNoSites) {
    const reference::Seed empty = seed_where(37, 21, [](auto, auto) { return false; });
    const Numbers unreached(empty.texels.size(), passes::kUnreached32);
    const Numbers no_site(empty.texels.size(), passes::kNoSite);
    for (const Fetched& got : {fetch(empty, JumpFlood{}), fetch(empty, DistanceCones{})}) {
        EXPECT_EQ(got.field, unreached);
        EXPECT_EQ(got.site, no_site);
        EXPECT_EQ(got.status.codes, passes::kEmptySeed);
    }
}

// As precise as the page says: facets half a texel off at the farthest, vertices a sixteenth.
TEST_F(SiteFieldsTest, ConesAreOffByLessThanTheirFacets) {
    for (const NamedSeed& one : seeds_of_all_kinds()) {
        const Numbers exact = reference::squared_distances(one.seed);
        for (const std::uint32_t segments : {0u, 16u}) {
            const Fetched got = fetch(one.seed, DistanceCones{.segments = segments});
            expect_sites(one.seed, got, one.name);
            const FieldErrors errors = errors_of(got.field, exact);
            const double reach = std::hypot(one.seed.width, one.seed.height) + 1;
            const double facet =
                segments == 0 ? 0.5 : reach * (1 / std::cos(std::numbers::pi / segments) - 1);
            EXPECT_EQ(errors.nearer, 0u) << one.name;
            EXPECT_LE(errors.most, facet + 1.0 / 16) << one.name << ", " << segments;
            EXPECT_EQ(got.status.codes, 0u) << one.name;
        }
    }
}

// Red is the field of the seed, green that of its inverse, each as a field of one channel has it.
TEST_F(SiteFieldsTest, TwoChannelsAreTheFieldsOfTheSeedAndOfItsInverse) {
    const reference::Seed seed = random_seed(61, 43, 0.3);
    const auto expect_both = [&](auto pass, const std::string& name) {
        const Numbers outside = fetch(seed, pass).field;
        const Numbers inside = fetch(seed.inverted(), pass).field;
        Graph g = graph();
        pass.seed = image_of(g, seed);
        pass.channels = passes::FieldChannels::two;
        pass = g.add(pass);
        g.output("field", pass.field);
        const HostImage field = run(std::move(g)).image("field");
        ASSERT_EQ(field.format, Format::rg32_uint) << name;
        Numbers both(2 * outside.size());
        ASSERT_EQ(field.texels.size(), 4 * both.size()) << name;
        std::memcpy(both.data(), field.texels.data(), field.texels.size());
        std::size_t differing = 0;
        for (std::size_t i = 0; i < outside.size(); ++i)
            differing += both[2 * i] != outside[i] || both[2 * i + 1] != inside[i];
        EXPECT_EQ(differing, 0u) << name;
    };
    expect_both(DistanceCones{}, "cones");
    expect_both(JumpFlood{}, "jump flooding");
}

TEST_F(SiteFieldsTest, ConesOfAClampForgetFartherSites) {
    const reference::Seed seed = random_seed(130, 75, 0.001);
    const Numbers exact = reference::squared_distances(seed);
    const Fetched got = fetch(seed, DistanceCones{.clamp = 12});
    std::size_t within = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        ASSERT_GE(got.field[i], std::min(exact[i], 144u)) << i;
        ASSERT_LE(std::sqrt(got.field[i]), std::sqrt(std::min(exact[i], 144u)) + 0.6) << i;
        if (exact[i] > 144) {
            ASSERT_EQ(got.site[i], passes::kNoSite) << i;
        }
        within += got.site[i] != passes::kNoSite ? 1u : 0u;
    }
    EXPECT_GT(within, 100u);
    EXPECT_LT(within, exact.size());
}

// --- Danielsson's sweeps, which are nearly exact -------------------------------------------------

/// By four neighbours Danielsson gives 0.29 texels, which is 1 - sqrt(1/2): where a neighbour is
/// nearer to another object by nothing at all. On a grid that is more for near objects: of (2, 2)
/// both neighbours may know objects that are as near to them, such as (3, -1), which is sqrt(10)
/// away in place of sqrt(8).
const double kFourNeighbourBound = std::sqrt(10.0) - std::sqrt(8.0) + 1e-9;
constexpr double kEightNeighbourBound = 0.09;

TEST_F(SiteFieldsTest, DanielssonsSweepsAreWithinTheirBoundsOfTheExactField) {
    for (const std::uint32_t count : {3u, 30u, 1000u}) {
        const reference::Seed seed = sprinkled(150, count, count);
        const Fetched exact = fetch(seed, passes::ExactDistance{});
        const Fetched flooded = fetch(seed, JumpFlood{.variant = JumpVariant::jfa_plus_2});
        for (const auto& [neighbours, bound] :
             {std::pair{reference::Neighbours::four, kFourNeighbourBound},
              {reference::Neighbours::eight, kEightNeighbourBound}}) {
            const Numbers swept = reference::danielsson_distances(seed, neighbours);
            const FieldErrors errors = errors_of(swept, exact.field);
            EXPECT_EQ(errors.nearer, 0u) << count;
            EXPECT_LE(errors.most, bound) << count;
            // So jump flooding, which is at most a texel off, is never much nearer than they are.
            for (std::size_t i = 0; i < swept.size(); ++i)
                ASSERT_GE(std::sqrt(flooded.field[i]) + bound, std::sqrt(swept[i])) << i;
        }
    }
}

// --- volumes -------------------------------------------------------------------------------------

TEST_F(SiteFieldsTest, JumpsFindObjectsOfVolumes) {
    using testing_distance::ExactSeed;
    for (const Extent size : {Extent{20, 33, 17}, Extent{5, 3, 40}, Extent{1, 1, 9}}) {
        ExactSeed seed("volume", size);
        std::mt19937 random(5);
        for (std::uint8_t& texel : seed.texels)
            texel = random() % 100 == 0 ? 1 : 0;
        seed.texels[random() % seed.texels.size()] = 1;
        for (const auto channels : {passes::FieldChannels::one, passes::FieldChannels::two}) {
            Graph g = graph();
            const JumpFlood pass = g.add(JumpFlood{
                .seed = g.constant_image(
                    "seed", {.format = Format::r8_uint, .extent = size, .shape = ImageShape::d3},
                    testing_gpu::bytes_of(seed.texels)),
                .channels = channels});
            g.output("field", pass.field);
            g.output("site", pass.site);
            testing_gpu::Running running = run(std::move(g));
            const HostImage field = running.image("field");
            const HostImage site = running.image("site");
            const std::size_t words = channels == passes::FieldChannels::one ? 1 : 2;
            const auto word = [words](const HostImage& image, std::size_t texel, std::size_t c) {
                std::uint32_t value = 0;
                std::memcpy(&value, image.texels.data() + 4 * (texel * words + c), 4);
                return value;
            };
            for (std::size_t c = 0; c < words; ++c) {
                const auto exact = testing_distance::brute_force(seed, c == 0);
                std::size_t wrong = 0;
                for (std::size_t i = 0; i < exact.size(); ++i) {
                    const std::uint32_t place = word(site, i, c);
                    const std::size_t found =
                        seed.index(place & 1023u, place >> 10 & 1023u, place >> 20);
                    ASSERT_LT(found, seed.texels.size());
                    ASSERT_EQ(seed.texels[found] != 0, c == 0) << i;
                    ASSERT_GE(word(field, i, c), exact[i].squared) << i;
                    wrong += word(field, i, c) != exact[i].squared ? 1u : 0u;
                }
                EXPECT_LE(static_cast<double>(wrong), 0.002 * static_cast<double>(exact.size()));
            }
        }
    }
}

} // namespace
} // namespace tuff
