#include "tests/common/test_folder.hpp"

#include <tuff/assets.hpp>
#include <tuff/image.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

namespace tuff {
namespace {

namespace fs = std::filesystem;

std::vector<std::byte> bytes_of(std::string_view text) {
    std::vector<std::byte> bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    return bytes;
}

std::string code_of(const Result<HostImage>& result) {
    return result ? "" : result.error().front().code;
}

std::vector<std::byte> encoded(const char* name, Format format) {
    const fs::path path = test::empty_folder() / name;
    HostImage image = make_image(format, {64, 48, 1});
    for (std::uint32_t y = 0; y < 48; ++y)
        for (std::uint32_t x = 0; x < 64; ++x)
            image.set_texel({static_cast<float>((x * 7 + y * 13) % 64) / 64.0f, 0.5f,
                             static_cast<float>(x ^ y) / 64.0f, 1.0f},
                            x, y);
    EXPECT_TRUE(save_image(path, image));
    std::ifstream stream(path, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    fs::remove(path);
    return bytes_of(text);
}

struct Sample {
    const char* name;
    Format format;
};

class HostileImages : public testing::TestWithParam<Sample> {};

TEST_P(HostileImages, TruncationAtAnyByteIsAnErrorOrAPictureOfTheSameSize) {
    const auto file = encoded(GetParam().name, GetParam().format);
    ASSERT_TRUE(decode_image(file, GetParam().name));
    const std::size_t step = std::max<std::size_t>(file.size() / 97, 1);
    std::size_t refused = 0;
    for (std::size_t size = 0; size < file.size(); size += step) {
        const auto image = decode_image(std::span(file).first(size), GetParam().name);
        if (image) {
            EXPECT_EQ(image->extent, (Extent{64, 48, 1})); // a decoder may fill the rest
        } else {
            ++refused;
        }
    }
    EXPECT_GT(refused, 1u);
}

TEST_P(HostileImages, FlippedBitsNeverCrash) {
    const auto file = encoded(GetParam().name, GetParam().format);
    std::uint32_t state = 12345; // a fixed linear congruential generator: failures repeat
    const auto random = [&state] { return state = state * 1664525u + 1013904223u; };
    for (int round = 0; round < 300; ++round) {
        auto damaged = file;
        for (int flip = 0; flip < 3; ++flip) {
            // Most flips go to the header, where the sizes are.
            const std::size_t range =
                flip == 0 ? std::min<std::size_t>(64, file.size()) : file.size();
            damaged[(random() >> 8) % range] ^= static_cast<std::byte>(1u << (random() >> 29));
        }
        const auto image = decode_image(damaged, GetParam().name);
        if (image) {
            EXPECT_EQ(image->texels.size(), byte_size(image->format, image->extent));
        } else {
            EXPECT_FALSE(image.error().front().message.empty());
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Codecs, HostileImages,
                         testing::Values(Sample{"a.png", Format::rgba8_unorm},
                                         Sample{"a.hdr", Format::rgba32_sfloat},
                                         Sample{"a.exr", Format::rgba16_sfloat},
                                         Sample{"a.npy", Format::rgba32_sfloat}));

TEST(HostileImage, HeadersThatClaimTooMuchAreRefusedBeforeMemoryIsTaken) {
    // A BMP of 2,000,000,000 x 2 texels.
    std::string bmp = "BM" + std::string(8, '\0') + std::string("\x36\0\0\0\x28\0\0\0", 8) +
                      std::string("\x00\x94\x35\x77\x02\0\0\0\x01\0\x18\0", 12) +
                      std::string(24, '\0');
    const auto image = decode_image(bytes_of(bmp), "huge.bmp");
    EXPECT_THAT(code_of(image), testing::AnyOf("image/too-large", "image/corrupt"));

    EXPECT_THAT(code_of(decode_image(bytes_of("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 99999 +X "
                                              "99999\n"),
                                     "huge.hdr")),
                testing::AnyOf("image/too-large", "image/corrupt"));
    EXPECT_EQ(code_of(decode_image(bytes_of("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 8000 +X "
                                            "8000\n"),
                                   "lie.hdr")),
              "image/corrupt");

    const std::string dictionary =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, 99999999999, 4), }\n";
    std::string npy("\x93NUMPY\x01\x00", 8);
    npy += static_cast<char>(dictionary.size());
    npy += '\0';
    EXPECT_EQ(code_of(decode_image(bytes_of(npy + dictionary), "huge.npy")), "image/too-large");
}

TEST(HostileImage, NpyHeadersThatCannotBeReadAreNamed) {
    const auto decode = [](std::string dictionary) {
        std::string npy("\x93NUMPY\x01\x00", 8);
        npy += static_cast<char>(dictionary.size());
        npy += '\0';
        return code_of(decode_image(bytes_of(npy + dictionary + std::string(64, '\0')), "x.npy"));
    };
    EXPECT_EQ(decode("{'descr': '<f4', 'fortran_order': False, 'shape': (4, 4), }"), "");
    EXPECT_EQ(decode("{'descr': '>f4', 'fortran_order': False, 'shape': (4, 4), }"),
              "image/unsupported");
    EXPECT_EQ(decode("{'descr': '<c8', 'fortran_order': False, 'shape': (4, 4), }"),
              "image/unsupported");
    EXPECT_EQ(decode("{'descr': '<f4', 'fortran_order': True, 'shape': (4, 4), }"),
              "image/unsupported");
    EXPECT_EQ(decode("{'descr': '<f4', 'fortran_order': False, 'shape': (4, 4, 4, 4, 4), }"),
              "image/unsupported");
    EXPECT_EQ(decode("{'descr': '<f4', 'fortran_order': False, 'shape': (x), }"), "image/corrupt");
    EXPECT_EQ(decode("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 4), }"),
              "image/corrupt");
    EXPECT_EQ(decode("{'descr': '<f4', 'fortran_order': False, 'shape': (4, 5), }"),
              "image/corrupt");
    EXPECT_EQ(decode(""), "image/unsupported");
}

TEST(HostileImage, WrongSignaturesMissingFilesAndFoldersAreToldApart) {
    EXPECT_EQ(code_of(decode_image(bytes_of("GIF89a and so on"), "a.png")), "image/unknown-format");
    EXPECT_EQ(code_of(decode_image({}, "a.png")), "image/unknown-format");
    EXPECT_EQ(code_of(decode_image(bytes_of("nonsense"), "a.tga")), "image/corrupt");
    EXPECT_EQ(code_of(load_image(test::empty_folder() / "no_such.png")), "image/not-found");
    EXPECT_EQ(code_of(load_image(test::empty_folder())), "image/unreadable");
    EXPECT_EQ(code_of(decode_image(encoded("a.png", Format::rgba8_unorm), "a.png",
                                   {.ldr = Format::r32_uint})),
              "image/unsupported");
}

TEST(HostileImage, TgaAndBmpAreRead) {
    // 2x1 uncompressed TGA, bottom-up, blue-green-red: red, then blue.
    const std::string tga = std::string("\0\0\2\0\0\0\0\0\0\0\0\0\2\0\1\0\x18\0", 18) +
                            std::string("\0\0\xff\xff\0\0", 6);
    const auto image = decode_image(bytes_of(tga), "small.TGA");
    ASSERT_TRUE(image) << to_string(image.error());
    EXPECT_THAT(image->texel(0, 0), testing::ElementsAre(1.0f, 0.0f, 0.0f, 1.0f));
    EXPECT_THAT(image->texel(1, 0), testing::ElementsAre(0.0f, 0.0f, 1.0f, 1.0f));

    const std::string bmp = "BM" + std::string("\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0", 16) +
                            std::string("\1\0\0\0\1\0\0\0\1\0\x18\0", 12) + std::string(24, '\0') +
                            std::string("\0\xff\0\0", 4);
    const auto green = decode_image(bytes_of(bmp), "small.bmp");
    ASSERT_TRUE(green) << to_string(green.error());
    EXPECT_THAT(green->texel(0, 0), testing::ElementsAre(0.0f, 1.0f, 0.0f, 1.0f));
}

TEST(RealImages, EnvironmentMapsHavePlausibleLight) {
    for (const char* name :
         {"city", "courtyard", "forest", "interior", "night", "studio", "sunrise", "sunset"}) {
        const auto path =
            find_asset(std::string("blender/datafiles/studiolights/world/") + name + ".exr");
        if (!path) GTEST_SKIP() << to_string(path.error());
        const auto image = load_image(*path);
        ASSERT_TRUE(image) << name << to_string(image.error());
        EXPECT_EQ(image->extent.width, 2 * image->extent.height) << name;
        double sum = 0.0;
        for (std::uint32_t y = 0; y < image->extent.height; ++y)
            for (std::uint32_t x = 0; x < image->extent.width; ++x)
                for (std::size_t c = 0; c < 3; ++c) {
                    const float value = image->texel(x, y)[c];
                    ASSERT_TRUE(std::isfinite(value)) << name;
                    ASSERT_GT(value, -0.01f) << name; // DWA compression may undershoot zero
                    sum += static_cast<double>(value);
                }
        const double mean = sum / (3.0 * image->extent.width * image->extent.height);
        EXPECT_GT(mean, 0.001) << name;
        EXPECT_LT(mean, 100.0) << name;
    }
}

TEST(RealImages, PngAndJpegOfTheSampleModelsAreRead) {
    const auto jpeg = find_asset("assimp/models/glTF2/ClearCoat-glTF/PlasticWrap_normals.jpg");
    const auto png = find_asset("assimp/models/glTF2/BoxTexcoords-glTF/texture.png");
    if (!jpeg || !png) GTEST_SKIP() << to_string(jpeg.error());
    const auto normals = load_image(*jpeg);
    ASSERT_TRUE(normals) << to_string(normals.error());
    const auto texel = normals->texel(normals->extent.width / 2, normals->extent.height / 2);
    EXPECT_GT(texel[2], 0.5f) << "a normal map points out of its plane";
    const auto texture = load_image(*png, {.ldr = Format::rgba8_srgb});
    ASSERT_TRUE(texture);
    EXPECT_EQ(texture->format, Format::rgba8_srgb);
}

} // namespace
} // namespace tuff
