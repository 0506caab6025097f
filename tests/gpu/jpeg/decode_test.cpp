#include "passes/jpeg/decode.hpp"
#include "passes/jpeg/decode_header.hpp"
#include "passes/jpeg/decode_stream.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <turbojpeg.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace tuff::passes {
namespace {

using testing_gpu::bytes_of;
using testing_gpu::Running;

using Bytes = std::vector<std::uint8_t>;

struct JpegShape {
    int width = 1;
    int height = 1;
    int sampling = TJSAMP_444;
    int quality = 75;
    int restart_blocks = 0;
    bool optimised = false;
    bool noise = false;
};

std::string name_of(const JpegShape& s) {
    return std::to_string(s.width) + "x" + std::to_string(s.height) + " sampling " +
           std::to_string(s.sampling) + " quality " + std::to_string(s.quality) + " restart " +
           std::to_string(s.restart_blocks);
}

/// A file made by libjpeg-turbo: slopes with edges, or noise.
Bytes encoded(const JpegShape& s) {
    Bytes pixels;
    std::uint32_t random = 1;
    for (int y = 0; y < s.height; ++y)
        for (int x = 0; x < s.width; ++x)
            for (int c = 0; c < 3; ++c) {
                random = random * 1664525u + 1013904223u;
                const int slope = (x * (c + 2) + y * (5 - c) + ((x / 11 + y / 7) % 2) * 90) % 256;
                pixels.push_back(static_cast<std::uint8_t>(
                    s.noise ? random >> 24 : static_cast<std::uint32_t>(slope)));
            }
    if (s.restart_blocks > 0)
        setenv("TJ_RESTART", (std::to_string(s.restart_blocks) + "B").c_str(), 1);
    if (s.optimised) setenv("TJ_OPTIMIZE", "1", 1);
    tjhandle handle = tjInitCompress();
    unsigned char* file = nullptr;
    unsigned long size = 0;
    EXPECT_EQ(tjCompress2(handle, pixels.data(), s.width, 0, s.height, TJPF_RGB, &file, &size,
                          s.sampling, s.quality, TJFLAG_ACCURATEDCT),
              0);
    Bytes bytes(file, file + size);
    tjFree(file);
    tjDestroy(handle);
    unsetenv("TJ_RESTART");
    unsetenv("TJ_OPTIMIZE");
    return bytes;
}

/// RGBA as libjpeg-turbo decodes it; `flags` beside the exact transform.
Bytes by_library(const Bytes& file, const JpegShape& s, int flags = 0) {
    Bytes pixels(static_cast<std::size_t>(s.width) * static_cast<std::size_t>(s.height) * 4);
    tjhandle handle = tjInitDecompress();
    EXPECT_EQ(tjDecompress2(handle, file.data(), file.size(), pixels.data(), s.width, 0, s.height,
                            TJPF_RGBA, TJFLAG_ACCURATEDCT | flags),
              0)
        << tjGetErrorStr2(handle);
    tjDestroy(handle);
    return pixels;
}

class JpegDecodeTest : public testing_gpu::GpuTest {
  protected:
    Bytes on_device(const Bytes& file, JpegUpsampling upsampling = JpegUpsampling::triangle) {
        Graph g = graph();
        const Buffer bytes = g.constant_buffer("file", {.size = file.size()}, bytes_of(file));
        g.output("result", g.add(JpegDecode{.file = bytes, .upsampling = upsampling}).result);
        Running running = run(std::move(g));
        if (!running) return {};
        const HostImage image = running.image("result");
        const auto* const first = reinterpret_cast<const std::uint8_t*>(image.texels.data());
        return Bytes(first, first + image.texels.size());
    }

    void expect_as_library(const JpegShape& s) {
        const Bytes file = encoded(s);
        EXPECT_EQ(differing(on_device(file), by_library(file, s)), 0u) << name_of(s);
        if (s.sampling == TJSAMP_444 || s.sampling == TJSAMP_GRAY) return;
        EXPECT_EQ(differing(on_device(file, JpegUpsampling::box),
                            by_library(file, s, TJFLAG_FASTUPSAMPLE)),
                  0u)
            << name_of(s) << " box";
    }

    static std::size_t differing(const Bytes& got, const Bytes& expected) {
        if (got.size() != expected.size()) return ~std::size_t{0};
        std::size_t count = 0;
        for (std::size_t i = 0; i < got.size(); ++i)
            count += got[i] != expected[i];
        return count;
    }
};

TEST_F(JpegDecodeTest, OddSizesOfAllSamplingsAreTheLibrarysBytes) {
    for (const int sampling : {TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_440, TJSAMP_GRAY})
        for (const auto& [width, height] :
             {std::array{1, 1}, std::array{7, 9}, std::array{17, 33}, std::array{1023, 1}})
            expect_as_library({.width = width, .height = height, .sampling = sampling});
}

TEST_F(JpegDecodeTest, QualitiesAndOptimisedTablesAreTheLibrarysBytes) {
    for (const int quality : {1, 50, 90, 100})
        expect_as_library({.width = 75,
                           .height = 50,
                           .sampling = TJSAMP_420,
                           .quality = quality,
                           .optimised = quality > 60});
}

TEST_F(JpegDecodeTest, RestartIntervalsAreTheLibrarysBytes) {
    for (const int interval : {1, 3, 7})
        expect_as_library({.width = 70,
                           .height = 50,
                           .sampling = interval == 3 ? TJSAMP_422 : TJSAMP_420,
                           .restart_blocks = interval});
}

// Several pictures in one graph, to be quick: each sampling at each size with some restart
// interval.
TEST_F(JpegDecodeTest, Check8SamplingsSizesAndRestartIntervalsAreTheLibrarys) {
    constexpr std::array kSamplings{TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_440, TJSAMP_GRAY};
    constexpr std::array<std::array<int, 2>, 7> kSizes{
        {{8, 8}, {15, 17}, {16, 16}, {33, 7}, {2, 300}, {129, 65}, {64, 48}}};
    constexpr std::array kIntervals{0, 1, 2, 5, 1000};
    for (std::size_t s = 0; s < kSamplings.size(); ++s) {
        Graph g = graph();
        std::vector<JpegShape> shapes;
        std::vector<Bytes> files;
        for (std::size_t i = 0; i < kSizes.size(); ++i) {
            shapes.push_back({.width = kSizes[i][0],
                              .height = kSizes[i][1],
                              .sampling = kSamplings[s],
                              .quality = i % 2 == 0 ? 60 : 98,
                              .restart_blocks = kIntervals[(i + s) % kIntervals.size()],
                              .optimised = i % 3 == 0,
                              .noise = i % 4 == 1});
            files.push_back(encoded(shapes.back()));
            const std::string name = std::to_string(i);
            const Buffer bytes =
                g.constant_buffer(name, {.size = files[i].size()}, bytes_of(files[i]));
            g.output(name, g.add(JpegDecode{.file = bytes}, "decode" + name).result);
        }
        Running running = run(std::move(g));
        ASSERT_TRUE(bool(running));
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            const HostImage image = running.image(std::to_string(i));
            const auto* const first = reinterpret_cast<const std::uint8_t*>(image.texels.data());
            EXPECT_EQ(differing(Bytes(first, first + image.texels.size()),
                                by_library(files[i], shapes[i])),
                      0u)
                << name_of(shapes[i]);
        }
    }
}

// The stream is longer than what a group decodes, many times.
TEST_F(JpegDecodeTest, StreamsOfSeveralGroupsSynchronise) {
    const JpegShape s{.width = 600, .height = 400, .quality = 100, .noise = true};
    const Bytes file = encoded(s);
    const auto header = jpeg::read_header(std::as_bytes(std::span(file)));
    ASSERT_TRUE(header);
    ASSERT_GT(8 * file.size(),
              16u * jpeg::kSyncStride * jpeg::subsequence_bits_of(*header, file.size()));
    EXPECT_EQ(differing(on_device(file), by_library(file, s)), 0u);
}

// Every byte of a small file's stream, damaged in several ways: as a marker, as the longest codes,
// as whatever comes. A picture comes out.
TEST_F(JpegDecodeTest, DamageAtEveryByteGivesAPicture) {
    for (const int restart : {0, 1}) {
        const JpegShape s{
            .width = 17, .height = 16, .sampling = TJSAMP_420, .restart_blocks = restart};
        const Bytes file = encoded(s);
        const auto header = jpeg::read_header(std::as_bytes(std::span(file)));
        ASSERT_TRUE(header);
        const std::array<std::uint8_t, 4> values{0xff, 0x00, 0xd0, 0xa5};
        for (std::size_t first = header->first_byte; first < file.size(); first += 24) {
            Graph g = graph();
            const std::size_t end = std::min(first + 24, file.size());
            for (std::size_t at = first; at < end; ++at) {
                Bytes damaged = file;
                damaged[at] = damaged[at] == values[at % 4] ? 0x5a : values[at % 4];
                const std::string name = std::to_string(at);
                const Buffer bytes =
                    g.constant_buffer(name, {.size = damaged.size()}, bytes_of(damaged));
                g.output(name, g.add(JpegDecode{.file = bytes}, "decode" + name).result);
            }
            Running running = run(std::move(g));
            ASSERT_TRUE(bool(running)) << first;
            for (std::size_t at = first; at < end; ++at)
                EXPECT_EQ(running.image(std::to_string(at)).texels.size(), 17u * 16 * 4) << at;
        }
    }
}

TEST_F(JpegDecodeTest, DamagedStreamsEndAndGiveAPicture) {
    const JpegShape s{.width = 40, .height = 27, .sampling = TJSAMP_420, .restart_blocks = 2};
    const Bytes file = encoded(s);
    const auto header = jpeg::read_header(std::as_bytes(std::span(file)));
    ASSERT_TRUE(header);
    const std::size_t data = file.size() - header->first_byte;
    for (std::size_t i = 0; i < 24; ++i) {
        Bytes damaged = file;
        damaged[header->first_byte + i * 37 % data] ^= static_cast<std::uint8_t>(1 + i * 53 % 255);
        if (i % 3 == 0) damaged.resize(header->first_byte + i * 29 % data);
        EXPECT_EQ(on_device(damaged).size(), 40u * 27 * 4) << i;
    }
}

// What the stream lacks has coefficients of zero.
TEST_F(JpegDecodeTest, ATruncatedFileIsGrayAtItsEnd) {
    const JpegShape s{.width = 64, .height = 64, .sampling = TJSAMP_444};
    Bytes file = encoded(s);
    const auto header = jpeg::read_header(std::as_bytes(std::span(file)));
    ASSERT_TRUE(header);
    const Bytes whole = on_device(file);
    file.resize((file.size() + header->first_byte) / 2);
    const Bytes half = on_device(file);
    ASSERT_EQ(half.size(), whole.size());
    for (std::size_t i = 0; i < 64 * 8 * 4; ++i)
        ASSERT_EQ(half[i], whole[i]) << i;
    const std::array<std::uint8_t, 4> gray{128, 128, 128, 255};
    for (std::size_t i = 64 * 56 * 4; i < half.size(); ++i)
        ASSERT_EQ(half[i], gray[i % 4]) << i;
}

TEST(JpegHeader, EveryDamagedByteIsReportedOrGivesAHeader) {
    const Bytes file = encoded({.width = 33, .height = 17, .sampling = TJSAMP_422});
    const auto whole = jpeg::read_header(std::as_bytes(std::span(file)));
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->width, 33u);
    EXPECT_EQ(whole->height, 17u);
    std::size_t reported = 0;
    for (std::size_t i = 0; i < whole->first_byte; ++i)
        for (int value = 0; value < 256; ++value) {
            Bytes damaged = file;
            damaged[i] = static_cast<std::uint8_t>(value);
            const auto header = jpeg::read_header(std::as_bytes(std::span(damaged)));
            if (!header) {
                ++reported;
                ASSERT_EQ(header.error().size(), 1u);
                EXPECT_EQ(header.error()[0].message.substr(0, 5), "byte ");
                continue;
            }
            ASSERT_LE(header->first_byte, damaged.size());
            ASSERT_GT(header->mcu_count(), 0u);
            ASSERT_LE(header->blocks_of_mcu(), 10u);
        }
    EXPECT_GT(reported, 1000u);
}

TEST(JpegHeader, EveryTruncationIsReported) {
    const Bytes file = encoded({.width = 8, .height = 8});
    const auto whole = jpeg::read_header(std::as_bytes(std::span(file)));
    ASSERT_TRUE(whole);
    for (std::size_t size = 0; size < whole->first_byte; ++size) {
        const Bytes part(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_FALSE(jpeg::read_header(std::as_bytes(std::span(part)))) << size;
    }
}

TEST(JpegHeader, ProgressiveFilesAreLeftToTheLibrary) {
    setenv("TJ_PROGRESSIVE", "1", 1);
    const Bytes file = encoded({.width = 8, .height = 8});
    unsetenv("TJ_PROGRESSIVE");
    const auto header = jpeg::read_header(std::as_bytes(std::span(file)));
    ASSERT_FALSE(header);
    EXPECT_EQ(header.error()[0].code, "jpeg/unsupported");
}

} // namespace
} // namespace tuff::passes
