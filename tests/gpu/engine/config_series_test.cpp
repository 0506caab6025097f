#include "tests/common/test_folder.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <tuff/config.hpp>
#include <tuff/graph_runner.hpp>

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <string>

/// Sequences of pictures, frame by frame on a device.
namespace tuff {
namespace {

class ConfigSeriesTest : public testing_gpu::GpuTest {};

/// Reads one texel of each level that a mip chain of 8 x 4 texels has.
constexpr std::string_view kConfig = R"json({"tuff": 1,
    "assets": {"in": {"image": "in_%d.npy", "frames": [0, 2], "mips": true}},
    "nodes": {"levels": {"glsl": ["layout(local_size_x = 1) in;",
        "uniform sampler2D source;",
        "writeonly buffer Levels { float list[]; } levels;",
        "void main() {",
        "    for (int level = 0; level < levels.list.length(); ++level)",
        "        levels.list[level] = texelFetch(source, ivec2(0), level).r;",
        "}"], "in": {"source": "in"}, "out": {"levels": {"length": 4}}, "dispatch": {"count": 1}}},
    "outputs": {"o": "levels.levels"}})json";

TEST_F(ConfigSeriesTest, EveryLevelIsThatOfTheFramesPicture) {
    const auto folder = test::empty_folder();
    for (int number = 0; number < 3; ++number) {
        HostImage picture = make_image(Format::r32_sfloat, {8, 4, 1});
        for (std::uint32_t y = 0; y < 4; ++y)
            for (std::uint32_t x = 0; x < 8; ++x)
                picture.set_texel({float(100 * number) + float(x + 8 * y), 0, 0, 0}, x, y);
        ASSERT_TRUE(save_image(folder / fmt::format("in_{}.npy", number), picture));
    }
    PassRegistry registry;
    AssetCache assets;
    const auto config = Config::parse(kConfig, folder / "test.json", registry);
    ASSERT_TRUE(config) << to_string(config.error());
    GraphRunner runner(device(), {});
    for (int frame = 0; frame < 4; ++frame) {
        auto built = config->build(shaders(), assets, {.frame = frame}, device().caps());
        ASSERT_TRUE(built) << to_string(built.error());
        ASSERT_TRUE(runner.take(std::move(built->graph), shaders()));
        ASSERT_TRUE(runner.executor()->execute());
        const auto bytes = runner.executor()->read_buffer("o");
        ASSERT_TRUE(bytes);
        float levels[4] = {};
        ASSERT_EQ(bytes->size(), sizeof levels);
        std::memcpy(levels, bytes->data(), sizeof levels);
        const float base = float(100 * std::min(frame, 2));
        EXPECT_EQ(levels[0], base);
        EXPECT_EQ(levels[1], base + 4.5f); // the mean of 0, 1, 8 and 9
        EXPECT_EQ(levels[2], base + 13.5f);
        EXPECT_EQ(levels[3], base + 15.5f);
    }
    EXPECT_EQ(runner.compilations(), 1u);
}

} // namespace
} // namespace tuff
