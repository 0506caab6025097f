// Pictures that a config has decoded on the device.

#include "tests/common/test_folder.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <tuff/config.hpp>
#include <tuff/graph_runner.hpp>
#include <tuff/image.hpp>

#include <passes/registry.hpp>
#include <turbojpeg.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace tuff {
namespace {

constexpr Extent kPhoto{75, 50};

enum class PhotoCoding : std::uint8_t { baseline, progressive, arithmetic, arithmetic_progressive };

/// By libjpeg-turbo.
std::string photo_file(PhotoCoding coding, int sampling = TJSAMP_420) {
    std::vector<unsigned char> pixels;
    for (std::uint32_t i = 0; i < kPhoto.width * kPhoto.height * 3; ++i)
        pixels.push_back(static_cast<unsigned char>(i % 7 * 9 + i / 75 % 150));
    const bool arithmetic =
        coding == PhotoCoding::arithmetic || coding == PhotoCoding::arithmetic_progressive;
    if (coding == PhotoCoding::progressive || coding == PhotoCoding::arithmetic_progressive)
        setenv("TJ_PROGRESSIVE", "1", 1);
    if (arithmetic) setenv("TJ_ARITHMETIC", "1", 1);
    const tjhandle handle = tjInitCompress();
    unsigned char* file = nullptr;
    unsigned long size = 0;
    EXPECT_EQ(tjCompress2(handle, pixels.data(), kPhoto.width, 0, kPhoto.height, TJPF_RGB, &file,
                          &size, sampling, 90, TJFLAG_ACCURATEDCT),
              0);
    unsetenv("TJ_PROGRESSIVE");
    unsetenv("TJ_ARITHMETIC");
    std::string bytes(reinterpret_cast<const char*>(file), size);
    tjFree(file);
    tjDestroy(handle);
    return bytes;
}

/// Where the frame's segment begins, at its marker.
std::size_t frame_of(const std::string& file) {
    std::size_t at = 2;
    while (static_cast<unsigned char>(file.at(at + 1)) != 0xc0)
        at += 2u + (static_cast<unsigned char>(file.at(at + 2)) << 8 |
                    static_cast<unsigned char>(file.at(at + 3)));
    return at;
}

std::vector<unsigned char> by_library(const std::string& file) {
    std::vector<unsigned char> pixels(std::size_t{kPhoto.width} * kPhoto.height * 4);
    const tjhandle handle = tjInitDecompress();
    EXPECT_EQ(tjDecompress2(handle, reinterpret_cast<const unsigned char*>(file.data()),
                            file.size(), pixels.data(), kPhoto.width, 0, kPhoto.height, TJPF_RGBA,
                            TJFLAG_ACCURATEDCT),
              0);
    tjDestroy(handle);
    return pixels;
}

class JpegAssetTest : public testing_gpu::GpuTest {
  protected:
    struct Built {
        HostImage picture;
        Diagnostics notes;
        std::size_t decoders = 0; ///< nodes of jpeg/decode
    };

    void write(const std::string& name, const std::string& bytes) const {
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
    }
    Result<Config> parse(const std::string& asset) const {
        return Config::parse(R"({"tuff": 1, "assets": {"photo": )" + asset +
                                 R"(}, "nodes": {"same": {"pass": "image/crop",
                                    "in": {"source": "photo"}}}, "outputs": {"o": "same.result"}})",
                             folder_ / "test.json", registry_);
    }
    Built build(const std::string& asset) {
        Built result;
        const auto config = parse(asset);
        EXPECT_TRUE(config) << to_string(config.error());
        if (!config) return result;
        AssetCache assets;
        auto built = config->build(shaders(), assets, {}, device().caps());
        EXPECT_TRUE(built) << to_string(built.error());
        if (!built) return result;
        result.notes = built->graph.diagnostics;
        for (const NodeDesc& node : built->graph.nodes)
            if (built->graph.name(node.name).find("decode_") != std::string_view::npos)
                ++result.decoders;
        GraphRunner runner(device(), {});
        EXPECT_TRUE(runner.take(std::move(built->graph), shaders()));
        EXPECT_TRUE(runner.executor()->execute());
        auto image = runner.executor()->read_image("o");
        EXPECT_TRUE(image);
        if (image) result.picture = std::move(*image);
        return result;
    }
    Result<HostImage> load_image_of(const std::string& file) const {
        write("loaded.jpg", file);
        return load_image(folder_ / "loaded.jpg");
    }
    static bool is(const HostImage& got, const std::vector<unsigned char>& expected) {
        return got.texels.size() == expected.size() &&
               std::equal(expected.begin(), expected.end(),
                          reinterpret_cast<const unsigned char*>(got.texels.data()));
    }

    std::filesystem::path folder_ = test::empty_folder();
    PassRegistry registry_ = passes::make_registry();
};

TEST_F(JpegAssetTest, ABaselineFileIsDecodedByThePass) {
    const std::string file = photo_file(PhotoCoding::baseline);
    write("photo.jpg", file);
    const Built built = build(R"({"image": "photo.jpg", "decode": "device"})");
    EXPECT_GT(built.decoders, 0u);
    EXPECT_TRUE(built.notes.empty());
    EXPECT_TRUE(is(built.picture, by_library(file)));
    EXPECT_EQ(build(R"({"image": "photo.jpg", "decode": "library"})").decoders, 0u);
}

TEST_F(JpegAssetTest, OtherFilesGoToTheLibraryWithANote) {
    write("photo.jpg", photo_file(PhotoCoding::progressive));
    const Built progressive = build(R"({"image": "photo.jpg", "decode": "device"})");
    EXPECT_EQ(progressive.decoders, 0u);
    ASSERT_EQ(progressive.notes.size(), 1u);
    EXPECT_EQ(progressive.notes[0].code, "config/decoded-by-library");
    EXPECT_NE(progressive.notes[0].message.find("progressive"), std::string::npos);
    EXPECT_EQ(progressive.picture.texels, build(R"({"image": "photo.jpg"})").picture.texels);

    HostImage png = make_image(Format::rgba8_unorm, {5, 3, 1});
    png.set_texel({1.0f, 0.5f, 0.0f, 1.0f}, 2, 1);
    ASSERT_TRUE(save_image(folder_ / "picture.png", png));
    const Built other = build(R"({"image": "picture.png", "decode": "device"})");
    ASSERT_EQ(other.notes.size(), 1u);
    EXPECT_EQ(other.picture.texels, png.texels);
}

// stb reads none of them.
TEST_F(JpegAssetTest, ArithmeticCodesAreReadByLibjpegTurbo) {
    for (const PhotoCoding coding : {PhotoCoding::arithmetic, PhotoCoding::arithmetic_progressive})
        for (const int sampling : {TJSAMP_420, TJSAMP_444, TJSAMP_GRAY}) {
            const std::string file = photo_file(coding, sampling);
            write("photo.jpg", file);
            const Built built = build(R"({"image": "photo.jpg", "decode": "device"})");
            EXPECT_EQ(built.decoders, 0u);
            ASSERT_EQ(built.notes.size(), 1u);
            EXPECT_EQ(built.notes[0].code, "config/decoded-by-library");
            EXPECT_TRUE(is(built.picture, by_library(file)));
            EXPECT_TRUE(is(build(R"({"image": "photo.jpg"})").picture, by_library(file)));

            const auto cut = load_image_of(file.substr(0, file.size() / 2));
            ASSERT_FALSE(cut);
            EXPECT_EQ(cut.error()[0].code, "image/corrupt");
        }
}

TEST_F(JpegAssetTest, WhatNoLibraryReadsIsReported) {
    const auto expect_refusal = [&](const std::string& file, std::string_view what) {
        const auto loaded = load_image_of(file);
        ASSERT_FALSE(loaded) << what;
        EXPECT_EQ(loaded.error()[0].code, "image/unsupported");
        EXPECT_NE(loaded.error()[0].message.find(what), std::string::npos)
            << loaded.error()[0].message;
    };
    const std::string file = photo_file(PhotoCoding::baseline);
    const std::size_t frame = frame_of(file);
    std::string other = file;
    other[frame + 4] = 12;
    expect_refusal(other, "12 bits");

    other = file;
    other[frame + 1] = static_cast<char>(0xc3);
    expect_refusal(other, "lossless");

    other = file;
    other[frame + 3] = 8 + 3 * 2;
    other[frame + 9] = 2;
    other.erase(frame + 10 + 6, 3);
    expect_refusal(other, "2 components");
}

TEST_F(JpegAssetTest, MistakesAreReported) {
    for (const char* asset : {R"({"image": "a.jpg", "decode": "gpu"})",
                              R"({"image": "a.jpg", "decode": "device", "srgb": true})",
                              R"({"image": "a.jpg", "decode": "device", "mips": true})",
                              R"({"image": "a_%d.jpg", "frames": [0, 1], "decode": "device"})"}) {
        const auto config = parse(asset);
        ASSERT_FALSE(config) << asset;
        EXPECT_EQ(config.error()[0].code, "config/bad-asset") << asset;
    }
    const auto config = parse(R"({"image": "missing.jpg", "decode": "device"})");
    ASSERT_TRUE(config);
    AssetCache assets;
    const auto built = config->build(shaders(), assets, {}, device().caps());
    ASSERT_FALSE(built);
}

} // namespace
} // namespace tuff
