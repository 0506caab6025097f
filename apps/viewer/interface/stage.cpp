#include "interface/stage.hpp"

#include <utility>

namespace tuff::viewer {

Stage::Stage(std::unique_ptr<Device> device, Surface surface, FontAtlas font)
    : device_(std::move(device)), surface_(std::move(surface)),
      renderer_(std::make_unique<InterfaceRenderer>(*device_, std::move(font))) {}

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
        auto surface = Surface::create(*device, window.handle());
        if (!surface) {
            keep_first(std::move(surface.error()));
            continue;
        }
        Stage stage(std::move(device), std::move(*surface), std::move(font));
        // Something to look at until the scene has finished its first frame.
        HostImage nothing = make_image(Format::rgba8_unorm, {1, 1, 1});
        if (auto set = stage.renderer_->set_picture(nothing); !set)
            return propagate(std::move(set));
        return stage;
    }
    return std::unexpected(std::move(first));
}

Result<void> Stage::renew(Extent extent) {
    renderer_->release_window();
    presenter_.reset();
    auto made = Presenter::create(surface_, extent);
    if (!made) return propagate(std::move(made));
    // A window may have shrunk to nothing since it was asked.
    if (made->desc().extent.width > 0 && made->desc().extent.height > 0)
        presenter_.emplace(std::move(*made));
    return {};
}

Result<void> Stage::show(const Window& window, const DrawList& list,
                         const PictureDisplay& display) {
    const Extent extent = window.framebuffer();
    if (extent.width == 0 || extent.height == 0) return {};
    if (!presenter_ || presenter_->desc().extent != extent)
        if (auto renewed = renew(extent); !renewed) return renewed;
    if (!presenter_) return {};
    auto image = presenter_->acquire();
    if (!image) return propagate(std::move(image));
    if (!*image) {
        renderer_->release_window(); // the next frame makes both anew
        presenter_.reset();
        return {};
    }
    if (auto drawn = renderer_->draw(list, display, presenter_->desc(), **image); !drawn)
        return drawn;
    auto shown = presenter_->present();
    if (!shown) return propagate(std::move(shown));
    if (*shown == Presented::outdated) {
        renderer_->release_window();
        presenter_.reset();
    }
    return {};
}

} // namespace tuff::viewer
