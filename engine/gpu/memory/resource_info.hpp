#pragma once

#include "gpu/device/owned.hpp"
#include "gpu/device/queue_sharing.hpp"

#include <tuff/graph_desc.hpp>

#include <cstdint>
#include <string_view>

namespace tuff {

/// Buffers are made as large as the next multiple, so that kernels may address whole vectors.
inline constexpr std::uint64_t kBufferPadding = 16;

/// How the engine creates images and buffers; the memory model asks the driver with the same.
VkImageCreateInfo image_info(const ImageDesc& desc, UsageMask usage);
VkBufferCreateInfo buffer_info(const BufferDesc& desc, UsageMask usage);

/// Error `gpu/unsupported-format`: names resource, format and usage that the device cannot combine,
/// or the size, mips, layers or samples it cannot make of that format.
Result<void> check_support(const DeviceImpl& device, const ImageDesc& desc, UsageMask usage,
                           std::string_view name);

/// "sampled, storage"
std::string usage_names(UsageMask usage);

/// `shared_by`: `shared_queues`.
Result<OwnedImage> create_image(const DeviceImpl& device, const ImageDesc& desc, UsageMask usage,
                                std::string_view name, QueueMask shared_by = 0);
/// `chain`: of VkBufferCreateInfo.
Result<OwnedBuffer> create_buffer(const DeviceImpl& device, const BufferDesc& desc, UsageMask usage,
                                  std::string_view name, QueueMask shared_by = 0,
                                  const void* chain = nullptr);

/// Bytes of a buffer to bind for `range` (concrete) as an array of elements of `element_bytes`:
/// where the range reaches the end of a buffer of the engine's own, whole elements, as far as the
/// padding goes.
std::uint64_t bound_bytes(const ResourceDesc& resource, const Range& range,
                          std::uint32_t element_bytes);

/// `range` with every "all" replaced by numbers.
Range concrete(const ResourceDesc& resource, const Range& range);

VkImageSubresourceRange subresources(Format format, const Range& concrete_range);

} // namespace tuff
