#include "passes/fft/from_image.hpp"
#include "passes/fft/to_image.hpp"
#include "tests/gpu/fft/fft_test.hpp"

#include <array>
#include <cmath>

/// Pictures and volumes as arrays, and arrays as pictures and volumes.
namespace tuff {
namespace {

using passes::FftFromImage;
using passes::FftRealForward;
using passes::FftToImage;
using passes::ImageArray;
using passes::ImageAxes;
using passes::ImageNumber;
using passes::ImageShows;
using testing_gpu::bytes_of;
using testing_gpu::Complexes;
using testing_gpu::fftw_real;
using testing_gpu::random_complexes;
using testing_gpu::random_reals;
using testing_gpu::Reals;
using testing_gpu::Running;
using testing_gpu::Sizes;

class FftImages : public testing_gpu::FftTest {};

TEST_F(FftImages, BecomeTheArrayOfTheChosenNumber) {
    const std::uint32_t width = 19;
    const std::uint32_t height = 17;
    std::vector<float> texels;
    for (const double value : random_reals(std::size_t{4} * width * height, 1))
        texels.push_back(static_cast<float>(value));
    Graph g = graph();
    const Image picture = g.constant_image(
        "picture", {.format = Format::rgba32_sfloat, .extent = {width, height}}, bytes_of(texels));
    for (int i = 0; i < 5; ++i)
        g.output(
            std::to_string(i),
            g.add(FftFromImage{.source = picture, .number = static_cast<ImageNumber>(i)}).result);
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

TEST_F(FftImages, ShowEachSideOfANumberCenteredOrNot) {
    const int width = 18;
    const int height = 17;
    const Complexes numbers = random_complexes(std::size_t{18} * 17, 2);
    const auto shown = [](ImageShows show, const std::complex<double>& number) {
        switch (show) {
        case ImageShows::real: return number.real();
        case ImageShows::imaginary: return number.imag();
        case ImageShows::magnitude: return std::abs(number);
        case ImageShows::logarithm: return std::log2(1.0 + std::abs(number));
        default: return std::arg(number);
        }
    };
    Graph g = graph();
    const Buffer source = complexes(g, "source", numbers);
    for (int i = 0; i < 10; ++i)
        g.output(std::to_string(i), g.add(FftToImage{.source = source,
                                                     .size = {18, 17, 1, 1},
                                                     .numbers = ImageArray::complexes,
                                                     .show = static_cast<ImageShows>(i / 2),
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
                            3.0 * shown(static_cast<ImageShows>(i / 2), number), 3e-3)
                    << i << ": " << x << ", " << y;
            }
    }
}

TEST_F(FftImages, ShowTheWholeOfAHalfSpectrumAndReals) {
    for (const int width : {12, 13}) {
        const Reals numbers = random_reals(static_cast<std::size_t>(width) * 9, 3);
        const Complexes half = fftw_real(numbers, {width, 9});
        Graph g = graph();
        const auto wide = static_cast<std::uint32_t>(width);
        const Buffer source = reals(g, "source", numbers);
        const Buffer spectrum =
            g.add(FftRealForward{.source = source, .size = {wide, 9, 1, 1}}).result;
        g.output("reals", g.add(FftToImage{.source = source, .size = {wide, 9, 1, 1}}).result);
        g.output("spectrum", g.add(FftToImage{.source = spectrum,
                                              .size = {wide, 9, 1, 1},
                                              .numbers = ImageArray::half_spectrum,
                                              .show = ImageShows::imaginary})
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

/// A number that says where it is.
double at_place(std::size_t array, std::size_t w, std::size_t z, std::size_t y, std::size_t x) {
    return static_cast<double>((((array * 10 + w) * 10 + z) * 100 + y) * 100 + x);
}

Reals places(std::size_t arrays, std::array<std::size_t, 4> size) {
    Reals numbers;
    for (std::size_t a = 0; a < arrays; ++a)
        for (std::size_t w = 0; w < size[3]; ++w)
            for (std::size_t z = 0; z < size[2]; ++z)
                for (std::size_t y = 0; y < size[1]; ++y)
                    for (std::size_t x = 0; x < size[0]; ++x)
                        numbers.push_back(at_place(a, w, z, y, x));
    return numbers;
}

TEST_F(FftImages, OfVolumesAndSeveralChannelsComeBackAsTheyWere) {
    const std::uint32_t width = 11;
    const std::uint32_t height = 9;
    const std::uint32_t depth = 5;
    for (const bool volume : {false, true})
        for (const std::uint32_t channels : {3u, 4u}) {
            const std::uint32_t slices = volume ? depth : 1;
            const Reals numbers = random_reals(std::size_t{width} * height * slices * 4, 4);
            std::vector<float> texels(numbers.begin(), numbers.end());
            Graph g = graph();
            const Image source =
                g.constant_image("source",
                                 {.format = Format::rgba32_sfloat,
                                  .extent = {width, height, slices},
                                  .shape = volume ? ImageShape::d3 : ImageShape::d2},
                                 bytes_of(texels));
            const Buffer arrays =
                g.add(FftFromImage{.source = source,
                                   .number = channels == 3 ? ImageNumber::rgb : ImageNumber::rgba})
                    .result;
            g.output("arrays", arrays);
            g.output("image",
                     g.add(FftToImage{.source = arrays,
                                      .size = {width, height, slices, 1},
                                      .shape = volume ? ImageAxes::volume : ImageAxes::picture,
                                      .channels = channels})
                         .result);
            Running running = run(std::move(g));
            const Reals got = reals(running, "arrays");
            const HostImage image = running.image("image");
            const std::size_t count = std::size_t{width} * height * slices;
            ASSERT_EQ(got.size(), count * channels);
            ASSERT_EQ(image.extent, (Extent{width, height, slices}));
            for (std::size_t i = 0; i < count; ++i) {
                const auto texel = image.texel(static_cast<std::uint32_t>(i % width),
                                               static_cast<std::uint32_t>(i / width % height),
                                               static_cast<std::uint32_t>(i / width / height));
                for (std::size_t c = 0; c < 4; ++c) {
                    const float was = c < channels ? texels[4 * i + c] : 1.0f;
                    ASSERT_EQ(texel[c], was) << i << ", channel " << c;
                    if (c < channels) {
                        ASSERT_EQ(got[c * count + i], static_cast<double>(was));
                    }
                }
            }
        }
}

TEST_F(FftImages, ShowTheChosenSliceAndArray) {
    const std::array<std::size_t, 4> size{7, 6, 5, 4};
    Graph g = graph();
    const Buffer source = reals(g, "source", places(3, size));
    const auto show = [&](std::string_view name, ImageAxes shape, bool centered) {
        g.output(name, g.add(FftToImage{.source = source,
                                        .size = {7, 6, 5, 4},
                                        .shape = shape,
                                        .slice = {3, 2},
                                        .channels = 2,
                                        .first = 1,
                                        .centered = centered})
                           .result);
    };
    show("picture", ImageAxes::picture, false);
    show("volume", ImageAxes::volume, false);
    show("centered", ImageAxes::volume, true);
    Running running = run(std::move(g));
    const HostImage picture = running.image("picture");
    const HostImage volume = running.image("volume");
    const HostImage centered = running.image("centered");
    ASSERT_EQ(picture.extent, (Extent{7, 6, 1}));
    ASSERT_EQ(volume.extent, (Extent{7, 6, 5}));
    for (std::uint32_t z = 0; z < 5; ++z)
        for (std::uint32_t y = 0; y < 6; ++y)
            for (std::uint32_t x = 0; x < 7; ++x)
                for (std::size_t c = 0; c < 2; ++c) {
                    ASSERT_EQ(static_cast<double>(picture.texel(x, y)[c]),
                              at_place(c + 1, 2, 3, y, x));
                    ASSERT_EQ(static_cast<double>(volume.texel(x, y, z)[c]),
                              at_place(c + 1, 2, z, y, x));
                    // Place 0 is at size / 2, along w as well: slice 2 shows place 0.
                    ASSERT_EQ(static_cast<double>(centered.texel(x, y, z)[c]),
                              at_place(c + 1, 0, (z + 3) % 5, (y + 3) % 6, (x + 4) % 7));
                }
}

TEST_F(FftImages, ShowTheWholeOfAHalfSpectrumOfAVolume) {
    const Sizes size{6, 5, 4};
    const Reals numbers = random_reals(120, 6);
    const Complexes half = fftw_real(numbers, size);
    Graph g = graph();
    const Buffer spectrum =
        g.add(FftRealForward{.source = reals(g, "source", numbers), .size = {6, 5, 4, 1}}).result;
    g.output("shown", g.add(FftToImage{.source = spectrum,
                                       .size = {6, 5, 4, 1},
                                       .shape = ImageAxes::volume,
                                       .numbers = ImageArray::half_spectrum,
                                       .show = ImageShows::imaginary})
                          .result);
    Running running = run(std::move(g));
    const HostImage shown = running.image("shown");
    ASSERT_EQ(shown.extent, (Extent{6, 5, 4}));
    for (std::uint32_t z = 0; z < 4; ++z)
        for (std::uint32_t y = 0; y < 5; ++y)
            for (std::uint32_t x = 0; x < 6; ++x) {
                const bool stored = x <= 3;
                const std::size_t at =
                    stored ? (z * 5 + y) * 4 + x : ((4 - z) % 4 * 5 + (5 - y) % 5) * 4 + 6 - x;
                const double imaginary = stored ? half[at].imag() : -half[at].imag();
                ASSERT_NEAR(static_cast<double>(shown.texel(x, y, z)[0]), imaginary, 2e-5)
                    << x << ", " << y << ", " << z;
            }
}

TEST_F(FftImages, RefuseSlicesAndChannelsThatThereAreNot) {
    const auto code_of = [this](glm::uvec2 slice, std::uint32_t channels) {
        return codes<FftToImage>([&](Graph& g) {
            return FftToImage{.source = reals(g, "source", Reals(2 * 7 * 6 * 5 * 4)),
                              .size = {7, 6, 5, 4},
                              .slice = slice,
                              .channels = channels};
        });
    };
    EXPECT_EQ(code_of({4, 3}, 2), std::vector<std::string>{});
    EXPECT_EQ(code_of({5, 3}, 2), std::vector<std::string>{"fft/slice"});
    EXPECT_EQ(code_of({4, 4}, 2), std::vector<std::string>{"fft/slice"});
    EXPECT_EQ(code_of({4, 3}, 3), std::vector<std::string>{"fft/too-short"});
}

} // namespace
} // namespace tuff
