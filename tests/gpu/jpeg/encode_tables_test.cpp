// The choice of Huffman tables.

#include "encode_fixture.hpp"
#include "passes/jpeg/decode_header.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

namespace tuff {
namespace {

using passes::JpegColor;
using passes::JpegEncode;
using passes::JpegSampling;
using passes::JpegTables;
using testing_jpeg::make_picture;
using testing_jpeg::Motif;
using testing_jpeg::Pixels;

using JpegTablesTest = testing_jpeg::JpegEncodeTest;

// The library makes tables for the same coefficients by the same rule; where several codes are as
// good it may take another. Of whole units: at other edges the library's files have other blocks.
TEST_F(JpegTablesTest, OptimisedOnesAreAsGoodAsTheLibrarys) {
    for (const JpegSampling sampling : testing_jpeg::kSamplings)
        for (const int quality : {1, 50, 90, 100}) {
            const Pixels pixels = make_picture(96, 64, Motif::scene);
            JpegEncode pass{
                .quality = quality, .sampling = sampling, .tables = JpegTables::optimised};
            const Result result = encode(pixels, pass);
            const std::string what =
                std::to_string(quality) + " sampling " + std::to_string(static_cast<int>(sampling));
            check_file(result, pixels, pass, what);
            EXPECT_LE(result.file.size(),
                      testing_jpeg::with_optimised_tables(result.file).size() + 4)
                << what;
            pass.tables = JpegTables::standard;
            EXPECT_LE(result.file.size(), encode(pixels, pass).file.size()) << what;
        }
}

TEST_F(JpegTablesTest, OptimisedOnesOfOddSizesAreDecoded) {
    for (const JpegSampling sampling : testing_jpeg::kSamplings)
        for (const auto& [width, height] :
             {std::array{1u, 1u}, {7u, 9u}, {17u, 33u}, {1023u, 1u}, {101u, 67u}}) {
            const Pixels pixels = make_picture(width, height, Motif::scene);
            const JpegEncode pass{.sampling = sampling, .tables = JpegTables::optimised};
            check_file(encode(pixels, pass), pixels, pass, std::to_string(width));
        }
}

TEST_F(JpegTablesTest, OptimisedOnesOfPicturesOfFewSymbolsAreDecoded) {
    for (const Motif motif :
         {Motif::black, Motif::white, Motif::flat, Motif::checkers, Motif::noise})
        for (const JpegColor color : {JpegColor::color, JpegColor::grey}) {
            const Pixels pixels = make_picture(64, 48, motif);
            const JpegEncode pass{
                .quality = 100, .color = color, .tables = JpegTables::optimised, .restart = 2};
            const Result result = encode(pixels, pass);
            check_file(result, pixels, pass, std::to_string(static_cast<int>(motif)));
            EXPECT_LE(result.file.size(),
                      testing_jpeg::with_optimised_tables(result.file).size() + 4);
        }
}

// Frequencies of Fibonacci's sequence give codes of up to 18 bits. A picture that has them: as many
// blocks of each wave as the sequence says, each wave another run of zeros, or another size.
TEST_F(JpegTablesTest, OptimisedCodesHaveAtMostSixteenBits) {
    constexpr std::uint32_t kBlocks = 88; // along a side
    std::vector<std::uint32_t> counts{1, 2};
    while (counts.size() < 17)
        counts.push_back(counts[counts.size() - 1] + counts[counts.size() - 2]);
    ASSERT_LT(std::accumulate(counts.begin(), counts.end(), 0u), kBlocks * kBlocks);
    Pixels pixels{8 * kBlocks, 8 * kBlocks, 1,
                  std::vector<std::uint8_t>(64 * kBlocks * kBlocks, 128)};
    const auto wave = [](std::uint32_t k, std::uint32_t j) {
        return std::cos((2.0 * j + 1.0) * k * std::numbers::pi / 16.0);
    };
    std::uint32_t block = 0;
    for (std::uint32_t kind = 0; kind < counts.size(); ++kind) {
        const std::uint32_t place = passes::jpeg::kZigzag[1 + kind % 15];
        const double height = kind < 15 ? 100.0 : 8.0;
        for (std::uint32_t i = 0; i < counts[kind]; ++i, ++block)
            for (std::uint32_t y = 0; y < 8; ++y)
                for (std::uint32_t x = 0; x < 8; ++x)
                    pixels.values[(block / kBlocks * 8 + y) * pixels.width + block % kBlocks * 8 +
                                  x] = testing_jpeg::rounded(128.0 + height * wave(place % 8, x) *
                                                                         wave(place / 8, y));
    }
    const JpegEncode pass{.quality = 50, .tables = JpegTables::optimised};
    const Result result = encode(pixels, pass);
    const testing_jpeg::Decoded decoded = testing_jpeg::decode(result.file);
    ASSERT_EQ(decoded.error, "");
    EXPECT_EQ(decoded.warnings, 0);
    // It is the limit that is met: without it the longest code would be longer.
    EXPECT_GT(decoded.tables[0].ac.counts[15], 0);
    EXPECT_LE(result.file.size(), testing_jpeg::with_optimised_tables(result.file).size() + 4);
}

// What other encoders say in their files.
TEST(JpegStandardTables, AreThoseOfTheLibrarysFilesAtEveryQuality) {
    namespace jpeg = passes::jpeg;
    const Pixels pixels = make_picture(8, 8, Motif::scene);
    for (int quality = 1; quality <= 100; ++quality) {
        SCOPED_TRACE(quality);
        const auto header = jpeg::read_header(testing_jpeg::encode(pixels, {1, 1}, quality));
        ASSERT_TRUE(header);
        ASSERT_EQ(header->components.size(), 3u);
        for (std::size_t c = 0; c < 3; ++c) {
            const jpeg::DecodeComponent& theirs = header->components[c];
            const auto kind = c == 0 ? jpeg::TableKind::luma : jpeg::TableKind::chroma;
            const jpeg::Divisors divisors =
                jpeg::divisors_of(kind, static_cast<std::uint32_t>(quality));
            EXPECT_TRUE(std::ranges::equal(divisors, theirs.divisors)) << c;
            for (const auto& [code, table] : {std::pair{jpeg::CodeKind::dc, theirs.dc_table},
                                              {jpeg::CodeKind::ac, theirs.ac_table}}) {
                const jpeg::HuffmanTable& ours = jpeg::standard_table(kind, code);
                EXPECT_EQ(ours.counts, header->tables[table].counts) << c;
                EXPECT_EQ(ours.symbols, header->tables[table].symbols) << c;
            }
        }
    }
}

TEST_F(JpegTablesTest, OnePairMayServeAllComponents) {
    for (const JpegSampling sampling : testing_jpeg::kSamplings)
        for (const int quality : {10, 100}) {
            const Pixels pixels = make_picture(57, 41, Motif::scene);
            const JpegEncode pass{
                .quality = quality, .sampling = sampling, .tables = JpegTables::single};
            check_file(encode(pixels, pass), pixels, pass, std::to_string(quality));
        }
}

TEST_F(JpegTablesTest, GreyPicturesHaveOnePair) {
    const Pixels pixels = make_picture(57, 41, Motif::scene, 1);
    for (const JpegTables tables :
         {JpegTables::standard, JpegTables::single, JpegTables::optimised}) {
        const JpegEncode pass{.quality = 80, .tables = tables};
        check_file(encode(pixels, pass), pixels, pass, "grey");
    }
}

} // namespace
} // namespace tuff
