// The waves of the graph "ocean", against what they are by definition.

#include "graph_test.hpp"

#include <fmt/format.h>
#include <glm/gtc/constants.hpp>
#include <glm/vec2.hpp>

#include <cmath>
#include <complex>
#include <filesystem>
#include <vector>

namespace tuff::testing_gpu {
namespace {

using Waves = std::vector<std::complex<double>>;

constexpr std::uint32_t kSide = 48;
constexpr double kPatch = 120.0;
constexpr double kTime = 2.5;
constexpr double kStepK = 2.0 * glm::pi<double>() / kPatch;

class OceanTest : public GraphTest {
  protected:
    /// The three spectra and what they become, one array behind the other.
    struct Sea {
        Waves spectra;
        Waves fields;
    };
    Sea sea(const std::string& only) {
        const std::string text = fmt::format(
            R"({{"tuff": 1, "nodes": {{
              "spectrum": {{"kernel": "ocean_spectrum.comp", "out": {{"spectra": {{"length": {0}}}}},
                "params": {{"side": {1}, "patch_side": {2}, "wind": [4, 9], "strength": 0.002,
                            "shortest": 0, "time": {3}, "only": {4}}}}},
              "waves": {{"pass": "fft/inverse", "in": {{"source": "spectrum.spectra"}},
                "params": {{"size": [{1}, {1}, 1, 1], "batch": 3, "scale": "none"}}}}}},
              "outputs": {{"spectra": "spectrum.spectra", "fields": "waves.result"}}}})",
            3 * kSide * kSide, kSide, kPatch, kTime, only);
        const PassRegistry registry = passes::make_registry();
        AssetCache assets;
        const std::filesystem::path graphs =
            std::filesystem::path(TUFF_TEST_SOURCE_DIR) / "apps/graphs";
        auto config = Config::parse(text, graphs / "waves.json", registry);
        if (!config) {
            ADD_FAILURE() << to_string(config.error());
            return {};
        }
        auto built = config->build(shaders(), assets, {}, device().caps());
        if (!built) {
            ADD_FAILURE() << to_string(built.error());
            return {};
        }
        auto plan = compile(std::move(built->graph), device().caps());
        if (!plan) {
            ADD_FAILURE() << to_string(plan.error());
            return {};
        }
        Running running = start(std::make_shared<const Plan>(std::move(*plan)));
        running.execute(1);
        const auto numbers = [&](std::string_view name) {
            Waves all;
            for (const glm::vec2 v : running.buffer<glm::vec2>(name))
                all.emplace_back(v.x, v.y);
            return all;
        };
        return {numbers("spectra"), numbers("fields")};
    }
};

glm::dvec2 wave_vector(std::uint32_t x, std::uint32_t y) {
    const auto signed_number = [](std::uint32_t i) {
        return i > kSide / 2 ? static_cast<double>(i) - kSide : static_cast<double>(i);
    };
    return kStepK * glm::dvec2(signed_number(x), signed_number(y));
}

TEST_F(OceanTest, ASingleWaveIsASineThatGoesAlongItsVector) {
    const Sea made = sea("[3, -2]");
    ASSERT_EQ(made.fields.size(), 3u * kSide * kSide);
    const glm::dvec2 k = kStepK * glm::dvec2(3.0, -2.0);
    const double length = std::hypot(k.x, k.y);
    const double turned = std::sqrt(9.81 * length) * kTime;
    for (std::uint32_t i = 0; i < kSide * kSide; ++i) {
        const double x = (i % kSide) * kPatch / kSide;
        const double z = (i / kSide) * kPatch / kSide;
        const double phase = k.x * x + k.y * z - turned;
        const double across = -std::sin(phase);
        // A software device's sines are 4e-4 off.
        constexpr double kOff = 1e-3;
        const auto& f = made.fields;
        constexpr std::uint32_t kOne = kSide * kSide;
        ASSERT_NEAR(f[i].real(), std::cos(phase), kOff) << i;
        ASSERT_NEAR(f[i].imag(), k.x / length * across, kOff) << i;
        ASSERT_NEAR(f[kOne + i].real(), k.y / length * across, kOff) << i;
        ASSERT_NEAR(f[kOne + i].imag(), k.x * across, kOff) << i;
        ASSERT_NEAR(f[2 * kOne + i].real(), k.y * across, kOff) << i;
        ASSERT_NEAR(f[2 * kOne + i].imag(), -length * std::cos(phase), kOff) << i;
    }
}

TEST_F(OceanTest, OppositeWavesAreConjugatesSoHeightsAreReal) {
    const Sea made = sea("[0, 0]");
    ASSERT_EQ(made.spectra.size(), 3u * kSide * kSide);
    double squares = 0.0; // of the heights
    double expected = 0.0;
    double wrong = 0.0;
    for (std::uint32_t y = 0; y < kSide; ++y)
        for (std::uint32_t x = 0; x < kSide; ++x) {
            const auto at = y * kSide + x;
            const auto opposite = (kSide - y) % kSide * kSide + (kSide - x) % kSide;
            squares += std::norm(made.fields[at].real()) / (kSide * kSide);
            const bool middle = 2 * x == kSide || 2 * y == kSide;
            if (at == 0 || middle) {
                EXPECT_EQ(made.spectra[at], 0.0);
                continue;
            }
            // The first spectrum is the heights' one, H, times 1 - kx / |k|, which for -k is
            // 1 + kx / |k|. So both sides are H of -k times kz^2 / |k|^2.
            const glm::dvec2 k = wave_vector(x, y);
            const double length = std::hypot(k.x, k.y);
            const double along = k.x / length;
            const auto left = made.spectra[opposite] * (1.0 - along);
            const auto right = std::conj(made.spectra[at]) * (1.0 + along);
            wrong = std::max(wrong, std::abs(left - right));
            // Phillips' spectrum, of waves with and, a tenth of them, against the wind.
            const double speed = std::hypot(4.0, 9.0);
            const double longest = speed * speed / 9.81;
            const double wind = (4.0 * k.x + 9.0 * k.y) / speed / length;
            expected += kStepK * kStepK * 0.002 * std::exp(-1.0 / std::pow(length * longest, 2.0)) /
                        std::pow(length, 4.0) * wind * wind * (wind < 0.0 ? 0.1 : 1.0);
        }
    EXPECT_LT(wrong, 2e-5); // amplitudes are up to 0.1
    // A hundred waves have most of the energy, whose sum is off by a fifth then.
    EXPECT_NEAR(squares / expected, 1.0, 0.4);
}

} // namespace
} // namespace tuff::testing_gpu
