// Files of jpeg/encode, judged by libjpeg-turbo and by an encoder in double precision. The numbers
// are those of the list that the tests come from: what a JPEG encoder has to be checked for.

#include "library.hpp"
#include "passes/jpeg/encode.hpp"
#include "scalar_encoder.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <tuff/format.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

namespace tuff {
namespace {

using passes::JpegColor;
using passes::JpegEncode;
using passes::JpegSampling;
using passes::JpegStatus;
using passes::JpegTransform;
using testing_jpeg::Block;
using testing_jpeg::Cut;
using testing_jpeg::Decoded;
using testing_jpeg::Pixels;

constexpr JpegSampling kSamplings[] = {JpegSampling::s444, JpegSampling::s422, JpegSampling::s420,
                                       JpegSampling::s440};

Cut cut_of(const JpegEncode& pass, bool grey) {
    constexpr std::array<std::array<std::uint32_t, 2>, 4> kSizes{{{1, 1}, {2, 1}, {2, 2}, {1, 2}}};
    const auto [across, down] = grey ? kSizes[0] : kSizes[static_cast<std::size_t>(pass.sampling)];
    return {.across = across,
            .down = down,
            .grey = grey,
            .restart = static_cast<std::uint32_t>(pass.restart)};
}

enum class Motif : std::uint8_t { scene, noise, black, white, checkers, flat };

std::uint8_t rounded(double value) {
    return static_cast<std::uint8_t>(std::clamp(std::lround(value), 0l, 255l));
}

/// `scene`: slopes of colour, sharp edges as of letters, a patch of noise.
Pixels make_picture(std::uint32_t width, std::uint32_t height, Motif motif,
                    std::uint32_t channels = 3) {
    std::mt19937 random(7);
    Pixels pixels{width, height, channels, {}};
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x)
            for (std::uint32_t c = 0; c < channels; ++c) {
                double value = 0.0;
                const std::uint32_t chance = static_cast<std::uint32_t>(random());
                switch (motif) {
                case Motif::scene:
                    value = 128 + 100 * std::sin(0.05 * x + c) * std::cos(0.03 * y * (c + 1));
                    if (x % 37 < 4 && y % 23 < 17) value = c == 0 ? 20 : 235;
                    if (x % 64 > 48 && y % 48 > 32) value = chance % 256;
                    break;
                case Motif::noise: value = chance % 256; break;
                case Motif::black: break;
                case Motif::white: value = 255; break;
                case Motif::checkers: value = (x + y) % 2 == 0 ? 0 : 255; break;
                case Motif::flat: value = 77; break;
                }
                pixels.values.push_back(rounded(value));
            }
    return pixels;
}

double squared_error(const Pixels& a, const Pixels& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        const double difference = int{a.values[i]} - int{b.values[i]};
        sum += difference * difference;
    }
    return sum / static_cast<double>(a.values.size());
}
double psnr(const Pixels& a, const Pixels& b) {
    return 10.0 * std::log10(255.0 * 255.0 / std::max(squared_error(a, b), 1e-9));
}

class JpegEncodeTest : public testing_gpu::GpuTest {
  protected:
    struct Result {
        std::vector<std::byte> file;
        JpegStatus status;
    };

    static Image constant_picture(Graph& g, const Pixels& pixels) {
        const bool grey = pixels.channels == 1;
        std::vector<std::byte> texels;
        for (std::size_t i = 0; i < pixels.values.size(); i += pixels.channels) {
            for (std::size_t c = 0; c < pixels.channels; ++c)
                texels.push_back(static_cast<std::byte>(pixels.values[i + c]));
            if (!grey) texels.push_back(std::byte{13}); // alpha, which no file holds
        }
        return g.constant_image("picture",
                                {.format = grey ? Format::r8_unorm : Format::rgba8_unorm,
                                 .extent = {pixels.width, pixels.height, 1}},
                                std::make_shared<const std::vector<std::byte>>(std::move(texels)));
    }
    static void add_outputs(Graph& g, JpegEncode pass, const std::string& tag) {
        pass = g.add(pass);
        g.output(tag + "file", pass.file);
        g.output(tag + "length", pass.length);
        g.output(tag + "status", pass.status);
    }
    static Result take(testing_gpu::Running& running, const std::string& tag) {
        Result result;
        const std::vector<std::uint32_t> words = running.buffer<std::uint32_t>(tag + "file");
        const std::vector<std::uint32_t> length = running.buffer<std::uint32_t>(tag + "length");
        const std::vector<std::uint32_t> status = running.buffer<std::uint32_t>(tag + "status");
        if (words.empty() || length.empty() || status.empty()) return result;
        result.status = JpegStatus::read(status);
        EXPECT_EQ(length[0], result.status.bytes);
        EXPECT_EQ(result.status.room, words.size() * 4);
        result.file.resize(std::min<std::size_t>(length[0], words.size() * 4));
        std::memcpy(result.file.data(), words.data(), result.file.size());
        return result;
    }
    Result encode(const Pixels& pixels, JpegEncode pass, const PoolSizes& pools = {}) {
        Graph g = graph();
        g.set_pools(pools);
        pass.source = constant_picture(g, pixels);
        add_outputs(g, pass, "");
        testing_gpu::Running running = run(std::move(g));
        Result result = take(running, "");
        if (result.status.bytes > result.status.room && pools.empty()) // as a GraphRunner does it
            return encode(pixels, pass, {{"encode/file", result.status.pool_needs()[0].elements}});
        return result;
    }

    /// 1: the library has nothing against the file, which is laid out as the standard says. 2: its
    /// codes are, byte for byte, those of a scalar encoder of the same coefficients. 3: these are
    /// those of double precision.
    static void check_file(const Result& result, const Pixels& pixels, const JpegEncode& pass,
                           const std::string& what) {
        SCOPED_TRACE(what);
        ASSERT_FALSE(result.file.empty());
        ASSERT_LE(result.status.bytes, result.status.room);
        const Decoded decoded = testing_jpeg::decode(result.file);
        ASSERT_EQ(decoded.error, "");
        EXPECT_EQ(decoded.warnings, 0);
        ASSERT_EQ(decoded.pixels.width, pixels.width);
        ASSERT_EQ(decoded.pixels.height, pixels.height);
        const bool grey = pixels.channels == 1 || pass.color == JpegColor::grey;
        ASSERT_EQ(decoded.pixels.channels, grey ? 1u : 3u);

        const Cut cut = cut_of(pass, grey);
        const std::vector<std::byte> codes = testing_jpeg::entropy_coded(decoded.blocks, cut);
        ASSERT_GT(result.file.size(), codes.size() + 2);
        const std::span<const std::byte> file(result.file);
        const std::size_t header = file.size() - codes.size() - 2;
        EXPECT_TRUE(std::ranges::equal(file.subspan(header, codes.size()), codes));
        EXPECT_EQ(file[file.size() - 2], std::byte{0xff});
        EXPECT_EQ(file[file.size() - 1], std::byte{0xd9});
        EXPECT_EQ(header, (grey ? 328u : 623u) + (pass.restart != 0 ? 6u : 0u));

        const std::vector<double> values(pixels.values.begin(), pixels.values.end());
        const auto exact =
            testing_jpeg::exact_blocks(values, pixels.channels, pixels.width, pixels.height, cut,
                                       static_cast<std::uint32_t>(pass.quality));
        ASSERT_EQ(exact.size(), decoded.blocks.size());
        std::size_t unequal = 0;
        for (std::size_t i = 0; i < exact.size(); ++i)
            for (std::size_t k = 0; k < 64; ++k) {
                const double size = std::abs(exact[i][k]);
                const int expected =
                    static_cast<int>(std::copysign(std::floor(size + 0.5), exact[i][k]));
                if (decoded.blocks[i][k] == expected) continue;
                ++unequal;
                ASSERT_EQ(std::abs(decoded.blocks[i][k] - expected), 1) << i << " " << k;
                ASSERT_LT(std::abs(size - std::floor(size) - 0.5), 1e-3) << i << " " << k;
            }
        // The checkers' and even pictures' values lie halfway by themselves.
        EXPECT_LE(static_cast<double>(unequal),
                  2.0 + 1e-4 * 64.0 * static_cast<double>(exact.size()));
    }
};

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
            if (quality <= 90) {
                EXPECT_LE(ours, their + 0.1);
            }
            EXPECT_GT(ours, last);
            last = ours;
            const double share =
                static_cast<double>(result.file.size()) / static_cast<double>(theirs.size());
            if (quality <= 90)
                EXPECT_NEAR(share, 1.0, 0.01);
            else
                EXPECT_LE(share, 1.01);
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

// The room was too small: nothing is written beyond it, and the status says what is needed.
TEST_F(JpegEncodeTest, SaysHowMuchRoomItNeeds) {
    const Pixels pixels = make_picture(300, 200, Motif::noise);
    Graph g = graph();
    JpegEncode pass{.quality = 50, .sampling = JpegSampling::s444};
    pass.source = constant_picture(g, pixels);
    add_outputs(g, pass, "");
    testing_gpu::Running running = run(std::move(g));
    const Result first = take(running, "");
    ASSERT_GT(first.status.bytes, first.status.room) << "noise takes more than pictures do";
    EXPECT_EQ(first.status.warnings().size(), 1u);
    const Result second = encode(pixels, pass);
    EXPECT_GE(first.status.bytes, second.status.bytes);
    EXPECT_LE(first.status.bytes, second.status.bytes + second.status.bytes / 30) << "an estimate";
    check_file(second, pixels, pass, "grown");
}

// Some of these have room for the codes alone, and not for what restart markers add.
TEST_F(JpegEncodeTest, CountsRestartMarkersInTheRoomItNeeds) {
    const Pixels noise = make_picture(500, 300, Motif::noise, 1);
    std::size_t too_long = 0;
    for (const double share : {0.1, 0.13, 0.16, 0.19, 0.22, 0.25, 0.3}) {
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
