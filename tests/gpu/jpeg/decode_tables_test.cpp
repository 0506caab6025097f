// Huffman tables that encoders seldom write, and how codes are looked up.

#include "library.hpp"
#include "passes/jpeg/decode.hpp"
#include "passes/jpeg/decode_stream.hpp"
#include "scalar_encoder.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace tuff::passes {
namespace {

using testing_gpu::bytes_of;
using testing_gpu::Running;
using testing_jpeg::Cut;
using testing_jpeg::Decoded;
using testing_jpeg::Pixels;

using FileBytes = std::vector<std::byte>;

/// Every symbol has a code of `length` bits. Zero, the first one, keeps the first code, the others
/// begin with that of number `second`.
jpeg::HuffmanTable even_table(const std::vector<std::uint8_t>& symbols, std::size_t length,
                              std::size_t second) {
    jpeg::HuffmanTable table{.symbols = symbols};
    table.counts[length - 1] = static_cast<std::uint8_t>(symbols.size());
    const auto middle = table.symbols.begin() + static_cast<std::ptrdiff_t>(second);
    std::rotate(table.symbols.begin() + 1, middle, table.symbols.end());
    return table;
}

/// Three pairs of tables that agree in the length of their codes and in what zeros stand for.
std::array<jpeg::TablePair, 3> even_pairs(std::size_t length) {
    std::vector<std::uint8_t> dc(jpeg::kDcSymbols);
    std::iota(dc.begin(), dc.end(), std::uint8_t{0});
    std::vector<std::uint8_t> ac{0x00, 0xf0};
    for (unsigned run = 0; run < 16; ++run)
        for (unsigned size = 1; size <= 10; ++size)
            ac.push_back(static_cast<std::uint8_t>(run << 4 | size));
    std::array<jpeg::TablePair, 3> pairs;
    for (std::size_t i = 0; i < 3; ++i)
        pairs[i] = {even_table(dc, length, 1 + 2 * i), even_table(ac, length, 1 + 50 * i)};
    return pairs;
}

void append(FileBytes& file, const std::vector<std::uint8_t>& bytes) {
    for (const std::uint8_t byte : bytes)
        file.push_back(std::byte{byte});
}

void append_table(FileBytes& file, const jpeg::HuffmanTable& table, std::size_t kind) {
    const std::size_t size = 19 + table.symbols.size();
    append(file, {0xff, 0xc4, static_cast<std::uint8_t>(size >> 8), static_cast<std::uint8_t>(size),
                  static_cast<std::uint8_t>(kind)});
    append(file, {table.counts.begin(), table.counts.end()});
    append(file, table.symbols);
}

/// The same picture with a pair of tables for each component. With three pairs it is no baseline
/// file but an extended one.
FileBytes with_tables(const FileBytes& file, const Cut& cut,
                      const std::array<jpeg::TablePair, 3>& pairs) {
    const Decoded decoded = testing_jpeg::decode(file);
    const auto at = [&](std::size_t i) { return std::to_integer<std::size_t>(file[i]); };
    FileBytes result(file.begin(), file.begin() + 2);
    std::size_t i = 2;
    for (; at(i + 1) != 0xda; i += 2 + (at(i + 2) << 8 | at(i + 3))) {
        if (at(i + 1) == 0xc4) continue;
        const auto begin = file.begin() + static_cast<std::ptrdiff_t>(i);
        const auto size = static_cast<std::ptrdiff_t>(2 + (at(i + 2) << 8 | at(i + 3)));
        const std::size_t marker = result.size() + 1;
        result.insert(result.end(), begin, begin + size);
        if (at(i + 1) == 0xc0) result[marker] = std::byte{0xc1};
    }
    for (std::size_t c = 0; c < 3; ++c) {
        append_table(result, pairs[c].dc, c);
        append_table(result, pairs[c].ac, 0x10 + c);
    }
    append(result, {0xff, 0xda, 0, 12, 3, 1, 0x00, 2, 0x11, 3, 0x22, 0, 63, 0});
    const FileBytes data = testing_jpeg::entropy_coded(decoded.blocks, cut, pairs);
    result.insert(result.end(), data.begin(), data.end());
    append(result, {0xff, 0xd9});
    return result;
}

/// One color, with squares of noise that are `period` pixels apart.
Pixels calm_picture(std::uint32_t width, std::uint32_t height, std::uint32_t period) {
    Pixels pixels{.width = width, .height = height};
    std::minstd_rand random(5);
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x)
            for (std::uint32_t c = 0; c < 3; ++c) {
                const bool noisy = x % period < 16 && y % period < 16;
                pixels.values.push_back(
                    static_cast<std::uint8_t>(noisy ? random() % 256 : 90 + 50 * c));
            }
    return pixels;
}

class JpegDecodeTablesTest : public testing_gpu::GpuTest {
  protected:
    void expect_as_library(const FileBytes& file) {
        const Decoded expected = testing_jpeg::decode(file);
        ASSERT_EQ(expected.error, "");
        ASSERT_EQ(expected.warnings, 0);
        Graph g = graph();
        const Buffer bytes = g.constant_buffer("file", {.size = file.size()}, bytes_of(file));
        g.output("result", g.add(JpegDecode{.file = bytes}).result);
        Running running = run(std::move(g));
        ASSERT_TRUE(bool(running));
        const HostImage got = running.image("result");
        std::size_t differing = 0;
        for (std::size_t i = 0; i < expected.pixels.values.size(); ++i)
            differing += std::to_integer<std::uint8_t>(got.texels[i / 3 * 4 + i % 3]) !=
                         expected.pixels.values[i];
        EXPECT_EQ(differing, 0u);
    }
};

// Where blocks are empty all bits are zeros, 22 a block. A guess there that is between two blocks
// never comes to be right, so all of a group's subsequences wait for the one before, and the groups
// are mended one after the other. Their tables do not fit in a group's memory, either.
TEST_F(JpegDecodeTablesTest, LongCodesOfOneLengthAreTheLibrarysBytes) {
    const Cut cut{.across = 2, .down = 2};
    const Pixels pixels = calm_picture(640, 640, 624);
    const FileBytes file = with_tables(testing_jpeg::encode(pixels, cut, 75), cut, even_pairs(11));
    const auto header = jpeg::read_header(file);
    ASSERT_TRUE(header);
    ASSERT_GT(8 * file.size(),
              3u * jpeg::kSyncStride * jpeg::subsequence_bits_of(*header, file.size()));
    expect_as_library(file);
}

// The lengths at both sides of the ten bits that are looked up at once, and the longest.
TEST_F(JpegDecodeTablesTest, ThreePairsOfTablesAreTheLibrarysBytes) {
    for (const std::size_t length : {8u, 10u, 11u, 16u}) {
        const Cut cut{.across = 2, .down = 1};
        const Pixels pixels = calm_picture(70, 50, 32);
        expect_as_library(
            with_tables(testing_jpeg::encode(pixels, cut, 90), cut, even_pairs(length)));
    }
}

/// A table that uses some of the codes of each length, seldom all.
jpeg::HuffmanTable random_table(std::minstd_rand& random, jpeg::CodeKind kind) {
    const auto below = [&](std::uint32_t end) {
        return static_cast<std::uint32_t>(random() % end);
    };
    const std::uint32_t most = kind == jpeg::CodeKind::dc ? 16 : 256;
    jpeg::HuffmanTable table;
    std::uint32_t room = 1;
    std::uint32_t left = most;
    for (std::uint8_t& count : table.counts) {
        room *= 2;
        if (below(3) == 0) continue;
        const std::uint32_t share = std::min({room, 1 + room / (1 + below(8)), left, 255u});
        count = static_cast<std::uint8_t>(share);
        room -= share;
        left -= share;
        for (std::uint32_t i = 0; i < share; ++i)
            table.symbols.push_back(static_cast<std::uint8_t>(below(most)));
    }
    return table;
}

struct LookedUp {
    std::uint32_t bits = 16; ///< of the code and what follows it
    std::uint32_t size = 0;
    std::uint32_t advance = 1;
    bool operator==(const LookedUp&) const = default;
};

/// One bit after the other (T.81, figure F.16).
LookedUp by_bits(const jpeg::HuffmanTable& table, jpeg::CodeKind kind, std::uint32_t bits) {
    std::uint32_t first = 0; // code of the length
    std::uint32_t before = 0;
    std::uint32_t length = 16;
    std::uint32_t symbol = 0;
    for (std::uint32_t l = 1; l <= 16; ++l) {
        const std::uint32_t number = (bits >> (16 - l)) - first;
        const std::uint32_t count = table.counts[l - 1];
        if (bits >> (16 - l) >= first && number < count) {
            length = l;
            symbol = table.symbols[before + number];
            break;
        }
        first = 2 * (first + count);
        before += count;
    }
    const std::uint32_t size = symbol % 16;
    if (kind == jpeg::CodeKind::dc) return {length + size, size, 1};
    if (size > 0) return {length + size, size, symbol / 16 + 1};
    return {length, 0, symbol == 0xf0 ? 16u : 64u};
}

/// As shaders/jpeg/decode_tables.glsl does.
LookedUp by_words(const std::vector<std::uint32_t>& words, std::size_t table, std::uint32_t bits) {
    std::uint32_t entry = words.at(table + (bits >> 6));
    if (entry >> 31 != 0) entry = words.at((entry ^ 1u << 31) + (bits & 63));
    return {entry & 31, entry >> 5 & 15, entry >> 9};
}

TEST(JpegLookupTables, GiveWhatComesBitByBit) {
    std::minstd_rand random(11);
    for (int i = 0; i < 24; ++i) {
        jpeg::DecodeHeader header;
        for (const jpeg::CodeKind kind : {jpeg::CodeKind::dc, jpeg::CodeKind::ac})
            for (int t = 0; t < 4; ++t)
                header.tables.push_back(random_table(random, kind));
        // The second component has the first one's tables.
        header.components.resize(3);
        header.components[0] = {.across = 2, .down = 2, .dc_table = 1, .ac_table = 6};
        header.components[1] = {.dc_table = 1, .ac_table = 6};
        header.components[2] = {.dc_table = 3, .ac_table = 6};
        const jpeg::LookupTables tables = jpeg::lookup_tables(header);
        EXPECT_EQ(tables.pairs, 1u << 10);
        for (std::uint32_t bits = 0; bits < 1u << 16; ++bits)
            for (const std::size_t pair : {0u, 1u}) {
                const auto dc = jpeg::CodeKind::dc;
                const auto ac = jpeg::CodeKind::ac;
                ASSERT_EQ(by_words(tables.words, 2048 * pair, bits),
                          by_bits(header.tables[1 + 2 * pair], dc, bits))
                    << bits;
                ASSERT_EQ(by_words(tables.words, 2048 * pair + 1024, bits),
                          by_bits(header.tables[6], ac, bits))
                    << bits;
            }
    }
}

} // namespace
} // namespace tuff::passes
