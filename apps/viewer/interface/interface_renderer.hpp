#pragma once

#include "interface/draw_list.hpp"
#include "interface/picture.hpp"

#include <tuff/device.hpp>
#include <tuff/executor.hpp>
#include <tuff/presenter.hpp>
#include <tuff/shader_library.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace tuff::viewer {

/// Coverage of the glyphs, 8 bits a texel.
struct FontAtlas {
    Extent extent;
    std::shared_ptr<const std::vector<std::byte>> texels;
};

/// Draws the interface by a graph of its own: the corners of its triangles are uploaded, three
/// raster nodes draw them into the window's image: what lies below the picture, the picture, and
/// what lies above. Frames differ in uploaded bytes alone, so that recorded
/// commands are replayed.
class InterfaceRenderer {
  public:
    /// `device` must outlive the renderer.
    InterfaceRenderer(Device& device, FontAtlas font);

    /// Makes `image` what the picture shows; of depth 1.
    Result<void> set_picture(const HostImage& image);

    /// Draws into `target`, one of the presenter's images, whose shape is `desc`.
    Result<void> draw(const DrawList& list, const PictureDisplay& display, const ImageDesc& desc,
                      const WindowImage& target);

    /// The same picture in host memory. Waits for it.
    Result<HostImage> capture(const DrawList& list, const PictureDisplay& display, Extent extent);

    /// Waits for all frames and drops what refers to images of the window.
    void release_window();

  private:
    enum class Target : std::uint8_t { window, host };
    struct Running {
        ImageDesc desc;
        std::optional<Executor> executor;
    };
    Result<void> prepare(Running& running, Target target, const ImageDesc& desc,
                         const DrawList& list);
    Result<Executor> make_executor(Target target, const ImageDesc& desc);
    bool make_room(const DrawList& list);
    void write(const DrawList& list, const PictureDisplay& display, Extent extent);

    Device* device_;
    std::unique_ptr<ShaderLibrary> shaders_;
    std::unique_ptr<MemoryModel> memory_;
    FontAtlas font_;
    Picture picture_;
    using Bytes = std::shared_ptr<std::vector<std::byte>>;
    Bytes corners_, frame_, arguments_; ///< what each execution uploads
    Running window_, host_;
};

} // namespace tuff::viewer
