// Symbols that few pictures have: runs of zeros up to the last coefficient, and values of every
// size.

#include "encode_fixture.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <set>
#include <string>

namespace tuff {
namespace {

using passes::JpegEncode;
using passes::JpegTables;
using testing_jpeg::Block;
using testing_jpeg::Decoded;
using testing_jpeg::Pixels;
using testing_jpeg::rounded;

constexpr JpegTables kAllTables[] = {JpegTables::standard, JpegTables::single,
                                     JpegTables::optimised};

class JpegSymbolsTest : public testing_jpeg::JpegEncodeTest {
  protected:
    /// The blocks of the checked file.
    std::vector<Block> checked_blocks(const Pixels& pixels, const JpegEncode& pass,
                                      const std::string& what) {
        const Result result = encode(pixels, pass);
        check_file(result, pixels, pass, what);
        return testing_jpeg::decode(result.file).blocks;
    }
};

/// A row of blocks, each a wave of these numbers that is as high as `heights` says.
Pixels waves(std::uint32_t u, std::uint32_t v, const std::vector<double>& heights) {
    const auto wave = [](std::uint32_t k, std::uint32_t j) {
        return std::cos((2.0 * j + 1.0) * k * std::numbers::pi / 16.0);
    };
    const auto width = static_cast<std::uint32_t>(8 * heights.size());
    Pixels pixels{width, 8, 1, {}};
    for (std::uint32_t y = 0; y < 8; ++y)
        for (std::uint32_t x = 0; x < width; ++x)
            pixels.values.push_back(rounded(128.0 + heights[x / 8] * wave(u, x % 8) * wave(v, y)));
    return pixels;
}

int size_category(int value) {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(std::abs(value))));
}

// Three times sixteen zeros, a symbol, and no end of the block; beside blocks that are nothing but
// their end, and such as end one coefficient before the last.
TEST_F(JpegSymbolsTest, Check9TheLastCoefficientAlone) {
    const std::vector<double> heights{0, 60, 127, 0, -60, -127, 90, 0};
    for (const JpegTables tables : kAllTables) {
        const JpegEncode pass{.quality = 50, .tables = tables};
        const std::vector<Block> blocks = checked_blocks(waves(7, 7, heights), pass, "the last");
        ASSERT_EQ(blocks.size(), heights.size());
        for (std::size_t i = 0; i < blocks.size(); ++i)
            for (std::size_t k = 1; k < 64; ++k)
                EXPECT_EQ(blocks[i][k] != 0, k == 63 && heights[i] != 0.0) << i << " " << k;
        (void)checked_blocks(waves(7, 6, heights), pass, "the last but one"); // number 62
    }
}

// Of differences of first coefficients 0 to 11, of the others 1 to 10, each with both signs.
TEST_F(JpegSymbolsTest, Check9ValuesOfEverySize) {
    std::vector<double> steps{0};
    for (double height = 1; height < 128; height *= 2)
        steps.insert(steps.end(), {height, -height, 0});
    steps.insert(steps.end(), {2, 0, 127, -128, 127}); // at last from white to black
    // A wave may go beyond black and white: most of a block's coefficient is in its edge.
    std::vector<double> heights;
    for (double height = 0.25; height < 4096; height *= 1.5)
        heights.insert(heights.end(), {height, -height});
    for (const JpegTables tables : kAllTables) {
        std::set<int> first_sizes;
        std::set<int> other_sizes; // with their signs
        for (const int quality : {50, 100}) {
            const JpegEncode pass{.quality = quality, .tables = tables};
            int before = 0;
            for (const Block& block : checked_blocks(waves(0, 0, steps), pass, "steps")) {
                const int difference = block[0] - before;
                first_sizes.insert((difference < 0 ? -1 : 1) * size_category(difference));
                before = block[0];
            }
            for (const Block& block : checked_blocks(waves(1, 0, heights), pass, "waves"))
                for (std::size_t k = 1; k < 64; ++k)
                    other_sizes.insert((block[k] < 0 ? -1 : 1) * size_category(block[k]));
        }
        for (int size = 1; size <= 11; ++size)
            EXPECT_TRUE(first_sizes.contains(size) && first_sizes.contains(-size)) << size;
        EXPECT_TRUE(first_sizes.contains(0));
        for (int size = 1; size <= 10; ++size)
            EXPECT_TRUE(other_sizes.contains(size) && other_sizes.contains(-size)) << size;
    }
}

} // namespace
} // namespace tuff
