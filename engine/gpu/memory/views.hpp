#pragma once

#include "gpu/device/owned.hpp"

#include <tuff/graph_desc.hpp>

#include <map>
#include <mutex>
#include <tuple>

namespace tuff {

struct ViewRequest {
    VkImage image = VK_NULL_HANDLE;
    Format format = Format::undefined;
    VkImageViewType type = VK_IMAGE_VIEW_TYPE_2D;
    VkImageAspectFlags aspects = 0;
    Range range; ///< concrete
};

/// Image views by what they show, each made once. Several threads may ask at once.
class ViewCache {
  public:
    Result<VkImageView> get(const DeviceImpl& device, const ViewRequest& request);
    /// Ends the views of `image`. No one may be asking meanwhile.
    void forget(VkImage image);

  private:
    using Key = std::tuple<VkImage, VkImageViewType, VkImageAspectFlags, std::uint32_t,
                           std::uint32_t, std::uint32_t, std::uint32_t>;
    std::mutex mutex_;
    std::map<Key, OwnedImageView> views_;
};

/// What a shader binding of this kind and dimension sees of an image.
ViewRequest shader_view(VkImage image, const ImageDesc& desc, const Range& concrete_range,
                        BindingKind kind, ImageDimension dimension);
/// What an attachment renders to.
ViewRequest attachment_view(VkImage image, const ImageDesc& desc, const Range& concrete_range);
/// What a custom node gets: the range in the image's own shape.
ViewRequest natural_view(VkImage image, const ImageDesc& desc, const Range& concrete_range);

} // namespace tuff
