#include "tests/gpu/distance/distance_test.hpp"

#include "passes/distance/seed.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace tuff {

reference::Seed random_seed(std::uint32_t width, std::uint32_t height, double density,
                            std::uint32_t number) {
    std::mt19937 random(number);
    std::bernoulli_distribution is_object(density);
    reference::Seed seed =
        seed_where(width, height, [&](std::uint32_t, std::uint32_t) { return is_object(random); });
    seed.texels[random() % seed.texels.size()] = 1;
    return seed;
}

std::vector<NamedSeed> seeds_of_all_kinds() {
    using U = std::uint32_t;
    std::vector<NamedSeed> all{
        {"corner", seed_where(64, 48, [](U x, U y) { return x == 0 && y == 0; })},
        {"middle", seed_where(97, 61, [](U x, U y) { return x == 48 && y == 30; })},
        {"all", seed_where(33, 20, [](U, U) { return true; })},
        {"diagonal", seed_where(64, 48, [](U x, U y) { return x == y; })},
        {"checkerboard", seed_where(40, 35, [](U x, U y) { return (x + y) % 2 == 0; })},
        {"an empty row and column",
         seed_where(40, 30, [](U x, U y) { return x != 17 && y != 12 && (x * 7 + y) % 5 == 0; })},
        {"a row", random_seed(130, 1, 0.02)},
        {"a column", random_seed(1, 130, 0.02)},
        {"one texel", seed_where(1, 1, [](U, U) { return true; })},
        {"300 x 40", random_seed(300, 40, 0.002)}};
    for (const double density : {0.001, 0.01, 0.1, 0.5}) {
        all.push_back({fmt::format("97 x 61, {}", density), random_seed(97, 61, density)});
        all.push_back({fmt::format("130 x 75, {}", density), random_seed(130, 75, density, 2)});
    }
    return all;
}

std::vector<std::uint32_t> whole_numbers(const HostImage& image) {
    const std::size_t bytes = tuff::info(image.format).texel_bytes;
    std::vector<std::uint32_t> result(bytes == 0 ? 0 : image.texels.size() / bytes);
    for (std::size_t i = 0; i < result.size(); ++i)
        std::memcpy(&result[i], image.texels.data() + i * bytes, std::min<std::size_t>(bytes, 4));
    return result;
}

namespace {

using reference::DistanceMetric;

TEST(DistanceReference, EnvelopesAgreeWithBruteForce) {
    for (const NamedSeed& one : seeds_of_all_kinds())
        EXPECT_EQ(reference::squared_distances(one.seed),
                  reference::brute_distances(one.seed, DistanceMetric::squared_euclid))
            << one.name;
}

TEST_F(DistanceTest, AnObjectIsATexelAboveTheThreshold) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInf = std::numeric_limits<float>::infinity();
    const std::vector<float> texels{0.2f, 0.3f, 0.31f, kNan, kInf, -kInf, 1.0f, -4.0f, 0.0f};
    for (const bool invert : {false, true}) {
        std::vector<std::uint32_t> expected;
        std::uint32_t objects = 0;
        for (const float texel : texels) {
            expected.push_back(!std::isnan(texel) && (texel > 0.3f) != invert);
            objects += expected.back();
        }
        Graph g = graph();
        const auto pass = g.add(passes::DistanceSeed{
            .source = g.constant_image(
                "source", {.format = Format::r32_sfloat, .extent = {.width = 9, .height = 1}},
                testing_gpu::bytes_of(texels)),
            .threshold = 0.3f,
            .invert = invert});
        g.output("seed", pass.seed);
        g.output("status", pass.status);
        testing_gpu::Running running = run(std::move(g));
        EXPECT_EQ(whole_numbers(running.image("seed")), expected);
        const auto words = running.buffer<std::uint32_t>("status");
        const auto status = passes::DistanceStatus::read(words);
        EXPECT_EQ(status.objects, objects);
        EXPECT_EQ(status.background, 9 - objects);
        EXPECT_EQ(status.not_finite, 3u);
        EXPECT_EQ(status.codes, 0u);
    }
}

} // namespace
} // namespace tuff
