#pragma once

// Custom nodes and imports, with Vulkan handles. Define VK_NO_PROTOTYPES
// before including it if Vulkan's functions come from volk or another loader.

#include <tuff/executor.hpp>
#include <tuff/graph_desc.hpp>

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <string_view>

namespace tuff {

/// Context for recording a custom node. Accesses are indexed in the order in which the node
/// declared them. Valid only during the call of `CustomNode::record`. The graph makes all barriers
/// around the node: images are in the layouts of the declared accesses.
class CommandContext {
  public:
    virtual ~CommandContext() = default;

    /// The device that records.
    virtual VkDevice device() const = 0;
    /// In the recording state, outside of a rendering instance. Bound state is lost on return.
    virtual VkCommandBuffer commands() const = 0;
    /// The image of an access; null for a buffer.
    virtual VkImage image(std::uint32_t access) const = 0;
    /// A view of the access's range, with the image's shape (one layer of a 2-D image: 2-D). Null
    /// for a buffer, or if the view could not be made.
    virtual VkImageView view(std::uint32_t access) = 0;
    /// The layout of the image while the node runs.
    virtual VkImageLayout layout(std::uint32_t access) const = 0;
    /// The buffer of an access; null for an image.
    virtual VkBuffer buffer(std::uint32_t access) const = 0;
    /// The declared part of the resource; all fields are concrete numbers.
    virtual Range range(std::uint32_t access) const = 0;
};

/// Sets the handle of an imported image, from the next execution on. The image must have the
/// declared size, format and usages, be in the declared first state when the execution begins, and
/// live until the last execution that uses it has finished; call `forget_import` before its end.
/// The recorded commands of an import that was bound at most `ExecutorOptions::kept_imports`
/// changes ago are reused. Errors: `gpu/unknown-import`, `gpu/import-missing` (the
/// handle is null).
///
/// Compiled plans use imports only on the graphics queue, regardless of queue hints: an import with
/// VK_SHARING_MODE_EXCLUSIVE must belong to the family of that queue, or to none yet. If an edited
/// plan uses an import on queues of several families, create it with
/// VK_SHARING_MODE_CONCURRENT for them (an image: unless the plan transfers its ownership).
/// Vulkan does not report how an image or a buffer was created, so only validation layers find
/// mistakes, or `ImportedImage`.
Result<void> bind_import(Executor& executor, std::string_view name, VkImage image);
/// The same for an imported buffer.
Result<void> bind_import(Executor& executor, std::string_view name, VkBuffer buffer);

/// An image and its description by the host, which is compared with the graph's declaration.
struct ImportedImage {
    VkImage handle = VK_NULL_HANDLE; ///< on the executor's device
    VkImageCreateInfo info{};        ///< as it was made; `pNext` is ignored
    /// Its layout when the next execution begins; ignored if the graph discards its contents
    /// (`ImportState::first` is in `Layout::undefined`).
    VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
    /// Its owner then; ignored if it has none yet, or is shared.
    std::uint32_t family = VK_QUEUE_FAMILY_IGNORED;
};
/// A buffer and its description by the host, which is compared with the graph's declaration.
struct ImportedBuffer {
    VkBuffer handle = VK_NULL_HANDLE; ///< on the executor's device
    VkBufferCreateInfo info{};        ///< as it was made
    /// Its owner when the next execution begins; ignored if it has none yet, or is shared.
    std::uint32_t family = VK_QUEUE_FAMILY_IGNORED;
};

/// `bind_import` with checks. Errors: those of `bind_import`, and `gpu/import-mismatch`,
/// one for each difference: format, size, usage, layout, queue family. On errors the old
/// binding stays.
Result<void> bind_import(Executor& executor, std::string_view name, const ImportedImage& image);
/// The same for a buffer.
Result<void> bind_import(Executor& executor, std::string_view name, const ImportedBuffer& buffer);

/// Call it before a bound image is destroyed. It drops all commands recorded with the image:
/// otherwise a new image with the same handle would be taken for the old one. Imports that
/// it is bound to must be bound again. Executions that use the image must have finished. Not
/// needed before the executor itself is destroyed.
void forget_import(Executor& executor, VkImage image);
/// The same for a buffer.
void forget_import(Executor& executor, VkBuffer buffer);

} // namespace tuff
