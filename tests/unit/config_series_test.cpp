// Pictures that follow one another as assets of a config: numbered files and films.

#include "config_toys.hpp"
#include "tests/common/film_files.hpp"
#include "tests/common/test_folder.hpp"

#include <tuff/image.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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

class ConfigSeries : public testing::Test {
  protected:
    /// Pictures of one colour: red is the number.
    void write_pictures(int first, int last, Extent extent = {5, 3, 1}) {
        for (int number = first; number <= last; ++number)
            ASSERT_TRUE(save_image(folder_ / fmt::format("in_{:03}.png", number),
                                   test::film_picture(number, extent)));
    }
    Result<Config> parse(std::string_view asset, const ConfigOptions& options = {}) {
        const std::string text = "{\"tuff\": 1,\n \"assets\": {\"a\": " + std::string(asset) +
                                 "}, \"outputs\": {\"o\": \"a\"}}";
        return Config::parse(text, folder_ / "test.json", registry_, options);
    }
    Result<ConfiguredGraph> build(std::string_view asset, std::int64_t frame,
                                  const ConfigOptions& options = {}) {
        auto config = parse(asset, options);
        if (!config) return propagate(std::move(config));
        return config->build(shaders_, assets_, {.frame = frame, .time = double(frame) / 10});
    }
    std::string error_of(std::string_view asset, std::int64_t frame = 0,
                         const ConfigOptions& options = {}) {
        const auto built = build(asset, frame, options);
        return built ? "" : to_string(built.error());
    }
    /// The number of the picture that a frame shows; -1 where there is none.
    static int shown(const Result<ConfiguredGraph>& built) {
        if (!built) {
            ADD_FAILURE() << to_string(built.error());
            return -1;
        }
        const auto bytes = uploaded(built->graph);
        return bytes ? std::to_integer<int>(bytes->front()) : -1;
    }
    static std::shared_ptr<const std::vector<std::byte>> uploaded(const GraphDesc& graph) {
        for (const auto& payload : graph.payloads)
            if (const auto* upload = std::get_if<UploadNode>(&payload)) return upload->bytes;
        return {};
    }
    std::vector<int> shown(std::string_view asset, std::vector<std::int64_t> frames) {
        std::vector<int> numbers;
        for (const std::int64_t frame : frames)
            numbers.push_back(shown(build(asset, frame)));
        return numbers;
    }

    const std::filesystem::path folder_ = test::empty_folder();
    PassRegistry registry_ = toys::make_registry();
    toys::NoShaders shaders_;
    AssetCache assets_;
};

TEST_F(ConfigSeries, EachFrameShowsThePictureOfItsNumber) {
    write_pictures(7, 10);
    const std::string asset = R"({"image": "in_%03d.png", "frames": [7, 10]})";
    EXPECT_THAT(shown(asset, {0, 1, 2, 3, 2, 0}), ElementsAre(7, 8, 9, 10, 9, 7));
    EXPECT_TRUE(parse(asset)->animated());
}

TEST_F(ConfigSeries, AtSaysWhichPictureAndEndWhatStandsBeyond) {
    write_pictures(1, 3);
    const auto with = [](std::string_view more) {
        return R"({"image": "in_%03d.png", "frames": [1, 3], )" + std::string(more) + "}";
    };
    EXPECT_THAT(shown(with(R"("at": "=$frame/2")"), {0, 1, 2, 3, 4}), ElementsAre(1, 1, 2, 2, 3));
    EXPECT_THAT(shown(with(R"("at": "=20*$time-1")"), {0, 1, 2, 9}), ElementsAre(1, 2, 3, 3));
    EXPECT_THAT(shown(with(R"("at": "=$frame-2", "end": "hold")"), {0, 1, 2, 3, 4, 5, 6}),
                ElementsAre(1, 1, 1, 2, 3, 3, 3));
    EXPECT_THAT(shown(with(R"("at": "=$frame-2", "end": "repeat")"), {0, 1, 2, 3, 4, 5, 6}),
                ElementsAre(2, 3, 1, 2, 3, 1, 2));
    EXPECT_THAT(shown(with(R"("at": "=$frame-2", "end": "ping-pong")"), {0, 1, 2, 3, 4, 5, 6, 7}),
                ElementsAre(3, 2, 1, 2, 3, 2, 1, 2));
    EXPECT_THAT(shown(with(R"("end": "error")"), {0, 2}), ElementsAre(1, 3));
    EXPECT_THAT(error_of(with(R"("end": "error")"), 3),
                AllOf(HasSubstr("sequence/ended"), HasSubstr("test.json:2")));
    EXPECT_THAT(error_of(with(R"("at": -1, "end": "error")")), HasSubstr("sequence/ended"));
    EXPECT_THAT(shown(with(R"("at": 2)"), {0, 5}), ElementsAre(3, 3));
    EXPECT_FALSE(parse(with(R"("at": 2)"))->animated());
}

TEST_F(ConfigSeries, OneOfOnePictureTurnsNowhere) {
    write_pictures(4, 4);
    for (const char* end : {"hold", "repeat", "ping-pong"})
        EXPECT_THAT(shown(fmt::format(R"({{"image": "in_%03d.png", "frames": [4, 4],
                                           "end": "{}"}})",
                                      end),
                          {0, 1, 2, 7}),
                    ElementsAre(4, 4, 4, 4))
            << end;
}

TEST_F(ConfigSeries, TheNextPictureChangesNoStructure) {
    write_pictures(1, 4);
    const std::string text = R"({"tuff": 1, "assets": {
        "now": {"image": "in_%03d.png", "frames": [1, 4], "mips": true},
        "before": {"image": "in_%03d.png", "frames": [1, 4], "at": "=$frame-1", "srgb": true}},
        "outputs": {"a": "now", "b": "before"}})";
    const auto config = Config::parse(text, folder_ / "test.json", registry_);
    ASSERT_TRUE(config) << to_string(config.error());
    std::vector<ConfiguredGraph> graphs;
    for (std::int64_t frame = 0; frame < 4; ++frame) {
        auto built = config->build(shaders_, assets_, {.frame = frame});
        ASSERT_TRUE(built) << to_string(built.error());
        graphs.push_back(std::move(*built));
    }
    // In frame 0 both show the first one, and still are two.
    for (const ConfiguredGraph& graph : graphs)
        EXPECT_TRUE(same_structure(graphs[0].graph, graph.graph));
    EXPECT_THAT(graphs[3].files, ElementsAre(folder_ / "in_003.png", folder_ / "in_004.png"));
}

TEST_F(ConfigSeries, APictureThatStaysIsTheSameBytes) {
    write_pictures(1, 2);
    const std::string asset = R"({"image": "in_%03d.png", "frames": [1, 2]})";
    const auto bytes = [&](std::int64_t frame) {
        const auto built = build(asset, frame);
        return built ? uploaded(built->graph) : nullptr;
    };
    EXPECT_EQ(bytes(1), bytes(5));
    EXPECT_NE(bytes(0), bytes(1));
}

TEST_F(ConfigSeries, MistakesAreToldWithTheirPlace) {
    write_pictures(1, 5);
    std::filesystem::remove(folder_ / "in_003.png");
    EXPECT_THAT(
        error_of(R"({"image": "in_%03d.png", "frames": [1, 5]})"),
        AllOf(HasSubstr("sequence/hole"), HasSubstr("in_003.png"), HasSubstr("test.json:2")));
    write_pictures(3, 3, {4, 4, 1});
    EXPECT_EQ(error_of(R"({"image": "in_%03d.png", "frames": [1, 5]})", 1), "");
    EXPECT_THAT(error_of(R"({"image": "in_%03d.png", "frames": [1, 5]})", 2),
                AllOf(HasSubstr("sequence/size"), HasSubstr("in_003.png"), HasSubstr("4x4")));
    EXPECT_THAT(error_of(R"({"image": "in_%03d.png", "frames": [1, 6]})"), HasSubstr("in_006.png"));
    EXPECT_THAT(error_of(R"({"image": "in_%03d.png", "frames": [8, 9]})"),
                HasSubstr("asset/not-found"));
    EXPECT_THAT(error_of(R"({"image": "in_%03d.png", "frames": [2, 1]})"),
                HasSubstr("sequence/empty"));
    EXPECT_THAT(error_of(R"({"image": "in_%03d.png", "frames": [1, 9000000]})"),
                HasSubstr("sequence/empty"));
    EXPECT_THAT(error_of(R"({"image": "in_%03d.png", "frames": [1.5, 2]})"),
                HasSubstr("config/out-of-range"));
    EXPECT_THAT(error_of(R"({"image": "in_%03d.png", "frames": 3})"),
                HasSubstr("config/wrong-type"));
    EXPECT_THAT(error_of(R"({"image": "in_%03d.png"})"),
                AllOf(HasSubstr("config/bad-asset"), HasSubstr("\"frames\"")));
    EXPECT_THAT(error_of(R"({"image": "in.png", "frames": [1, 2]})"),
                AllOf(HasSubstr("config/bad-file"), HasSubstr("%04d")));
    EXPECT_THAT(error_of(R"({"image": "%d_%d.png", "frames": [1, 2]})"),
                HasSubstr("config/bad-file"));
    EXPECT_THAT(error_of(R"({"image": "in_%03d.png", "frames": [1, 2], "end": "loop"})"),
                AllOf(HasSubstr("config/unknown-end"), HasSubstr("repeat")));
    EXPECT_THAT(error_of(R"({"image": "in_001.png", "at": 2})"), HasSubstr("config/unknown-key"));
    EXPECT_THAT(error_of(R"({"film": "in_001.png", "frames": [1, 2]})"),
                HasSubstr("config/unknown-key"));
    EXPECT_THAT(error_of(R"({"image": "in_%03d.png", "frames": [1, 2], "at": "=1/0"})"),
                HasSubstr("config/"));
}

TEST_F(ConfigSeries, EveryFileIsConfined) {
    write_pictures(1, 2);
    const std::filesystem::path outside = std::filesystem::path(TUFF_TEST_OUTPUT_DIR) / "outside";
    std::filesystem::create_directories(outside);
    std::filesystem::create_symlink(outside / "secret.png", folder_ / "in_003.png");
    ASSERT_TRUE(save_image(outside / "secret.png", test::film_picture(3, {5, 3, 1})));
    const ConfigOptions confined{.confined_to = {folder_}};
    EXPECT_EQ(error_of(R"({"image": "in_%03d.png", "frames": [1, 2]})", 1, confined), "");
    assets_.clear();
    EXPECT_THAT(error_of(R"({"image": "in_%03d.png", "frames": [1, 3]})", 0, confined),
                HasSubstr("asset/outside"));
    EXPECT_EQ(error_of(R"({"image": "in_%03d.png", "frames": [1, 3]})", 2), "");
}

TEST_F(ConfigSeries, OldPicturesAreForgottenAndTheirFilesKnown) {
    AssetCache cache;
    int reads = 0;
    const auto get = [&](int number, std::size_t bytes) {
        const auto picture = cache.get_picture(
            fmt::format("{}", number), {folder_ / fmt::format("{}.png", number)},
            [&]() -> Result<ImageAsset> {
                ++reads;
                return ImageAsset{.desc = {},
                                  .texels = std::make_shared<const std::vector<std::byte>>(bytes)};
            });
        ASSERT_TRUE(picture);
        EXPECT_EQ((*picture)->texels->size(), bytes);
    };
    const std::size_t third = AssetCache::kMaxPictureBytes / 3;
    for (const int number : {1, 2, 3, 1})
        get(number, third);
    EXPECT_EQ(reads, 3) << "three fit";
    get(4, third); // in place of 2, which nobody has asked for the longest
    get(1, third);
    get(3, third);
    EXPECT_EQ(reads, 4);
    get(2, third);
    EXPECT_EQ(reads, 5);
    get(5, 2 * AssetCache::kMaxPictureBytes); // alone
    EXPECT_EQ(cache.files().size(), 5u);
}

TEST_F(ConfigSeries, AnInputTakesASequenceOfItsAssetAndFilms) {
    write_pictures(1, 2);
    std::filesystem::create_directory(folder_ / "more");
    for (int number = 1; number <= 2; ++number)
        ASSERT_TRUE(save_image(folder_ / fmt::format("more/x{}.png", number),
                               test::film_picture(100 + number, {5, 3, 1})));
    auto config = parse(R"({"image": "in_%03d.png", "frames": [1, 2]})");
    ASSERT_TRUE(config);
    ASSERT_TRUE(config->set_file("a", folder_ / "more/x%d.png"));
    EXPECT_EQ(shown(config->build(shaders_, assets_, {.frame = 1})), 102);
    ASSERT_TRUE(config->set_file("a", folder_ / "more/x1.png"));
    const auto single = config->build(shaders_, assets_);
    ASSERT_FALSE(single);
    EXPECT_EQ(single.error().front().code, "config/bad-file");

    if (!test::have_ffmpeg()) GTEST_SKIP() << "no ffmpeg";
    test::make_film(folder_ / "film.mkv", 4);
    auto open = Config::parse(R"({"tuff": 1, "inputs": {"a": "Image"}, "outputs": {"o": "a"}})",
                              folder_ / "test.json", registry_);
    ASSERT_TRUE(open);
    EXPECT_FALSE(open->animated());
    ASSERT_TRUE(open->set_file("a", folder_ / "film.mkv"));
    EXPECT_TRUE(open->animated());
    for (const int frame : {0, 2, 3, 9})
        EXPECT_EQ(shown(open->build(shaders_, assets_, {.frame = frame})), std::min(frame, 3));
}

TEST_F(ConfigSeries, AFilmShowsItsPicturesInAnyOrder) {
    if (!test::have_ffmpeg()) GTEST_SKIP() << "no ffmpeg";
    test::make_film(folder_ / "film.mkv", 12);
    const std::string asset = R"({"film": "film.mkv"})";
    EXPECT_THAT(shown(asset, {0, 1, 2, 7, 3, 11, 12, 0}), ElementsAre(0, 1, 2, 7, 3, 11, 11, 0));
    EXPECT_THAT(shown(R"({"film": "film.mkv", "end": "repeat"})", {12, 25}), ElementsAre(0, 1));
    EXPECT_TRUE(parse(asset)->animated());
    const auto srgb = build(R"({"film": "film.mkv", "srgb": true})", 0);
    ASSERT_TRUE(srgb);
    EXPECT_TRUE(std::ranges::any_of(srgb->graph.resources, [](const ResourceDesc& resource) {
        const auto* image = std::get_if<ImageDesc>(&resource.desc);
        return image && image->format == Format::rgba8_srgb && image->extent == Extent{32, 16, 1};
    }));
    EXPECT_THAT(error_of(R"({"film": "none.mp4"})"),
                AllOf(HasSubstr("asset/not-found"), HasSubstr("test.json:2")));
    std::ofstream(folder_ / "bad.mp4") << "no film";
    EXPECT_THAT(error_of(R"({"film": "bad.mp4"})"),
                AllOf(HasSubstr("film/damaged"), HasSubstr("test.json:2")));
}

} // namespace
} // namespace tuff
