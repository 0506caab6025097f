#pragma once

#include "gpu/memory/memory.hpp"

#include <tuff/graph_desc.hpp>

#include <mutex>
#include <vector>

namespace tuff {

/// What is bound to optional bindings that are not connected, on devices without null descriptors:
/// zeros, made when first asked for and never written. Several threads may ask at once.
class StandIns {
  public:
    /// Of as many bytes as kernels declare outside an array, as far as that is reasonable: reads
    /// beyond it are zero, as robust buffer access has it.
    Result<VkDescriptorBufferInfo> buffer(const DeviceImpl& device, const ShaderBinding& binding);
    /// A texel in the general layout, without a sampler. Error: `gpu/unsupported-format`.
    Result<VkDescriptorImageInfo> image(const DeviceImpl& device, const ShaderBinding& binding);

  private:
    struct Image {
        ImageDesc desc;
        ImageDimension dimension = ImageDimension::d2;
        bool storage = false;
        Placement placement; ///< declared first: the memory goes after the object in it
        OwnedImage image;
        OwnedImageView view;
    };
    std::mutex mutex_;
    Placement buffer_placement_;
    OwnedBuffer buffer_;
    std::vector<Image> images_;
};

} // namespace tuff
