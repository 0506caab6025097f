#pragma once

#include "screen.hpp"
#include "tests/common/source_tree.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

/// What the tests of the viewer share: a small config in a folder of its own, and looks at what
/// the viewer shows.
namespace tuff::test {

inline constexpr const char* kViewedConfig = R"({
  "tuff": 1, "description": "Noise, softened", "size": [160, 90],
  "params": {"exposure": {"default": 0, "range": [-10, 10], "doc": "stops"}},
  "assets": {"grain": {"generate": "noise", "size": [160, 90], "seed": 3}},
  "nodes": {
    "soft": {"pass": "image/gaussian", "in": {"source": "grain"}, "params": {"sigma": 4}},
    "display": {"pass": "image/tonemap", "in": {"source": "soft.result"}, "params": {"exposure": "$exposure"}}
  },
  "outputs": {"picture": "display.result"}
})";

inline void write(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

inline std::string problems(const Json::Value& state) {
    std::string all;
    for (const Json::Value& code : state["scene"]["problems"])
        all += code.asString() + " ";
    return all;
}

inline bool fine(const Json::Value& state) {
    return state["scene"]["problems"].empty() && state["scene"]["state"] == "idle" &&
           state["scene"].isMember("shown");
}

/// Mean brightness of the screen about the middle of a widget, 0 to 255.
inline double brightness(const HostImage& screen, const Json::Value& widget) {
    double sum = 0.0;
    int count = 0;
    for (int y = -20; y <= 20; ++y)
        for (int x = -20; x <= 20; ++x, ++count)
            for (const float channel :
                 screen.texel(static_cast<std::uint32_t>(widget[0].asInt() + x),
                              static_cast<std::uint32_t>(widget[1].asInt() + y)))
                sum += static_cast<double>(channel);
    return (sum / count - 1.0) / 3.0 * 255.0; // alpha is 1
}

/// Of the tiles of 16 x 16 pixels those whose colours differ by more than 12 levels on average.
inline double share_of_other_tiles(const HostImage& a, const HostImage& b) {
    constexpr std::uint32_t kTile = 16;
    if (a.extent != b.extent) return 1.0;
    std::size_t others = 0, tiles = 0;
    for (std::uint32_t top = 0; top + kTile <= a.extent.height; top += kTile)
        for (std::uint32_t left = 0; left + kTile <= a.extent.width; left += kTile, ++tiles) {
            double sum = 0.0;
            for (std::uint32_t y = top; y < top + kTile; ++y)
                for (std::uint32_t x = left; x < left + kTile; ++x) {
                    const auto p = a.texel(x, y), q = b.texel(x, y);
                    for (std::size_t c = 0; c < 3; ++c)
                        sum += std::abs(static_cast<double>(p[c]) - static_cast<double>(q[c]));
                }
            others += sum / (kTile * kTile * 3) * 255.0 > 12.0;
        }
    return static_cast<double>(others) / static_cast<double>(tiles);
}

/// What has been drawn is on the screen a little later.
inline bool soon(const std::function<bool()>& holds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    do {
        if (holds()) return true;
        usleep(50'000);
    } while (std::chrono::steady_clock::now() < end);
    return false;
}

class ViewerTest : public testing::Test {
  protected:
    void SetUp() override {
        if (!Screen::is_available())
            GTEST_SKIP() << "Xvfb or xdotool is missing: apt-get install xvfb xdotool";
        folder =
            std::filesystem::path(TUFF_TEST_OUTPUT_DIR) / ("viewer-" + std::to_string(getpid()));
        pictures = std::filesystem::path(TUFF_TEST_OUTPUT_DIR) / "viewer";
        std::filesystem::create_directories(folder / "kernels/image");
        std::filesystem::create_directories(folder / "bin");
        // Keeps the frames as they come where the last argument says.
        write(folder / "bin/ffmpeg", "#!/bin/sh\nfor last; do :; done\ncat > \"$last\"\n");
        std::filesystem::permissions(folder / "bin/ffmpeg", std::filesystem::perms::owner_all);
        std::filesystem::create_directories(pictures);
        write(folder / "graph.json", kViewedConfig);
        write(folder / "viewer.json", R"({"width": 1280, "height": 800})");
        const std::filesystem::path shaders =
            std::filesystem::path(TUFF_TEST_SOURCE_DIR) / "shaders";
        std::filesystem::copy(shaders / "include", folder / "kernels/include",
                              std::filesystem::copy_options::recursive);
        std::filesystem::copy(shaders / "image/tonemap.comp",
                              folder / "kernels/image/tonemap.comp");
    }
    void TearDown() override {
        std::error_code error;
        if (!folder.empty()) std::filesystem::remove_all(folder, error);
    }
    /// Keeps a picture of the screen, to be looked at.
    HostImage keep(const Screen& screen, const std::string& name) const {
        HostImage image = screen.pixels();
        EXPECT_FALSE(image.empty());
        const char* device = std::getenv("TUFF_DEVICE");
        const auto saved = save_image(
            pictures / (std::string(device ? device : "auto") + "-" + name + ".png"), image);
        EXPECT_TRUE(saved);
        return image;
    }

    /// Compares the screen with tests/viewer/golden/`name`.png. Times and rates differ from run to
    /// run, and are a hundredth of the window. TUFF_UPDATE_GOLDEN=1 in the environment stores the
    /// screen instead.
    void expect_like_golden(const Screen& screen, const std::string& name) const {
        if (!std::filesystem::exists("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"))
            return; // other letters
        const std::filesystem::path file =
            std::filesystem::path(TUFF_TEST_SOURCE_DIR) / "tests/viewer/golden" / (name + ".png");
        if (const char* update = std::getenv("TUFF_UPDATE_GOLDEN"); update && *update == '1') {
            usleep(5'000'000); // machines are busy
            EXPECT_TRUE(save_image(file, keep(screen, name)));
            return;
        }
        const auto golden = load_image(file, {.ldr = Format::rgba8_unorm});
        ASSERT_TRUE(golden) << to_string(golden.error());
        double share = 1.0;
        EXPECT_TRUE(soon([&] {
            share = share_of_other_tiles(screen.pixels(), *golden);
            return share < 0.015;
        })) << name
            << ": " << share * 100.0 << " % of the tiles differ";
        keep(screen, name);
    }

    std::filesystem::path folder, pictures;
};

} // namespace tuff::test
