#include "interface/stage.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <utility>

namespace tuff::viewer {
namespace {

std::unexpected<Diagnostics> no_surface(std::string why) {
    return fail("viewer/no-surface", std::move(why),
                "choose another device with --interface-device, lavapipe for instance");
}

Result<Presenter> present_in(Device& device, const Window& window) {
    VkSurfaceKHR surface = VK_NULL_HANDLE;
    if (glfwCreateWindowSurface(vulkan_instance(device), window.handle(), nullptr, &surface) !=
        VK_SUCCESS)
        return no_surface("the window gives no surface to draw on");
    auto presenter = Presenter::create(device, surface);
    if (!presenter && presenter.error().front().code == "present/no-surface")
        return no_surface(presenter.error().front().message);
    return presenter;
}

} // namespace

Stage::Stage(std::unique_ptr<Device> device, Presenter presenter, FontAtlas font)
    : device_(std::move(device)),
      renderer_(std::make_unique<InterfaceRenderer>(*device_, std::move(font))),
      presenter_(std::move(presenter)) {}

Result<Stage> Stage::open(Window& window, const std::vector<std::string>& candidates,
                          const DeviceRequest& base, FontAtlas font) {
    Diagnostics first;
    const auto keep_first = [&](Diagnostics problems) {
        if (first.empty()) first = std::move(problems);
    };
    for (const std::string& candidate : candidates) {
        DeviceRequest request = base;
        request.select = candidate;
        request.instance_extensions = window.instance_extensions();
        request.device_extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};
        auto opened = Device::open(request);
        if (!opened) {
            keep_first(std::move(opened.error()));
            continue;
        }
        auto device = std::make_unique<Device>(std::move(*opened));
        auto presenter = present_in(*device, window);
        if (!presenter) {
            keep_first(std::move(presenter.error()));
            continue;
        }
        Stage stage(std::move(device), std::move(*presenter), std::move(font));
        // Something to look at until the scene has finished its first frame.
        HostImage nothing = make_image(Format::rgba8_unorm, {1, 1, 1});
        if (auto set = stage.renderer_->set_picture(nothing); !set)
            return propagate(std::move(set));
        return stage;
    }
    return std::unexpected(std::move(first));
}

Result<Shown> Stage::renew(Extent extent) {
    renderer_->release_window();
    return presenter_.renew(extent);
}

Result<void> Stage::set_picture(const HostImage& image) {
    showing_.reset();
    return renderer_->set_picture(image);
}

Result<void> Stage::show(Window& window, const DrawList& list, const PictureDisplay& display) {
    const Extent extent = window.framebuffer();
    if (extent.width == 0 || extent.height == 0) return {};
    const bool damaged = window.take_damaged();
    if (!damaged && showing_ && presenter_.is_current(extent) && showing_->list == list &&
        showing_->display == display)
        return {};
    showing_.reset();
    if (!presenter_.is_current(extent)) {
        const auto renewed = renew(extent);
        if (!renewed) return std::unexpected(renewed.error());
        if (*renewed != Shown::yes) return {};
    }
    const auto image = presenter_.acquire();
    if (!image) return std::unexpected(image.error());
    if (!*image) return {}; // the next frame finds out why
    if (auto drawn = renderer_->draw(list, display, presenter_.desc(), *image); !drawn)
        return drawn;
    ++drawn_;
    const auto shown = presenter_.present();
    if (!shown) return std::unexpected(shown.error());
    if (*shown == Shown::yes) showing_ = {list, display};
    return {};
}

} // namespace tuff::viewer
