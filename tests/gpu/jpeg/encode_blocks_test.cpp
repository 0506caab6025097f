// Blocks that are coded for themselves and put together on the CPU make the files of jpeg/encode.

#include "encode_fixture.hpp"
#include "passes/jpeg/encode_blocks.hpp"
#include "passes/jpeg/stitch.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

namespace tuff {
namespace {

using passes::JpegColor;
using passes::JpegEncode;
using passes::JpegEncodeBlocks;
using passes::JpegSampling;
using passes::JpegTables;
using passes::JpegTransform;
using testing_jpeg::make_picture;
using testing_jpeg::Motif;
using testing_jpeg::Pixels;

class JpegBlocksTest : public testing_jpeg::JpegEncodeTest {
  protected:
    struct Stitched {
        std::vector<std::byte> file;
        std::uint32_t not_finite = 0;
        std::uint32_t most_bits = 0; ///< of a block
    };

    Stitched stitched(Graph g, const JpegEncode& pass) {
        JpegEncodeBlocks blocks{.source = pass.source,
                                .quality = pass.quality,
                                .sampling = pass.sampling,
                                .color = pass.color,
                                .tables = pass.tables,
                                .transform = pass.transform,
                                .alpha = pass.alpha,
                                .conversion = pass.conversion};
        blocks = g.add(blocks);
        const Extent size = g.extent(pass.source);
        const bool grey = !blocks.blue;
        g.output("luma", blocks.luma);
        if (!grey) g.output("blue", blocks.blue);
        if (!grey) g.output("red", blocks.red);
        g.output("not_finite", blocks.not_finite);
        testing_gpu::Running running = run(std::move(g));
        std::array<std::vector<std::uint32_t>, 3> slots;
        slots[0] = running.buffer<std::uint32_t>("luma");
        if (!grey) slots[1] = running.buffer<std::uint32_t>("blue");
        if (!grey) slots[2] = running.buffer<std::uint32_t>("red");
        const std::array<std::span<const std::uint32_t>, 3> spans{slots[0], slots[1], slots[2]};
        Stitched result;
        result.file = passes::jpeg::stitch({.size = size,
                                            .quality = pass.quality,
                                            .sampling = pass.sampling,
                                            .tables = pass.tables,
                                            .restart = static_cast<std::uint32_t>(pass.restart)},
                                           std::span(spans).first(grey ? 1 : 3));
        result.not_finite = running.buffer<std::uint32_t>("not_finite").at(0);
        for (std::size_t i = 1; i < slots[0].size(); i += passes::jpeg::kSlotWords)
            result.most_bits = std::max(result.most_bits, slots[0][i]);
        return result;
    }
    void expect_equal(const Pixels& pixels, JpegEncode pass, const std::string& what) {
        const std::vector<std::byte> whole = encode(pixels, pass).file;
        Graph g = graph();
        pass.source = constant_picture(g, pixels);
        const Stitched stitched_file = stitched(std::move(g), pass);
        EXPECT_FALSE(whole.empty()) << what;
        EXPECT_TRUE(stitched_file.file == whole)
            << what << ": " << stitched_file.file.size() << " bytes for " << whole.size();
    }
};

TEST_F(JpegBlocksTest, OptionsOfPixelsGiveTheSameFiles) {
    const Pixels pixels = make_picture(33, 19, Motif::scene);
    expect_equal(pixels,
                 {.quality = 100,
                  .sampling = JpegSampling::s422,
                  .alpha = passes::JpegAlpha::multiply,
                  .conversion = passes::JpegConversion::integer},
                 "4:2:2");
}

TEST_F(JpegBlocksTest, Check10MakeTheFilesThatTheDeviceMakesAlone) {
    const Pixels pixels = make_picture(70, 45, Motif::scene);
    for (const JpegSampling sampling : testing_jpeg::kSamplings)
        for (const int quality : {1, 50, 100})
            for (const JpegTransform transform : {JpegTransform::matrix, JpegTransform::fast}) {
                const bool single = quality == 50;
                expect_equal(pixels,
                             {.quality = quality,
                              .sampling = sampling,
                              .tables = single ? JpegTables::single : JpegTables::standard,
                              .transform = transform},
                             std::to_string(quality) + " sampling " +
                                 std::to_string(static_cast<int>(sampling)));
            }
}

TEST_F(JpegBlocksTest, Check10RestartMarkersAndGreyPictures) {
    const Pixels pixels = make_picture(70, 45, Motif::scene);
    for (const std::int64_t restart : {1, 2, 7, 1000})
        expect_equal(pixels, {.quality = 90, .restart = restart}, std::to_string(restart));
    expect_equal(pixels, {.quality = 90, .color = JpegColor::grey, .restart = 3}, "as grey");
    expect_equal(make_picture(33, 18, Motif::scene, 1), {.quality = 90}, "grey");
}

TEST_F(JpegBlocksTest, Check8And9SizesAndWorstCases) {
    for (const auto& [width, height] : {std::array{1u, 1u}, {7u, 9u}, {17u, 33u}, {1023u, 1u}})
        expect_equal(make_picture(width, height, Motif::scene), {.quality = 75},
                     std::to_string(width) + " x " + std::to_string(height));
    for (const Motif motif : {Motif::noise, Motif::black, Motif::white, Motif::checkers})
        for (const JpegSampling sampling : {JpegSampling::s444, JpegSampling::s420})
            expect_equal(make_picture(48, 40, motif), {.quality = 100, .sampling = sampling},
                         std::to_string(static_cast<int>(motif)));
}

// Black and white noise at the best quality: half of the longest codes there can be.
TEST_F(JpegBlocksTest, Check9SlotsHoldTheLongestCodes) {
    Pixels pixels = make_picture(64, 64, Motif::noise, 1);
    for (std::uint8_t& value : pixels.values)
        value = value < 128 ? 0 : 255;
    Graph g = graph();
    JpegEncode pass{.quality = 100, .tables = JpegTables::standard};
    pass.source = constant_picture(g, pixels);
    const Stitched result = stitched(std::move(g), pass);
    EXPECT_GT(result.most_bits, 800u);
    EXPECT_LE(result.most_bits, 1638u);
    EXPECT_EQ(testing_jpeg::decode(result.file).warnings, 0);
}

TEST_F(JpegBlocksTest, CountPixelsThatAreNotFiniteOnce) {
    std::vector<glm::vec4> texels(17 * 9, glm::vec4(0.5f));
    texels[3].g = std::numeric_limits<float>::infinity();
    texels[17 * 9 - 1].r = std::numeric_limits<float>::quiet_NaN(); // repeated beyond the edges
    Graph g = graph();
    JpegEncode pass;
    pass.source =
        g.constant_image("picture", {.format = Format::rgba32_sfloat, .extent = {17, 9, 1}},
                         testing_gpu::bytes_of(texels));
    pass.transform = JpegTransform::matrix;
    pass.tables = JpegTables::single;
    EXPECT_EQ(stitched(std::move(g), pass).not_finite, 2u);
}

TEST(JpegStitch, TooFewSlotsMakeNoFile) {
    const std::vector<std::uint32_t> slots(passes::jpeg::kSlotWords * 5);
    const std::array<std::span<const std::uint32_t>, 3> few{slots, slots, slots};
    EXPECT_TRUE(
        passes::jpeg::stitch({.size = {24, 16}, .sampling = JpegSampling::s444}, few).empty());
    EXPECT_TRUE(passes::jpeg::stitch({.size = {8, 8}}, std::span(few).first(2)).empty());
    EXPECT_FALSE(passes::jpeg::stitch({.size = {8, 8}}, std::span(few).first(1)).empty());
}

} // namespace
} // namespace tuff
