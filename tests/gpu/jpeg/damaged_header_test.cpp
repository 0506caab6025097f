// Headers with a damaged byte that the decoder takes: the device decodes what they say. Where
// libjpeg-turbo has nothing against the file, either, the picture is its picture.

#include "library.hpp"
#include "passes/jpeg/decode.hpp"
#include "passes/jpeg/decode_header.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

namespace tuff {
namespace {

using passes::JpegDecode;
using FileOfBytes = std::vector<std::byte>;

/// Larger pictures would only take longer.
constexpr std::uint32_t kMostPixels = 160 * 160;
constexpr std::size_t kOfOneGraph = 48;

/// Whether coefficients are larger than samples of 8 bits can give. There decoders differ: the
/// library calculates with 16 bits where it can.
bool is_out_of_range(const passes::jpeg::DecodeHeader& header,
                     const std::vector<testing_jpeg::Block>& blocks) {
    constexpr int kMost = 2048;
    for (const testing_jpeg::Block& block : blocks)
        for (std::size_t k = 0; k < 64; ++k)
            for (const passes::jpeg::DecodeComponent& component : header.components)
                if (std::abs(block[k] * int{component.divisors[k]}) > kMost) return true;
    return false;
}

class JpegDamagedHeaderTest : public testing_gpu::GpuTest {
  protected:
    /// How many of them are pictures of the library's.
    std::size_t decode_all(const std::vector<FileOfBytes>& files, const FileOfBytes& whole) {
        Graph g = graph();
        for (std::size_t i = 0; i < files.size(); ++i) {
            const std::string name = std::to_string(i);
            const Buffer bytes =
                g.constant_buffer(name, {.size = files[i].size()}, testing_gpu::bytes_of(files[i]));
            g.output(name, g.add(JpegDecode{.file = bytes}, "decode" + name).result);
        }
        testing_gpu::Running running = run(std::move(g));
        EXPECT_TRUE(bool(running));
        std::size_t judged = 0;
        for (std::size_t i = 0; running && i < files.size(); ++i) {
            const auto header = passes::jpeg::read_header(files[i]);
            const HostImage image = running.image(std::to_string(i));
            EXPECT_EQ(image.extent.width, header->width);
            EXPECT_EQ(image.extent.height, header->height);
            const testing_jpeg::Decoded theirs = testing_jpeg::decode(files[i]);
            if (!theirs.error.empty() || theirs.warnings > 0 ||
                is_out_of_range(*header, theirs.blocks))
                continue;
            ++judged;
            const testing_jpeg::Pixels& pixels = theirs.pixels;
            std::size_t differing = 0;
            for (std::size_t p = 0; p < std::size_t{pixels.width} * pixels.height; ++p)
                for (std::size_t c = 0; c < 3; ++c)
                    differing +=
                        std::to_integer<std::uint8_t>(image.texels[4 * p + c]) !=
                        pixels.values[pixels.channels * p + (pixels.channels == 1 ? 0 : c)];
            const auto at = std::ranges::mismatch(files[i], whole).in1;
            EXPECT_EQ(differing, 0u)
                << "byte " << at - files[i].begin() << " is " << std::to_integer<int>(*at);
        }
        return judged;
    }
};

TEST_F(JpegDamagedHeaderTest, TheDeviceDecodesWhatTheyStillSay) {
    const testing_jpeg::Cut cut{.across = 2, .down = 1, .restart = 2};
    testing_jpeg::Pixels pixels{33, 17, 3, {}};
    for (std::uint32_t i = 0; i < 33 * 17 * 3; ++i)
        pixels.values.push_back(static_cast<std::uint8_t>(i * 5 % 251));
    const FileOfBytes file = testing_jpeg::encode(pixels, cut, 60);
    const auto whole = passes::jpeg::read_header(file);
    ASSERT_TRUE(whole);
    std::vector<FileOfBytes> files;
    std::size_t decoded = 0;
    std::size_t judged = 0;
    const auto flush = [&] {
        decoded += files.size();
        judged += decode_all(files, file);
        files.clear();
    };
    constexpr std::array<unsigned, 8> kValues{0, 0x22, 1, 0x7f, 2, 0x11, 3, 0xff};
    for (std::size_t i = 0; i < whole->first_byte; ++i)
        for (std::size_t k = 0; k < 2; ++k) { // of each byte, others of its neighbours
            FileOfBytes damaged = file;
            damaged[i] = static_cast<std::byte>(kValues[(3 * i + k) % kValues.size()]);
            if (damaged == file) continue;
            const auto header = passes::jpeg::read_header(damaged);
            if (!header || header->width * header->height > kMostPixels) continue;
            files.push_back(std::move(damaged));
            if (files.size() == kOfOneGraph) flush();
        }
    if (!files.empty()) flush();
    EXPECT_GT(decoded, 800u);
    EXPECT_GT(judged, 600u);
}

} // namespace
} // namespace tuff
