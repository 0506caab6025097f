// Files whose components are red, green and blue themselves, and those that only seem to be: the
// decoder takes them for what libjpeg-turbo does.

#include "library.hpp"
#include "passes/jpeg/decode.hpp"
#include "passes/jpeg/decode_header.hpp"
#include "tests/common/test_folder.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <tuff/config.hpp>
#include <tuff/graph_runner.hpp>

#include <passes/registry.hpp>

#include <array>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace tuff {
namespace {

using passes::jpeg::DecodeColors;
using testing_jpeg::Cut;
using testing_jpeg::Decoded;
using testing_jpeg::Pixels;
using JpegBytes = std::vector<std::byte>;

constexpr std::size_t kNoSegment = ~std::size_t{0};

/// Slopes in which no channel is like another.
Pixels slopes(std::uint32_t width, std::uint32_t height) {
    Pixels pixels{.width = width, .height = height, .channels = 3, .values = {}};
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x)
            for (const std::uint32_t value :
                 {3 * x + y, 255 - 5 * y, (x / 5 + y / 3) % 2 * 180 + x})
                pixels.values.push_back(static_cast<std::uint8_t>(value));
    return pixels;
}

std::size_t segment_of(const JpegBytes& file, unsigned marker) {
    std::size_t at = 2;
    while (at + 4 < file.size() && file[at] == std::byte{0xff}) {
        if (file[at + 1] == static_cast<std::byte>(marker)) return at;
        at += 2 + (std::to_integer<std::size_t>(file[at + 2]) << 8 |
                   std::to_integer<std::size_t>(file[at + 3]));
    }
    return kNoSegment;
}

struct Marks {
    std::string ids = "RGB";
    std::optional<unsigned> adobe; ///< the transform that Adobe's segment names
    bool jfif = false;
};

/// The library's file, which has the ids R, G and B and Adobe's segment with transform 0, with
/// other marks.
JpegBytes with_marks(JpegBytes file, const Marks& marks) {
    const std::size_t frame = segment_of(file, 0xc0);
    const std::size_t scan = segment_of(file, 0xda);
    for (std::size_t i = 0; i < 3; ++i)
        file[frame + 10 + 3 * i] = file[scan + 5 + 2 * i] = static_cast<std::byte>(marks.ids[i]);
    const std::size_t adobe = segment_of(file, 0xee);
    if (marks.adobe)
        file[adobe + 15] = static_cast<std::byte>(*marks.adobe);
    else
        file.erase(file.begin() + static_cast<std::ptrdiff_t>(adobe),
                   file.begin() + static_cast<std::ptrdiff_t>(adobe + 16));
    if (!marks.jfif) return file;
    constexpr std::array<unsigned, 18> kJfif{0xff, 0xe0, 0, 16, 'J', 'F', 'I', 'F', 0,
                                             1,    2,    0, 0,  1,   0,   1,   0,   0};
    std::vector<std::byte> segment;
    for (const unsigned byte : kJfif)
        segment.push_back(static_cast<std::byte>(byte));
    file.insert(file.begin() + 2, segment.begin(), segment.end());
    return file;
}

/// Channels that differ from those of the library's picture.
std::size_t differing(const HostImage& got, const Pixels& expected) {
    const std::size_t pixels = std::size_t{expected.width} * expected.height;
    if (got.texels.size() != 4 * pixels || expected.values.size() != 3 * pixels) return kNoSegment;
    std::size_t count = 0;
    for (std::size_t i = 0; i < 3 * pixels; ++i)
        count += std::to_integer<std::uint8_t>(got.texels[i / 3 * 4 + i % 3]) != expected.values[i];
    return count;
}

class JpegDirectColorsTest : public testing_gpu::GpuTest {
  protected:
    /// In one graph, to be quick.
    void expect_as_library(const std::vector<JpegBytes>& files) {
        Graph g = graph();
        for (std::size_t i = 0; i < files.size(); ++i) {
            const std::string name = std::to_string(i);
            const Buffer bytes = g.constant_buffer(name, {.size = files[i].size()},
                                                   std::make_shared<const JpegBytes>(files[i]));
            g.output(name, g.add(passes::JpegDecode{.file = bytes}, "decode" + name).result);
        }
        testing_gpu::Running running = run(std::move(g));
        ASSERT_TRUE(bool(running));
        for (std::size_t i = 0; i < files.size(); ++i) {
            const Decoded library = testing_jpeg::decode(files[i]);
            EXPECT_EQ(library.error, "") << i;
            EXPECT_EQ(differing(running.image(std::to_string(i)), library.pixels), 0u) << i;
        }
    }
};

TEST_F(JpegDirectColorsTest, AllSamplingsQualitiesAndRestartIntervalsAreTheLibrarysBytes) {
    std::vector<JpegBytes> files;
    for (const auto& [across, down] : {std::array{1u, 1u}, {2u, 1u}, {2u, 2u}, {1u, 2u}})
        for (const auto& [quality, restart] : {std::array{60, 0}, {100, 3}})
            files.push_back(testing_jpeg::encode(slopes(45, 27),
                                                 {.across = across,
                                                  .down = down,
                                                  .restart = static_cast<std::uint32_t>(restart),
                                                  .direct = true},
                                                 quality));
    for (const JpegBytes& file : files) {
        const auto header = passes::jpeg::read_header(file);
        ASSERT_TRUE(header);
        EXPECT_EQ(header->colors, DecodeColors::rgb);
    }
    expect_as_library(files);
}

/// JFIF comes before Adobe's segment, and that before the names of components.
TEST_F(JpegDirectColorsTest, AmbiguousFilesHaveTheColorsThatTheLibraryTakesThemFor) {
    const JpegBytes whole =
        testing_jpeg::encode(slopes(20, 11), {.across = 1, .down = 1, .direct = true}, 90);
    struct Case {
        Marks marks;
        DecodeColors colors;
    };
    const std::string numbers("\1\2\3");
    const std::vector<Case> cases{
        {{.ids = "RGB", .adobe = {}}, DecodeColors::rgb},
        {{.ids = "BGR", .adobe = {}}, DecodeColors::ycc},
        {{.ids = "rgb", .adobe = {}}, DecodeColors::ycc},
        {{.ids = numbers, .adobe = {}}, DecodeColors::ycc},
        {{.ids = numbers, .adobe = 0}, DecodeColors::rgb},
        {{.ids = "RGB", .adobe = 1}, DecodeColors::ycc},
        {{.ids = "RGB", .adobe = 2}, DecodeColors::ycc},
        {{.ids = "RGB", .adobe = {}, .jfif = true}, DecodeColors::ycc},
        {{.ids = numbers, .adobe = 0, .jfif = true}, DecodeColors::ycc},
    };
    std::vector<JpegBytes> files;
    for (const Case& one : cases) {
        files.push_back(with_marks(whole, one.marks));
        const auto header = passes::jpeg::read_header(files.back());
        ASSERT_TRUE(header) << files.size();
        EXPECT_EQ(header->colors, one.colors) << files.size();
    }
    expect_as_library(files);
}

/// A config's file needs no library, and its colors are those of the file that was encoded.
TEST_F(JpegDirectColorsTest, AnAssetIsDecodedOnTheDeviceWithoutANote) {
    const std::filesystem::path folder = test::empty_folder();
    const Pixels pixels = slopes(32, 24);
    const JpegBytes file =
        testing_jpeg::encode(pixels, {.across = 1, .down = 1, .direct = true}, 100);
    std::ofstream(folder / "direct.jpg", std::ios::binary)
        .write(reinterpret_cast<const char*>(file.data()),
               static_cast<std::streamsize>(file.size()));
    const PassRegistry registry = passes::make_registry();
    for (const char* decode : {"device", "library"}) {
        const auto config =
            Config::parse(R"({"tuff": 1, "assets": {"photo": {"image": "direct.jpg", "decode": ")" +
                              std::string(decode) + R"("}}, "nodes": {"same": {"pass": "image/crop",
                                  "in": {"source": "photo"}}}, "outputs": {"o": "same.result"}})",
                          folder / "test.json", registry);
        ASSERT_TRUE(config) << to_string(config.error());
        AssetCache assets;
        auto built = config->build(shaders(), assets, {}, device().caps());
        ASSERT_TRUE(built) << to_string(built.error());
        EXPECT_TRUE(built->graph.diagnostics.empty()) << decode;
        GraphRunner runner(device(), {});
        ASSERT_TRUE(runner.take(std::move(built->graph), shaders()));
        ASSERT_TRUE(runner.executor()->execute());
        const auto image = runner.executor()->read_image("o");
        ASSERT_TRUE(image);
        ASSERT_EQ(image->texels.size(), 32u * 24 * 4);
        for (std::size_t i = 0; i < pixels.values.size(); ++i)
            ASSERT_NEAR(std::to_integer<int>(image->texels[i / 3 * 4 + i % 3]),
                        int{pixels.values[i]}, 3)
                << decode << " " << i;
    }
}

} // namespace
} // namespace tuff
