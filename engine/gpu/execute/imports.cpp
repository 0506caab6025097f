// Imports: which of the host's images and buffers an executor uses, and whether they can be used
// so.

#include "gpu/execute/executor_impl.hpp"
#include "gpu/execute/plan_enums.hpp"
#include "gpu/memory/resource_info.hpp"

#include <tuff/vulkan.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace tuff {
namespace {

/// The import called `name`, of the right kind.
Result<ResourceId> find_import(const ExecutorImpl& executor, std::string_view name, bool image) {
    const GraphDesc& graph = executor.plan->graph;
    const auto fits = [&](ResourceId id) { return graph.resources[id.index].is_image() == image; };
    for (const ResourceId id : executor.imported)
        if (fits(id) && graph.name_of(id) == name) return id;
    std::vector<std::string> names;
    for (const ResourceId id : executor.imported)
        if (fits(id)) names.emplace_back(graph.name_of(id));
    const std::string_view nearest = nearest_name(name, names);
    return fail("gpu/unknown-import",
                fmt::format("the graph imports no {} \"{}\"", image ? "image" : "buffer", name),
                nearest.empty() ? "" : fmt::format("did you mean \"{}\"?", nearest));
}

/// `handle` has an image, or else a buffer.
Result<void> bind(ExecutorImpl& executor, std::string_view name, bool image,
                  const ResourceHandle& handle) {
    const auto import = find_import(executor, name, image);
    if (!import) return std::unexpected(import.error());
    if (handle == ResourceHandle{})
        return fail("gpu/import-missing",
                    fmt::format("import \"{}\" was given a handle that is null", name),
                    "give it an image or a buffer, or end the old one by forget_import");
    ResourceHandle& current = executor.imports[import->index];
    if (current == handle) return {};
    current = handle;
    ++executor.import_generation;
    return {};
}

/// What speaks against an import, as far as the host tells.
class Objections {
  public:
    Objections(const ExecutorImpl& executor, std::string_view name)
        : executor_(executor), name_(name) {}

    void add(std::string what, std::string hint) {
        all_.push_back({.code = "gpu/import-mismatch",
                        .message = fmt::format("import \"{}\" {}", name_, what),
                        .hint = std::move(hint)});
    }
    template <typename T>
    void expect_equal(const char* what, const T& has, const T& wanted) {
        if (has == wanted) return;
        add(fmt::format("has {} {}, but the graph declares {}", what, has, wanted),
            "declare it as it was made: see Graph::import_image");
    }
    /// `flags` says what a usage is called in Vulkan.
    void expect_usage(VkFlags has, UsageMask wanted, VkFlags (*flags)(UsageMask)) {
        UsageMask missing = 0;
        for (UsageMask bit = 1; bit != 0; bit <<= 1)
            if ((wanted & bit) != 0 && (flags(bit) & ~has) != 0) missing |= bit;
        if (missing == 0) return;
        add(fmt::format("was not made to be used as {}", usage_names(missing)),
            fmt::format("make it with the usage flags {:#x}, too", flags(missing)));
    }
    void expect_family(VkSharingMode sharing, const std::uint32_t* families, std::uint32_t count,
                       std::uint32_t owner) {
        const std::uint32_t own = executor_.device->graphics->family;
        if (sharing == VK_SHARING_MODE_CONCURRENT) {
            if (families && std::find(families, families + count, own) == families + count)
                add(fmt::format("is shared by queue families other than {}, Tuff's", own),
                    "name that family, too, when it is made");
        } else if (owner != VK_QUEUE_FAMILY_IGNORED && owner != own) {
            add(fmt::format("belongs to queue family {}, and Tuff's is {}", owner, own),
                "transfer its ownership, or make it VK_SHARING_MODE_CONCURRENT");
        }
    }
    Result<void> finish() && {
        if (all_.empty()) return {};
        return std::unexpected(std::move(all_));
    }

  private:
    const ExecutorImpl& executor_;
    std::string_view name_;
    Diagnostics all_;
};

std::string text_of(const VkExtent3D& extent) {
    return fmt::format("{}x{}x{}", extent.width, extent.height, extent.depth);
}

std::string layout_text(VkImageLayout layout) {
    return fmt::format("{} ({})", name_of(static_cast<Layout>(layout)), static_cast<int>(layout));
}

Result<void> check_image(const ExecutorImpl& executor, ResourceId import, std::string_view name,
                         const ImportedImage& image) {
    const ResourceDesc& resource = executor.plan->graph.resources[import.index];
    const UsageMask usage = executor.plan->usages[import.index];
    const VkImageCreateInfo wanted = image_info(resource.image(), usage);
    const VkImageCreateInfo& has = image.info;
    Objections objections(executor, name);
    if (has.format != wanted.format)
        objections.add(fmt::format("has VkFormat {}, but the graph declares {} ({})",
                                   static_cast<int>(has.format), info(resource.image().format).name,
                                   static_cast<int>(wanted.format)),
                       "declare it as it was made: see Graph::import_image");
    objections.expect_equal("VkImageType", static_cast<int>(has.imageType),
                            static_cast<int>(wanted.imageType));
    objections.expect_equal("extent", text_of(has.extent), text_of(wanted.extent));
    objections.expect_equal("mip levels:", has.mipLevels, wanted.mipLevels);
    objections.expect_equal("layers:", has.arrayLayers, wanted.arrayLayers);
    objections.expect_equal("samples:", static_cast<int>(has.samples),
                            static_cast<int>(wanted.samples));
    constexpr VkImageCreateFlags kCube = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
    if ((wanted.flags & kCube) != 0 && (has.flags & kCube) == 0)
        objections.add("is no cube", "make it with VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT");
    objections.expect_usage(has.usage, usage, image_usage);
    objections.expect_family(has.sharingMode, has.pQueueFamilyIndices, has.queueFamilyIndexCount,
                             image.family);
    const Layout taken_in = resource.import.first.layout;
    if (taken_in != Layout::undefined && image.layout != to_vk(taken_in))
        objections.add(fmt::format("is in layout {}, but the graph takes it in {}",
                                   layout_text(image.layout), layout_text(to_vk(taken_in))),
                       "change its layout before the execution, or declare the layout that it is "
                       "in: ImportState::first");
    return std::move(objections).finish();
}

Result<void> check_buffer(const ExecutorImpl& executor, ResourceId import, std::string_view name,
                          const ImportedBuffer& buffer) {
    const UsageMask usage = executor.plan->usages[import.index];
    const std::uint64_t wanted = executor.plan->graph.resources[import.index].buffer().size;
    const VkBufferCreateInfo& has = buffer.info;
    Objections objections(executor, name);
    if (has.size < wanted)
        objections.add(fmt::format("has {} bytes, but the graph declares {}", has.size, wanted),
                       "declare it as it was made: see Graph::import_buffer");
    objections.expect_usage(has.usage, usage, buffer_usage);
    objections.expect_family(has.sharingMode, has.pQueueFamilyIndices, has.queueFamilyIndexCount,
                             buffer.family);
    return std::move(objections).finish();
}

} // namespace

Result<void> bind_import(Executor& executor, std::string_view name, VkImage image) {
    return bind(executor.impl(), name, true, {.image = image});
}

Result<void> bind_import(Executor& executor, std::string_view name, VkBuffer buffer) {
    return bind(executor.impl(), name, false, {.buffer = buffer});
}

Result<void> bind_import(Executor& executor, std::string_view name, const ImportedImage& image) {
    const auto import = find_import(executor.impl(), name, true);
    if (!import) return std::unexpected(import.error());
    if (auto fits = check_image(executor.impl(), *import, name, image); !fits) return fits;
    return bind_import(executor, name, image.handle);
}

Result<void> bind_import(Executor& executor, std::string_view name, const ImportedBuffer& buffer) {
    const auto import = find_import(executor.impl(), name, false);
    if (!import) return std::unexpected(import.error());
    if (auto fits = check_buffer(executor.impl(), *import, name, buffer); !fits) return fits;
    return bind_import(executor, name, buffer.handle);
}

void forget_import(Executor& executor, VkImage image) {
    if (image != VK_NULL_HANDLE) executor.impl().forget({.image = image});
}

void forget_import(Executor& executor, VkBuffer buffer) {
    if (buffer != VK_NULL_HANDLE) executor.impl().forget({.buffer = buffer});
}

} // namespace tuff
