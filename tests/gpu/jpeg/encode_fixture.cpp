#include "encode_fixture.hpp"

#include "passes/jpeg/decode_header.hpp"

#include <tuff/format.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>

namespace tuff::testing_jpeg {

using passes::JpegColor;
using passes::JpegEncode;
using passes::JpegSampling;
using passes::JpegStatus;
using passes::JpegTables;

Cut cut_of(const JpegEncode& pass, bool grey) {
    constexpr std::array<std::array<std::uint32_t, 2>, 4> kSizes{{{1, 1}, {2, 1}, {2, 2}, {1, 2}}};
    const auto [across, down] = grey ? kSizes[0] : kSizes[static_cast<std::size_t>(pass.sampling)];
    return {.across = across,
            .down = down,
            .grey = grey,
            .restart = static_cast<std::uint32_t>(pass.restart)};
}

std::uint8_t rounded(double value) {
    return static_cast<std::uint8_t>(std::clamp(std::lround(value), 0l, 255l));
}

Pixels make_picture(std::uint32_t width, std::uint32_t height, Motif motif,
                    std::uint32_t channels) {
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
                case Motif::photo:
                    value = 128 + 70 * std::sin(0.02 * x + 0.5 * c) + 40 * std::cos(0.035 * y) +
                            static_cast<double>(chance % 9) - 4;
                    break;
                }
                pixels.values.push_back(rounded(value));
            }
    return pixels;
}

namespace {

double squared_error(const Pixels& a, const Pixels& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        const double difference = int{a.values[i]} - int{b.values[i]};
        sum += difference * difference;
    }
    return sum / static_cast<double>(a.values.size());
}

} // namespace

double psnr(const Pixels& a, const Pixels& b) {
    return 10.0 * std::log10(255.0 * 255.0 / std::max(squared_error(a, b), 1e-9));
}

Image JpegEncodeTest::constant_picture(Graph& g, const Pixels& pixels) {
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
void JpegEncodeTest::add_outputs(Graph& g, JpegEncode pass, const std::string& tag) {
    pass = g.add(pass);
    g.output(tag + "file", pass.file);
    g.output(tag + "length", pass.length);
    g.output(tag + "status", pass.status);
    g.output(tag + "decoded", pass.decoded);
}
JpegEncodeTest::Result JpegEncodeTest::take(testing_gpu::Running& running, const std::string& tag) {
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
    const HostImage decoded = running.image(tag + "decoded");
    result.decoded = {decoded.extent.width, decoded.extent.height, 4, {}};
    for (const std::byte value : decoded.texels)
        result.decoded.values.push_back(static_cast<std::uint8_t>(value));
    return result;
}
JpegEncodeTest::Result JpegEncodeTest::encode(const Pixels& pixels, JpegEncode pass,
                                              const PoolSizes& pools) {
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

namespace {

/// `got` has four channels; the library's one is grey.
void expect_shown(const Pixels& got, const Pixels& library) {
    ASSERT_EQ(got.width, library.width);
    ASSERT_EQ(got.height, library.height);
    std::size_t differ = 0;
    for (std::size_t i = 0; i < std::size_t{got.width} * got.height; ++i)
        for (std::size_t c = 0; c < 3; ++c)
            differ += got.values[4 * i + c] !=
                      library.values[library.channels * i + (library.channels == 1 ? 0 : c)];
    EXPECT_EQ(differ, 0u) << "values of what a decoder shows";
}

} // namespace

void JpegEncodeTest::check_file(const Result& result, const Pixels& pixels, const JpegEncode& pass,
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
    const std::vector<std::byte> codes =
        testing_jpeg::entropy_coded(decoded.blocks, cut, decoded.tables);
    ASSERT_GT(result.file.size(), codes.size() + 2);
    const std::span<const std::byte> file(result.file);
    const std::size_t header = file.size() - codes.size() - 2;
    EXPECT_TRUE(std::ranges::equal(file.subspan(header, codes.size()), codes));
    EXPECT_EQ(file[file.size() - 2], std::byte{0xff});
    EXPECT_EQ(file[file.size() - 1], std::byte{0xd9});
    const bool chroma_tables = !grey && pass.tables != JpegTables::single;
    if (pass.tables != JpegTables::optimised) {
        EXPECT_EQ(header, (grey            ? 328u
                           : chroma_tables ? 623u
                                           : 407u) +
                              (pass.restart != 0 ? 6u : 0u));
    }
    const auto read = passes::jpeg::read_header(result.file);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->first_byte, header);
    expect_shown(result.decoded, decoded.pixels);

    const std::vector<double> values(pixels.values.begin(), pixels.values.end());
    const auto exact =
        testing_jpeg::exact_blocks(values, pixels.channels, pixels.width, pixels.height, cut,
                                   static_cast<std::uint32_t>(pass.quality));
    ASSERT_EQ(exact.size(), decoded.blocks.size());
    std::size_t unequal = 0;
    std::size_t ties = 0; // sums of whole numbers divided by eight lie halfway by themselves
    for (std::size_t i = 0; i < exact.size(); ++i)
        for (std::size_t k = 0; k < 64; ++k) {
            const double size = std::abs(exact[i][k]);
            if (std::abs(size - std::floor(size) - 0.5) < 1e-9) ++ties;
            const int expected =
                static_cast<int>(std::copysign(std::floor(size + 0.5), exact[i][k]));
            if (decoded.blocks[i][k] == expected) continue;
            ++unequal;
            ASSERT_EQ(std::abs(decoded.blocks[i][k] - expected), 1) << i << " " << k;
            ASSERT_LT(std::abs(size - std::floor(size) - 0.5), 1e-3) << i << " " << k;
        }
    EXPECT_LE(static_cast<double>(unequal),
              2.0 + static_cast<double>(ties) + 1e-4 * 64.0 * static_cast<double>(exact.size()));
}

} // namespace tuff::testing_jpeg
