#include "passes/fft/from_picture.hpp"
#include "passes/fft/to_picture.hpp"
#include "tests/gpu/fft/fft_test.hpp"

#include <cmath>

/// Pictures as arrays, and arrays as pictures.
namespace tuff {
namespace {

using passes::FftFromPicture;
using passes::FftRealForward;
using passes::FftToPicture;
using passes::PictureArray;
using passes::PictureNumber;
using passes::PictureShows;
using testing_gpu::bytes_of;
using testing_gpu::Complexes;
using testing_gpu::fftw_real;
using testing_gpu::random_complexes;
using testing_gpu::random_reals;
using testing_gpu::Reals;
using testing_gpu::Running;

class FftPictures : public testing_gpu::FftTest {};

TEST_F(FftPictures, BecomeTheArrayOfTheChosenNumber) {
    const std::uint32_t width = 19;
    const std::uint32_t height = 17;
    std::vector<float> texels;
    for (const double value : random_reals(std::size_t{4} * width * height, 1))
        texels.push_back(static_cast<float>(value));
    Graph g = graph();
    const Image picture = g.constant_image(
        "picture", {.format = Format::rgba32_sfloat, .extent = {width, height}}, bytes_of(texels));
    for (int i = 0; i < 5; ++i)
        g.output(std::to_string(i),
                 g.add(FftFromPicture{.source = picture, .number = static_cast<PictureNumber>(i)})
                     .result);
    Running running = run(std::move(g));
    for (int i = 0; i < 5; ++i) {
        const Reals got = reals(running, std::to_string(i));
        ASSERT_EQ(got.size(), width * height);
        for (std::size_t t = 0; t < got.size(); ++t) {
            const float* texel = &texels[4 * t];
            const double luminance = 0.2126 * static_cast<double>(texel[0]) +
                                     0.7152 * static_cast<double>(texel[1]) +
                                     0.0722 * static_cast<double>(texel[2]);
            ASSERT_NEAR(got[t], i < 4 ? static_cast<double>(texel[i]) : luminance,
                        i < 4 ? 0.0 : 1e-6)
                << i << ", texel " << t;
        }
    }
}

TEST_F(FftPictures, ShowEachSideOfANumberCenteredOrNot) {
    const int width = 18;
    const int height = 17;
    const Complexes numbers = random_complexes(std::size_t{18} * 17, 2);
    const auto shown = [](PictureShows show, const std::complex<double>& number) {
        switch (show) {
        case PictureShows::real: return number.real();
        case PictureShows::imaginary: return number.imag();
        case PictureShows::magnitude: return std::abs(number);
        case PictureShows::logarithm: return std::log2(1.0 + std::abs(number));
        default: return std::arg(number);
        }
    };
    Graph g = graph();
    const Buffer source = complexes(g, "source", numbers);
    for (int i = 0; i < 10; ++i)
        g.output(std::to_string(i), g.add(FftToPicture{.source = source,
                                                       .size = {18, 17},
                                                       .numbers = PictureArray::complexes,
                                                       .show = static_cast<PictureShows>(i / 2),
                                                       .centered = i % 2 == 1,
                                                       .scale = 3.0f})
                                        .result);
    Running running = run(std::move(g));
    for (int i = 0; i < 10; ++i) {
        const HostImage picture = running.image(std::to_string(i));
        ASSERT_FALSE(picture.empty());
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const int from_x = i % 2 == 1 ? (x + width - width / 2) % width : x;
                const int from_y = i % 2 == 1 ? (y + height - height / 2) % height : y;
                const auto& number = numbers[static_cast<std::size_t>(from_y * width + from_x)];
                const auto texel =
                    picture.texel(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y))[0];
                // Devices' own logarithms and arcs are good to four digits.
                ASSERT_NEAR(static_cast<double>(texel),
                            3.0 * shown(static_cast<PictureShows>(i / 2), number), 3e-3)
                    << i << ": " << x << ", " << y;
            }
    }
}

TEST_F(FftPictures, ShowTheWholeOfAHalfSpectrumAndReals) {
    for (const int width : {12, 13}) {
        const Reals numbers = random_reals(static_cast<std::size_t>(width) * 9, 3);
        const Complexes half = fftw_real(numbers, {width, 9});
        Graph g = graph();
        const auto wide = static_cast<std::uint32_t>(width);
        const Buffer source = reals(g, "source", numbers);
        const Buffer spectrum =
            g.add(FftRealForward{.source = source, .size = {wide, 9, 1, 1}}).result;
        g.output("reals", g.add(FftToPicture{.source = source, .size = {wide, 9}}).result);
        g.output("spectrum", g.add(FftToPicture{.source = spectrum,
                                                .size = {wide, 9},
                                                .numbers = PictureArray::half_spectrum,
                                                .show = PictureShows::imaginary})
                                 .result);
        Running running = run(std::move(g));
        const HostImage plain = running.image("reals");
        const HostImage shown = running.image("spectrum");
        ASSERT_FALSE(plain.empty());
        ASSERT_FALSE(shown.empty());
        for (int y = 0; y < 9; ++y)
            for (int x = 0; x < width; ++x) {
                const auto at =
                    std::pair(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
                ASSERT_EQ(static_cast<double>(plain.texel(at.first, at.second)[0]),
                          numbers[static_cast<std::size_t>(y * width + x)]);
                const bool stored = x <= width / 2;
                const int of_x = stored ? x : width - x;
                const int of_y = stored ? y : (9 - y) % 9;
                const double imaginary =
                    half[static_cast<std::size_t>(of_y * (width / 2 + 1) + of_x)].imag();
                ASSERT_NEAR(static_cast<double>(shown.texel(at.first, at.second)[0]),
                            stored ? imaginary : -imaginary, 2e-5)
                    << x << ", " << y;
            }
    }
}

} // namespace
} // namespace tuff
