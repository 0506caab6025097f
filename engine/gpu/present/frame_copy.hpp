#pragma once

#include "gpu/device/one_off.hpp"
#include "gpu/memory/readback.hpp"

#include <tuff/graph_desc.hpp>

namespace tuff {

/// Errors `gpu/output-kind`, `present/format` where the output cannot be copied to a window.
Result<void> check_presentable(const DeviceImpl& device, const OutputPlace& output,
                               std::string_view name);

/// The largest box of a window that has the picture's proportions, in its middle.
struct FrameBox {
    std::int32_t x = 0, y = 0;          ///< pixels, of the upper left corner
    std::int32_t width = 0, height = 0; ///< pixels
    friend bool operator==(const FrameBox&, const FrameBox&) = default;
};
FrameBox fitted(Extent picture, Extent window);

/// Copies an output, which stays in its layout, to an image of a window, which is left for the
/// screen. What comes before and after on the same queue need not know of it. The copy begins with
/// `kFrameCopyStages`.
void record_frame_copy(const DeviceImpl& device, VkCommandBuffer commands,
                       const OutputPlace& output, VkImage window_image, Extent window);
inline constexpr VkPipelineStageFlags2 kFrameCopyStages = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;

} // namespace tuff
