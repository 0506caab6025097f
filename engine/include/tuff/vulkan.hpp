#pragma once

// The only public header with Vulkan handles: custom nodes and imports. Define VK_NO_PROTOTYPES
// before including it where Vulkan's functions come from volk or another loader.

#include <tuff/executor.hpp>
#include <tuff/graph_desc.hpp>

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <string_view>

namespace tuff {

/// What a custom node records with. Accesses are indexed in the order in which the node declared
/// them. Valid during the call of `CustomNode::record` only. All barriers around the node are the
/// graph's: the images are in the layouts that the declared accesses ask for.
class CommandContext {
  public:
    virtual ~CommandContext() = default;

    /// The device that records.
    virtual VkDevice device() const = 0;
    /// In the recording state, outside of a rendering instance. Bound state is lost on return.
    virtual VkCommandBuffer commands() const = 0;
    /// The image of an access; null for a buffer.
    virtual VkImage image(std::uint32_t access) const = 0;
    /// A view of the access's range, of the image's own shape (one layer of a 2-D image: 2-D). Null
    /// for a buffer, or where the view could not be made.
    virtual VkImageView view(std::uint32_t access) = 0;
    /// The layout of the image while the node runs.
    virtual VkImageLayout layout(std::uint32_t access) const = 0;
    /// The buffer of an access; null for an image.
    virtual VkBuffer buffer(std::uint32_t access) const = 0;
    /// The part of the resource that was declared; all fields are concrete numbers.
    virtual Range range(std::uint32_t access) const = 0;
};

/// Gives the handle of an imported image, from the next execution on. The image must have the
/// declared size, format and usages, be in the declared first state when the execution begins, and
/// live until the last execution that uses it has finished; `forget_import` comes before its end.
/// An import that was bound before, and not more than `ExecutorOptions::kept_imports` changes ago,
/// finds its commands still recorded. Errors: `gpu/unknown-import`, `gpu/import-missing` (the
/// handle is null).
///
/// Compiled plans use imports on the graphics queue alone, whatever their nodes ask for: an import
/// with VK_SHARING_MODE_EXCLUSIVE must belong to the family of that queue, or to none yet. Whoever
/// edits a plan so that queues of several families use an import must create it with
/// VK_SHARING_MODE_CONCURRENT among them (an image: unless the plan transfers its ownership).
/// Vulkan does not tell how an image or a buffer was created, so mistakes are for validation layers
/// to find, or for `ImportedImage`.
Result<void> bind_import(Executor& executor, std::string_view name, VkImage image);
/// Likewise for an imported buffer.
Result<void> bind_import(Executor& executor, std::string_view name, VkBuffer buffer);

/// An image with what the host knows of it, which is held against what the graph declares.
struct ImportedImage {
    VkImage handle = VK_NULL_HANDLE; ///< on the executor's device
    VkImageCreateInfo info{};        ///< as it was made; nothing behind `pNext` is looked at
    /// That it is in when the next execution begins; any will do where the graph discards what is
    /// in it (`ImportState::first` is in `Layout::undefined`).
    VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
    /// Whose it is then; ignored where it is nobody's yet, or shared.
    std::uint32_t family = VK_QUEUE_FAMILY_IGNORED;
};
/// Likewise a buffer.
struct ImportedBuffer {
    VkBuffer handle = VK_NULL_HANDLE; ///< on the executor's device
    VkBufferCreateInfo info{};        ///< as it was made
    /// Whose it is when the next execution begins; ignored where it is nobody's yet, or shared.
    std::uint32_t family = VK_QUEUE_FAMILY_IGNORED;
};

/// `bind_import` of what can be used as the graph does. Errors as there, and `gpu/import-mismatch`,
/// one for each thing that is wrong: format, size, usage, layout, queue family. What was bound
/// before stays then.
Result<void> bind_import(Executor& executor, std::string_view name, const ImportedImage& image);
/// Likewise for a buffer.
Result<void> bind_import(Executor& executor, std::string_view name, const ImportedBuffer& buffer);

/// Tells that an image which was bound is about to end, so that whatever was recorded with it is
/// dropped: a new image may get the same handle, and would be taken for the old one. Imports that
/// it is bound to have to be bound anew. Executions that use the image must have finished. Not
/// needed before the executor itself ends.
void forget_import(Executor& executor, VkImage image);
/// Likewise for a buffer.
void forget_import(Executor& executor, VkBuffer buffer);

} // namespace tuff
