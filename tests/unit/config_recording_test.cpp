// Recordings of depth cameras as assets of a config: which pictures and poses belong together.

#include "config_toys.hpp"
#include "tests/common/film_files.hpp"
#include "tests/common/test_folder.hpp"

#include <tuff/image.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace tuff {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class ConfigRecordings : public testing::Test {
  protected:
    void write(const std::string& name, const std::string& text) {
        std::filesystem::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name, std::ios::binary) << text;
    }
    /// A picture of one colour: red is the number.
    void picture(const std::string& name, int number, Extent extent = {5, 3, 1}) {
        std::filesystem::create_directories((folder_ / name).parent_path());
        ASSERT_TRUE(save_image(folder_ / name, test::film_picture(number, extent)));
    }
    Result<ConfiguredGraph> build(std::string_view part, std::int64_t frame = 0,
                                  std::string_view more = "", const ConfigOptions& options = {}) {
        const std::string text =
            fmt::format("{{\"tuff\": 1,\n \"assets\": {{\"a\": {{\"recording\": \"rec\", \"part\": "
                        "\"{}\"{}}}}}, \"outputs\": {{\"o\": \"a\"}}}}",
                        part, more);
        auto config = Config::parse(text, folder_ / "test.json", registry_, options);
        if (!config) return propagate(std::move(config));
        return config->build(shaders_, assets_, {.frame = frame});
    }
    std::string error_of(std::string_view part, std::string_view more = "") {
        assets_.clear();
        const auto built = build(part, 0, more);
        return built ? "" : to_string(built.error());
    }
    /// The numbers of the pictures of these frames; -1 where there is none, which must be said.
    std::vector<int> shown(std::string_view part, int frames) {
        std::vector<int> numbers;
        for (int i = 0; i < frames; ++i) {
            const auto built = build(part, i);
            if (!built) {
                ADD_FAILURE() << to_string(built.error());
                return {};
            }
            bool is_missing = false;
            for (const Diagnostic& one : built->graph.diagnostics)
                is_missing = is_missing || one.code == "sequence/missing-picture";
            int number = -2;
            for (const auto& payload : built->graph.payloads)
                if (const auto* upload = std::get_if<UploadNode>(&payload))
                    number = std::to_integer<int>(upload->bytes->front());
            EXPECT_EQ(is_missing, number == 0) << i;
            numbers.push_back(is_missing ? -1 : number);
        }
        return numbers;
    }
    std::vector<float> poses() {
        const auto built = build("poses");
        if (!built) {
            ADD_FAILURE() << to_string(built.error());
            return {};
        }
        const auto& bytes = *built->graph.resources.at(0).contents;
        std::vector<float> numbers(bytes.size() / sizeof(float));
        std::memcpy(numbers.data(), bytes.data(), bytes.size());
        return numbers;
    }

    const std::filesystem::path folder_ = test::empty_folder();
    PassRegistry registry_ = toys::make_registry();
    toys::NoShaders shaders_;
    AssetCache assets_;
};

/// Times within 20 ms belong together, the nearest ones; the order of the lists does not count.
TEST_F(ConfigRecordings, TumsTimesAreBroughtTogether) {
    std::string depths = "# timestamp filename\n\n";
    for (int i = 5; i-- > 0;) {
        depths += fmt::format("{}.000000 d/{}.png\n", 100 + i, i);
        picture(fmt::format("rec/d/{}.png", i), 10 + i);
    }
    write("rec/depth.txt", depths);
    std::string colors;
    const auto color = [&](const char* time, int number) {
        colors += fmt::format("{} c/{}.png\n", time, number);
        picture(fmt::format("rec/c/{}.png", number), number);
    };
    color("99.990000", 51); // nearer than the next
    color("100.012000", 52);
    color("101.021000", 53); // too far
    color("101.980000", 54); // 20 ms, just
    color("103.015000", 55); // farther than the next
    color("103.014000", 56);
    write("rec/rgb.txt", colors + "104.0 c/gone.png\n");
    EXPECT_THAT(shown("color", 5), ElementsAre(51, -1, 54, 56, -1));
    EXPECT_THAT(shown("depth", 5), ElementsAre(10, -1, 12, 13, -1))
        << "a frame without a color is none";

    write("rec/groundtruth.txt", "# x y z q\n"
                                 "100.004 9 9 9 0 0 0 1\n100.001 1 2 3 0 0 0.70710678 0.70710678\n"
                                 "102 1 2 3 nan 0 0 1\n103 4 5 6 0 0 0 0\n104 7 8 9 0 2 0 0\n");
    assets_.clear();
    const auto numbers = poses();
    ASSERT_EQ(numbers.size(), 5u * 16);
    // A quarter turn about z: x becomes y.
    const std::vector<float> quarter{0, -1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 3, 0, 0, 0, 1};
    const std::vector<float> half{-1, 0, 0, 7, 0, 1, 0, 8, 0, 0, -1, 9, 0, 0, 0, 1};
    for (std::size_t i = 0; i < 16; ++i) {
        EXPECT_NEAR(numbers[i], quarter[i], 1e-6f) << i;
        EXPECT_NEAR(numbers[64 + i], half[i], 1e-6f) << i << ", of a quaternion of length 2";
        for (const std::size_t frame : {1u, 2u, 3u})
            EXPECT_TRUE(std::isnan(numbers[16 * frame + i])) << "nobody knows where it was";
    }
}

TEST_F(ConfigRecordings, SevenScenesNumbersAreFramesAlsoWithoutPictures) {
    for (const int number : {7, 8, 10}) {
        picture(fmt::format("rec/frame-{:06}.depth.png", number), number);
        if (number != 8) picture(fmt::format("rec/frame-{:06}.color.png", number), 50 + number);
    }
    write("rec/frame-000007.pose.txt", "1 0 0 4\r\n0 1 0 5\r\n0 0 1 6\r\n0 0 0 1\r\n");
    write("rec/frame-000010.pose.txt", "-1.#IND 0 0 4\n0 inf 0 5\n0 0 1 6\n0 0 0 1\n");
    write("rec/frame-seven.depth.png", "is of something else");
    EXPECT_THAT(shown("depth", 4), ElementsAre(7, -1, -1, 10));
    EXPECT_THAT(shown("color", 4), ElementsAre(57, -1, -1, 60));
    const auto numbers = poses();
    ASSERT_EQ(numbers.size(), 4u * 16);
    EXPECT_EQ(numbers[3], 4.0f);
    EXPECT_EQ(numbers[15], 1.0f);
    for (std::size_t i = 16; i < 48; ++i)
        EXPECT_TRUE(std::isnan(numbers[i]));
    EXPECT_TRUE(std::isnan(numbers[48]));
    EXPECT_TRUE(std::isinf(numbers[53]));
}

/// Depths alone are a recording; colors and poses are asked for where there are any.
TEST_F(ConfigRecordings, ColorsAndPosesMayBeMissing) {
    picture("rec/frame-000000.depth.png", 3);
    EXPECT_THAT(shown("depth", 1), ElementsAre(3));
    EXPECT_THAT(error_of("color"), HasSubstr("sequence/no-recording"));
    EXPECT_THAT(error_of("poses"),
                AllOf(HasSubstr("sequence/no-recording"), HasSubstr("test.json:2")));
}

TEST_F(ConfigRecordings, WhatCannotBeReadIsSaidWithItsPlace) {
    EXPECT_THAT(error_of("depth"),
                AllOf(HasSubstr("sequence/no-recording"), HasSubstr("'rec'"), HasSubstr("TUM")));
    EXPECT_THAT(error_of("sound"), AllOf(HasSubstr("config/bad-asset"), HasSubstr("poses")));
    EXPECT_THAT(error_of("depth", ", \"mips\": true"), HasSubstr("config/unknown-key"));
    picture("rec/frame-000000.depth.png", 1);
    picture("rec/frame-000001.depth.png", 2, {4, 4, 1});
    EXPECT_THAT(error_of("depth", ", \"at\": 1"), HasSubstr("sequence/size"));
    EXPECT_THAT(error_of("depth", ", \"at\": 2, \"end\": \"error\""), HasSubstr("sequence/ended"));
    write("rec/frame-000000.pose.txt", "1 0 0 0  0 1 0 0  0 0 1 0  0 0 0");
    EXPECT_THAT(error_of("depth"), AllOf(HasSubstr("sequence/bad-list"), HasSubstr("15 numbers"),
                                         HasSubstr("frame-000000.pose.txt")));
    write("rec/frame-000000.pose.txt", "1 0 0 zero");
    EXPECT_THAT(error_of("depth"), AllOf(HasSubstr("sequence/bad-list"), HasSubstr("zero")));

    write("rec/depth.txt", "1.5 frame-000000.depth.png\nnan x.png\n");
    EXPECT_THAT(error_of("depth"),
                AllOf(HasSubstr("sequence/bad-list"), HasSubstr("line 2"), HasSubstr("depth.txt")));
    write("rec/depth.txt", "1.5 frame-000000.depth.png\n");
    write("rec/groundtruth.txt", "1.5 0 0 0 0 0 1\n");
    EXPECT_THAT(error_of("depth"), AllOf(HasSubstr("sequence/bad-list"), HasSubstr("line 1")));
    write("rec/groundtruth.txt", "1.5 0 0 0 0 0 x 1\n");
    EXPECT_THAT(error_of("depth"), AllOf(HasSubstr("sequence/bad-list"), HasSubstr("\"x\"")));
    write("rec/groundtruth.txt", "");
    EXPECT_EQ(error_of("depth"), "");
}

TEST_F(ConfigRecordings, PicturesOutsideAreNotRead) {
    picture("rec/in.png", 1);
    picture("out.png", 2);
    write("rec/depth.txt", "1 in.png\n2 ../out.png\n");
    const ConfigOptions confined{.confined_to = {folder_ / "rec"}};
    const auto built = build("depth", 0, "", confined);
    ASSERT_FALSE(built);
    EXPECT_THAT(to_string(built.error()), HasSubstr("asset/outside"));
}

} // namespace
} // namespace tuff
