// Height maps from files, as a config names them: PNG of 16 bits, EXR, NPY, and arrays of numbers.

#include "passes/terrain/mesh.hpp"
#include "tests/common/grey_png.hpp"
#include "tests/common/test_folder.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/gpu/terrain/bisection_reference.hpp"

#include <tuff/config.hpp>
#include <tuff/graph_runner.hpp>
#include <tuff/image.hpp>

#include <fmt/format.h>
#include <passes/registry.hpp>

#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <string_view>

namespace tuff {
namespace {

constexpr double kFactor = 0.3;
constexpr double kOffset = -0.1;

/// Heights as numbers, and what a file of them stands in a config as.
struct HeightFile {
    std::string asset;
    std::string port; ///< of terrain/heights
    std::vector<float> heights;
};

class HeightFileTest : public testing_gpu::GpuTest {
  protected:
    void write(const std::string& name, const std::string& bytes) {
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
    }

    HeightFile png(std::uint32_t width, std::uint32_t height) {
        std::vector<std::uint16_t> grey(std::size_t{width} * height);
        HeightFile file{R"({"image": "map.png"})", "source", {}};
        for (std::uint16_t& value : grey) {
            value = static_cast<std::uint16_t>(random_());
            file.heights.push_back(static_cast<float>(value / 65535.0));
        }
        write("map.png", test::grey_png(width, height, grey));
        return file;
    }
    /// Some of them NaN and infinite, where there are several.
    std::vector<float> floats(std::size_t count) {
        std::uniform_real_distribution<float> one(-1.0f, 1.0f);
        std::vector<float> values(count);
        for (float& value : values)
            value = one(random_);
        if (count > 8) {
            values[2] = std::numeric_limits<float>::quiet_NaN();
            values[count - 3] = std::numeric_limits<float>::infinity();
            values[count / 2] = -std::numeric_limits<float>::infinity();
        }
        return values;
    }
    HeightFile picture(const std::string& name, std::uint32_t width, std::uint32_t height) {
        HeightFile file{fmt::format(R"({{"image": "{}"}})", name), "source",
                        floats(std::size_t{width} * height)};
        const HostImage image{
            Format::r32_sfloat, {width, height, 1}, *testing_gpu::bytes_of(file.heights)};
        const auto saved = save_image(folder_ / name, image);
        EXPECT_TRUE(saved) << name;
        return file;
    }
    /// As NumPy writes doubles.
    HeightFile npy_array(std::uint32_t width, std::uint32_t height) {
        HeightFile file{R"({"array": "map.npy", "type": "f32"})", "numbers",
                        floats(std::size_t{width} * height)};
        std::string header = fmt::format(
            "{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}", height, width);
        header.resize((header.size() + 10 + 64) / 64 * 64 - 10, ' ');
        header.back() = '\n';
        std::string bytes("\x93NUMPY\x01\x00", 8);
        bytes += {static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
        bytes += header;
        for (const float height_value : file.heights) {
            const auto value = static_cast<double>(height_value);
            bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
        }
        write("map.npy", bytes);
        return file;
    }
    HeightFile csv_array(std::uint32_t width, std::uint32_t height) {
        HeightFile file{R"({"array": "map.csv"})", "numbers", {}};
        std::string text = "# a table of elevations\n";
        for (std::uint32_t i = 0; i < width * height; ++i) {
            const auto value = static_cast<float>(static_cast<int>(random_() % 4001) - 2000) / 1000;
            file.heights.push_back(value);
            text += fmt::format("{}{}", value, (i + 1) % width == 0 ? '\n' : ',');
        }
        write("map.csv", text);
        return file;
    }

    std::string config_of(const HeightFile& file, std::uint32_t width, std::uint32_t height) {
        const std::string_view kind = file.port == "source" ? "picture" : "numbers";
        return fmt::format(R"json({{"tuff": 1, "assets": {{"map": {}}}, "nodes": {{
            "heights": {{"pass": "terrain/heights", "in": {{"{}": "map"}},
                "params": {{"kind": "{}", "width": {}, "height": {}}}}},
            "ground": {{"pass": "terrain/surface", "in": {{"heights": "heights.result"}},
                "params": {{"height": {}, "base": {}}}}},
            "tree": {{"pass": "terrain/quadtree", "in": {{"surface": "ground.surface"}},
                "params": {{"camera": {{"mode": "free", "position": [0.1, 0.2, 0.3]}},
                            "max_level": 6}}}},
            "mesh": {{"pass": "terrain/mesh", "in": {{"surface": "ground.surface",
                "tree": "tree.tree"}}, "params": {{"capacity": 1024, "patch": 2}}}}}},
            "outputs": {{"map": "heights.result", "positions": "mesh.mesh.positions",
                "vertices": "mesh.vertices", "status": "mesh.status"}}}})json",
                           file.asset, file.port, kind, width, height, kFactor, kOffset);
    }
    Result<ConfiguredGraph> build(const std::string& text) {
        static const PassRegistry registry = passes::make_registry();
        const auto config = Config::parse(text, folder_ / "test.json", registry);
        if (!config) return std::unexpected(config.error());
        AssetCache assets;
        return config->build(shaders(), assets, {}, device().caps());
    }

    /// The map, and vertices between its texels, against the numbers.
    void expect_heights(const HeightFile& file, std::uint32_t width, std::uint32_t height) {
        SCOPED_TRACE(fmt::format("{}, {} x {}", file.asset, width, height));
        auto built = build(config_of(file, width, height));
        ASSERT_TRUE(built) << to_string(built.error());
        const auto memory = memory_model(device());
        auto plan = compile(std::move(built->graph), device().caps(), {.memory = memory.get()});
        ASSERT_TRUE(plan) << to_string(plan.error());
        testing_gpu::Running running = start(std::make_shared<const Plan>(std::move(*plan)));
        running.execute();
        const HostImage map = running.image("map");
        ASSERT_EQ(map.extent, (Extent{width, height, 1}));
        std::size_t wrong = 0;
        for (std::uint32_t y = 0; y < height; ++y)
            for (std::uint32_t x = 0; x < width; ++x) {
                const float value = file.heights[y * width + x];
                const float expected = std::isfinite(value) ? value : 0.0f;
                // Devices divide by 65535 to the last bit but one.
                wrong += !(std::abs(map.texel(x, y)[0] - expected) <= 1.2e-7f);
            }
        EXPECT_EQ(wrong, 0u);

        const TrueSurface truth{.surface = {.kind = passes::SurfaceKind::heights,
                                            .ground = {1.0f, kFactor, kOffset, 0.0f}},
                                .map = file.heights,
                                .map_width = width,
                                .map_height = height};
        const auto positions = running.buffer<glm::vec3>("positions");
        const auto vertices = running.buffer<passes::TerrainVertex>("vertices");
        const std::size_t count = std::size_t{9} * running.buffer<std::uint32_t>("status").at(0);
        ASSERT_GT(count, 500u);
        ASSERT_LE(count, positions.size());
        double worst = 0.0;
        for (std::size_t i = 0; i < count; ++i)
            worst = std::max(worst, std::abs(static_cast<double>(positions[i].y) -
                                             truth.height(glm::dvec2(vertices[i].place))));
        // Steps of 2 between texels, and places among 130 texels that are off by 2^-17 of one.
        EXPECT_LT(worst, kFactor * 2.0 * 1.6e-5);
    }

    std::filesystem::path folder_ = test::empty_folder();
    std::mt19937 random_{11};
};

constexpr std::array<std::array<std::uint32_t, 2>, 5> kMapSizes{
    {{1, 1}, {2, 2}, {1, 7}, {33, 17}, {130, 71}}};

TEST_F(HeightFileTest, PicturesOf16BitsAreTheNumbersThatTheyHold) {
    for (const auto [width, height] : kMapSizes)
        expect_heights(png(width, height), width, height);
    expect_heights(png(301, 257), 301, 257); // three blocks of the file
}

TEST_F(HeightFileTest, FloatsOfExrAndNpyAreTheNumbersThatTheyHoldAndZeroWhereTheyAreNone) {
    for (const auto [width, height] : kMapSizes)
        for (const std::string name : {"map.exr", "map.npy"})
            expect_heights(picture(name, width, height), width, height);
}

TEST_F(HeightFileTest, ArraysAreMapsRowByRow) {
    for (const auto [width, height] : kMapSizes) {
        expect_heights(npy_array(width, height), width, height);
        expect_heights(csv_array(width, height), width, height);
    }
}

TEST_F(HeightFileTest, NumbersThatAreNoMapAreRefused) {
    const HeightFile file = csv_array(6, 4);
    const auto code_of = [&](const std::string& text) {
        const auto built = build(text);
        return built ? std::string("none") : built.error().front().code;
    };
    EXPECT_EQ(code_of(config_of(file, 6, 4)), "none");
    EXPECT_EQ(code_of(config_of(file, 5, 4)), "terrain/wrong-count");
    EXPECT_EQ(code_of(config_of(file, 6, 5)), "terrain/wrong-count");
    EXPECT_EQ(code_of(R"({"tuff": 1, "nodes": {"a": {"pass": "terrain/heights",
        "params": {"kind": "numbers"}}}, "outputs": {"map": "a.result"}})"),
              "terrain/no-heights");
    write("map.png", "\x89PNG\r\n\x1a\n and then nothing");
    EXPECT_EQ(code_of(R"({"tuff": 1, "assets": {"map": {"image": "map.png"}}, "nodes": {"a": {
        "pass": "terrain/heights", "in": {"source": "map"}, "params": {"kind": "picture"}}},
        "outputs": {"map": "a.result"}})"),
              "image/corrupt");
}

} // namespace
} // namespace tuff
