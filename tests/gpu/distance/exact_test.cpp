#include "passes/distance/exact.hpp"
#include "passes/distance/field.hpp"
#include "tests/gpu/distance/exact_reference.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <random>

namespace tuff {
namespace {

using namespace testing_distance;
using passes::DistanceTo;
using passes::ExactDistance;
using passes::kNoSite;

ExactSeed random_exact_seed(Extent extent, double share, unsigned number) {
    ExactSeed seed(
        fmt::format("{} % of {}x{}x{}", share * 100, extent.width, extent.height, extent.depth),
        extent);
    std::mt19937 random(number);
    const auto below = static_cast<std::uint32_t>(share * 0x1p32);
    for (std::uint8_t& texel : seed.texels)
        texel = random() < below ? static_cast<std::uint8_t>(1 + random() % 255) : 0;
    return seed;
}

template <typename Holds>
ExactSeed exact_seed_where(std::string name, Extent extent, Holds holds) {
    ExactSeed seed(std::move(name), extent);
    for (std::uint32_t z = 0; z < extent.depth; ++z)
        for (std::uint32_t y = 0; y < extent.height; ++y)
            for (std::uint32_t x = 0; x < extent.width; ++x)
                if (holds(static_cast<int>(x), static_cast<int>(y), static_cast<int>(z)))
                    seed.put(x, y, z);
    return seed;
}

/// Few objects, for sizes where all pairs are too many.
ExactSeed sparse_exact_seed(Extent extent, int count, unsigned number) {
    ExactSeed seed(fmt::format("{} of {}x{}", count, extent.width, extent.height), extent);
    std::mt19937 random(number);
    for (int i = 0; i < count; ++i)
        seed.put(static_cast<std::uint32_t>(random() % extent.width),
                 static_cast<std::uint32_t>(random() % extent.height));
    return seed;
}

std::uint32_t exact_word_at(const HostImage& image, std::size_t i) {
    std::uint32_t word = 0;
    std::memcpy(&word, image.texels.data() + 4 * i, 4);
    return word;
}

class ExactDistanceTest : public testing_gpu::GpuTest {
  protected:
    static bool is_volume(const ExactSeed& seed) { return seed.extent.depth > 1; }

    static Image add_seed(Graph& g, const ExactSeed& seed) {
        return g.constant_image(seed.name,
                                {.format = Format::r8_uint,
                                 .extent = seed.extent,
                                 .shape = is_volume(seed) ? ImageShape::d3 : ImageShape::d2},
                                testing_gpu::bytes_of(seed.texels));
    }

    static std::size_t unpack(const ExactSeed& seed, std::uint32_t place) {
        if (is_volume(seed)) return seed.index(place & 1023u, place >> 10 & 1023u, place >> 20);
        return seed.index(place & 0xffffu, place >> 16);
    }

    static void compare(const ExactSeed& seed, const std::vector<ExactTexel>& expected,
                        const HostImage& squared, const HostImage& nearest) {
        ASSERT_EQ(squared.extent, seed.extent);
        ASSERT_EQ(nearest.extent, seed.extent);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const bool reached = expected[i].squared != kNoSite;
            ASSERT_EQ(exact_word_at(squared, i),
                      reached ? expected[i].squared : passes::kUnreached32)
                << seed.name << ", texel " << i;
            const std::uint32_t place = exact_word_at(nearest, i);
            if (!reached)
                ASSERT_EQ(place, kNoSite) << seed.name;
            else
                ASSERT_EQ(unpack(seed, place), expected[i].nearest) << seed.name << ", texel " << i;
        }
    }

    void expect_exact(const std::vector<ExactSeed>& seeds, DistanceTo to = DistanceTo::objects) {
        Graph g = graph();
        for (std::size_t i = 0; i < seeds.size(); ++i) {
            const ExactDistance exact = g.add(
                ExactDistance{.seed = add_seed(g, seeds[i]), .to = to}, fmt::format("exact{}", i));
            g.output(fmt::format("squared{}", i), exact.field);
            g.output(fmt::format("nearest{}", i), exact.site);
        }
        testing_gpu::Running running = run(std::move(g));
        for (std::size_t i = 0; i < seeds.size() && !HasFatalFailure(); ++i)
            compare(seeds[i], brute_force(seeds[i], to == DistanceTo::objects),
                    running.image(fmt::format("squared{}", i)),
                    running.image(fmt::format("nearest{}", i)));
    }
};

TEST_F(ExactDistanceTest, EqualsAllPairsOnPicturesOfEveryKind) {
    const Extent odd{97, 61, 1};
    const auto circle = [](int x, int y, int) {
        const double r = std::hypot(x - 65, y - 37);
        return r > 34.5 && r < 35.5;
    };
    expect_exact({
        exact_seed_where("corner", {64, 48, 1}, [](int x, int y, int) { return x == 0 && y == 0; }),
        exact_seed_where("last corner", odd, [](int x, int y, int) { return x == 96 && y == 60; }),
        exact_seed_where("centre", odd, [](int x, int y, int) { return x == 48 && y == 30; }),
        exact_seed_where("all", odd, [](int, int, int) { return true; }),
        exact_seed_where("none", odd, [](int, int, int) { return false; }),
        exact_seed_where("diagonal", odd, [](int x, int y, int) { return x == y; }),
        exact_seed_where("checkerboard", odd, [](int x, int y, int) { return (x + y) % 2 == 0; }),
        exact_seed_where("circle", {130, 75, 1}, circle),
        exact_seed_where("empty row", odd, [](int x, int y, int) { return y != 30 && x % 7 == 2; }),
        exact_seed_where("empty column", odd, [](int x, int, int) { return x != 40; }),
        // Rows whose distances grow towards the middle: joins take nearly all corners off.
        exact_seed_where("hourglass", {130, 135, 1},
                         [](int x, int y, int) { return x == 64 - (67 - std::abs(y - 67)) / 2; }),
        exact_seed_where("one texel", {1, 1, 1}, [](int, int, int) { return true; }),
        exact_seed_where("no texel", {1, 1, 1}, [](int, int, int) { return false; }),
    });
}

TEST_F(ExactDistanceTest, EqualsAllPairsOnRandomPictures) {
    std::vector<ExactSeed> seeds;
    unsigned number = 0;
    for (const double share : {0.0001, 0.001, 0.01, 0.1, 0.5})
        for (const Extent extent :
             {Extent{130, 75, 1}, Extent{97, 61, 1}, Extent{1, 200, 1}, Extent{200, 1, 1}})
            seeds.push_back(random_exact_seed(extent, share, ++number));
    seeds.push_back(random_exact_seed({300, 40, 1}, 0.02, 77));
    expect_exact(seeds);
}

/// Rows of 32 words of bits and of more, which is a second block; more bands than workers; products
/// of more than 32 bits.
TEST_F(ExactDistanceTest, EqualsAllPairsOnLongLines) {
    TUFF_ONLY_ON(lavapipe);
    expect_exact({
        sparse_exact_seed({1024, 5, 1}, 6, 9),
        sparse_exact_seed({1000, 7, 1}, 5, 10),
        sparse_exact_seed({1025, 5, 1}, 6, 11),
        sparse_exact_seed({2048, 9, 1}, 3, 1),
        sparse_exact_seed({3001, 5, 1}, 40, 2),
        sparse_exact_seed({9, 2048, 1}, 5, 3),
        sparse_exact_seed({5, 3001, 1}, 60, 4),
        sparse_exact_seed({16384, 2, 1}, 2, 5),
        sparse_exact_seed({2, 16384, 1}, 2, 6),
        sparse_exact_seed({3, 12000, 1}, 100, 7),
        sparse_exact_seed({6000, 350, 1}, 12, 8),
        exact_seed_where("long diagonal", {300, 1300, 1},
                         [](int x, int y, int) { return x == 299 - y / 5 && y % 13 == 0; }),
    });
}

/// Wide ones of up to 1,024 rows, whose columns one kernel transforms, eight or four to a group.
TEST_F(ExactDistanceTest, EqualsAllPairsOnWidePictures) {
    expect_exact(
        {sparse_exact_seed({1030, 60, 1}, 9, 504), sparse_exact_seed({1026, 520, 1}, 9, 505)});
}

/// Pictures of up to 1,024 texels a side take another kernel for their columns: at its limits and
/// beyond them, with the greatest distances that there are, rows and columns that hold no objects,
/// and texels that many objects are equally near.
TEST_F(ExactDistanceTest, EqualsAllPairsOnBothSidesOfTheLimitOfSmallPictures) {
    TUFF_ONLY_ON(lavapipe);
    const Extent largest{1024, 1024, 1};
    const auto circle = [](int x, int y, int) {
        const double r = std::hypot(x - 300, y - 300);
        return std::abs(r - 280.0) < 0.5;
    };
    expect_exact({
        exact_seed_where("corner", largest, [](int x, int y, int) { return x == 0 && y == 0; }),
        exact_seed_where("last corner", largest,
                         [](int x, int y, int) { return x == 1023 && y == 1023; }),
        exact_seed_where("two corners", largest,
                         [](int x, int y, int) { return x == 1023 - y && y % 1023 == 0; }),
        exact_seed_where("none", largest, [](int, int, int) { return false; }),
        sparse_exact_seed(largest, 12, 500),
        sparse_exact_seed({1023, 1021, 1}, 9, 501),
        sparse_exact_seed({1025, 1024, 1}, 9, 502),
        sparse_exact_seed({1100, 700, 1}, 9, 503),
        exact_seed_where("circle", {601, 600, 1}, circle),
        exact_seed_where("circle in a wide picture", {1026, 520, 1},
                         [](int x, int y, int) {
                             const double r = std::hypot(x - 500, y - 260);
                             return std::abs(r - 240.0) < 0.5;
                         }),
        // The search for dense objects of wide pictures.
        exact_seed_where("every fifth row", {1066, 129, 1},
                         [](int x, int y, int) { return y % 5 == 2 && (x + y) % 16 == 0; }),
        exact_seed_where("wide, beside sparse columns", {1130, 130, 1},
                         [](int x, int y, int) {
                             return x % 64 < 32 ? (7 * x + 13 * y) % 53 == 0 : x == 50 && y == 77;
                         }),
    });
}

TEST_F(ExactDistanceTest, EqualsAllPairsInVolumes) {
    std::vector<ExactSeed> seeds;
    unsigned number = 100;
    for (const double share : {0.0005, 0.01, 0.3})
        for (const Extent extent : {Extent{32, 32, 32}, Extent{40, 33, 29}, Extent{7, 50, 3}})
            seeds.push_back(random_exact_seed(extent, share, ++number));
    seeds.push_back(random_exact_seed({3, 5, 130}, 0.01, 200));
    seeds.push_back(random_exact_seed({3, 130, 5}, 0.01, 201));
    seeds.push_back(random_exact_seed({130, 3, 5}, 0.01, 202));
    seeds.push_back(exact_seed_where(
        "corner", {9, 10, 11}, [](int x, int y, int z) { return x == 8 && y == 9 && z == 10; }));
    seeds.push_back(exact_seed_where("sphere", {33, 33, 33}, [](int x, int y, int z) {
        const double r = std::hypot(x - 16, y - 16, z - 16);
        return r > 11.5 && r < 12.5;
    }));
    seeds.push_back(exact_seed_where("none", {9, 10, 11}, [](int, int, int) { return false; }));
    expect_exact(seeds);
}

/// Lines that a group has whole, 8, 16 and 32 of them, and lines of several groups, whose hulls are
/// joined; most corners go where rows come near towards the ends.
TEST_F(ExactDistanceTest, EqualsAllPairsOnLinesOfEveryLength) {
    std::vector<ExactSeed> seeds;
    unsigned number = 300;
    for (const std::uint32_t length : {31u, 32u, 33u, 255u, 256u, 257u, 512u, 513u, 1024u, 1025u})
        for (const double share : {0.001, 0.05, 0.6})
            seeds.push_back(random_exact_seed({37, length, 1}, share, ++number));
    for (const std::uint32_t height : {256u, 257u, 511u, 512u})
        seeds.push_back(random_exact_seed({5, height, 3}, 0.01, ++number));
    for (const std::uint32_t depth : {127u, 128u, 129u, 256u, 257u, 512u})
        seeds.push_back(random_exact_seed({5, 3, depth}, 0.01, ++number));
    seeds.push_back(exact_seed_where("long hourglass", {70, 1500, 1}, [](int x, int y, int) {
        return x == 69 - std::abs(y - 750) * 69 / 750;
    }));
    // The last object hides the corners of 18 bands of 16 rows, of each once the next one has gone.
    seeds.push_back(exact_seed_where("a wall and an object", {300, 330, 1}, [](int x, int y, int) {
        return y < 320 ? x == 0 && y % 8 == 0 : x == 299 && y == 325;
    }));
    expect_exact(seeds);
}

/// Columns whose rows are searched up and down: as far as that goes, ties between rows above and
/// below and between the two of a pair, columns beside them that have hulls, rows behind the last
/// window.
TEST_F(ExactDistanceTest, EqualsAllPairsWhereObjectsAreDense) {
    const auto at_ends = [](int y) { return y % 128 < 6 || y % 128 > 121; };
    std::vector<ExactSeed> seeds;
    seeds.push_back(exact_seed_where("one column, gaps of 116 rows", {35, 331, 1},
                                     [&](int x, int y, int) { return x == 3 && at_ends(y); }));
    seeds.push_back(exact_seed_where("rows, gaps of 116", {33, 320, 1},
                                     [&](int x, int y, int) { return x % 11 == 2 && at_ends(y); }));
    seeds.push_back(exact_seed_where("every fifth row", {66, 129, 1}, [](int x, int y, int) {
        return y % 5 == 2 && (x + y) % 4 == 0;
    }));
    seeds.push_back(exact_seed_where("beside sparse columns", {130, 200, 1}, [](int x, int y, int) {
        return x % 64 < 32 ? (7 * x + 13 * y) % 23 == 0 : x == 50 && y == 77;
    }));
    unsigned number = 400;
    for (const std::uint32_t height : {63u, 64u, 65u, 127u, 1090u})
        for (const double share : {0.01, 0.03, 0.5})
            seeds.push_back(random_exact_seed({35, height, 1}, share, ++number));
    expect_exact(seeds);
}

TEST_F(ExactDistanceTest, LeadsToTheBackgroundAsWell) {
    expect_exact({random_exact_seed({97, 61, 1}, 0.99, 1), random_exact_seed({130, 75, 1}, 0.5, 2),
                  random_exact_seed({33, 20, 21}, 0.98, 3)},
                 DistanceTo::background);
}

TEST_F(ExactDistanceTest, SaysThatTheSeedIsEmpty) {
    for (const bool empty : {true, false}) {
        Graph g = graph();
        const ExactSeed seed = exact_seed_where(
            "seed", {40, 30, 1}, [&](int x, int y, int) { return !empty && x == y; });
        g.output("squared", g.add(ExactDistance{.seed = add_seed(g, seed)}).field);
        testing_gpu::Running running = run(std::move(g));
        const auto warnings = running->warnings();
        ASSERT_TRUE(warnings) << to_string(warnings.error());
        ASSERT_EQ(warnings->size(), empty ? 1u : 0u);
        if (empty) {
            EXPECT_EQ(warnings->front().code, "distance/empty-seed");
        }
    }
}

TEST_F(ExactDistanceTest, RefusesWhatItCannotTransform) {
    const auto code_for = [&](const ImageDesc& desc) {
        Graph g = graph();
        const ExactDistance exact = g.add(ExactDistance{.seed = g.image("seed", desc)});
        EXPECT_FALSE(exact.field);
        const GraphDesc built = std::move(g).finish();
        return built.diagnostics.empty() ? std::string() : built.diagnostics.front().code;
    };
    EXPECT_EQ(code_for({.format = Format::r32_sfloat, .extent = {8, 8, 1}}),
              "distance/seed-format");
    EXPECT_EQ(code_for({.format = Format::r8_uint, .extent = {65536, 2, 1}}), "distance/too-large");
    EXPECT_EQ(code_for({.format = Format::r8_uint, .extent = {2, 16385, 1}}), "distance/too-large");
    EXPECT_EQ(code_for({.format = Format::r8_uint, .extent = {2, 2, 513}, .shape = ImageShape::d3}),
              "distance/too-large");
    EXPECT_EQ(code_for({.format = Format::r8_uint, .extent = {8, 8, 1}, .layers = 2}),
              "image/not-two-dimensional");
}

} // namespace
} // namespace tuff
