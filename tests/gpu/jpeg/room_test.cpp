// Files that are longer than their room: what is written, and how much the device says they need.

#include "encode_fixture.hpp"
#include "passes/jpeg/decode_header.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tuff {
namespace {

using passes::JpegEncode;
using passes::JpegSampling;
using passes::JpegStatus;
using passes::JpegTables;
using testing_jpeg::make_picture;
using testing_jpeg::Motif;
using testing_jpeg::Pixels;
using testing_jpeg::rounded;

/// Black and white: noise that takes more room than pictures do.
Pixels black_and_white(std::uint32_t width, std::uint32_t height, std::uint32_t channels = 3) {
    Pixels pixels = make_picture(width, height, Motif::noise, channels);
    for (std::uint8_t& value : pixels.values)
        value = value < 128 ? 0 : 255;
    return pixels;
}

/// Blocks whose first coefficients are all of them ones in binary: many bytes of 255.
Pixels many_ones(std::uint32_t blocks, int quality, double value, std::uint32_t side) {
    const auto divisors = passes::jpeg::divisors_of(passes::jpeg::TableKind::luma,
                                                    static_cast<std::uint32_t>(quality));
    const auto wave = [](std::uint32_t k, std::uint32_t j) {
        return std::cos((2.0 * j + 1.0) * k * std::numbers::pi / 16.0) *
               (k == 0 ? std::numbers::sqrt2 / 2.0 : 1.0);
    };
    Pixels pixels{8 * blocks, 8 * blocks, 1, {}};
    for (std::uint32_t y = 0; y < pixels.height; ++y)
        for (std::uint32_t x = 0; x < pixels.width; ++x) {
            double sum = 128.0;
            for (std::uint32_t v = 0; v < side; ++v)
                for (std::uint32_t u = v == 0 ? 1 : 0; u < side; ++u)
                    sum += 0.25 * value * divisors[v * 8 + u] * wave(u, x % 8) * wave(v, y % 8);
            pixels.values.push_back(rounded(sum));
        }
    return pixels;
}

/// Bytes of 255 with a zero after them, which headers do not have.
std::size_t stuffed(const std::vector<std::byte>& file) {
    std::size_t count = 0;
    for (std::size_t i = 0; i + 1 < file.size(); ++i)
        count += file[i] == std::byte{0xff} && file[i + 1] == std::byte{0};
    return count;
}
double stuffed_share(const std::vector<std::byte>& file) {
    return static_cast<double>(stuffed(file)) / static_cast<double>(file.size());
}

class JpegRoomTest : public testing_jpeg::JpegEncodeTest {
  public:
    using Once = Result;

  protected:
    /// Executed once, whatever room there is.
    Result first_of(const Pixels& pixels, JpegEncode pass) {
        Graph g = graph();
        pass.source = constant_picture(g, pixels);
        add_outputs(g, pass, "");
        testing_gpu::Running running = run(std::move(g));
        return take(running, "");
    }
    /// The same, into a buffer that has more words than the pass knows of; those.
    std::vector<std::uint32_t> behind_room(const Pixels& pixels, JpegEncode pass) {
        constexpr std::uint64_t kGuards = 1024; // words
        Graph g = graph();
        pass.source = constant_picture(g, pixels);
        pass = g.add(pass);
        g.output("file", pass.file);
        g.output("status", pass.status);
        GraphDesc desc = std::move(g).finish();
        const ResourceId file = desc.versions[pass.file.version.index].resource;
        auto& buffer = std::get<BufferDesc>(desc.resources[file.index].desc);
        const std::uint64_t room = buffer.size / 4;
        buffer.size += 4 * kGuards;
        for (AccessDesc& access : desc.accesses) {
            const VersionId version = access.written ? access.written : access.read;
            if (desc.versions[version.index].resource == file) access.range.size = buffer.size;
        }
        auto plan = compile(std::move(desc), device().caps(), {.poison = true});
        EXPECT_TRUE(plan) << to_string(plan.error());
        if (!plan) return {};
        testing_gpu::Running running = start(std::make_shared<const Plan>(std::move(*plan)));
        running.execute(1);
        std::vector<std::uint32_t> words = running.buffer<std::uint32_t>("file");
        const auto status = JpegStatus::read(running.buffer<std::uint32_t>("status"));
        EXPECT_EQ(status.room, 4 * room);
        EXPECT_GT(status.bytes, status.room);
        EXPECT_EQ(words.size(), room + kGuards);
        words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(room));
        return words;
    }
};

/// The device says enough, with a warning, and what it wrote is how the whole file begins.
void expect_beginning(const JpegRoomTest::Once& first, const std::vector<std::byte>& whole) {
    ASSERT_GT(first.status.bytes, first.status.room);
    ASSERT_EQ(first.status.warnings().size(), 1u);
    EXPECT_EQ(first.status.warnings()[0].code, "jpeg/no-room");
    ASSERT_EQ(first.status.pool_needs().size(), 1u);
    EXPECT_GE(4 * first.status.pool_needs()[0].elements, first.status.bytes);
    EXPECT_GE(first.status.bytes, whole.size());
    const auto header = passes::jpeg::read_header(whole);
    ASSERT_TRUE(header);
    // Two bytes for each of the data's but the markers, which have none to stuff.
    std::size_t most = whole.size() + (whole.size() - header->first_byte - 2) - 2 * stuffed(whole);
    if (first.status.data < first.status.room) most = whole.size(); // all of it was there
    EXPECT_EQ(first.status.bytes, most);
    ASSERT_EQ(first.file.size(), first.status.room);
    EXPECT_TRUE(std::equal(first.file.begin(), first.file.end(), whole.begin()));
}

TEST_F(JpegRoomTest, SaysHowMuchItNeedsAndWritesTheBeginning) {
    const Pixels pixels = black_and_white(300, 200);
    for (const JpegTables tables : {JpegTables::standard, JpegTables::optimised})
        for (const std::int64_t restart : {0, 3}) {
            const JpegEncode pass{.quality = 50,
                                  .sampling = JpegSampling::s444,
                                  .tables = tables,
                                  .restart = restart};
            SCOPED_TRACE(restart);
            const Result whole = encode(pixels, pass);
            check_file(whole, pixels, pass, "grown");
            expect_beginning(first_of(pixels, pass), whole.file);
        }
}

TEST_F(JpegRoomTest, NothingIsWrittenBehindTheRoom) {
    const Pixels pixels = black_and_white(300, 200);
    for (const JpegTables tables : {JpegTables::standard, JpegTables::optimised})
        for (const std::int64_t restart : {0, 3}) {
            const JpegEncode pass{.quality = 50,
                                  .sampling = JpegSampling::s444,
                                  .tables = tables,
                                  .restart = restart};
            for (const std::uint32_t word : behind_room(pixels, pass))
                ASSERT_EQ(word, 0xffffffffu) << "as memory was before";
        }
}

// Whatever the picture, there is room for the longest header.
TEST_F(JpegRoomTest, TheSmallestRoomHoldsEveryHeader) {
    const Pixels pixels = make_picture(1, 1, Motif::white);
    for (const JpegTables tables : {JpegTables::standard, JpegTables::optimised}) {
        const JpegEncode pass{.quality = 1, .tables = tables, .restart = 1};
        const Result result = first_of(pixels, pass);
        EXPECT_GE(result.status.room, 2048u) << "kMaxHeader of jpeg/encode_stuff";
        check_file(result, pixels, pass, "one pixel");
    }
}

TEST_F(JpegRoomTest, BytesOf255AreCountedAndWrittenExactly) {
    constexpr int kQuality = 95;
    const Pixels pixels = many_ones(12, kQuality, 63.0, 3);
    const JpegEncode pass{.quality = kQuality};
    const Result result = encode(pixels, pass);
    EXPECT_GT(stuffed_share(result.file), 0.1);
    check_file(result, pixels, pass, "many bytes of 255");
    EXPECT_EQ(result.status.bytes, result.file.size());
}

// The data fits, but not what bytes of 255 add: the length is the file's. Of noise that is ever
// closer to the least that is too much.
TEST_F(JpegRoomTest, WhatStuffedBytesAddIsCountedExactly) {
    const Pixels noise = make_picture(160, 160, Motif::noise, 1);
    const JpegEncode pass{.quality = 50};
    double fits = 0.0;
    double is_too_much = 1.0;
    Pixels pixels = noise;
    Result first;
    for (int i = 0; i < 9; ++i) {
        const double share = 0.5 * (fits + is_too_much);
        Pixels fainter = noise;
        for (std::uint8_t& value : fainter.values)
            value = rounded(128.0 + share * (value - 128.0));
        Result result = first_of(fainter, pass);
        const bool outgrows = result.status.bytes > result.status.room;
        (outgrows ? is_too_much : fits) = share;
        if (!outgrows) continue;
        pixels = std::move(fainter);
        first = std::move(result);
    }
    ASSERT_LT(first.status.data, first.status.room) << "the data does not fit, either";
    expect_beginning(first, encode(pixels, pass).file);
}

} // namespace
} // namespace tuff
