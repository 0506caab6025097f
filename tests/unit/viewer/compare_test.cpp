// Two pictures beside each other, axes of plots, and what the file dialog offers.

#include "model/compare.hpp"
#include "model/file_list.hpp"
#include "model/plot_axis.hpp"
#include "tests/common/test_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>

namespace tuff::viewer {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

HostImage filled(Format format, Extent extent, float value) {
    HostImage image = make_image(format, extent);
    for (std::uint32_t y = 0; y < extent.height; ++y)
        for (std::uint32_t x = 0; x < extent.width; ++x)
            image.set_texel({value, value, value, 1.0f}, x, y, 0, Transfer::stored);
    return image;
}

TEST(Compared, pictures_share_one_at_a_line) {
    const HostImage a = filled(Format::rgba32_sfloat, {8, 3, 1}, 1.0f);
    const HostImage b = filled(Format::rgba32_sfloat, {8, 3, 1}, 5.0f);
    const HostImage both = compared(a, b, Comparison::split, 0.25f);
    for (std::uint32_t x = 0; x < 8; ++x)
        EXPECT_EQ(both.texel(x, 2)[0], x < 2 ? 1.0f : 5.0f) << x;
    EXPECT_EQ(compared(a, b, Comparison::split, 0.0f).texels, b.texels);
    EXPECT_EQ(compared(a, b, Comparison::split, 1.0f).texels, a.texels);
    EXPECT_EQ(compared(a, b, Comparison::split, 7.0f).texels, a.texels) << "beyond the edge";
    EXPECT_EQ(compared(a, b, Comparison::off, 0.5f).texels, b.texels);
}

TEST(Compared, pictures_differ_by_their_numbers) {
    HostImage a = filled(Format::rgba32_sfloat, {4, 4, 1}, 1.0f);
    HostImage b = a;
    b.set_texel({0.25f, 1.0f, 3.0f, 0.5f}, 1, 2);
    const HostImage difference = compared(a, b, Comparison::difference, 0.5f);
    EXPECT_THAT(difference.texel(1, 2), ElementsAre(0.75f, 0.0f, 2.0f, 1.0f));
    EXPECT_THAT(difference.texel(0, 0), ElementsAre(0.0f, 0.0f, 0.0f, 1.0f));
    const DifferenceSummary summary = difference_summary(difference);
    EXPECT_EQ(summary.most, 2.0);
    EXPECT_DOUBLE_EQ(summary.mean, 2.75 / 48.0);
    EXPECT_EQ(summary.texels, 1u);
    // NaN is no likeness.
    b.set_texel({std::numeric_limits<float>::quiet_NaN(), 1.0f, 1.0f, 1.0f}, 0, 0);
    EXPECT_EQ(difference_summary(compared(a, b, Comparison::difference, 0.5f)).texels, 2u);
}

TEST(Compared, bytes_keep_their_numbers) {
    const HostImage a = filled(Format::rgba8_unorm, {2, 2, 1}, 1.0f);
    const HostImage b = filled(Format::rgba8_unorm, {2, 2, 1}, 0.4f);
    EXPECT_EQ(compared(a, b, Comparison::split, 0.5f).format, Format::rgba8_unorm);
    EXPECT_NEAR(compared(a, b, Comparison::difference, 0.5f).texel(0, 0)[0], 0.6f, 1e-6f);
}

TEST(Compared, pictures_of_different_formats_are_light) {
    // 0.5 of a screen is 0.214 of light.
    const HostImage a = filled(Format::rgba8_unorm, {2, 2, 1}, 128.0f / 255.0f);
    const HostImage b = filled(Format::rgba32_sfloat, {2, 2, 1}, srgb_to_linear(128.0f / 255.0f));
    EXPECT_NEAR(compared(a, b, Comparison::difference, 0.5f).texel(0, 0)[0], 0.0f, 1e-6f);
    EXPECT_NEAR(compared(a, b, Comparison::split, 0.5f).texel(0, 0)[0], b.texel(1, 0)[0], 1e-6f);
}

TEST(Compared, pictures_of_different_sizes_cover_each_other) {
    HostImage a = filled(Format::rgba32_sfloat, {2, 2, 1}, 1.0f);
    a.set_texel({7.0f, 7.0f, 7.0f, 1.0f}, 1, 1);
    const HostImage b = filled(Format::rgba32_sfloat, {8, 6, 1}, 0.0f);
    const HostImage whole = compared(a, b, Comparison::split, 1.0f);
    EXPECT_EQ(whole.extent, b.extent);
    EXPECT_EQ(whole.texel(7, 5)[0], 7.0f);
    EXPECT_EQ(whole.texel(4, 3)[0], 7.0f);
    EXPECT_EQ(whole.texel(3, 3)[0], 1.0f);
    EXPECT_EQ(whole.texel(4, 2)[0], 1.0f);
}

TEST(Axes, have_round_numbers) {
    const auto near = [](double value) { return testing::DoubleNear(value, 1e-12); };
    EXPECT_THAT(axis_ticks(0.0, 1.0, 5),
                ElementsAre(near(0.0), near(0.2), near(0.4), near(0.6), near(0.8), near(1.0)));
    EXPECT_THAT(axis_ticks(-3.0, 17.0, 4),
                ElementsAre(near(0.0), near(5.0), near(10.0), near(15.0)));
    EXPECT_THAT(axis_ticks(1.0, 1.0, 5), IsEmpty());
    EXPECT_THAT(count_ticks(2500, true), ElementsAre(2500u, 1000u, 100u, 10u, 1u));
    EXPECT_THAT(count_ticks(1000, true), ElementsAre(1000u, 100u, 10u, 1u));
    EXPECT_THAT(count_ticks(1, true), ElementsAre(1u));
    EXPECT_THAT(count_ticks(2500, false), ElementsAre(2500u, 1250u));
    EXPECT_THAT(count_ticks(0, false), IsEmpty());
    EXPECT_THAT(axis_ticks(0.0, std::numeric_limits<double>::infinity(), 5), IsEmpty());
    EXPECT_THAT(axis_ticks(0.0, 1.0, 0), IsEmpty());
    for (const double high : {1e-30, 3e-4, 1.7, 256.0, 9e22})
        EXPECT_GE(axis_ticks(-high, high, 6).size(), 3u) << high;
}

TEST(Axes, show_single_values_by_the_logarithm) {
    EXPECT_EQ(bar_height(0, 100, true), 0.0);
    EXPECT_EQ(bar_height(0, 0, false), 0.0);
    EXPECT_EQ(bar_height(50, 100, false), 0.5);
    EXPECT_EQ(bar_height(100, 100, true), 1.0);
    EXPECT_GT(bar_height(1, 1'000'000, true), 0.04);
    EXPECT_LT(bar_height(1, 1'000'000, false), 1e-5);
}

TEST(FileDialog, offers_folders_and_what_can_be_opened) {
    const fs::path folder = test::empty_folder();
    fs::create_directories(folder / "zoo");
    for (const char* name : {"b.json", "a.glb", "notes.txt", ".hidden.json", "c.PNG", "d.nrrd"})
        std::ofstream(folder / name) << "x";
    std::vector<std::string> names;
    for (const FolderEntry& entry : list_folder(folder))
        names.push_back(entry.name + (entry.folder ? "/" : ""));
    EXPECT_THAT(names, ElementsAre("zoo/", "a.glb", "b.json", "c.PNG", "d.nrrd"));
    EXPECT_THAT(list_folder(folder / "gone"), IsEmpty());
}

TEST(FileDialog, understands_what_is_typed) {
    const fs::path folder = test::empty_folder();
    std::ofstream(folder / "own.json") << "{}";
    EXPECT_EQ(meant_file("own.json", folder), folder / "own.json");
    EXPECT_EQ(meant_file("  /tmp/x.json ", folder), "/tmp/x.json");
    EXPECT_EQ(meant_file("demo", folder).filename(), "demo.json") << "a shipped graph";
    EXPECT_TRUE(fs::exists(meant_file("smoke3d", folder)));
    EXPECT_EQ(meant_file("gone.json", folder), "gone.json");
    const char* home = std::getenv("HOME");
    if (!home) return;
    EXPECT_EQ(meant_file("~/x.json", folder), fs::path(home) / "x.json");
}

TEST(FileDialog, finds_names_whatever_their_case) {
    EXPECT_TRUE(name_matches("Smoke3D", "smoke"));
    EXPECT_TRUE(name_matches("anything", ""));
    EXPECT_FALSE(name_matches("Smoke3D", "smokes"));
}

} // namespace
} // namespace tuff::viewer
