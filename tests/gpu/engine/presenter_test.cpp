// Frames in a surface that has no window (VK_EXT_headless_surface), under the validation layer.
// tests/viewer compares what a real window shows.

#include "gpu/device/device_impl.hpp"
#include "gpu/present/frame_copy.hpp"

#include <tuff/presenter.hpp>
#include <tuff/run.hpp>
#include <tuff/shader_library.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <utility>

namespace tuff::testing_gpu {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr Extent kWindow{64, 36, 1};

template <typename T>
std::string code_of(const Result<T>& result) {
    return result ? "" : result.error().front().code;
}

/// Answers that a test has the device's functions give once; Vulkan's functions take no context.
struct Answers {
    VkResult acquire = VK_SUCCESS, present = VK_SUCCESS;
    PFN_vkAcquireNextImageKHR next_acquire = nullptr;
    PFN_vkQueuePresentKHR next_present = nullptr;
};
Answers answers;

VKAPI_ATTR VkResult VKAPI_CALL acquire_as_told(VkDevice device, VkSwapchainKHR swapchain,
                                               std::uint64_t timeout, VkSemaphore semaphore,
                                               VkFence fence, std::uint32_t* image) {
    const VkResult told = std::exchange(answers.acquire, VK_SUCCESS);
    if (told != VK_SUCCESS) return told;
    return answers.next_acquire(device, swapchain, timeout, semaphore, fence, image);
}
/// What it says comes after the frame was taken, as drivers do.
VKAPI_ATTR VkResult VKAPI_CALL present_as_told(VkQueue queue, const VkPresentInfoKHR* info) {
    const VkResult told = std::exchange(answers.present, VK_SUCCESS);
    const VkResult shown = answers.next_present(queue, info);
    return told != VK_SUCCESS ? told : shown;
}

/// SwiftShader's surface without a window has this size whatever the window is said to have.
constexpr Extent kOwnExtent{1280, 720, 1};
constexpr const char* kOwnExtentReason = "the driver's surface has a size of its own";

/// A device of its own, which can show images.
class PresenterTest : public testing::Test {
  protected:
    void SetUp() override {
        auto opened =
            Device::open({.select = default_device_selection(),
                          .validation = true,
                          .instance_extensions = {"VK_KHR_surface", "VK_EXT_headless_surface"},
                          .device_extensions = {"VK_KHR_swapchain"}});
        if (!opened && opened.error().front().code == "device/missing-extension")
            GTEST_SKIP() << "the driver has no surface without a window";
        ASSERT_TRUE(opened) << to_string(opened.error());
        on_.emplace(std::move(*opened));
        VolkDeviceTable& vk = on_->impl().vk;
        answers = {.next_acquire = std::exchange(vk.vkAcquireNextImageKHR, acquire_as_told),
                   .next_present = std::exchange(vk.vkQueuePresentKHR, present_as_told)};
    }
    void TearDown() override {
        if (on_) {
            EXPECT_THAT(on_->validation_messages(), IsEmpty());
        }
    }

    Device& on() { return *on_; }
    const ShaderLibrary& shaders() const { return shaders_; }
    VkSurfaceKHR surface() {
        const VkInstance instance = vulkan_instance(*on_);
        const auto create = reinterpret_cast<PFN_vkCreateHeadlessSurfaceEXT>(
            vkGetInstanceProcAddr(instance, "vkCreateHeadlessSurfaceEXT"));
        VkHeadlessSurfaceCreateInfoEXT info{};
        info.sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT;
        VkSurfaceKHR made = VK_NULL_HANDLE;
        EXPECT_EQ(create(instance, &info, nullptr, &made), VK_SUCCESS);
        return made;
    }
    Presenter presenter(PresenterOptions options = {}) {
        auto made = Presenter::create(*on_, surface(), options);
        EXPECT_TRUE(made) << to_string(made.error());
        return std::move(*made);
    }
    /// Clears a picture anew in each execution.
    Graph clearing(ImageDesc desc, Access access = Access::copy_read) {
        Graph graph(shaders(), on_->caps());
        ClearValue value = std::array{0.25f, 0.5f, 0.75f, 1.0f};
        if (info(desc.format).kind == NumericKind::uint) value = std::array{1u, 2u, 3u, 4u};
        graph.output("picture", graph.clear(graph.image("picture", desc), value), access);
        return graph;
    }
    tuff::Run running(Graph graph) {
        auto run = tuff::Run::start(*on_, shaders(), std::move(graph));
        EXPECT_TRUE(run) << to_string(run.error());
        return std::move(*run);
    }
    tuff::Run running(Extent extent = kWindow, Format format = Format::rgba8_unorm) {
        tuff::Run run = running(clearing({.format = format, .extent = extent}));
        EXPECT_TRUE(run.execute());
        return run;
    }

  private:
    std::optional<Device> on_;
    const ShaderLibrary shaders_ = ShaderLibrary::embedded();
};

TEST_F(PresenterTest, ShowsFrameAfterFrameWithWorkOfSeveralUnderWay) {
    for (const std::uint32_t in_flight : {1u, 2u, 3u}) {
        Presenter window = presenter({.frames_in_flight = in_flight});
        tuff::Run run = running();
        for (int frame = 0; frame < 12; ++frame) {
            ASSERT_TRUE(run.execute());
            const auto shown = window.show(run.executor(), "picture", kWindow);
            ASSERT_TRUE(shown) << to_string(shown.error());
            EXPECT_EQ(*shown, Shown::yes);
        }
    }
}

// Every access leaves its output in another layout, to which the copy has to bring it back; the
// next execution's clear is a hazard that synchronisation validation would report.
TEST_F(PresenterTest, AnOutputIsShownWhateverItIsLeftFor) {
    Presenter window = presenter();
    for (const Access access : {Access::copy_read, Access::blit_read, Access::sampled}) {
        tuff::Run run =
            running(clearing({.format = Format::rgba16_sfloat, .extent = kWindow}, access));
        for (int frame = 0; frame < 4; ++frame) {
            ASSERT_TRUE(run.execute());
            const auto shown = window.show(run.executor(), "picture", kWindow);
            ASSERT_TRUE(shown) << to_string(shown.error());
        }
        EXPECT_TRUE(run.read_image("picture"));
    }
}

TEST_F(PresenterTest, AWindowOfAnotherSizeGetsNewImages) {
    Presenter window = presenter();
    tuff::Run run = running({50, 50, 1});
    for (const Extent extent : {Extent{64, 36}, Extent{640, 20}, Extent{1, 1}, Extent{33, 77}}) {
        for (int frame = 0; frame < 3; ++frame)
            ASSERT_EQ(window.show(run.executor(), "picture", extent), Shown::yes);
        if (window.desc().extent == kOwnExtent) GTEST_SKIP() << kOwnExtentReason;
        EXPECT_EQ(window.desc().extent, extent);
        EXPECT_GE(window.images().size(), 2u);
        EXPECT_TRUE(window.is_current(extent));
    }
}

TEST_F(PresenterTest, AWindowWithoutASizeIsHiddenAndComesBack) {
    Presenter window = presenter();
    tuff::Run run = running(clearing({.format = Format::rgba8_unorm, .extent = kWindow}));
    // Before the first execution, too.
    EXPECT_EQ(window.show(run.executor(), "picture", {0, 0}), Shown::hidden);
    ASSERT_TRUE(run.execute());
    EXPECT_EQ(window.show(run.executor(), "picture", kWindow), Shown::yes);
    EXPECT_EQ(window.show(run.executor(), "picture", {0, 36}), Shown::hidden);
    EXPECT_EQ(window.show(run.executor(), "picture", {64, 0}), Shown::hidden);
    EXPECT_EQ(window.show(run.executor(), "picture", kWindow), Shown::yes);
}

TEST_F(PresenterTest, AWindowThatChangesBetweenFramesIsCaughtUpWith) {
    Presenter window = presenter();
    tuff::Run run = running();
    const auto show = [&] { return window.show(run.executor(), "picture", kWindow); };
    ASSERT_EQ(show(), Shown::yes);
    if (window.desc().extent == kOwnExtent) GTEST_SKIP() << kOwnExtentReason;
    answers.acquire = VK_ERROR_OUT_OF_DATE_KHR; // renewed within the call
    EXPECT_EQ(show(), Shown::yes);
    for (const VkResult told : {VK_ERROR_OUT_OF_DATE_KHR, VK_SUBOPTIMAL_KHR}) {
        answers.present = told; // renewed before the next frame
        EXPECT_EQ(show(), Shown::yes);
        EXPECT_FALSE(window.is_current(kWindow));
        EXPECT_EQ(show(), Shown::yes);
        EXPECT_TRUE(window.is_current(kWindow));
    }
    answers.acquire = VK_TIMEOUT; // of a window that nobody sees
    EXPECT_EQ(show(), Shown::hidden);
    EXPECT_EQ(show(), Shown::yes);
}

TEST_F(PresenterTest, ALostSurfaceIsToldUntilItIsReplaced) {
    Presenter window = presenter();
    tuff::Run run = running();
    const auto show = [&] { return window.show(run.executor(), "picture", kWindow); };
    ASSERT_EQ(show(), Shown::yes);
    answers.acquire = VK_ERROR_SURFACE_LOST_KHR;
    EXPECT_EQ(show(), Shown::surface_lost);
    EXPECT_EQ(show(), Shown::surface_lost);
    ASSERT_TRUE(window.replace_surface(surface()));
    EXPECT_EQ(show(), Shown::yes);
    answers.present = VK_ERROR_SURFACE_LOST_KHR;
    EXPECT_EQ(show(), Shown::surface_lost);
    EXPECT_EQ(show(), Shown::surface_lost);
    EXPECT_EQ(code_of(window.replace_surface(VK_NULL_HANDLE)), "present/no-surface");
    ASSERT_TRUE(window.replace_surface(surface()));
    EXPECT_EQ(show(), Shown::yes);
}

TEST_F(PresenterTest, VerticalSyncIsChangedBetweenFrames) {
    Presenter window = presenter({.vertical_sync = VerticalSync::off});
    tuff::Run run = running();
    for (const VerticalSync sync : {VerticalSync::off, VerticalSync::on, VerticalSync::off}) {
        window.set_vertical_sync(sync);
        for (int frame = 0; frame < 3; ++frame)
            EXPECT_EQ(window.show(run.executor(), "picture", kWindow), Shown::yes);
    }
}

// Nothing waits for the copy but the end of what it reads.
TEST_F(PresenterTest, AnExecutorMayEndWhileItsFrameIsOnTheWay) {
    Presenter window = presenter();
    for (int frame = 0; frame < 8; ++frame) {
        tuff::Run run = running({512, 512, 1});
        ASSERT_EQ(window.show(run.executor(), "picture", kWindow), Shown::yes);
    }
    tuff::Run run = running();
    std::optional<Presenter> second(presenter());
    ASSERT_EQ(second->show(run.executor(), "picture", kWindow), Shown::yes);
    second.reset(); // and the presenter before the executor
    ASSERT_TRUE(run.execute());
}

TEST_F(PresenterTest, OutputsThatCannotBeShownAreRefusedAndTheNextOneIsShown) {
    Presenter window = presenter();
    Graph graph(shaders(), on().caps());
    const auto clear = [&](std::string_view name, ImageDesc desc, ClearValue value) {
        graph.output(name, graph.clear(graph.image(name, desc), value));
    };
    const ClearValue real = std::array{0.5f, 0.5f, 0.5f, 0.5f};
    clear("real", {.format = Format::rgba16_sfloat, .extent = kWindow}, real);
    clear("whole", {.format = Format::rgba8_uint, .extent = kWindow}, std::array{1u, 2u, 3u, 4u});
    clear("encoded", {.format = Format::rgba8_srgb, .extent = kWindow}, real);
    clear("depth", {.format = Format::d32_sfloat, .extent = kWindow}, real);
    clear("deep", {.format = Format::rgba8_unorm, .extent = {8, 8, 8}, .shape = ImageShape::d3},
          real);
    graph.output("bytes", graph.fill(graph.buffer("bytes", {.size = 16}), 0));
    tuff::Run run = running(std::move(graph));
    const auto refused = [&](std::string_view output) {
        return code_of(window.show(run.executor(), output, kWindow));
    };
    EXPECT_EQ(refused("real"), "gpu/not-executed");
    ASSERT_TRUE(run.execute());
    for (int again = 0; again < 5; ++again) { // more often than a window has images
        EXPECT_EQ(refused("rael"), "gpu/unknown-output");
        EXPECT_EQ(refused("bytes"), "gpu/output-kind");
        EXPECT_EQ(refused("deep"), "gpu/output-kind");
        EXPECT_EQ(refused("whole"), "present/format");
        EXPECT_EQ(refused("encoded"), "present/format");
        EXPECT_EQ(refused("depth"), "present/format");
    }
    EXPECT_EQ(refused("real"), "");
}

TEST_F(PresenterTest, AnExecutorOfAnotherDeviceIsRefused) {
    Presenter window = presenter();
    auto other = Device::open({.select = default_device_selection()});
    ASSERT_TRUE(other);
    Graph graph(shaders(), other->caps());
    graph.output("picture", graph.clear(graph.image("picture", {.format = Format::rgba8_unorm,
                                                                .extent = kWindow}),
                                        std::array{0.0f, 0.0f, 0.0f, 0.0f}));
    auto run = tuff::Run::start(*other, shaders(), std::move(graph));
    ASSERT_TRUE(run);
    ASSERT_TRUE(run->execute());
    EXPECT_EQ(code_of(window.show(run->executor(), "picture", kWindow)), "present/other-device");
}

TEST_F(PresenterTest, WhatIsMissingForAWindowIsNamed) {
    EXPECT_EQ(code_of(Presenter::create(on(), VK_NULL_HANDLE)), "present/no-surface");
    auto plain = Device::open(
        {.select = default_device_selection(), .instance_extensions = {"VK_KHR_surface"}});
    ASSERT_TRUE(plain);
    const auto refused = Presenter::create(*plain, VK_NULL_HANDLE);
    EXPECT_EQ(code_of(refused), "present/no-swapchain");
    EXPECT_THAT(to_string(refused.error()), HasSubstr("device_extensions"));
}

// As the viewer draws: a graph that imports the window's image.
TEST_F(PresenterTest, AProgramMayDrawIntoTheImagesItself) {
    Presenter window = presenter();
    std::optional<tuff::Run> run;
    for (const Extent extent : {kWindow, Extent{20, 20}}) {
        for (int frame = 0; frame < 6; ++frame) {
            if (!window.is_current(extent)) {
                run.reset(); // and with it what it has recorded with the former images
                ASSERT_EQ(window.renew(extent), Shown::yes);
                Graph graph(shaders(), on().caps());
                const Image screen = graph.import_image(
                    "screen", window.desc(),
                    {.first = {stage::kColorOutput, memory::kNone, Layout::undefined},
                     .last = {stage::kColorOutput, memory::kNone, Layout::present}});
                (void)graph.clear(screen, std::array{0.5f, 0.5f, 0.5f, 1.0f});
                run.emplace(running(std::move(graph)));
            }
            const auto image = window.acquire();
            ASSERT_TRUE(image);
            ASSERT_TRUE(*image);
            ASSERT_TRUE(bind_import(run->executor(), "screen", image->handle));
            ASSERT_TRUE(execute(run->executor(), {&image->free, 1}, {&image->drawn, 1}));
            EXPECT_EQ(window.present(), Shown::yes);
        }
    }
}

TEST(PresentedBox, KeepsTheProportionsAndIsInTheMiddle) {
    EXPECT_EQ(fitted({64, 36}, {64, 36}), (FrameBox{0, 0, 64, 36}));
    EXPECT_EQ(fitted({64, 36}, {128, 72}), (FrameBox{0, 0, 128, 72}));
    EXPECT_EQ(fitted({10, 10}, {40, 20}), (FrameBox{10, 0, 20, 20}));
    EXPECT_EQ(fitted({10, 10}, {20, 41}), (FrameBox{0, 10, 20, 20}));
    EXPECT_EQ(fitted({4000, 1}, {100, 100}), (FrameBox{0, 49, 100, 1})); // no side is nothing
}

} // namespace
} // namespace tuff::testing_gpu
