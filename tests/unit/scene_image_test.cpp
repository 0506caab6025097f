#include "tests/common/test_folder.hpp"

#include <tuff/image.hpp>
#include <tuff/volume.hpp>

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfOutputFile.h>
#include <ImfRgbaFile.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

namespace tuff {
namespace {

namespace fs = std::filesystem;

/// A fresh folder for one test, removed afterwards.
class ImageFiles : public testing::Test {
  protected:
    void SetUp() override { folder_ = test::empty_folder(); }
    void TearDown() override { fs::remove_all(folder_); }

    fs::path file(const std::string& name) const { return folder_ / name; }
    std::size_t file_count() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }

  private:
    fs::path folder_;
};

bool is_combined(const FormatInfo& facts) {
    return facts.depth && facts.stencil;
}

/// Distinct in-range values everywhere: a gradient in x, y and z.
HostImage gradient(Format format, Extent extent) {
    HostImage image = make_image(format, extent);
    const NumericKind kind = info(format).kind;
    const bool integer = kind == NumericKind::uint || kind == NumericKind::sint;
    const float scale = integer ? 100.0f : 1.0f;
    for (std::uint32_t z = 0; z < extent.depth; ++z)
        for (std::uint32_t y = 0; y < extent.height; ++y)
            for (std::uint32_t x = 0; x < extent.width; ++x) {
                const auto part = [](std::uint32_t i, std::uint32_t n) {
                    return static_cast<float>(i + 1) / static_cast<float>(n + 1);
                };
                image.set_texel({scale * part(x, extent.width), scale * part(y, extent.height),
                                 scale * part(z, extent.depth), scale * 0.75f},
                                x, y, z);
            }
    return image;
}

std::string code_of(const Diagnostics& diagnostics) {
    return diagnostics.empty() ? "" : diagnostics.front().code;
}

void expect_close(const HostImage& a, const HostImage& b, double tolerance) {
    ASSERT_EQ(a.extent, b.extent);
    const auto difference = compare_images(a, b);
    ASSERT_TRUE(difference);
    EXPECT_LE(difference->max_absolute, tolerance);
}

TEST(Texel, EveryFormatReturnsWhatWasStored) {
    for (const FormatInfo& facts : all_formats()) {
        if (facts.texel_bytes == 0 || is_combined(facts)) continue;
        SCOPED_TRACE(std::string(facts.name));
        const bool integer = facts.kind == NumericKind::uint || facts.kind == NumericKind::sint;
        const std::array<float, 4> value =
            integer ? std::array{3.0f, 7.0f, 200.0f, 1.0f} : std::array{0.25f, 0.5f, 0.75f, 1.0f};
        HostImage image = make_image(facts.format, {2, 2, 1});
        image.set_texel(value, 1, 1);
        const auto read = image.texel(1, 1);
        for (std::size_t c = 0; c < facts.channels; ++c)
            EXPECT_NEAR(read[c], value[c], 0.02f);
        EXPECT_EQ(image.texel(0, 0)[0], 0.0f);
    }
}

TEST(Texel, SrgbIsDecodedOnlyWhenAsked) {
    HostImage image = make_image(Format::rgba8_srgb, {1, 1, 1});
    image.texels = {std::byte{128}, std::byte{128}, std::byte{128}, std::byte{128}};
    EXPECT_NEAR(image.texel(0, 0)[0], 0.21586f, 1e-4f);
    EXPECT_NEAR(image.texel(0, 0)[3], 128.0f / 255.0f, 1e-6f);
    EXPECT_NEAR(image.texel(0, 0, 0, Transfer::stored)[0], 128.0f / 255.0f, 1e-6f);
}

TEST(Texel, FixedPointClampsAndTurnsNanToZero) {
    HostImage image = make_image(Format::rgba8_unorm, {1, 1, 1});
    image.set_texel({-1.0f, 2.0f, std::numeric_limits<float>::quiet_NaN(), 0.5f}, 0, 0);
    EXPECT_EQ(image.texels[0], std::byte{0});
    EXPECT_EQ(image.texels[1], std::byte{255});
    EXPECT_EQ(image.texels[2], std::byte{0});
    EXPECT_EQ(image.texels[3], std::byte{128});
}

TEST(Texel, BgraStoresBlueFirst) {
    HostImage image = make_image(Format::bgra8_unorm, {1, 1, 1});
    image.set_texel({1.0f, 0.0f, 0.0f, 1.0f}, 0, 0);
    EXPECT_EQ(image.texels[0], std::byte{0});
    EXPECT_EQ(image.texels[2], std::byte{255});
}

TEST(Texel, SmallFloatsSaturateBelowInfinity) {
    HostImage image = make_image(Format::b10g11r11_ufloat, {1, 1, 1});
    image.set_texel({1e9f, -1.0f, std::numeric_limits<float>::infinity(), 1.0f}, 0, 0);
    EXPECT_TRUE(std::isinf(image.texel(0, 0)[2]));
    EXPECT_EQ(image.texel(0, 0)[1], 0.0f);
}

TEST(Texel, SrgbCurveIsInverted) {
    for (int i = 0; i <= 255; ++i) {
        const float encoded = static_cast<float>(i) / 255.0f;
        EXPECT_NEAR(linear_to_srgb(srgb_to_linear(encoded)), encoded, 1e-5f);
    }
}

TEST_F(ImageFiles, PngKeepsEightBitTexelsExactly) {
    for (const Format format : {Format::rgba8_unorm, Format::rgba8_srgb}) {
        const HostImage image = gradient(format, {7, 5, 1});
        ASSERT_TRUE(save_image(file("a.png"), image));
        const auto read = load_image(file("a.png"), {.ldr = format});
        ASSERT_TRUE(read) << to_string(read.error());
        EXPECT_EQ(read->format, format);
        EXPECT_EQ(read->texels, image.texels);
    }
}

/// A PNG of 16 bits a channel, by what its specification says.
std::vector<std::byte> png_of_16_bits(std::uint32_t width, std::uint32_t height, int color_type,
                                      const std::vector<std::uint16_t>& values) {
    std::string file = "\x89PNG\r\n\x1a\n";
    const auto number = [](std::uint32_t value) {
        return std::string{char(value >> 24), char(value >> 16), char(value >> 8), char(value)};
    };
    const auto chunk = [&](const std::string& name, const std::string& data) {
        const std::string body = name + data;
        const auto crc = crc32(0, reinterpret_cast<const Bytef*>(body.data()), uInt(body.size()));
        file += number(std::uint32_t(data.size())) + body + number(std::uint32_t(crc));
    };
    chunk("IHDR", number(width) + number(height) + char(16) + char(color_type) + std::string(3, 0));
    std::string rows;
    const std::size_t row = values.size() / height;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i % row == 0) rows += '\0'; // no filter
        rows += {char(values[i] >> 8), char(values[i])};
    }
    uLongf size = compressBound(uLong(rows.size()));
    std::string packed(size, '\0');
    compress(reinterpret_cast<Bytef*>(packed.data()), &size,
             reinterpret_cast<const Bytef*>(rows.data()), uLong(rows.size()));
    chunk("IDAT", packed.substr(0, size));
    chunk("IEND", "");
    const auto bytes = std::as_bytes(std::span(file));
    return {bytes.begin(), bytes.end()};
}

TEST_F(ImageFiles, PngOfSixteenBitsKeepsThemWhereItIsAsked) {
    constexpr int kRgb = 2;
    const std::vector<std::uint16_t> values = {0,     1,     255,   256, 257, 32767,
                                               32768, 65534, 65535, 511, 513, 40000,
                                               40001, 10000, 10001, 3,   5,   7};
    const auto png = png_of_16_bits(3, 2, kRgb, values);
    const auto deep = decode_image(png, "a.png", {.keep_16_bits = true});
    ASSERT_TRUE(deep) << to_string(deep.error());
    ASSERT_EQ(deep->format, Format::rgba16_unorm);
    const auto linear =
        decode_image(png, "a.png", {.ldr = Format::rgba8_srgb, .keep_16_bits = true});
    ASSERT_TRUE(linear) << to_string(linear.error());
    ASSERT_EQ(linear->format, Format::rgba32_sfloat);
    for (std::uint32_t i = 0; i < 6; ++i)
        for (std::size_t c = 0; c < 4; ++c) {
            const double value = c == 3 ? 1.0 : values[3 * i + c] / 65535.0;
            EXPECT_NEAR(deep->texel(i % 3, i / 3)[c], value, 1e-7) << i << ", " << c;
            const double light =
                value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
            EXPECT_NEAR(linear->texel(i % 3, i / 3)[c], c == 3 ? 1.0 : light, 2e-7)
                << i << ", " << c;
        }
    const auto plain = decode_image(png, "a.png"); // as models' textures are
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->format, Format::rgba8_unorm);
}

TEST_F(ImageFiles, PngOfFloatsIsClampedAndSrgbEncoded) {
    HostImage image = make_image(Format::rgba32_sfloat, {2, 1, 1});
    image.set_texel({0.21586f, 5.0f, -1.0f, 0.5f}, 0, 0);
    ASSERT_TRUE(save_image(file("f.png"), image));
    const auto read = load_image(file("f.png"));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->texels[0], std::byte{128});
    EXPECT_EQ(read->texels[1], std::byte{255});
    EXPECT_EQ(read->texels[2], std::byte{0});
    EXPECT_EQ(read->texels[3], std::byte{128}) << "alpha is never sRGB";
}

TEST_F(ImageFiles, PngRefusesIntegersAndNamesNpy) {
    const auto saved = save_image(file("i.png"), gradient(Format::rgba32_uint, {2, 2, 1}));
    ASSERT_FALSE(saved);
    EXPECT_EQ(code_of(saved.error()), "image/unsupported");
    EXPECT_THAT(saved.error().front().hint, testing::HasSubstr(".npy"));
    EXPECT_EQ(file_count(), 0u);
}

TEST_F(ImageFiles, JpegKeepsSmoothPicturesToAFewSteps) {
    const Extent extent{67, 45, 1}; // no multiples of its blocks
    for (const Format format : {Format::rgba8_unorm, Format::r8_unorm, Format::rgba16_sfloat}) {
        SCOPED_TRACE(std::string(info(format).name));
        HostImage image = make_image(format, extent);
        for (std::uint32_t y = 0; y < extent.height; ++y)
            for (std::uint32_t x = 0; x < extent.width; ++x)
                image.set_texel({float(x) / 66.0f, float(y) / 44.0f, 0.25f, 1.0f}, x, y);
        for (const char* name : {"j.jpg", "j.jpeg"})
            ASSERT_TRUE(save_image(file(name), image));
        ASSERT_TRUE(save_image(file("j.png"), image));
        const auto jpeg = load_image(file("j.jpg"), {.ldr = Format::rgba8_unorm});
        const auto png = load_image(file("j.png"), {.ldr = Format::rgba8_unorm});
        ASSERT_TRUE(jpeg && png);
        ASSERT_EQ(jpeg->extent, extent);
        for (std::uint32_t y = 0; y < extent.height; ++y)
            for (std::uint32_t x = 0; x < extent.width; ++x)
                for (std::size_t c = 0; c < 3; ++c)
                    ASSERT_NEAR(jpeg->texel(x, y)[c], png->texel(x, y)[c], 5.0 / 255.0)
                        << x << ", " << y << ", " << c;
    }
}

TEST_F(ImageFiles, EveryColourFormatGoesThroughEveryExtensionOrIsRefused) {
    for (const FormatInfo& facts : all_formats()) {
        if (facts.texel_bytes == 0) continue;
        for (const char* name : {"x.png", "x.jpg", "x.hdr", "x.exr", "x.npy", "x.pfm"}) {
            SCOPED_TRACE(std::string(facts.name) + " " + name);
            const bool integer = facts.kind == NumericKind::uint || facts.kind == NumericKind::sint;
            const bool shown =
                std::string_view(name) == "x.png" || std::string_view(name) == "x.jpg";
            const bool refused = is_combined(facts) || (integer && shown);
            const HostImage image = is_combined(facts) ? make_image(facts.format, {5, 3, 1})
                                                       : gradient(facts.format, {5, 3, 1});
            const auto saved = save_image(file(name), image);
            EXPECT_EQ(saved.has_value(), !refused);
            if (saved) {
                EXPECT_GT(fs::file_size(file(name)), 0u);
            }
        }
    }
}

TEST_F(ImageFiles, ExrKeepsFloatsAndHalvesExactly) {
    for (const Format format : {Format::rgba32_sfloat, Format::rgba16_sfloat}) {
        const HostImage image = gradient(format, {9, 4, 1});
        ASSERT_TRUE(save_image(file("e.exr"), image));
        const auto read = load_image(file("e.exr"), {.hdr = format});
        ASSERT_TRUE(read) << to_string(read.error());
        EXPECT_EQ(read->format, format);
        EXPECT_EQ(read->texels, image.texels);
    }
}

TEST_F(ImageFiles, ExrOfOneChannelIsGrey) {
    HostImage image = make_image(Format::r32_sfloat, {2, 1, 1});
    image.set_texel({2.5f, 0, 0, 0}, 1, 0);
    ASSERT_TRUE(save_image(file("g.exr"), image));
    const auto read = load_image(file("g.exr"));
    ASSERT_TRUE(read);
    EXPECT_THAT(read->texel(1, 0), testing::ElementsAre(2.5f, 2.5f, 2.5f, 1.0f));
}

/// A smooth picture of halves, with a place of its own as OpenEXR files may have it.
void write_chroma(const fs::path& file, Imath::Box2i window, Imf::RgbaChannels channels) {
    const int width = window.max.x - window.min.x + 1;
    const int height = window.max.y - window.min.y + 1;
    std::vector<Imf::Rgba> texels;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            texels.emplace_back(4.0f * float(x) / float(width), float(y) / float(height), 0.25f,
                                (channels & Imf::WRITE_A) ? 0.5f : 1.0f);
    Imf::RgbaOutputFile output(file.string().c_str(), window, window, channels);
    output.setFrameBuffer(texels.data() - window.min.x - window.min.y * width, 1,
                          static_cast<std::size_t>(width));
    output.writePixels(height);
}

TEST_F(ImageFiles, ExrOfLuminanceAndChromaIsOfColours) {
    for (const auto& [window, channels] :
         {std::pair{Imath::Box2i({0, 0}, {63, 31}), Imf::WRITE_YC},
          std::pair{Imath::Box2i({0, 0}, {63, 31}), Imf::WRITE_YCA},
          std::pair{Imath::Box2i({-6, 10}, {35, 57}), Imf::WRITE_YC}}) {
        write_chroma(file("yc.exr"), window, channels);
        const auto read = load_image(file("yc.exr"));
        ASSERT_TRUE(read) << to_string(read.error());
        const auto width = static_cast<std::uint32_t>(window.max.x - window.min.x + 1);
        const auto height = static_cast<std::uint32_t>(window.max.y - window.min.y + 1);
        ASSERT_EQ(read->extent, (Extent{width, height, 1}));
        ASSERT_EQ(read->format, Format::rgba32_sfloat);
        // Luminance is kept to 7 bits, chroma to fewer, filtered to half its size and back: within
        // 1.5 % of the brightest where the
        // picture goes on, 6 % at its rim.
        for (std::uint32_t y = 0; y < height; ++y)
            for (std::uint32_t x = 0; x < width; ++x) {
                const bool inner = x >= 14 && y >= 14 && x + 14 < width && y + 14 < height;
                const auto texel = read->texel(x, y);
                const double allowed = inner ? 0.06 : 0.25;
                EXPECT_NEAR(texel[0], 4.0 * x / width, allowed) << x << ", " << y;
                EXPECT_NEAR(texel[1], double(y) / height, allowed) << x << ", " << y;
                EXPECT_NEAR(texel[2], 0.25, allowed) << x << ", " << y;
                EXPECT_EQ(texel[3], channels == Imf::WRITE_YCA ? 0.5f : 1.0f);
            }
    }
}

TEST_F(ImageFiles, ExrOfOneUnknownChannelIsGreyAndOfSeveralIsRefused) {
    const float depths[2] = {1.5f, 8.0f};
    const auto write = [&](std::vector<const char*> names) {
        Imf::Header header(2, 1);
        Imf::FrameBuffer source;
        for (const char* name : names) {
            header.channels().insert(name, Imf::Channel(Imf::FLOAT));
            source.insert(name, Imf::Slice(Imf::FLOAT,
                                           const_cast<char*>(reinterpret_cast<const char*>(depths)),
                                           sizeof(float), 2 * sizeof(float)));
        }
        Imf::OutputFile output(file("z.exr").string().c_str(), header);
        output.setFrameBuffer(source);
        output.writePixels(1);
    };
    write({"Z"});
    const auto depth = load_image(file("z.exr"));
    ASSERT_TRUE(depth) << to_string(depth.error());
    EXPECT_THAT(depth->texel(1, 0), testing::ElementsAre(8.0f, 8.0f, 8.0f, 1.0f));
    write({"Z", "ZBack"});
    EXPECT_EQ(code_of(load_image(file("z.exr")).error()), "image/unsupported");
}

TEST_F(ImageFiles, HdrKeepsColoursWithinItsSharedExponent) {
    HostImage image = gradient(Format::rgba32_sfloat, {16, 8, 1});
    for (std::uint32_t y = 0; y < 8; ++y)
        for (std::uint32_t x = 0; x < 16; ++x) {
            auto value = image.texel(x, y);
            value[3] = 1.0f; // the format has no alpha
            image.set_texel(value, x, y);
        }
    ASSERT_TRUE(save_image(file("h.hdr"), image));
    const auto read = load_image(file("h.hdr"));
    ASSERT_TRUE(read) << to_string(read.error());
    expect_close(*read, image, 1.0 / 128.0);
}

TEST_F(ImageFiles, NpyKeepsEveryFormatThatNumpyCanName) {
    const std::vector<Format> exact = {
        Format::r8_unorm,     Format::rg8_unorm,   Format::rgba8_unorm, Format::r16_unorm,
        Format::rgba16_unorm, Format::r16_sfloat,  Format::rg16_sfloat, Format::rgba16_sfloat,
        Format::r32_uint,     Format::r32_sint,    Format::r32_sfloat,  Format::rg32_uint,
        Format::rg32_sfloat,  Format::rgba32_uint, Format::rgba32_sint, Format::rgba32_sfloat};
    for (const Format format : exact) {
        SCOPED_TRACE(std::string(info(format).name));
        const HostImage volume = gradient(format, {4, 3, 2});
        ASSERT_TRUE(save_image(file("v.npy"), volume));
        const auto read = load_volume(file("v.npy"));
        ASSERT_TRUE(read) << to_string(read.error());
        EXPECT_EQ(read->image.format, format);
        EXPECT_EQ(read->image.extent, volume.extent);
        EXPECT_EQ(read->image.texels, volume.texels);

        const HostImage flat = gradient(format, {4, 3, 1});
        ASSERT_TRUE(save_image(file("f.npy"), flat));
        const auto image = load_image(file("f.npy"));
        ASSERT_TRUE(image);
        EXPECT_EQ(image->texels, flat.texels);
    }
}

TEST_F(ImageFiles, NpyHeaderIsPaddedSoThatDataIsAligned) {
    const std::vector<std::byte> data(24);
    const std::uint64_t shape[] = {6};
    ASSERT_TRUE(save_npy(file("raw.npy"), ElementType::f32, shape, data));
    std::ifstream stream(file("raw.npy"), std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    ASSERT_EQ(text.size(), 128u + 24u - (text.size() == 88u ? 64u : 0u));
    EXPECT_EQ(text[6], 1);
    EXPECT_THAT(text,
                testing::HasSubstr("{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }"));
    const std::size_t header =
        static_cast<unsigned char>(text[8]) + 256u * static_cast<unsigned char>(text[9]);
    EXPECT_EQ((10 + header) % 64, 0u);
    EXPECT_EQ(text[10 + header - 1], '\n');
}

TEST_F(ImageFiles, NpyRefusesDataShorterThanItsShape) {
    const std::vector<std::byte> data(8);
    const std::uint64_t shape[] = {std::uint64_t{1} << 62, 16};
    const auto saved = save_npy(file("raw.npy"), ElementType::f32, shape, data);
    ASSERT_FALSE(saved);
    EXPECT_EQ(code_of(saved.error()), "image/unsupported");
    EXPECT_EQ(file_count(), 0u);
}

TEST_F(ImageFiles, NpyOfSignedIntegersAndDoublesBecomesFloats) {
    const std::int16_t values[] = {-1024, 0, 3000, 7};
    const std::uint64_t shape[] = {1, 2, 2};
    ASSERT_TRUE(
        save_npy(file("ct.npy"), ElementType::i16, shape, std::as_bytes(std::span(values))));
    const auto volume = load_volume(file("ct.npy"));
    ASSERT_TRUE(volume) << to_string(volume.error());
    EXPECT_EQ(volume->image.format, Format::r32_sfloat);
    EXPECT_EQ(volume->image.texel(0, 0)[0], -1024.0f);
    EXPECT_EQ(volume->image.texel(0, 1)[0], 3000.0f);
}

TEST_F(ImageFiles, NpyOfThreeChannelsGetsAlphaOne) {
    const std::uint8_t values[] = {10, 20, 30, 40, 50, 60};
    const std::uint64_t shape[] = {1, 2, 3};
    ASSERT_TRUE(
        save_npy(file("rgb.npy"), ElementType::u8, shape, std::as_bytes(std::span(values))));
    const auto image = load_image(file("rgb.npy"));
    ASSERT_TRUE(image);
    EXPECT_EQ(image->format, Format::rgba8_unorm);
    EXPECT_THAT(image->texels,
                testing::ElementsAre(std::byte{10}, std::byte{20}, std::byte{30}, std::byte{255},
                                     std::byte{40}, std::byte{50}, std::byte{60}, std::byte{255}));
}

TEST_F(ImageFiles, PfmStartsWithTheBottomRow) {
    HostImage image = make_image(Format::r32_sfloat, {1, 2, 1});
    image.set_texel({9.0f, 0, 0, 0}, 0, 1);
    ASSERT_TRUE(save_image(file("p.pfm"), image));
    std::ifstream stream(file("p.pfm"), std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    const std::string header = "Pf\n1 2\n-1.0\n";
    ASSERT_EQ(text.size(), header.size() + 8);
    float first = 0.0f;
    std::memcpy(&first, text.data() + header.size(), sizeof first);
    EXPECT_EQ(first, 9.0f);
}

TEST_F(ImageFiles, SavingReplacesTheOldFileAndLeavesNothingElse) {
    ASSERT_TRUE(save_image(file("a.png"), gradient(Format::rgba8_unorm, {2, 2, 1})));
    ASSERT_TRUE(save_image(file("a.png"), gradient(Format::rgba8_unorm, {3, 3, 1})));
    EXPECT_EQ(file_count(), 1u);
    EXPECT_EQ(load_image(file("a.png"))->extent, (Extent{3, 3, 1}));
}

TEST_F(ImageFiles, SavingWhereNothingCanBeWrittenSaysSo) {
    const HostImage image = gradient(Format::rgba8_unorm, {2, 2, 1});
    fs::create_directories(file("folder.png"));
    for (const fs::path& path : {file("no/such/folder/a.png"), file("folder.png")}) {
        const auto saved = save_image(path, image);
        ASSERT_FALSE(saved) << path;
        EXPECT_EQ(code_of(saved.error()), "image/unwritable");
    }
    EXPECT_EQ(file_count(), 1u);
}

TEST_F(ImageFiles, UnknownExtensionsAreListedAgainstTheKnown) {
    for (const char* name : {"a.webp", "a", "a.PNGG"}) {
        const auto saved = save_image(file(name), gradient(Format::rgba8_unorm, {2, 2, 1}));
        ASSERT_FALSE(saved);
        EXPECT_EQ(code_of(saved.error()), "image/unknown-extension");
        EXPECT_THAT(saved.error().front().hint, testing::HasSubstr(".exr"));
    }
    EXPECT_TRUE(save_image(file("a.PNG"), gradient(Format::rgba8_unorm, {2, 2, 1})));
}

TEST_F(ImageFiles, VolumesAndWrongSizesAreRefused) {
    EXPECT_EQ(code_of(save_image(file("v.png"), gradient(Format::r8_unorm, {2, 2, 2})).error()),
              "image/unsupported");
    HostImage torn = gradient(Format::rgba8_unorm, {2, 2, 1});
    torn.texels.pop_back();
    EXPECT_EQ(code_of(save_image(file("v.npy"), torn).error()), "image/unsupported");
}

TEST(CompareImages, EqualImagesHaveNoDifference) {
    const HostImage image = gradient(Format::rgba8_srgb, {6, 6, 1});
    const auto difference = compare_images(image, image);
    ASSERT_TRUE(difference);
    EXPECT_EQ(difference->max_absolute, 0.0);
    EXPECT_TRUE(std::isinf(difference->psnr));
    EXPECT_EQ(difference->mean_delta_e, 0.0);
    EXPECT_EQ(difference->picture.texels[0], std::byte{0});
}

TEST(CompareImages, FiguresAreThoseOfOneChangedTexel) {
    HostImage a = make_image(Format::rgba32_sfloat, {2, 2, 1});
    HostImage b = a;
    b.set_texel({0.5f, 0, 0, 0}, 0, 0);
    const auto difference = compare_images(a, b);
    ASSERT_TRUE(difference);
    EXPECT_DOUBLE_EQ(difference->max_absolute, 0.5);
    EXPECT_DOUBLE_EQ(difference->mean_absolute, 0.5 / 16.0);
    EXPECT_DOUBLE_EQ(difference->rmse, 0.125);
    EXPECT_NEAR(difference->psnr, 18.06, 0.01);
    EXPECT_EQ(difference->picture.texels[0], std::byte{255});
}

TEST(CompareImages, BlackAndWhiteAreAHundredLabUnitsApart) {
    HostImage white = make_image(Format::rgba32_sfloat, {1, 1, 1});
    const HostImage black = white;
    white.set_texel({1, 1, 1, 0}, 0, 0);
    EXPECT_NEAR(compare_images(black, white)->mean_delta_e, 100.0, 0.05);
}

TEST(CompareImages, TheWorstTileIsTheOneWhoseColoursAreFurthestApart) {
    HostImage a = make_image(Format::rgba32_sfloat, {40, 20, 1}); // tiles of 16, 16, 8 by 16, 4
    HostImage b = a;
    b.set_texel({1, 1, 1, 0}, 3, 2);
    b.set_texel({1, 1, 1, 0}, 33, 17); // in the smallest tile, of 8x4 texels
    const auto difference = compare_images(a, b);
    ASSERT_TRUE(difference);
    EXPECT_EQ(difference->worst.left, 32u);
    EXPECT_EQ(difference->worst.top, 16u);
    EXPECT_NEAR(difference->worst.mean_delta_e, 100.0 / 32.0, 0.01);
    EXPECT_EQ(compare_images(a, a)->worst.mean_delta_e, 0.0);
}

TEST(CompareImages, NanInOneImageIsInfinitelyFar) {
    HostImage a = make_image(Format::r32_sfloat, {1, 1, 1});
    const HostImage b = a;
    a.set_texel({std::numeric_limits<float>::quiet_NaN(), 0, 0, 0}, 0, 0);
    EXPECT_TRUE(std::isinf(compare_images(a, b)->max_absolute));
    EXPECT_EQ(compare_images(a, a)->max_absolute, 0.0);
}

TEST(CompareImages, SizesMustAgree) {
    const auto difference = compare_images(make_image(Format::r8_unorm, {1, 2, 1}),
                                           make_image(Format::r8_unorm, {2, 1, 1}));
    ASSERT_FALSE(difference);
    EXPECT_EQ(code_of(difference.error()), "image/size-mismatch");
}

} // namespace
} // namespace tuff
