// Picture sequences and films in whole runs: what comes out is what went in, one plan serves all
// frames, and manifests know the files.

#include "run_tuff.hpp"
#include "small_config.hpp"
#include "tests/common/film_files.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <json/json.h>

#include <filesystem>
#include <sstream>
#include <string>

namespace tuff::test {
namespace {

using testing::HasSubstr;

class Series : public testing::Test {
  protected:
    Series() {
        for (int number = 1; number <= 4; ++number)
            EXPECT_TRUE(save_image(folder.path() / fmt::format("in_{}.png", number),
                                   film_picture(10 * number, {37, 21, 1})));
        folder.write("sequence.json", R"({"tuff": 1, "size": [37, 21],
            "assets": {"in": {"image": "in_%d.png", "frames": [1, 4], "mips": true}},
            "nodes": {"half": {"pass": "image/resize", "in": {"source": "in"},
                               "params": {"width": 37, "height": 21, "filter": "nearest"}}},
            "outputs": {"out": {"from": "half.result", "file": "out_%d.png"}}})");
    }
    int red_of(const std::string& file) {
        const auto image = load_image(folder.path() / file);
        return image ? std::to_integer<int>(image->texels[0]) : -1;
    }
    Json::Value manifest(const std::string& folder_name) {
        Json::Value json;
        std::istringstream(folder.read(folder_name + "/manifest.json")) >> json;
        return json;
    }

    WorkFolder folder;
};

TEST_F(Series, EachFrameIsMadeFromItsPictureByOnePlan) {
    const CommandResult result =
        run_tuff({"run", "sequence.json", "--frames", "1:6", "--manifest", "--out-dir", "made"},
                 folder.path());
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    for (int frame = 1; frame < 6; ++frame)
        EXPECT_EQ(red_of(fmt::format("made/out_{}.png", frame)), 10 * std::min(frame + 1, 4));
    const Json::Value run = manifest("made")["runs"][0];
    EXPECT_EQ(run["compiled_plans"].asInt(), 1);
    std::vector<std::string> inputs;
    for (const Json::Value& input : run["inputs"])
        inputs.push_back(std::filesystem::path(input["file"].asString()).filename());
    EXPECT_THAT(inputs,
                testing::IsSupersetOf({"sequence.json", "in_2.png", "in_3.png", "in_4.png"}));
}

TEST_F(Series, AChangedPictureRepeatsTheRun) {
    const auto run = [&] {
        return run_tuff(
            {"run", "sequence.json", "--frames", "0:4", "--manifest", "--out-dir", "made"},
            folder.path());
    };
    ASSERT_EQ(run().exit_code, 0);
    EXPECT_THAT(run().output, HasSubstr("skipped 1 run"));
    ASSERT_TRUE(save_image(folder.path() / "in_3.png", film_picture(77, {37, 21, 1})));
    const CommandResult again = run();
    EXPECT_EQ(again.exit_code, 0) << again.errors;
    EXPECT_EQ(red_of("made/out_2.png"), 77);
}

TEST_F(Series, AHoleStopsBeforeAnythingIsWritten) {
    std::filesystem::remove(folder.path() / "in_3.png");
    const CommandResult result =
        run_tuff({"run", "sequence.json", "--frames", "4", "--out-dir", "made"}, folder.path());
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.errors, HasSubstr("sequence/hole"));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "made/out_0.png"));
}

TEST_F(Series, AFilmIsReadAndMadeAgain) {
    if (!have_ffmpeg()) GTEST_SKIP() << "no ffmpeg";
    make_film(folder.path() / "film.mkv", 5);
    folder.write("film.json", R"json({"tuff": 1, "assets": {"in": {"film": "film.mkv"}},
        "nodes": {"up": {"pass": "image/map", "in": {"source": "in"},
                         "params": {"expression": "vec4(x.r + 2.0 / 255.0, x.gba)"}}},
        "outputs": {"out": {"from": "up.result", "file": "out_%d.png"}}})json");
    const CommandResult result = run_tuff({"run", "film.json", "--frames", "6"}, folder.path());
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    for (int frame = 0; frame < 6; ++frame)
        EXPECT_EQ(red_of(fmt::format("out_{}.png", frame)), std::min(frame, 4) + 2);
}

} // namespace
} // namespace tuff::test
