// What a window shows of a graph's output, on a screen without a monitor.

#include "plain_window.hpp"
#include "screen.hpp"
#include "tests/common/source_tree.hpp"

#include <tuff/presenter.hpp>
#include <tuff/run.hpp>
#include <tuff/shader_library.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <optional>
#include <thread>

namespace tuff::test {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;

/// Every texel differs from its neighbours, so that no shift or swap of channels goes unseen.
HostImage pattern(Extent extent, std::uint32_t seed) {
    HostImage picture = make_image(Format::rgba8_unorm, extent);
    for (std::uint32_t y = 0; y < extent.height; ++y)
        for (std::uint32_t x = 0; x < extent.width; ++x) {
            std::byte* const texel = picture.texels.data() + 4 * (y * extent.width + x);
            texel[0] = static_cast<std::byte>(x * 3 + seed);
            texel[1] = static_cast<std::byte>(y * 5 + 64);
            texel[2] = static_cast<std::byte>(x * y + seed);
            texel[3] = std::byte{255};
        }
    return picture;
}

class PresenterOnScreen : public testing::Test {
  protected:
    void SetUp() override {
        if (!Screen::is_available()) GTEST_SKIP() << "Xvfb is not installed";
        const auto* const info = testing::UnitTest::GetInstance()->current_test_info();
        const fs::path folder = fs::path(TUFF_TEST_OUTPUT_DIR) / "presenter" / info->name() /
                                default_device_selection();
        fs::remove_all(folder);
        fs::create_directories(folder);
        screen_.emplace(folder);
        auto opened =
            Device::open({.select = default_device_selection(),
                          .validation = true,
                          .instance_extensions = {"VK_KHR_surface", "VK_KHR_xlib_surface"},
                          .device_extensions = {"VK_KHR_swapchain"}});
        if (!opened && opened.error().front().code == "device/missing-extension")
            GTEST_SKIP() << "the driver has no surface of Xlib's";
        ASSERT_TRUE(opened) << to_string(opened.error());
        device_.emplace(std::move(*opened));
        shaders_.emplace(ShaderLibrary::embedded());
    }
    void TearDown() override {
        if (device_) {
            EXPECT_THAT(device_->validation_messages(), IsEmpty());
        }
    }

    Device& device() { return *device_; }
    const std::string& display() const { return screen_->display(); }
    Graph showing(const HostImage& picture) {
        Graph graph(*shaders_, device_->caps());
        const ImageDesc desc{.format = picture.format, .extent = picture.extent};
        const Image constant = graph.constant_image(
            "pattern", desc, std::make_shared<const std::vector<std::byte>>(picture.texels));
        graph.output("picture", graph.copy(constant, graph.image("picture", desc)));
        return graph;
    }
    tuff::Run running(const HostImage& picture) {
        auto run = tuff::Run::start(*device_, *shaders_, showing(picture));
        EXPECT_TRUE(run) << to_string(run.error());
        EXPECT_TRUE(run->execute());
        return std::move(*run);
    }
    Presenter presenter(const PlainWindow& window) {
        auto made = Presenter::create(*device_, window.surface(vulkan_instance(*device_)));
        EXPECT_TRUE(made) << to_string(made.error());
        return std::move(*made);
    }
    /// Whether the screen comes to show `wanted` at (x, y), in five seconds; the last frame that
    /// was shown may be on its way.
    bool comes_to_show(const HostImage& wanted, std::uint32_t left, std::uint32_t top) const {
        for (int tries = 0; tries < 50; ++tries) {
            if (shows(screen_->pixels(), wanted, left, top)) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
        return false;
    }
    static bool shows(const HostImage& screen, const HostImage& wanted, std::uint32_t left,
                      std::uint32_t top) {
        if (screen.empty()) return false;
        for (std::uint32_t y = 0; y < wanted.extent.height; ++y) {
            const auto* const row =
                screen.texels.data() + 4 * ((top + y) * screen.extent.width + left);
            const auto* const from = wanted.texels.data() + 4 * (y * wanted.extent.width);
            if (!std::equal(from, from + 4 * wanted.extent.width, row)) return false;
        }
        return true;
    }

  private:
    std::optional<Screen> screen_;
    std::optional<Device> device_;
    std::optional<ShaderLibrary> shaders_;
};

TEST_F(PresenterOnScreen, TheWindowShowsWhatReadImageReads) {
    const PlainWindow window(display(), 200, 120);
    Presenter shown = presenter(window);
    std::optional<tuff::Run> run;
    for (const std::uint32_t seed : {1u, 77u}) {
        run.emplace(running(pattern({200, 120, 1}, seed)));
        ASSERT_EQ(shown.show(run->executor(), "picture", {200, 120, 1}), Shown::yes);
        const auto read = run->read_image("picture");
        ASSERT_TRUE(read);
        EXPECT_TRUE(comes_to_show(*read, 0, 0)) << seed;
    }
}

TEST_F(PresenterOnScreen, AWindowThatWasResizedShowsTheNextPicture) {
    PlainWindow window(display(), 100, 60);
    Presenter shown = presenter(window);
    for (const Extent size : {Extent{100, 60}, Extent{300, 200}, Extent{40, 220}}) {
        window.resize(size.width, size.height);
        tuff::Run run = running(pattern(size, 9));
        bool seen = false;
        // Drivers may take the first frames for the former size.
        for (int frame = 0; frame < 4 && !seen; ++frame) {
            ASSERT_EQ(shown.show(run.executor(), "picture", size), Shown::yes);
            seen = comes_to_show(*run.read_image("picture"), 0, 0);
        }
        EXPECT_TRUE(seen) << size.width << " x " << size.height;
    }
}

TEST_F(PresenterOnScreen, APictureOfAnotherSizeIsFittedWithBlackBesideIt) {
    const PlainWindow window(display(), 120, 60);
    Presenter shown = presenter(window);
    const HostImage small = pattern({30, 30, 1}, 5);
    tuff::Run run = running(small);
    ASSERT_EQ(shown.show(run.executor(), "picture", {120, 60, 1}), Shown::yes);
    HostImage black = make_image(Format::rgba8_unorm, {30, 60, 1});
    for (std::size_t i = 3; i < black.texels.size(); i += 4)
        black.texels[i] = std::byte{255};
    // Twice the size in the middle: a texel of the corner is one of the picture's, unfiltered.
    HostImage corner = make_image(Format::rgba8_unorm, {1, 1, 1});
    std::copy_n(small.texels.begin(), 4, corner.texels.begin());
    EXPECT_TRUE(comes_to_show(corner, 30, 0));
    EXPECT_TRUE(comes_to_show(black, 0, 0));
    EXPECT_TRUE(comes_to_show(black, 90, 0));
}

TEST_F(PresenterOnScreen, AWindowThatEndsIsNoErrorAndAnotherOneGoesOn) {
    PlainWindow first(display(), 64, 64);
    Presenter shown = presenter(first);
    tuff::Run run = running(pattern({64, 64, 1}, 3));
    ASSERT_EQ(shown.show(run.executor(), "picture", {64, 64, 1}), Shown::yes);
    first.destroy();
    // A driver may take some frames before it finds out.
    Result<Shown> state = Shown::yes;
    for (int frame = 0; frame < 20 && state && *state == Shown::yes; ++frame)
        state = shown.show(run.executor(), "picture", {64, 64, 1});
    ASSERT_TRUE(state) << to_string(state.error());
    EXPECT_NE(*state, Shown::yes);
    const PlainWindow second(display(), 64, 64);
    ASSERT_TRUE(shown.replace_surface(second.surface(vulkan_instance(device()))));
    ASSERT_EQ(shown.show(run.executor(), "picture", {64, 64, 1}), Shown::yes);
    EXPECT_TRUE(comes_to_show(*run.read_image("picture"), 0, 0));
}

} // namespace
} // namespace tuff::test
