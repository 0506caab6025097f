#include "passes/distance/exact.hpp"
#include "passes/distance/grassfire.hpp"
#include "passes/distance/normalize.hpp"
#include "passes/distance/signed.hpp"
#include "tests/gpu/distance/distance_test.hpp"

#include <algorithm>
#include <cmath>

namespace tuff {
namespace {

using passes::DistanceTo;
using passes::ExactDistance;
using passes::NormalizeDistance;
using passes::NormalizedStorage;

class NormalizeTest : public DistanceTest {
  protected:
    /// Compares with 0.5 + scale * (away - within), for which `side(inside)` has the distances.
    template <typename Side>
    void expect_normalised(const HostImage& got, const reference::Seed& seed,
                           const NormalizeDistance& pass, Side side) {
        const bool coarse = pass.storage == NormalizedStorage::r8_unorm;
        const double shift = pass.half_pixel ? 0.5 : 0.0;
        const std::vector<double> outside = side(seed);
        const std::vector<double> inside = side(seed.inverted());
        for (std::uint32_t y = 0; y < seed.height; ++y)
            for (std::uint32_t x = 0; x < seed.width; ++x) {
                const std::size_t at = std::size_t{y} * seed.width + x;
                double wanted =
                    0.5 + static_cast<double>(pass.scale) *
                              (seed.at(x, y) ? shift - inside[at] : outside[at] - shift);
                if (coarse) wanted = std::clamp(wanted, 0.0, 1.0);
                ASSERT_NEAR(got.texel(x, y)[0], wanted,
                            coarse ? 0.5 / 255 + 1e-5 : 6e-4 * std::max(1.0, std::abs(wanted)))
                    << x << ", " << y;
            }
    }
    static std::vector<double> euclid(const reference::Seed& seed) {
        std::vector<double> result;
        for (const std::uint32_t squared : reference::squared_distances(seed))
            result.push_back(std::sqrt(static_cast<double>(squared)));
        return result;
    }
    static std::vector<double> manhattan(const reference::Seed& seed) {
        std::vector<double> result;
        for (const std::uint32_t steps :
             reference::brute_distances(seed, reference::DistanceMetric::manhattan))
            result.push_back(static_cast<double>(steps));
        return result;
    }
};

TEST_F(NormalizeTest, SquaresOfBothSidesBecomeNumbersAroundAHalf) {
    const reference::Seed seed = random_seed(97, 61, 0.2);
    for (const bool half_pixel : {true, false})
        for (const auto storage : {NormalizedStorage::r16_sfloat, NormalizedStorage::r8_unorm}) {
            Graph g = graph();
            const Image source = image_of(g, seed);
            NormalizeDistance pass{
                .field = g.add(ExactDistance{.seed = source}, "outside").field,
                .inside =
                    g.add(ExactDistance{.seed = source, .to = DistanceTo::background}, "inside")
                        .field,
                .scale = 0.11f,
                .half_pixel = half_pixel,
                .storage = storage};
            g.output("result", g.add(pass).result);
            expect_normalised(run(std::move(g)).image("result"), seed, pass, euclid);
        }
}

TEST_F(NormalizeTest, TwoChannelsAndSignedDistancesGiveTheSame) {
    const reference::Seed seed = random_seed(33, 70, 0.4);
    const auto outside = reference::squared_distances(seed);
    const auto inside = reference::squared_distances(seed.inverted());
    std::vector<std::uint32_t> both;
    for (std::size_t i = 0; i < outside.size(); ++i)
        both.insert(both.end(), {outside[i], inside[i]});
    Graph g = graph();
    NormalizeDistance channels{
        .field = g.constant_image(
            "both",
            {.format = Format::rg32_uint, .extent = {.width = seed.width, .height = seed.height}},
            testing_gpu::bytes_of(both)),
        .scale = 0.05f};
    NormalizeDistance whole{.field = g.add(passes::SignedDistance{.seed = image_of(g, seed)}).field,
                            .scale = 0.05f};
    g.output("channels", g.add(channels, "channels").result);
    g.output("whole", g.add(whole, "whole").result);
    testing_gpu::Running running = run(std::move(g));
    expect_normalised(running.image("channels"), seed, channels, euclid);
    expect_normalised(running.image("whole"), seed, whole, euclid);
}

TEST_F(NormalizeTest, DistancesThatAreNoSquaresAreTakenAsTheyAre) {
    const reference::Seed seed = random_seed(40, 25, 0.05);
    const auto fire = [&](Graph& g, const reference::Seed& from, std::string_view name) {
        return g.add(passes::Grassfire{.seed = image_of(g, from)}, name).field;
    };
    Graph g = graph();
    NormalizeDistance pass{.field = fire(g, seed, "outside"),
                           .inside = fire(g, seed.inverted(), "inside"),
                           .scale = 0.02f,
                           .squared = false};
    g.output("result", g.add(pass).result);
    expect_normalised(run(std::move(g)).image("result"), seed, pass, manhattan);
}

TEST_F(NormalizeTest, VolumesAreNormalisedTexelByTexel) {
    const Extent extent{5, 4, 7};
    std::vector<std::uint32_t> outside;
    std::vector<std::uint32_t> inside;
    std::vector<float> signed_field;
    for (std::uint32_t i = 0; i < 5 * 4 * 7; ++i) {
        outside.push_back(i % 3 == 0 ? 0 : i);
        inside.push_back(i % 3 == 0 ? 2 * i + 1 : 0);
        signed_field.push_back(static_cast<float>(i) - 60.0f);
    }
    const auto volume = [&](Graph& g, std::string_view name, Format format, const auto& texels) {
        return g.constant_image(name, {.format = format, .extent = extent, .shape = ImageShape::d3},
                                testing_gpu::bytes_of(texels));
    };
    Graph g = graph();
    g.output("squares", g.add(NormalizeDistance{.field = volume(g, "r", Format::r32_uint, outside),
                                                .inside = volume(g, "g", Format::r32_uint, inside),
                                                .scale = 0.03f},
                              "squares")
                            .result);
    g.output("signed",
             g.add(NormalizeDistance{.field = volume(g, "s", Format::r32_sfloat, signed_field),
                                     .scale = 0.03f},
                   "signed")
                 .result);
    testing_gpu::Running running = run(std::move(g));
    const HostImage squares = running.image("squares");
    const HostImage whole = running.image("signed");
    for (std::uint32_t i = 0; i < 5 * 4 * 7; ++i) {
        const double away = outside[i] != 0 ? std::sqrt(static_cast<double>(outside[i])) - 0.5
                                            : 0.5 - std::sqrt(static_cast<double>(inside[i]));
        EXPECT_NEAR(squares.texel(i % 5, i / 5 % 4, i / 20)[0], 0.5 + 0.03 * away, 1e-3);
        EXPECT_NEAR(whole.texel(i % 5, i / 5 % 4, i / 20)[0],
                    0.5 + 0.03 * static_cast<double>(signed_field[i]), 2e-3);
    }
}

TEST_F(NormalizeTest, FieldsOfOneSideAndOtherFormatsAreRefused) {
    const auto code_for = [&](Format field, std::optional<Format> inside, Extent inside_extent) {
        Graph g = graph();
        NormalizeDistance pass{.field = g.image("field", {.format = field, .extent = {8, 6, 1}})};
        if (inside) pass.inside = g.image("inside", {.format = *inside, .extent = inside_extent});
        (void)g.add(pass);
        const GraphDesc built = std::move(g).finish();
        return built.diagnostics.empty() ? std::string() : built.diagnostics.front().code;
    };
    const Extent same{8, 6, 1};
    EXPECT_EQ(code_for(Format::r32_uint, Format::r32_uint, same), "");
    EXPECT_EQ(code_for(Format::r32_uint, std::nullopt, same), "distance/one-side");
    EXPECT_EQ(code_for(Format::rg32_uint, Format::r32_uint, same), "distance/one-side");
    EXPECT_EQ(code_for(Format::r32_sfloat, Format::r32_uint, same), "distance/one-side");
    EXPECT_EQ(code_for(Format::r32_uint, Format::r32_sfloat, same), "distance/field-format");
    EXPECT_EQ(code_for(Format::rgba8_unorm, std::nullopt, same), "distance/field-format");
    EXPECT_EQ(code_for(Format::r8_unorm, std::nullopt, same), "distance/field-format");
    EXPECT_EQ(code_for(Format::r32_uint, Format::r32_uint, {8, 7, 1}), "image/size-mismatch");
}

} // namespace
} // namespace tuff
