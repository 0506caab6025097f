#pragma once

#include "interface/imgui_context.hpp"
#include "interface/interface_renderer.hpp"
#include "interface/window.hpp"

#include <tuff/device.hpp>
#include <tuff/presenter.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace tuff::viewer {

/// A device that can show images in the window, with all that drawing takes. The interface has a
/// device of its own, so that it stays at the screen's rate however busy the scene's is, and so
/// that a scene may run on a device which has no screen.
class Stage {
  public:
    /// Opens the first of `candidates` (as `DeviceRequest::select`) that can show images in the
    /// window. Errors: of the first candidate.
    static Result<Stage> open(Window& window, const std::vector<std::string>& candidates,
                              const DeviceRequest& base, FontAtlas font);

    /// Makes `image` what the picture shows; of depth 1.
    Result<void> set_picture(const HostImage& image);

    /// Draws and shows a frame, unless the window shows the same one already; does nothing while
    /// the window has no size.
    Result<void> show(Window& window, const DrawList& list, const PictureDisplay& display);

    InterfaceRenderer& renderer() { return *renderer_; }
    /// Frames that were drawn for the window.
    std::uint64_t drawn() const { return drawn_; }
    const DeviceCaps& caps() const { return device_->caps(); }

  private:
    Stage(std::unique_ptr<Device> device, Presenter presenter, FontAtlas font);
    Result<Shown> renew(Extent extent);

    std::unique_ptr<Device> device_;
    std::unique_ptr<InterfaceRenderer> renderer_;
    /// What the window shows. Without a value: not what was asked for last.
    struct Showing {
        DrawList list;
        PictureDisplay display;
    };
    std::optional<Showing> showing_;
    std::uint64_t drawn_ = 0;
    Presenter presenter_; ///< ends first: its images are nobody's after that
};

} // namespace tuff::viewer
