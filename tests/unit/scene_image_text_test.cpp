// Texts that pictures carry, read by other means than those that wrote them.

#include "tests/common/test_folder.hpp"

#include <tuff/image.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace tuff {
namespace {

const std::vector<ImageText> kTexts = {{"tuff.config", "smoke.json"},
                                       {"tuff.parameters", R"({"sigma":0.5,"name":"Überlauf"})"}};

/// The checksum of PNG (specification, annex D), bit by bit.
std::uint32_t png_checksum(std::string_view bytes) {
    std::uint32_t sum = ~0u;
    for (const char byte : bytes) {
        sum ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit)
            sum = (sum >> 1) ^ ((sum & 1u) != 0 ? 0xEDB88320u : 0u);
    }
    return ~sum;
}

std::uint32_t number(std::string_view bytes) {
    std::uint32_t value = 0;
    for (const char byte : bytes)
        value = value << 8 | static_cast<unsigned char>(byte);
    return value;
}

class ImageTexts : public testing::Test {
  protected:
    ImageTexts() {
        for (std::size_t i = 0; i < picture.texels.size(); ++i)
            picture.texels[i] = static_cast<std::byte>(i * 7 | 128);
    }
    std::string saved(const char* name, const HostImage& image,
                      const std::vector<ImageText>& texts = kTexts) const {
        const auto file = folder / name;
        const auto done = save_image(file, image, texts);
        EXPECT_TRUE(done) << to_string(done.error());
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    const std::filesystem::path folder = test::empty_folder();
    HostImage picture = make_image(Format::rgba8_unorm, {5, 3, 1});
};

TEST_F(ImageTexts, of_png_are_whole_chunks_before_the_picture) {
    const std::string file = saved("a.png", picture);
    std::vector<std::pair<std::string, std::string>> chunks;
    for (std::size_t at = 8; at + 12 <= file.size();) {
        const std::size_t size = number(file.substr(at, 4));
        ASSERT_LE(at + 12 + size, file.size());
        EXPECT_EQ(number(file.substr(at + 8 + size, 4)),
                  png_checksum(file.substr(at + 4, size + 4)));
        chunks.emplace_back(file.substr(at + 4, 4), file.substr(at + 8, size));
        at += 12 + size;
    }
    ASSERT_GE(chunks.size(), 5u);
    EXPECT_EQ(chunks[0].first, "IHDR");
    for (std::size_t i = 0; i < kTexts.size(); ++i) {
        EXPECT_EQ(chunks[i + 1].first, "iTXt");
        EXPECT_EQ(chunks[i + 1].second,
                  kTexts[i].name + std::string("\0\0\0\0\0", 5) + kTexts[i].text);
    }
    EXPECT_EQ(chunks.back().first, "IEND");
    EXPECT_EQ(load_image(folder / "a.png")->texels, picture.texels);
}

TEST_F(ImageTexts, of_exr_are_attributes) {
    const HostImage floats = convert(picture, Format::rgba32_sfloat);
    const std::string file = saved("a.exr", floats);
    for (const ImageText& text : kTexts)
        EXPECT_NE(file.find(text.name + std::string("\0string\0", 8)), std::string::npos);
    EXPECT_NE(file.find(kTexts[1].text), std::string::npos);
    EXPECT_EQ(load_image(folder / "a.exr")->texels, floats.texels);
}

TEST_F(ImageTexts, of_jpeg_are_a_comment_behind_the_first_segment) {
    const std::string plain = saved("plain.jpg", picture, {});
    std::vector<ImageText> texts = kTexts;
    texts.insert(texts.begin(), {"long", std::string(70'000, 'x')}); // has no room
    const std::string file = saved("a.jpg", picture, texts);
    const std::size_t behind = 2 + 2 + number(file.substr(4, 2));
    EXPECT_EQ(number(file.substr(behind, 2)), 0xFFFEu);
    const std::size_t size = number(file.substr(behind + 2, 2));
    EXPECT_EQ(file.substr(behind + 4, size - 2),
              "tuff.config: smoke.json\ntuff.parameters: " + kTexts[1].text + "\n");
    EXPECT_EQ(file.substr(0, behind) + file.substr(behind + 2 + size), plain);
}

TEST_F(ImageTexts, are_left_out_of_files_without_room) {
    EXPECT_EQ(saved("a.npy", picture), saved("b.npy", picture, {}));
}

} // namespace
} // namespace tuff
