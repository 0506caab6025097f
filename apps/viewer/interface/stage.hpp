#pragma once

#include "interface/imgui_context.hpp"
#include "interface/interface_renderer.hpp"
#include "interface/window.hpp"

#include <tuff/device.hpp>
#include <tuff/presenter.hpp>

#include <memory>
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

    /// Draws and shows a frame; does nothing while the window has no size.
    Result<void> show(const Window& window, const DrawList& list, const PictureDisplay& display);

    InterfaceRenderer& renderer() { return *renderer_; }
    const DeviceCaps& caps() const { return device_->caps(); }

  private:
    Stage(std::unique_ptr<Device> device, Presenter presenter, FontAtlas font);
    Result<Shown> renew(Extent extent);

    std::unique_ptr<Device> device_;
    std::unique_ptr<InterfaceRenderer> renderer_;
    Presenter presenter_; ///< ends first: its images are nobody's after that
};

} // namespace tuff::viewer
