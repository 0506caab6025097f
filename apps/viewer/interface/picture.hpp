#pragma once

#include "gpu/device/owned.hpp"

#include <tuff/device.hpp>
#include <tuff/executor.hpp>
#include <tuff/image.hpp>
#include <tuff/shader_library.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace tuff::viewer {

/// An image on the interface's device that holds what the scene has last finished. A graph of one
/// upload brings new texels in; between uploads the image rests as shaders read it.
class Picture {
  public:
    Picture(Device& device, const ShaderLibrary& shaders) : device_(&device), shaders_(&shaders) {}

    /// Takes the texels of a picture of depth 1. The image is made again where size or format
    /// change. Formats that shaders cannot sample as they are become 32-bit floats.
    Result<void> set(const HostImage& image);

    /// Whether `set` would make the image again. What was recorded with it has to go before.
    bool replaced_by(const HostImage& image) const;

    VkImage handle() const { return image_.get(); }
    const ImageDesc& desc() const { return desc_; }

  private:
    Result<void> make(const ImageDesc& desc);

    Device* device_;
    const ShaderLibrary* shaders_;
    ImageDesc desc_{.extent = {0, 0}};
    OwnedMemory memory_;
    OwnedImage image_;
    std::shared_ptr<std::vector<std::byte>> staging_;
    std::optional<Executor> uploader_;
};

/// How the interface's graphs find the picture, and leave it.
ImportState picture_state();

} // namespace tuff::viewer
