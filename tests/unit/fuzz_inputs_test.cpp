#include "config_toys.hpp"
#include "tests/fuzz/inputs.hpp"
#include "tests/oracle/random_graph.hpp"

#include <gtest/gtest.h>

#include <array>
#include <charconv>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

/// A short, fixed run of what the fuzz targets do, with any compiler and without libFuzzer.
namespace tuff {
namespace {

/// Of an input as `graph_fuzz --random` prints it.
std::vector<std::uint8_t> bytes_of(std::string_view hex) {
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        std::from_chars(hex.data() + i, hex.data() + i + 2, bytes.emplace_back(), 16);
    return bytes;
}

TEST(FuzzInputs, GraphsOfEveryModeCompileToSoundPlans) {
    EXPECT_EQ(fuzz::objection_to_graph({}), "");
    for (std::uint32_t modes = 0; modes < 256; ++modes) {
        std::vector<std::uint8_t> bytes = {static_cast<std::uint8_t>(modes)};
        const oracle::Program program = oracle::random_program(9000 + modes, 64);
        bytes.insert(bytes.end(), program.begin(), program.end());
        ASSERT_EQ(fuzz::objection_to_graph(bytes), "") << "modes " << modes;
    }
}

// What graph_fuzz has found. Of two nodes that accumulate into a status the first is culled: what
// was before them has been overwritten by the second, and is not told.
TEST(FuzzInputs, AStatusThatOneOfTwoNodesAccumulatesIntoIsNotToldAsItWas) {
    const auto found = std::to_array<std::uint8_t>(
        {0xf8, 0x9c, 0xc1, 0xb3, 0xc1, 0xb3, 0x3a, 0xf4, 0x3a, 0x74, 0x4f, 0xcc, 0xf5, 0x00,
         0x8b, 0x20, 0xf4, 0xcc, 0xcc, 0xcc, 0x12, 0x0a, 0xad, 0x88, 0xe4, 0x3b, 0x00, 0x54,
         0x0a, 0xad, 0x81, 0x44, 0xcc, 0xcc, 0xcc, 0xe4, 0xe4, 0xe4, 0x3b, 0xe4, 0x88});
    EXPECT_EQ(fuzz::objection_to_graph(found), "");
}

// Three plans in which the graphics queue used a part of a resource first and another queue another
// part: the graphics queue's part did not wait for the execution before. A layout change, a write
// that was not ordered, and a clear that did not see the one before it.
TEST(FuzzInputs, PartsThatQueuesUseFirstWaitForTheExecutionBefore) {
    for (const std::string_view found :
         {"2000000000e137000000000000000000008f010000000000000000000000000000050021000000000000"
          "00000000000000b9040007000000009b04000000000000",
          "330000000000000000a500010000000000f0000000000000007d000000000000002d0000000000000002"
          "00000000000073c800000000000000e900000000ad0000ae0099040000000089010015000000005e0000"
          "00000000000000000000000000b2000000000000010903000b00000000",
          "30b0000000000000002f000000000000002d0000470e000000b500000000000000a9010021f2430000"}) {
        EXPECT_EQ(fuzz::objection_to_graph(bytes_of(found)), "") << found;
    }
}

// An image went on in the layout of an earlier one, but a multisampled image that is larger than
// one of its samples had had the same memory in between.
TEST(FuzzInputs, AnImageThatLostItsMemoryToOtherSamplesIsNotGoneOnIn) {
    constexpr std::string_view kFound =
        "5600000000000000000200000000000049000000000000000000000000000000000000000000000000f5"
        "0000000000000012000000000000000000000000000000540600c4000000000000000000000000000000"
        "00ee0000005d00000000000000c2001300000000000000000000000000e40400c9000000002606000000"
        "000000";
    EXPECT_EQ(fuzz::objection_to_graph(bytes_of(kFound)), "");
}

constexpr std::array kFuzzWords = {R"("until": "result", "max": 3)",
                                   R"("$)",
                                   R"("=)",
                                   "/($times-2)",
                                   "select(",
                                   R"("when": "=$debug",)",
                                   "1e999",
                                   "[[[[",
                                   "{}",
                                   R"("carry": {)",
                                   "-1",
                                   "\xff\xfe",
                                   R"("m.result")",
                                   "null"};

TEST(FuzzInputs, DamagedConfigsAreBuiltOrRefused) {
    const std::string file = TUFF_TEST_SOURCE_DIR "/tests/fuzz/seeds/config/toys.json";
    const PassRegistry registry = toys::make_registry();
    const auto config = Config::load(file, registry);
    ASSERT_TRUE(config) << to_string(config.error());
    std::ifstream stream(file);
    const std::string whole(std::istreambuf_iterator<char>(stream), {});
    EXPECT_EQ(fuzz::objection_to_config(whole), "");
    for (std::size_t end = 0; end < whole.size(); end += 7)
        ASSERT_EQ(fuzz::objection_to_config(whole.substr(0, end)), "") << "cut at " << end;
    std::minstd_rand random(1);
    const auto below = [&](std::size_t bound) { return random() % bound; };
    for (int round = 0; round < 400; ++round) {
        std::string text = whole;
        for (std::size_t damage = 0; damage <= below(3); ++damage) {
            const std::size_t at = below(text.size());
            switch (below(4)) {
            case 0: text[at] = static_cast<char>(below(256)); break;
            case 1: text.erase(at, 1 + below(12)); break;
            case 2: text.insert(at, kFuzzWords[below(kFuzzWords.size())]); break;
            default: text.insert(at, text.substr(below(text.size()), below(60))); break;
            }
        }
        ASSERT_EQ(fuzz::objection_to_config(text), "") << text;
    }
}

} // namespace
} // namespace tuff
