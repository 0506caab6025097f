// Options of jpeg/encode that say what texels become before they are transformed.

#include "encode_fixture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tuff {
namespace {

using passes::JpegAlpha;
using passes::JpegConversion;
using passes::JpegEncode;
using passes::JpegSampling;
using testing_jpeg::cut_of;
using testing_jpeg::Decoded;
using testing_jpeg::JpegEncodeTest;
using testing_jpeg::kSamplings;
using testing_jpeg::make_picture;
using testing_jpeg::Motif;
using testing_jpeg::Pixels;

/// Coefficients that are not those of a scalar encoder of these values, nor within rounding of
/// them.
std::size_t wrong_coefficients(const Decoded& decoded, const std::vector<double>& values,
                               const Pixels& pixels, const JpegEncode& pass) {
    const auto exact = testing_jpeg::exact_blocks(
        values, 3, pixels.width, pixels.height, cut_of(pass, false),
        static_cast<std::uint32_t>(pass.quality), pass.conversion == JpegConversion::integer);
    if (exact.size() != decoded.blocks.size()) return ~std::size_t{0};
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < exact.size(); ++i)
        for (std::size_t k = 0; k < 64; ++k)
            wrong += std::abs(decoded.blocks[i][k] - exact[i][k]) > 0.501;
    return wrong;
}

/// The share of coefficients that differ from those of libjpeg-turbo's file of the same pixels.
double share_unlike_library(const Decoded& decoded, const Pixels& pixels, const JpegEncode& pass) {
    const Decoded library = testing_jpeg::decode(
        testing_jpeg::encode(pixels, cut_of(pass, false), static_cast<int>(pass.quality)));
    if (library.blocks.size() != decoded.blocks.size() || library.blocks.empty()) return 1.0;
    std::size_t unlike = 0;
    for (std::size_t i = 0; i < library.blocks.size(); ++i)
        for (std::size_t k = 0; k < 64; ++k)
            unlike += library.blocks[i][k] != decoded.blocks[i][k];
    return static_cast<double>(unlike) / (64.0 * static_cast<double>(library.blocks.size()));
}

/// Sides of whole units: the library writes other blocks beyond the edges.
TEST_F(JpegEncodeTest, IntegerConversionIsThatOfTheLibrary) {
    const Pixels pixels = make_picture(64, 48, Motif::scene);
    const std::vector<double> values(pixels.values.begin(), pixels.values.end());
    for (const JpegSampling sampling : kSamplings) {
        std::array<double, 2> unlike{};
        for (const auto conversion : {JpegConversion::real, JpegConversion::integer}) {
            const JpegEncode pass{.quality = 100, .sampling = sampling, .conversion = conversion};
            const Decoded decoded = testing_jpeg::decode(encode(pixels, pass).file);
            EXPECT_EQ(decoded.error, "");
            EXPECT_EQ(wrong_coefficients(decoded, values, pixels, pass), 0u) << int(sampling);
            unlike[static_cast<std::size_t>(conversion)] =
                share_unlike_library(decoded, pixels, pass);
        }
        RecordProperty("unlike" + std::to_string(int(sampling)),
                       std::to_string(unlike[0]) + " " + std::to_string(unlike[1]));
        // Its transform has whole numbers, too, so what is near halfway is rounded otherwise:
        // measured 5.3 to 5.5 %.
        EXPECT_LT(unlike[1], 0.065) << int(sampling);
        EXPECT_GT(unlike[0], 3.0 * unlike[1]) << int(sampling);
    }
}

TEST_F(JpegEncodeTest, AlphaMultipliesColorsWhereThatIsAskedFor) {
    const Pixels pixels = make_picture(40, 27, Motif::scene, 4);
    Pixels seen{pixels.width, pixels.height, 3, {}}; // without alpha
    Pixels multiplied = seen;
    std::vector<std::uint8_t> texels = pixels.values;
    for (std::size_t i = 0; i < texels.size(); i += 4)
        for (std::size_t c = 0; c < 3; ++c) {
            seen.values.push_back(texels[i + c]);
            multiplied.values.push_back(
                testing_jpeg::rounded(texels[i + c] * texels[i + 3] / 255.0));
        }
    for (const JpegAlpha alpha : {JpegAlpha::ignore, JpegAlpha::multiply}) {
        Graph g = graph();
        JpegEncode pass{.quality = 90, .alpha = alpha};
        pass.source = g.constant_image(
            "picture", {.format = Format::rgba8_unorm, .extent = {pixels.width, pixels.height, 1}},
            testing_gpu::bytes_of(texels));
        add_outputs(g, pass, "");
        testing_gpu::Running running = run(std::move(g));
        const Pixels& expected = alpha == JpegAlpha::multiply ? multiplied : seen;
        const Result result = take(running, "");
        check_file(result, expected, pass, std::to_string(int(alpha)));
        // The same file as of a picture that is so before.
        EXPECT_EQ(result.file, encode(expected, {.quality = 90}).file);
    }
}

/// Colors times alpha that are no numbers are counted and count as 0, as other such values.
TEST_F(JpegEncodeTest, ProductsWithAlphaThatAreNotFiniteAreZero) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    std::vector<glm::vec4> texels(16 * 16, glm::vec4(0.5f, 1.0f, 0.25f, 0.5f));
    texels[3].a = kNan;
    texels[100].a = kInfinity;
    texels[101].a = -2.0f;
    texels[200].a = 4.0f;
    std::vector<double> values;
    for (const glm::vec4& texel : texels)
        for (int c = 0; c < 3; ++c) {
            const double product = double{texel[c]} * double{texel.a};
            values.push_back(std::isfinite(product) ? 255.0 * std::clamp(product, 0.0, 1.0) : 0.0);
        }
    Graph g = graph();
    JpegEncode pass{.quality = 100, .sampling = JpegSampling::s444, .alpha = JpegAlpha::multiply};
    pass.source =
        g.constant_image("picture", {.format = Format::rgba32_sfloat, .extent = {16, 16, 1}},
                         testing_gpu::bytes_of(texels));
    add_outputs(g, pass, "");
    testing_gpu::Running running = run(std::move(g));
    const Result result = take(running, "");
    EXPECT_EQ(result.status.not_finite, 2u);
    const Decoded decoded = testing_jpeg::decode(result.file);
    EXPECT_EQ(wrong_coefficients(decoded, values, {16, 16, 3, {}}, pass), 0u);
}

} // namespace
} // namespace tuff
