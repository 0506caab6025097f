#include "gpu/device/semaphores.hpp"
#include "gpu/present/frame_copy.hpp"
#include "gpu/present/swapchain.hpp"

#include <tuff/presenter.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

namespace tuff {
namespace {

/// After which a window that gives no image counts as hidden.
constexpr std::uint64_t kLongestAcquire = 1'000'000'000; // nanoseconds

/// A surface may lag behind its window, and not every driver says so when it has caught up. One
/// that still differs after as many tries has sizes of its own.
constexpr std::uint32_t kLagging = 8;

bool is_nothing(Extent window) {
    return window.width == 0 || window.height == 0;
}

VkSemaphoreSubmitInfo submit_info(VkSemaphore semaphore, VkPipelineStageFlags2 stages,
                                  std::uint64_t value = 0) {
    VkSemaphoreSubmitInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO;
    info.semaphore = semaphore;
    info.value = value;
    info.stageMask = stages;
    return info;
}

} // namespace

VkInstance vulkan_instance(const Device& device) {
    return device.impl().instance->handle();
}

struct Presenter::Impl {
    const DeviceImpl* device = nullptr;
    PresenterOptions options;
    OwnedSurface surface;
    bool lost = false;
    bool outdated = false;
    Extent asked;              ///< the window's, when the images were made
    std::uint32_t unequal = 0; ///< times in a row that the surface gave images of another size
    std::optional<Swapchain> swapchain;
    std::vector<OwnedSemaphore> acquired; ///< in turn; more than frames that may wait for them
    std::size_t turn = 0;
    std::uint32_t image = 0;

    /// Commands of one of the frames that `show` may have under way.
    struct Frame {
        OwnedCommandPool pool;
        VkCommandBuffer commands = VK_NULL_HANDLE;
        std::uint64_t end = 0; ///< of `counted`, once its last use has finished
    };
    std::vector<Frame> frames;
    std::shared_ptr<const OwnedSemaphore> counted; ///< copies that have finished
    std::uint64_t submitted = 0;

    explicit Impl(const DeviceImpl& on) : device(&on) {}
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    ~Impl() { settle(); }

    Result<void> create();
    Result<Frame> create_frame() const;
    void settle() const;
    bool is_current(Extent window) const {
        if (!swapchain || outdated || lost || asked != window) return false;
        return swapchain->desc.extent == window || unequal > kLagging;
    }
    Result<Shown> renew(Extent window);
    Result<WindowImage> acquire();
    Result<Shown> present();
    Result<Frame*> next_frame();
    Result<void> copy(ExecutorImpl& executor, const OutputPlace& output, const WindowImage& target);
};

Result<void> Presenter::Impl::create() {
    const std::uint32_t count = std::max(options.frames_in_flight, 1u);
    for (std::uint32_t i = 0; i < count; ++i) {
        auto frame = create_frame();
        if (!frame) return propagate(std::move(frame));
        frames.push_back(std::move(*frame));
    }
    for (std::uint32_t i = 0; i < count + 2; ++i) {
        auto semaphore = create_binary_semaphore(*device);
        if (!semaphore) return propagate(std::move(semaphore));
        acquired.push_back(std::move(*semaphore));
    }
    auto semaphore = create_timeline_semaphore(*device);
    if (!semaphore) return propagate(std::move(semaphore));
    counted = std::make_shared<const OwnedSemaphore>(std::move(*semaphore));
    return {};
}

Result<Presenter::Impl::Frame> Presenter::Impl::create_frame() const {
    Frame frame;
    VkCommandPoolCreateInfo pool_info{};
    pool_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool_info.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
    pool_info.queueFamilyIndex = device->graphics->family;
    VkCommandPool pool = VK_NULL_HANDLE;
    auto ok =
        check(device->vk.vkCreateCommandPool(device->handle, &pool_info, device->allocator, &pool),
              "vkCreateCommandPool");
    if (!ok) return propagate(std::move(ok));
    frame.pool = OwnedCommandPool(*device, pool);
    VkCommandBufferAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    allocate.commandPool = pool;
    allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    allocate.commandBufferCount = 1;
    ok = check(device->vk.vkAllocateCommandBuffers(device->handle, &allocate, &frame.commands),
               "vkAllocateCommandBuffers");
    if (!ok) return propagate(std::move(ok));
    return frame;
}

/// Waits for all work with the window's images, the presentation engine's as far as Vulkan knows of
/// it.
void Presenter::Impl::settle() const {
    const std::lock_guard lock(device->graphics->mutex);
    device->vk.vkQueueWaitIdle(device->graphics->handle);
}

Result<Shown> Presenter::Impl::renew(Extent window) {
    if (lost) return Shown::surface_lost;
    if (is_nothing(window)) return Shown::hidden;
    settle();
    auto made = create_swapchain(*device, surface.get(), window, options.vertical_sync,
                                 swapchain ? &*swapchain : nullptr);
    // The former images are retired, whatever came of it.
    swapchain.reset();
    if (!made) return propagate(std::move(made));
    lost = made->state == Shown::surface_lost;
    if (made->state != Shown::yes) return made->state;
    swapchain = std::move(made->swapchain);
    asked = window;
    outdated = false;
    unequal = swapchain->desc.extent == window ? 0 : unequal + 1;
    return Shown::yes;
}

Result<WindowImage> Presenter::Impl::acquire() {
    if (lost) return WindowImage{.state = Shown::surface_lost};
    if (!swapchain) return WindowImage{};
    turn = (turn + 1) % acquired.size();
    const VkSemaphore free = acquired[turn].get();
    const VkResult got = device->vk.vkAcquireNextImageKHR(
        device->handle, swapchain->handle.get(), kLongestAcquire, free, VK_NULL_HANDLE, &image);
    switch (got) {
    case VK_TIMEOUT:
    case VK_NOT_READY: return WindowImage{};
    case VK_ERROR_OUT_OF_DATE_KHR: outdated = true; return WindowImage{};
    case VK_ERROR_SURFACE_LOST_KHR: lost = true; return WindowImage{.state = Shown::surface_lost};
    case VK_SUBOPTIMAL_KHR: outdated = true; break; // after this frame
    default:
        if (auto ok = check(got, "vkAcquireNextImageKHR"); !ok) return propagate(std::move(ok));
    }
    return WindowImage{.state = Shown::yes,
                       .handle = swapchain->images[image],
                       .free = {free},
                       .drawn = {swapchain->drawn[image].get()}};
}

Result<Shown> Presenter::Impl::present() {
    if (!swapchain) return Shown::hidden;
    const VkSemaphore drawn = swapchain->drawn[image].get();
    const VkSwapchainKHR handle = swapchain->handle.get();
    VkPresentInfoKHR info{};
    info.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR;
    info.waitSemaphoreCount = 1;
    info.pWaitSemaphores = &drawn;
    info.swapchainCount = 1;
    info.pSwapchains = &handle;
    info.pImageIndices = &image;
    const std::lock_guard lock(device->graphics->mutex);
    const VkResult shown = device->vk.vkQueuePresentKHR(device->graphics->handle, &info);
    switch (shown) {
    case VK_ERROR_OUT_OF_DATE_KHR:
    case VK_SUBOPTIMAL_KHR: outdated = true; return Shown::yes;
    case VK_ERROR_SURFACE_LOST_KHR: lost = true; return Shown::surface_lost;
    default:
        if (auto ok = check(shown, "vkQueuePresentKHR"); !ok) return propagate(std::move(ok));
        return Shown::yes;
    }
}

Result<Presenter::Impl::Frame*> Presenter::Impl::next_frame() {
    Frame& frame = frames[submitted % frames.size()];
    const VkSemaphore semaphore = counted->get();
    VkSemaphoreWaitInfo wait{};
    wait.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
    wait.semaphoreCount = 1;
    wait.pSemaphores = &semaphore;
    wait.pValues = &frame.end;
    auto ok =
        check(device->vk.vkWaitSemaphores(device->handle, &wait, UINT64_MAX), "vkWaitSemaphores");
    if (!ok) return propagate(std::move(ok));
    ok = check(device->vk.vkResetCommandPool(device->handle, frame.pool.get(), 0),
               "vkResetCommandPool");
    if (!ok) return propagate(std::move(ok));
    VkCommandBufferBeginInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    ok = check(device->vk.vkBeginCommandBuffer(frame.commands, &info), "vkBeginCommandBuffer");
    if (!ok) return propagate(std::move(ok));
    return &frame;
}

Result<void> Presenter::Impl::copy(ExecutorImpl& executor, const OutputPlace& output,
                                   const WindowImage& target) {
    Frame& frame = frames[submitted % frames.size()]; // `next_frame` has begun it
    record_frame_copy(*device, frame.commands, output, target.handle, swapchain->desc.extent);
    if (auto ok = check(device->vk.vkEndCommandBuffer(frame.commands), "vkEndCommandBuffer"); !ok)
        return ok;
    const VkSemaphoreSubmitInfo wait = submit_info(target.free.handle, kFrameCopyStages);
    const VkSemaphoreSubmitInfo signals[] = {
        submit_info(target.drawn.handle, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT),
        submit_info(counted->get(), VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, submitted + 1)};
    VkCommandBufferSubmitInfo commands{};
    commands.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO;
    commands.commandBuffer = frame.commands;
    VkSubmitInfo2 info{};
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2;
    info.waitSemaphoreInfoCount = 1;
    info.pWaitSemaphoreInfos = &wait;
    info.commandBufferInfoCount = 1;
    info.pCommandBufferInfos = &commands;
    info.signalSemaphoreInfoCount = 2;
    info.pSignalSemaphoreInfos = signals;
    const std::lock_guard lock(device->graphics->mutex);
    auto ok = check(device->vk.vkQueueSubmit2(device->graphics->handle, 1, &info, VK_NULL_HANDLE),
                    "vkQueueSubmit2");
    if (!ok) return ok;
    frame.end = ++submitted;
    executor.presented = {counted, frame.end};
    return {};
}

Presenter::Presenter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Presenter::Presenter(Presenter&&) noexcept = default;
Presenter& Presenter::operator=(Presenter&&) noexcept = default;
Presenter::~Presenter() = default;

Result<Presenter> Presenter::create(Device& device, VkSurfaceKHR surface,
                                    PresenterOptions options) {
    const DeviceImpl& on = device.impl();
    auto impl = std::make_unique<Impl>(on);
    impl->options = options;
    impl->surface = OwnedSurface(on, surface);
    if (!on.vk.vkCreateSwapchainKHR || !on.vk.vkQueuePresentKHR)
        return fail("present/no-swapchain",
                    fmt::format("'{}' was opened without VK_KHR_swapchain, so it has no images for "
                                "windows",
                                on.caps.name),
                    "name the extension in DeviceRequest::device_extensions, and those of the "
                    "window system in instance_extensions");
    if (auto ok = check_surface(on, surface); !ok) return propagate(std::move(ok));
    if (auto ok = impl->create(); !ok) return propagate(std::move(ok));
    return Presenter(std::move(impl));
}

Result<Shown> Presenter::show(Executor& executor, std::string_view output, Extent window) {
    if (is_nothing(window)) return Shown::hidden;
    ExecutorImpl& from = executor.impl();
    // What can be wrong with the output is found before an image of the window is taken, which
    // would have to be given back.
    if (from.device != impl_->device)
        return fail("present/other-device", "the graph runs on another device than the window's",
                    "run it on the device that the presenter was made for, or bring its pixels");
    auto place = output_contents(from, output);
    if (!place) return propagate(std::move(place));
    if (auto ok = check_presentable(*impl_->device, *place, output); !ok)
        return propagate(std::move(ok));
    if (!impl_->is_current(window)) {
        auto renewed = impl_->renew(window);
        if (!renewed || *renewed != Shown::yes) return renewed;
    }
    if (auto frame = impl_->next_frame(); !frame) return propagate(std::move(frame));
    auto target = impl_->acquire();
    if (target && target->state == Shown::hidden && impl_->outdated) {
        // The window has changed since the last frame. Once: it may go on changing.
        auto renewed = impl_->renew(window);
        if (!renewed || *renewed != Shown::yes) return renewed;
        target = impl_->acquire();
    }
    if (!target) return propagate(std::move(target));
    if (!*target) return target->state;
    if (auto ok = impl_->copy(from, *place, *target); !ok) {
        impl_->outdated = true; // the image is not given back, so all are made again
        return propagate(std::move(ok));
    }
    return impl_->present();
}

void Presenter::set_vertical_sync(VerticalSync sync) {
    if (sync == impl_->options.vertical_sync) return;
    impl_->options.vertical_sync = sync;
    impl_->outdated = true;
}

Result<void> Presenter::replace_surface(VkSurfaceKHR surface) {
    OwnedSurface taken(*impl_->device, surface);
    if (auto ok = check_surface(*impl_->device, surface); !ok) return ok;
    impl_->settle();
    impl_->swapchain.reset();
    impl_->surface = std::move(taken);
    impl_->lost = false;
    return {};
}

bool Presenter::is_current(Extent window) const {
    return impl_->is_current(window);
}
Result<Shown> Presenter::renew(Extent window) {
    return impl_->renew(window);
}
Result<WindowImage> Presenter::acquire() {
    return impl_->acquire();
}
Result<Shown> Presenter::present() {
    return impl_->present();
}

const ImageDesc& Presenter::desc() const {
    static const ImageDesc kNone{.extent = {0, 0, 1}};
    return impl_->swapchain ? impl_->swapchain->desc : kNone;
}

std::span<const VkImage> Presenter::images() const {
    if (!impl_->swapchain) return {};
    return impl_->swapchain->images;
}

} // namespace tuff
