// Files of jpeg/encode, judged by libjpeg-turbo and by an encoder in double precision. The numbers
// are those of the list that the tests come from: what a JPEG encoder has to be checked for.

#include "encode_fixture.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

namespace tuff {
namespace {

using passes::JpegColor;
using passes::JpegEncode;
using passes::JpegSampling;
using passes::JpegTables;
using passes::JpegTransform;
using testing_jpeg::Block;
using testing_jpeg::cut_of;
using testing_jpeg::Decoded;
using testing_jpeg::JpegEncodeTest;
using testing_jpeg::kSamplings;
using testing_jpeg::make_picture;
using testing_jpeg::Motif;
using testing_jpeg::Pixels;
using testing_jpeg::psnr;
using testing_jpeg::rounded;

TEST_F(JpegEncodeTest, Check1To3FilesAreThoseOfAScalarEncoder) {
    const Pixels pixels = make_picture(64, 48, Motif::scene);
    for (const JpegSampling sampling : kSamplings)
        for (const int quality : {1, 50, 90, 100}) {
            const JpegEncode pass{.quality = quality, .sampling = sampling};
            check_file(encode(pixels, pass), pixels, pass,
                       std::to_string(quality) + " sampling " +
                           std::to_string(static_cast<int>(sampling)));
        }
}

TEST_F(JpegEncodeTest, Check2TheSameFileEachTime) {
    const Pixels pixels = make_picture(300, 200, Motif::scene);
    for (const JpegTables tables : {JpegTables::standard, JpegTables::optimised}) {
        const JpegEncode pass{.quality = 95, .tables = tables, .restart = 3};
        const std::vector<std::byte> first = encode(pixels, pass).file;
        for (int i = 0; i < 3; ++i)
            EXPECT_EQ(encode(pixels, pass).file, first) << i;
    }
}

TEST_F(JpegEncodeTest, Check4TransformsOfTheDefinitionAndTheFactorisationAgree) {
    const Pixels pixels = make_picture(40, 27, Motif::scene);
    JpegEncode pass{
        .quality = 100, .sampling = JpegSampling::s444, .transform = JpegTransform::matrix};
    check_file(encode(pixels, pass), pixels, pass, "by the matrix");
    pass.transform = JpegTransform::fast;
    check_file(encode(pixels, pass), pixels, pass, "by the factorisation");
}

// Each wave alone: a coefficient of its own, and others of at most a rounded value of the picture.
TEST_F(JpegEncodeTest, Check4WavesAreOneCoefficientEach) {
    Pixels pixels{64, 64, 1, std::vector<std::uint8_t>(64 * 64)};
    for (std::uint32_t y = 0; y < 64; ++y)
        for (std::uint32_t x = 0; x < 64; ++x) {
            const auto wave = [](std::uint32_t k, std::uint32_t j) {
                return std::cos((2.0 * j + 1.0) * k * std::numbers::pi / 16.0);
            };
            pixels.values[y * 64 + x] =
                rounded(128.0 + 100.0 * wave(x / 8, x % 8) * wave(y / 8, y % 8));
        }
    const Result result = encode(pixels, {.quality = 100});
    const std::vector<Block> blocks = testing_jpeg::decode(result.file).blocks;
    ASSERT_EQ(blocks.size(), 64u);
    for (std::size_t b = 0; b < 64; ++b)
        for (std::size_t k = 0; k < 64; ++k) {
            if (k == b)
                EXPECT_GT(blocks[b][k], b == 0 ? 790 : 190) << b;
            else
                EXPECT_LE(std::abs(blocks[b][k]), 3) << b << " " << k;
        }
}

TEST_F(JpegEncodeTest, Check5And6QualityAndSizeAreTheLibrarys) {
    const Pixels pixels = make_picture(192, 128, Motif::scene);
    for (const JpegSampling sampling :
         {JpegSampling::s444, JpegSampling::s422, JpegSampling::s420}) {
        double last = 0.0;
        for (const int quality : {1, 10, 25, 50, 75, 90, 95, 100}) {
            const JpegEncode pass{.quality = quality, .sampling = sampling};
            const Result result = encode(pixels, pass);
            const std::vector<std::byte> theirs =
                testing_jpeg::encode(pixels, cut_of(pass, false), quality);
            const double ours = psnr(testing_jpeg::decode(result.file).pixels, pixels);
            const double their = psnr(testing_jpeg::decode(theirs).pixels, pixels);
            SCOPED_TRACE(quality);
            // Chroma is not rounded before it is transformed, so the best files are better.
            EXPECT_GE(ours, their - (quality <= 95 ? 0.1 : 0.05));
            if (quality <= 95) {
                EXPECT_LE(ours, their + (quality <= 90 ? 0.1 : 0.2));
            }
            EXPECT_GT(ours, last);
            last = ours;
            const double share =
                static_cast<double>(result.file.size()) / static_cast<double>(theirs.size());
            if (quality <= 90)
                EXPECT_NEAR(share, 1.0, 0.01);
            else
                EXPECT_LE(share, quality == 100 ? 1.0 : 1.01);
        }
    }
}

// A smooth picture with grain: no less than these, and more the better the quality.
TEST_F(JpegEncodeTest, Check5PhotosHaveTheirLeastQuality) {
    const Pixels pixels = make_picture(192, 128, Motif::photo);
    struct Floor {
        int quality;
        JpegSampling sampling;
        double least; ///< dB
    };
    double last = 0.0;
    for (const Floor& floor : {Floor{50, JpegSampling::s420, 30.0},
                               {75, JpegSampling::s420, 33.0},
                               {90, JpegSampling::s420, 37.0},
                               {100, JpegSampling::s444, 44.0}}) {
        const Result result =
            encode(pixels, {.quality = floor.quality, .sampling = floor.sampling});
        const double ours = psnr(testing_jpeg::decode(result.file).pixels, pixels);
        EXPECT_GE(ours, floor.least) << floor.quality;
        EXPECT_GT(ours, last) << floor.quality;
        last = ours;
    }
}

// Each quality from 1 to 100: files of twenty at a time, from one graph. The picture is better and
// the file longer the better the quality; both are the library's.
TEST_F(JpegEncodeTest, Check5And6EveryQualityIsTheLibrarys) {
    const Pixels pixels = make_picture(96, 64, Motif::scene);
    double last = 0.0;
    for (int first = 1; first <= 100; first += 20) {
        Graph g = graph();
        for (int quality = first; quality < first + 20; ++quality) {
            JpegEncode pass{.quality = quality, .sampling = JpegSampling::s444};
            pass.source = constant_picture(g, pixels);
            add_outputs(g, pass, std::to_string(quality));
        }
        testing_gpu::Running running = run(std::move(g));
        for (int quality = first; quality < first + 20; ++quality) {
            SCOPED_TRACE(quality);
            const Result result = take(running, std::to_string(quality));
            ASSERT_LE(result.status.bytes, result.status.room);
            const std::vector<std::byte> theirs = testing_jpeg::encode(pixels, {1, 1}, quality);
            const double ours = psnr(testing_jpeg::decode(result.file).pixels, pixels);
            const double their = psnr(testing_jpeg::decode(theirs).pixels, pixels);
            EXPECT_GE(ours, their - (quality <= 95 ? 0.1 : 0.05));
            // Steps of quality that round to the same divisors, or nearly, may lose a hundredth.
            EXPECT_GE(ours, last - 0.02);
            last = std::max(last, ours);
            const double share =
                static_cast<double>(result.file.size()) / static_cast<double>(theirs.size());
            EXPECT_LE(share, quality == 100 ? 1.0 : 1.01);
            if (quality <= 95) {
                EXPECT_LE(ours, their + (quality <= 90 ? 0.1 : 0.2));
            }
            if (quality <= 90) { // chroma that is not rounded makes better and smaller files
                EXPECT_GE(share, 0.99);
            }
        }
    }
}

TEST_F(JpegEncodeTest, Check7BestQualityLosesNextToNothing) {
    const Pixels pixels = make_picture(192, 128, Motif::scene);
    const Result result = encode(pixels, {.quality = 100, .sampling = JpegSampling::s444});
    const Pixels decoded = testing_jpeg::decode(result.file).pixels;
    std::array<std::size_t, 256> histogram{};
    for (std::size_t i = 0; i < pixels.values.size(); ++i)
        ++histogram[static_cast<std::size_t>(
            std::abs(int{pixels.values[i]} - int{decoded.values[i]}))];
    const auto n = static_cast<double>(pixels.values.size());
    EXPECT_GE(static_cast<double>(histogram[0] + histogram[1]), 0.97 * n);
    EXPECT_GE(static_cast<double>(histogram[0] + histogram[1] + histogram[2]), 0.999 * n);
}

TEST_F(JpegEncodeTest, Check8AllSizes) {
    constexpr std::array<std::array<std::uint32_t, 2>, 9> kSizes{
        {{1, 1}, {7, 9}, {8, 8}, {15, 17}, {16, 16}, {17, 33}, {1023, 1}, {1, 300}, {40, 27}}};
    for (const auto& [width, height] : kSizes)
        for (const JpegSampling sampling : kSamplings) {
            const Pixels pixels = make_picture(width, height, Motif::scene);
            const JpegEncode pass{.quality = 90, .sampling = sampling};
            check_file(encode(pixels, pass), pixels, pass,
                       std::to_string(width) + " x " + std::to_string(height) + " sampling " +
                           std::to_string(static_cast<int>(sampling)));
        }
}

TEST_F(JpegEncodeTest, Check8GreyPicturesHaveOneComponent) {
    const Pixels grey = make_picture(41, 29, Motif::scene, 1);
    check_file(encode(grey, {.quality = 80}), grey, {.quality = 80}, "of one channel");
    const Pixels color = make_picture(41, 29, Motif::scene);
    const JpegEncode pass{.quality = 80, .color = JpegColor::grey};
    check_file(encode(color, pass), color, pass, "of colours");
    const JpegEncode as_color{.quality = 80, .color = JpegColor::color};
    const Result result = encode(grey, as_color);
    const Decoded decoded = testing_jpeg::decode(result.file);
    ASSERT_EQ(decoded.error, "");
    EXPECT_EQ(decoded.pixels.channels, 3u);
}

TEST_F(JpegEncodeTest, Check9WorstCases) {
    for (const Motif motif :
         {Motif::noise, Motif::black, Motif::white, Motif::checkers, Motif::flat})
        for (const int quality : {1, 100}) {
            const Pixels pixels = make_picture(70, 50, motif);
            const JpegEncode pass{.quality = quality, .sampling = JpegSampling::s444};
            check_file(encode(pixels, pass), pixels, pass,
                       std::to_string(static_cast<int>(motif)) + " at " + std::to_string(quality));
        }
}

// Many tiles of data, more than a group of blocks, and the second row of groups of segments.
TEST_F(JpegEncodeTest, Check9LongFiles) {
    for (const std::int64_t restart : {0, 1, 7}) {
        const Pixels pixels = make_picture(500, 300, Motif::noise);
        const JpegEncode pass{.quality = 100, .sampling = JpegSampling::s420, .restart = restart};
        check_file(encode(pixels, pass), pixels, pass, "restart " + std::to_string(restart));
    }
}

TEST_F(JpegEncodeTest, Check10RestartMarkersChangeNoPixel) {
    const Pixels pixels = make_picture(100, 60, Motif::scene);
    const Pixels whole = testing_jpeg::decode(encode(pixels, {.quality = 90}).file).pixels;
    for (const std::int64_t restart : {1, 2, 3, 9, 1000, 65535}) {
        const JpegEncode pass{.quality = 90, .restart = restart};
        const Result result = encode(pixels, pass);
        check_file(result, pixels, pass, "every " + std::to_string(restart));
        EXPECT_EQ(testing_jpeg::decode(result.file).pixels.values, whole.values);
    }
}

// Of rooms of more than 32 MiB kernels clear what will be used, and no more.
TEST_F(JpegEncodeTest, LargeRoomsGiveTheSameFiles) {
    constexpr std::uint64_t kLargeRoom = (std::uint64_t{1} << 23) + 1; // words
    const Pixels pixels = make_picture(150, 90, Motif::noise);
    for (const std::int64_t restart : {0, 5}) {
        const JpegEncode pass{.quality = 95, .restart = restart};
        const Result usual = encode(pixels, pass);
        const Result large = encode(pixels, pass, {{"encode/file", kLargeRoom}});
        ASSERT_GE(large.status.room, 4 * kLargeRoom) << "the room is not that large";
        EXPECT_EQ(large.file, usual.file) << "restart " << restart;
        check_file(large, pixels, pass, "restart " + std::to_string(restart));
    }
}

// Some of these have room for the codes alone, and not for what restart markers add.
TEST_F(JpegEncodeTest, CountsRestartMarkersInTheRoomItNeeds) {
    const Pixels noise = make_picture(500, 300, Motif::noise, 1);
    std::size_t too_long = 0;
    for (const double share : {0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.7}) {
        Pixels pixels = noise;
        for (std::uint8_t& value : pixels.values)
            value = rounded(128.0 + share * (value - 128.0));
        Graph g = graph();
        JpegEncode pass{.quality = 50, .restart = 1};
        pass.source = constant_picture(g, pixels);
        add_outputs(g, pass, "");
        testing_gpu::Running running = run(std::move(g));
        const Result first = take(running, "");
        if (first.status.bytes <= first.status.room) continue;
        ++too_long;
        const Result second = encode(pixels, pass);
        SCOPED_TRACE(share);
        EXPECT_LE(second.status.bytes, second.status.room) << "one repetition is enough";
        EXPECT_GE(first.status.bytes, second.status.bytes);
    }
    EXPECT_GT(too_long, 0u);
    EXPECT_LT(too_long, 7u) << "all are far too long";
}

TEST_F(JpegEncodeTest, WhatIsNotFiniteIsZero) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    std::vector<glm::vec4> texels(24 * 16, glm::vec4(0.25f, 0.5f, 0.75f, kNan));
    texels[5] = {kNan, 0.5f, 2.0f, 1.0f};
    texels[30] = {kInfinity, -kInfinity, -3.0f, 1.0f};
    std::vector<double> values;
    for (const glm::vec4& texel : texels)
        for (int c = 0; c < 3; ++c)
            values.push_back(
                std::isfinite(texel[c]) ? 255.0 * std::clamp(double{texel[c]}, 0.0, 1.0) : 0.0);
    Graph g = graph();
    JpegEncode pass{.quality = 100, .sampling = JpegSampling::s444};
    pass.source =
        g.constant_image("picture", {.format = Format::rgba32_sfloat, .extent = {24, 16, 1}},
                         testing_gpu::bytes_of(texels));
    add_outputs(g, pass, "");
    testing_gpu::Running running = run(std::move(g));
    const Result result = take(running, "");
    EXPECT_EQ(result.status.not_finite, 2u);
    ASSERT_EQ(result.status.warnings().size(), 1u);
    EXPECT_EQ(result.status.warnings()[0].code, "jpeg/not-finite");
    const Decoded decoded = testing_jpeg::decode(result.file);
    ASSERT_EQ(decoded.error, "");
    const auto exact = testing_jpeg::exact_blocks(values, 3, 24, 16, {1, 1}, 100);
    ASSERT_EQ(exact.size(), decoded.blocks.size());
    for (std::size_t i = 0; i < exact.size(); ++i)
        for (std::size_t k = 0; k < 64; ++k)
            EXPECT_NEAR(decoded.blocks[i][k], exact[i][k], 0.501);
}

} // namespace
} // namespace tuff
