#include "graph_test.hpp"

#include "passes/registry.hpp"

#include <tuff/explain.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tuff::testing_gpu {
namespace {

/// Mean colour distances (CIE 1976 Lab; 2.3 is just noticeable side by side). Devices place the
/// samples of a pixel and round filtered texels differently, which moves single texels at edges by
/// much and areas by little: SwiftShader and lavapipe are 0.7 and 4.5 apart at most.
constexpr double kPictureTolerance = 1.0;
constexpr double kTileTolerance = 6.0; ///< of any 16x16 tile: a bolt that is missing is more

/// sRGB-encoded 8-bit texels, so that they are compared as light.
HostImage as_encoded(HostImage picture) {
    picture.format = Format::rgba8_srgb;
    return picture;
}

/// All that a plan does, but not how it was asked for.
std::string text_without_options(const Plan& plan) {
    std::string text = explain(plan);
    const std::size_t line = text.find("  options ");
    if (line != std::string::npos) text.erase(line, text.find('\n', line) - line);
    return text;
}

} // namespace

GraphTest::Planned GraphTest::planned(std::string_view graph,
                                      const std::map<std::string, std::string>& settings,
                                      CompileOptions options) {
    const PassRegistry registry = passes::make_registry();
    auto config =
        Config::load(fmt::format("{}/apps/graphs/{}.json", TUFF_TEST_SOURCE_DIR, graph), registry);
    if (!config) {
        ADD_FAILURE() << to_string(config.error());
        return {};
    }
    EXPECT_TRUE(config->warnings().empty()) << to_string(config->warnings());
    for (const auto& [name, value] : settings)
        if (const auto set = config->set(name, value); !set)
            ADD_FAILURE() << to_string(set.error());
    auto built = config->build(shaders(), assets_, {}, device().caps());
    if (!built) {
        ADD_FAILURE() << to_string(built.error());
        return {};
    }
    const std::unique_ptr<MemoryModel> memory = memory_model(device());
    options.memory = memory.get();
    auto plan = compile(std::move(built->graph), device().caps(), options);
    if (!plan) {
        ADD_FAILURE() << to_string(plan.error());
        return {};
    }
    return {std::make_shared<const Plan>(std::move(*plan)), built->outputs.front().name};
}

HostImage GraphTest::render(std::string_view graph,
                            const std::map<std::string, std::string>& settings,
                            CompileOptions options, unsigned executions) {
    const Planned made = planned(graph, settings, options);
    if (!made.plan) return {};
    std::string key = fmt::format("{} {}", graph, executions);
    for (const auto& [name, value] : settings)
        key += fmt::format(" {}={}", name, value);
    key += text_without_options(*made.plan);
    if (const auto known = pictures_.find(key); known != pictures_.end()) return known->second;
    Running running = start(made.plan);
    running.execute(executions);
    return pictures_[key] = running.image(made.first_output);
}

void GraphTest::expect_like_golden(const HostImage& picture, const std::string& name) {
    const std::string golden_file =
        fmt::format("{}/tests/graphs/golden/{}.png", TUFF_TEST_SOURCE_DIR, name);
    if (const char* update = std::getenv("TUFF_UPDATE_GOLDEN"); update && *update == '1') {
        ASSERT_TRUE(save_image(golden_file, picture));
        GTEST_SKIP() << "stored " << golden_file;
    }
    const auto golden = load_image(golden_file, {.ldr = Format::rgba8_srgb});
    ASSERT_TRUE(golden) << to_string(golden.error());
    const HostImage shown = as_encoded(picture);
    const auto difference = compare_images(shown, *golden);
    ASSERT_TRUE(difference) << to_string(difference.error());
    const ImageDifference::Tile& worst = difference->worst;
    if (difference->mean_delta_e <= kPictureTolerance && worst.mean_delta_e <= kTileTolerance)
        return;

    const std::string stem =
        fmt::format("{}/{}-{}", TUFF_TEST_OUTPUT_DIR, name, device().caps().name);
    ASSERT_TRUE(save_image(stem + "-got.png", picture));
    ASSERT_TRUE(save_image(stem + "-difference.png", difference->picture));
    ADD_FAILURE() << fmt::format(
        "{} differs from its golden image: mean colour distance {:.2f} (allowed {}), {:.2f} "
        "(allowed {}) in the tile at {}, {}; PSNR {:.1f} dB\n  golden      {}\n  got         "
        "{}-got.png\n  difference  {}-difference.png",
        name, difference->mean_delta_e, kPictureTolerance, worst.mean_delta_e, kTileTolerance,
        worst.left, worst.top, difference->psnr, golden_file, stem, stem);
}

void GraphTest::expect_a_picture(const HostImage& picture) {
    ASSERT_FALSE(picture.empty());
    double sum = 0.0;
    double squares = 0.0;
    float darkest = 1.0f;
    float brightest = 0.0f;
    for (std::uint32_t y = 0; y < picture.extent.height; ++y)
        for (std::uint32_t x = 0; x < picture.extent.width; ++x) {
            const auto texel = picture.texel(x, y);
            const float grey = (texel[0] + texel[1] + texel[2]) / 3.0f;
            ASSERT_TRUE(std::isfinite(grey)) << x << ", " << y;
            sum += grey;
            squares += static_cast<double>(grey) * grey;
            darkest = std::min(darkest, grey);
            brightest = std::max(brightest, grey);
        }
    const double count = static_cast<double>(picture.extent.width) * picture.extent.height;
    const double mean = sum / count;
    const double deviation = std::sqrt(std::max(squares / count - mean * mean, 0.0));
    EXPECT_GT(mean, 0.1);
    EXPECT_LT(mean, 0.9);
    EXPECT_GT(deviation, 0.05);
    EXPECT_LT(darkest, 0.2f);
    EXPECT_GT(brightest, 0.7f);
}

} // namespace tuff::testing_gpu
