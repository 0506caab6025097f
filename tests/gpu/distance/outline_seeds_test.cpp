// Outlines of SVG files and letters as seeds, by configs: from the file to the field.

#include "passes/distance/antialiased.hpp"
#include "tests/common/test_folder.hpp"
#include "tests/gpu/distance/distance_test.hpp"

#include <tuff/config.hpp>
#include <tuff/graph_runner.hpp>

#include <passes/registry.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace tuff {
namespace {

constexpr Extent kDrawn{96, 64, 1};

/// A disc, and a ring whose hole is there by the rule of even and odd: 24 x 16 units, of which one
/// is four texels.
constexpr std::string_view kOutlines =
    R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 16">
<circle cx="6.1" cy="7.9" r="4.3" fill="red"/>
<path fill-rule="evenodd" fill="#00f" d="
    M 11.9,8.2 a 5.2,5.2 0 0 1 10.4,0 a 5.2,5.2 0 0 1 -10.4,0 z
    M 14.2,8.2 a 2.9,2.9 0 0 1 5.8,0 a 2.9,2.9 0 0 1 -5.8,0 z"/>
</svg>)";

/// What it draws: signed distance in texels.
double distance_to_outlines(double x, double y) {
    const double disc = std::hypot(x - 24.4, y - 31.6) - 17.2;
    const double ring = std::abs(std::hypot(x - 68.4, y - 32.8) - 16.2) - 4.6;
    return std::min(disc, ring);
}

class OutlineSeedsTest : public DistanceTest {
  protected:
    struct Fields {
        HostImage seed, squared, site, fine;
    };

    /// None where the asset cannot be drawn, as this Tuff has no librsvg.
    std::optional<Fields> fields_of(const std::string& asset) {
        const auto config =
            Config::parse(R"({"tuff": 1, "assets": {"shape": )" + asset + R"(}, "nodes": {
                "seed": {"pass": "distance/seed", "in": {"source": "shape"}},
                "exact": {"pass": "distance/exact", "in": {"seed": "seed.seed"}},
                "fine": {"pass": "distance/antialiased", "in": {"source": "shape"}}
            }, "outputs": {"seed": "seed.seed", "squared": "exact.field", "site": "exact.site",
                           "fine": "fine.field"}})",
                          folder_ / "test.json", registry_);
        EXPECT_TRUE(config) << to_string(config.error());
        if (!config) return {};
        AssetCache assets;
        auto built = config->build(shaders(), assets, {}, device().caps());
        if (!built && built.error().front().code == "image/no-library") return {};
        EXPECT_TRUE(built) << to_string(built.error());
        if (!built) return {};
        GraphRunner runner(device(), {});
        EXPECT_TRUE(runner.take(std::move(built->graph), shaders()));
        EXPECT_TRUE(runner.executor()->execute());
        const auto image = [&](std::string_view name) {
            auto read = runner.executor()->read_image(name);
            EXPECT_TRUE(read);
            return read ? std::move(*read) : HostImage{};
        };
        return Fields{image("seed"), image("squared"), image("site"), image("fine")};
    }

    static reference::Seed seed_of(const HostImage& image) {
        reference::Seed seed{image.extent.width, image.extent.height, {}};
        for (const std::uint32_t texel : whole_numbers(image))
            seed.texels.push_back(static_cast<std::uint8_t>(texel));
        return seed;
    }

    /// Each field's texel is the least of all pairs, its site an object as far.
    static void expect_exact(const Fields& fields) {
        const reference::Seed seed = seed_of(fields.seed);
        ASSERT_FALSE(seed.empty_of_objects());
        const auto expected =
            reference::brute_distances(seed, reference::DistanceMetric::squared_euclid);
        EXPECT_EQ(whole_numbers(fields.squared), expected);
        const auto sites = whole_numbers(fields.site);
        ASSERT_EQ(sites.size(), expected.size());
        for (std::size_t i = 0; i < sites.size(); ++i) {
            const std::uint32_t x = sites[i] & 0xffffu;
            const std::uint32_t y = sites[i] >> 16;
            ASSERT_TRUE(x < seed.width && y < seed.height && seed.at(x, y)) << i;
            const auto dx =
                static_cast<std::int64_t>(x) - static_cast<std::int64_t>(i % seed.width);
            const auto dy =
                static_cast<std::int64_t>(y) - static_cast<std::int64_t>(i / seed.width);
            ASSERT_EQ(dx * dx + dy * dy, expected[i]) << i;
        }
    }

    std::filesystem::path folder_ = test::empty_folder();
    PassRegistry registry_ = passes::make_registry();
};

TEST_F(OutlineSeedsTest, AnSvgFileIsASeedWithTheDistancesOfAllPairs) {
    std::ofstream(folder_ / "shape.svg") << kOutlines;
    const auto fields = fields_of(R"({"image": "shape.svg", "size": [96, 64], "coverage": true})");
    if (!fields) GTEST_SKIP() << "built without librsvg";
    ASSERT_EQ(fields->seed.extent, kDrawn);
    expect_exact(*fields);

    // The seed is the outlines' inside, and the finer field their distance.
    const reference::Seed seed = seed_of(fields->seed);
    double largest = 0.0;
    double squares = 0.0;
    for (std::uint32_t y = 0; y < kDrawn.height; ++y)
        for (std::uint32_t x = 0; x < kDrawn.width; ++x) {
            const double expected = distance_to_outlines(x + 0.5, y + 0.5);
            const bool is_clear = std::abs(expected) > 0.2;
            ASSERT_TRUE(!is_clear || seed.at(x, y) == (expected < 0.0)) << x << ", " << y;
            const double error =
                std::abs(static_cast<double>(fields->fine.texel(x, y)[0]) - expected);
            largest = std::max(largest, error);
            squares += error * error;
        }
    const double rms = std::sqrt(squares / (kDrawn.width * kDrawn.height));
    RecordProperty("largest", std::to_string(largest));
    RecordProperty("rms", std::to_string(rms));
    EXPECT_LT(largest, 0.25);
    EXPECT_LT(rms, 0.05);
}

TEST_F(OutlineSeedsTest, LettersAreSeedsWithTheDistancesOfAllPairs) {
    const auto fields = fields_of(R"({"text": "⚜ Rg", "size": 36, "box": [96, 64]})");
    ASSERT_TRUE(fields);
    ASSERT_EQ(fields->seed.extent, kDrawn);
    expect_exact(*fields);
    // Both fields have the same texels inside.
    const reference::Seed seed = seed_of(fields->seed);
    for (std::uint32_t y = 0; y < kDrawn.height; ++y)
        for (std::uint32_t x = 0; x < kDrawn.width; ++x)
            ASSERT_EQ(seed.at(x, y), fields->fine.texel(x, y)[0] < 0.0f) << x << ", " << y;
}

TEST_F(OutlineSeedsTest, AnSvgFileThatDrawsNothingIsAnEmptySeed) {
    std::ofstream(folder_ / "empty.svg") << R"(<svg xmlns="http://www.w3.org/2000/svg"/>)";
    const auto fields = fields_of(R"({"image": "empty.svg", "size": [9, 7], "coverage": true})");
    if (!fields) GTEST_SKIP() << "built without librsvg";
    EXPECT_EQ(whole_numbers(fields->squared), std::vector<std::uint32_t>(63, passes::kUnreached32));
    EXPECT_EQ(whole_numbers(fields->site), std::vector<std::uint32_t>(63, 0xffffffffu));
    EXPECT_FLOAT_EQ(fields->fine.texel(4, 3)[0], 46341.0f);
}

} // namespace
} // namespace tuff
