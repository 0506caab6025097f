// Playback, watched files, settings, numbers about texels, the memory map, names of files.

#include "apps/shared/file_watch.hpp"
#include "model/memory_map.hpp"
#include "model/opened_file.hpp"
#include "model/playback.hpp"
#include "model/settings.hpp"
#include "model/texels.hpp"
#include "passes/registry.hpp"

#include <tuff/config.hpp>
#include <tuff/graph.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <limits>

namespace tuff::viewer {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

/// A folder of its own, removed at the end.
class Folder {
  public:
    Folder()
        : path_(fs::path(TUFF_TEST_OUTPUT_DIR) /
                ("viewer-" + std::to_string(getpid()) + "-" +
                 testing::UnitTest::GetInstance()->current_test_info()->name())) {
        fs::create_directories(path_);
    }
    ~Folder() { fs::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    fs::path write(const std::string& name, const std::string& text) const {
        std::ofstream(path_ / name) << text;
        return path_ / name;
    }
    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

TEST(Playback, jumps_to_frames_that_need_none_before_them) {
    Playback playback;
    playback.set_paused(true);
    EXPECT_FALSE(playback.seek(40, true));
    ASSERT_TRUE(playback.due(false));
    EXPECT_EQ(playback.advance().frame, 40);
    EXPECT_FALSE(playback.due(false)) << "paused";
    EXPECT_FALSE(playback.seek(3, true));
    EXPECT_EQ(playback.advance().frame, 3);
    EXPECT_FALSE(playback.seek(-5, true));
    EXPECT_EQ(playback.advance().frame, 0);
}

TEST(Playback, runs_the_frames_on_the_way_where_each_needs_the_one_before) {
    Playback playback;
    playback.set_paused(true);
    EXPECT_FALSE(playback.seek(2, false));
    for (const int frame : {0, 1, 2}) {
        ASSERT_TRUE(playback.due(false));
        EXPECT_EQ(playback.advance().frame, frame);
    }
    EXPECT_FALSE(playback.due(false));
    EXPECT_FALSE(playback.seek(4, false)) << "goes on";
    EXPECT_EQ(playback.steps(), 2u);
    EXPECT_EQ(playback.advance().frame, 3);
    EXPECT_TRUE(playback.seek(1, false)) << "from the beginning";
    EXPECT_EQ(playback.steps(), 2u);
    EXPECT_EQ(playback.advance().frame, 0);
}

TEST(Playback, counts_frames_and_their_time) {
    Playback playback(25.0);
    ASSERT_TRUE(playback.due(false));
    EXPECT_EQ(playback.advance().frame, 0);
    const FrameTime second = playback.advance();
    EXPECT_EQ(second.frame, 1);
    EXPECT_DOUBLE_EQ(second.time, 0.04);
    EXPECT_DOUBLE_EQ(second.dt, 0.04);
    EXPECT_EQ(playback.current().frame, 1);
}

TEST(Playback, runs_nothing_while_paused_but_steps) {
    Playback playback;
    playback.toggle_pause();
    EXPECT_FALSE(playback.due(false));
    playback.step();
    playback.step();
    EXPECT_TRUE(playback.due(false));
    (void)playback.advance();
    EXPECT_TRUE(playback.due(true)) << "a still scene is stepped, too";
    (void)playback.advance();
    EXPECT_FALSE(playback.due(false));
    EXPECT_EQ(playback.current().frame, 1);
}

TEST(Playback, runs_still_scenes_when_asked_only) {
    Playback playback;
    EXPECT_FALSE(playback.due(true));
    playback.restart();
    EXPECT_TRUE(playback.due(true));
    EXPECT_EQ(playback.advance().frame, 0);
    EXPECT_FALSE(playback.due(true));
}

TEST(FileWatch, tells_each_change_once) {
    const Folder folder;
    const fs::path file = folder.write("a.json", "one");
    cli::FileWatch watch;
    watch.watch({file});
    EXPECT_THAT(watch.changed(), IsEmpty());
    folder.write("a.json", "other");
    EXPECT_THAT(watch.changed(), ElementsAre(file));
    EXPECT_THAT(watch.changed(), IsEmpty());
    fs::remove(file);
    EXPECT_THAT(watch.changed(), ElementsAre(file));
    folder.write("a.json", "back");
    EXPECT_THAT(watch.changed(), ElementsAre(file));
}

TEST(FileWatch, misses_no_change_when_the_list_is_made_anew) {
    const Folder folder;
    const fs::path file = folder.write("a.json", "one");
    cli::FileWatch watch;
    watch.watch({file});
    folder.write("a.json", "longer");
    watch.watch({file, folder.path() / "b.json"});
    EXPECT_THAT(watch.changed(), ElementsAre(file));
}

TEST(FileWatch, finds_the_shaders_of_a_folder) {
    const Folder folder;
    fs::create_directories(folder.path() / "image");
    const fs::path kernel = folder.write("image/a.comp", "");
    folder.write("image/notes.txt", "");
    EXPECT_THAT(cli::shader_files(folder.path()), ElementsAre(kernel));
    EXPECT_THAT(cli::shader_files(folder.path() / "none"), IsEmpty());
}

TEST(Settings, come_back_as_they_were_saved) {
    const Folder folder;
    Settings settings{.width = 1000, .height = 700, .mark_faults = false};
    settings.show_pass_parameters = false;
    remember(settings, "/a/b.json");
    remember(settings, "/a/c.json");
    const fs::path file = folder.path() / "below" / "viewer.json";
    ASSERT_TRUE(save_settings(file, settings));
    EXPECT_EQ(load_settings(file), settings);
}

TEST(Settings, are_defaults_where_the_file_makes_no_sense) {
    const Folder folder;
    EXPECT_EQ(load_settings(folder.path() / "none.json"), Settings{});
    EXPECT_EQ(load_settings(folder.write("a.json", "{")), Settings{});
    EXPECT_EQ(load_settings(folder.write("b.json", R"({"width": -3, "recent": 7})")), Settings{});
    EXPECT_EQ(
        load_settings(folder.write("c.json", R"({"width": 800, "recent": [1, "/x"]})")).recent,
        std::vector<std::string>{"/x"});
}

TEST(Settings, cannot_be_saved_below_a_file) {
    const Folder folder;
    folder.write("file", "");
    const auto saved = save_settings(folder.path() / "file" / "viewer.json", Settings{});
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().front().code, "viewer/settings");
}

TEST(Settings, remember_the_newest_configs_each_once) {
    Settings settings;
    for (int i = 0; i < 15; ++i)
        remember(settings, "/c" + std::to_string(i));
    remember(settings, "/c9");
    EXPECT_EQ(settings.recent.size(), kMaxRecent);
    EXPECT_EQ(settings.recent[0], "/c9");
    EXPECT_EQ(settings.recent[1], "/c14");
    EXPECT_EQ(std::ranges::count(settings.recent, "/c9"), 1);
}

TEST(Texels, are_counted_by_their_kind) {
    HostImage image = make_image(Format::r32_sfloat, {4, 1, 1});
    image.set_texel({-1.0f, 0, 0, 0}, 0, 0);
    image.set_texel({3.0f, 0, 0, 0}, 1, 0);
    image.set_texel({std::numeric_limits<float>::quiet_NaN(), 0, 0, 0}, 2, 0);
    image.set_texel({std::numeric_limits<float>::infinity(), 0, 0, 0}, 3, 0);
    const ValueSummary values = summarize(image);
    EXPECT_EQ(values.low, -1.0);
    EXPECT_EQ(values.high, 3.0);
    EXPECT_EQ(values.finite, 2u);
    EXPECT_EQ(values.not_numbers, 1u);
    EXPECT_EQ(values.infinite, 1u);
    ASSERT_EQ(values.channels.size(), 1u);
    EXPECT_EQ(values.channels[0].front(), 1u);
    EXPECT_EQ(values.channels[0].back(), 1u);
}

TEST(Texels, of_one_value_are_one_bin) {
    const ValueSummary values = summarize(make_image(Format::rgba8_unorm, {3, 3, 1}));
    ASSERT_EQ(values.channels.size(), 3u) << "alpha does not count";
    for (const ValueSummary::Bins& bins : values.channels)
        EXPECT_EQ(bins.front(), 9u);
    EXPECT_EQ(summarize({}, Elements::f32).finite, 0u);
}

TEST(Texels, are_told_as_stored) {
    HostImage image = make_image(Format::rgba8_unorm, {2, 1, 1});
    image.texels[4] = std::byte{255};
    EXPECT_EQ(texel_text(image, 1, 0, 0), "1  0  0  0");
    HostImage whole = make_image(Format::r32_uint, {1, 1, 1});
    whole.texels[0] = std::byte{7};
    EXPECT_EQ(texel_text(whole, 0, 0, 0), "7");
}

TEST(Texels, of_a_slice_are_those_of_the_volume) {
    HostImage volume = make_image(Format::r8_unorm, {2, 2, 3});
    for (std::size_t i = 0; i < volume.texels.size(); ++i)
        volume.texels[i] = static_cast<std::byte>(i);
    const HostImage slice = slice_of(volume, 2);
    EXPECT_EQ(slice.extent, (Extent{2, 2, 1}));
    EXPECT_THAT(slice.texels,
                ElementsAre(std::byte{8}, std::byte{9}, std::byte{10}, std::byte{11}));
}

TEST(Elements, of_a_buffer_are_read_as_asked) {
    std::vector<std::byte> bytes(8);
    const float one = 1.0f;
    std::memcpy(bytes.data(), &one, 4);
    EXPECT_EQ(element_text(bytes, Elements::f32, 0), "1");
    EXPECT_EQ(element_text(bytes, Elements::u32, 0), "1065353216");
    EXPECT_EQ(element_text(bytes, Elements::hex, 0), "3f800000");
    EXPECT_EQ(element_text(bytes, Elements::u8, 3), "63");
    EXPECT_EQ(element_text(bytes, Elements::i32, 1), "0");
    EXPECT_EQ(summarize(bytes, Elements::f32).high, 1.0);
    EXPECT_EQ(summarize(bytes, Elements::u8).finite, 8u);
}

TEST(MemoryMap, shows_who_shares_bytes_with_whom) {
    Graph graph;
    const BufferDesc desc{.size = 1024};
    Buffer at = graph.fill(graph.buffer("first", desc), 1);
    for (int i = 0; i < 4; ++i)
        at = graph.copy(at, graph.buffer("next", desc));
    graph.output("last", at);
    const auto plan = compile(std::move(graph).finish(), DeviceCaps{});
    ASSERT_TRUE(plan) << to_string(plan.error());
    const MemoryMap map = memory_map_of(*plan);
    EXPECT_EQ(map.boxes.size(), 5u);
    EXPECT_EQ(map.levels, 5u);
    EXPECT_EQ(map.bytes, plan->statistics.transient_bytes);
    EXPECT_EQ(*std::ranges::max_element(map.alive), plan->statistics.peak_bytes);
    std::uint32_t sharing = 0;
    for (const MemoryBox& box : map.boxes) {
        EXPECT_LE(box.first_byte + box.bytes, map.bytes);
        sharing += box.neighbours > 0 ? 1 : 0;
    }
    EXPECT_GE(sharing, 3u) << "a chain of copies takes turns in two places";
}

TEST(OpenedFile, is_shown_by_a_config_where_it_is_none) {
    const Folder folder;
    const PassRegistry registry = passes::make_registry();
    EXPECT_EQ(*config_for("some.json", folder.path()), fs::path("some.json"));
    const auto config = config_for(folder.path() / "Box.GLB", folder.path() / "made");
    ASSERT_TRUE(config);
    EXPECT_EQ(*config, folder.path() / "made" / "Box.json");
    const auto loaded = Config::load(*config, registry);
    EXPECT_TRUE(loaded) << to_string(loaded.error());
    const auto picture = config_for(folder.path() / "photo.exr", folder.path() / "made");
    ASSERT_TRUE(picture);
    EXPECT_TRUE(Config::load(*picture, registry));
}

TEST(FreeName, is_not_taken) {
    const Folder folder;
    EXPECT_EQ(free_name(folder.path(), "shot", ".png"), folder.path() / "shot-001.png");
    folder.write("shot-001.png", "");
    EXPECT_EQ(free_name(folder.path(), "shot", ".png"), folder.path() / "shot-002.png");
}

} // namespace
} // namespace tuff::viewer
