#include "objects.hpp"

#include <tuff/host.hpp>
#include <tuff/tuff_vulkan.h>

#include <span>
#include <utility>

using namespace tuff;
using namespace tuff::c;

struct tuff_needs {
    DeviceNeeds needs;
};

namespace {

std::vector<HostSemaphore> semaphores(const tuff_semaphore* first, size_t count) {
    std::vector<HostSemaphore> all;
    for (const tuff_semaphore& one : std::span(first, count))
        all.push_back({.handle = one.handle, .value = one.value, .stages = one.stages});
    return all;
}

HostDevice described(const tuff_host_device& host) {
    HostDevice device{.instance = host.instance,
                      .physical_device = host.physical_device,
                      .device = host.device,
                      .queue = {.handle = host.queue, .family = host.queue_family},
                      .features = host.features,
                      .debug_names = host.debug_names != 0,
                      .allocator = host.allocator};
    if (host.log)
        device.on_message = [log = host.log, user = host.user](std::string_view message) {
            log(user, std::string(message).c_str());
        };
    for (const char* name : std::span(host.extensions, host.extension_count))
        device.extensions.emplace_back(name);
    if (host.lock) device.queue.lock = [lock = host.lock, user = host.user] { lock(user); };
    if (host.unlock)
        device.queue.unlock = [unlock = host.unlock, user = host.user] { unlock(user); };
    return device;
}

// Stages, accesses, layouts and formats carry Vulkan's numbers.
Scope scope(const tuff_use* use) {
    if (!use) return {};
    return {
        .stages = use->stages, .memory = use->accesses, .layout = static_cast<Layout>(use->layout)};
}

ImageDesc described(const VkImageCreateInfo& info) {
    const bool cube = (info.flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) != 0;
    return {.format = static_cast<Format>(info.format),
            .extent = {info.extent.width, info.extent.height, info.extent.depth},
            .mips = info.mipLevels,
            .layers = info.arrayLayers,
            .samples = static_cast<std::uint32_t>(info.samples),
            .shape = info.imageType == VK_IMAGE_TYPE_3D ? ImageShape::d3
                     : cube                             ? ImageShape::cube
                                                        : ImageShape::d2};
}

/// How whoever wants an output in this layout reads it.
Result<Access> reading_access(VkImageLayout layout) {
    switch (layout) {
    case VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL: return Access::copy_read;
    case VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL: return Access::sampled;
    case VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL: return Access::depth_read;
    case VK_IMAGE_LAYOUT_PRESENT_SRC_KHR: return Access::present;
    case VK_IMAGE_LAYOUT_GENERAL: return Access::storage_read;
    default:
        return fail("c/layout",
                    "no output is left in layout " + std::to_string(static_cast<int>(layout)),
                    "see tuff_config_output_layout for those that there are");
    }
}

/// Copies `info`, whose pointers may end before it is used.
template <typename Resource, typename Info>
void describe(Resource& resource, const Info* info, std::uint32_t family) {
    if (info) resource.info = *info;
    resource.info.pNext = nullptr;
    resource.info.pQueueFamilyIndices = nullptr;
    resource.family = family;
}

/// Drops `handle` from what is bound again to executors to come.
template <typename Resource, typename Handle>
void forget(tuff_graph& graph, Handle handle) {
    std::erase_if(graph.imports, [&](const auto& entry) {
        const auto* const resource = std::get_if<Resource>(&entry.second.resource);
        return resource && resource->handle == handle;
    });
    if (Executor* const executor = graph.runner.executor()) forget_import(*executor, handle);
}

} // namespace

extern "C" {

tuff_needs* tuff_needs_of(VkInstance instance, VkPhysicalDevice physical_device,
                          tuff_diagnostics** why) {
    return guarded<tuff_needs*>(why, nullptr, [&]() -> Result<tuff_needs*> {
        if (!instance || !physical_device) return null_argument("instance or physical_device");
        auto needs = DeviceNeeds::of(instance, physical_device);
        if (!needs) return propagate(std::move(needs));
        return new tuff_needs{std::move(*needs)};
    });
}
const VkPhysicalDeviceFeatures2* tuff_needs_features(const tuff_needs* needs) {
    return needs ? &needs->needs.features() : nullptr;
}
size_t tuff_needs_extension_count(const tuff_needs* needs) {
    return needs ? needs->needs.extensions().size() : 0;
}
const char* const* tuff_needs_extensions(const tuff_needs* needs) {
    return needs ? needs->needs.extensions().data() : nullptr;
}
uint32_t tuff_needs_queue_family(const tuff_needs* needs) {
    return needs ? needs->needs.queue_family() : ~0u;
}
void tuff_needs_free(tuff_needs* needs) {
    delete needs;
}

tuff_device* tuff_device_adopt(const tuff_host_device* host, tuff_diagnostics** why) {
    return guarded<tuff_device*>(why, nullptr, [&]() -> Result<tuff_device*> {
        if (!host) return null_argument("host");
        auto device = adopt_device(described(*host));
        if (!device) return propagate(std::move(device));
        return new tuff_device{.device = std::move(*device)};
    });
}

int tuff_config_import_image(tuff_config* config, const char* input, const VkImageCreateInfo* info,
                             const tuff_use* before, const tuff_use* after,
                             tuff_diagnostics** why) {
    return guarded<int>(why, 0, [&]() -> Result<int> {
        if (!config || !input || !info) return null_argument("config, input or info");
        auto done = config->config.import_image(input, described(*info),
                                                {.first = scope(before), .last = scope(after)});
        if (!done) return propagate(std::move(done));
        ++config->changes;
        return 1;
    });
}

int tuff_config_import_buffer(tuff_config* config, const char* input, VkDeviceSize size,
                              const tuff_use* before, const tuff_use* after,
                              tuff_diagnostics** why) {
    return guarded<int>(why, 0, [&]() -> Result<int> {
        if (!config || !input) return null_argument("config or input");
        auto done = config->config.import_buffer(input, {.size = size},
                                                 {.first = scope(before), .last = scope(after)});
        if (!done) return propagate(std::move(done));
        ++config->changes;
        return 1;
    });
}

int tuff_config_output_layout(tuff_config* config, const char* output, VkImageLayout layout,
                              tuff_diagnostics** why) {
    return guarded<int>(why, 0, [&]() -> Result<int> {
        if (!config || !output) return null_argument("config or output");
        const auto access = reading_access(layout);
        if (!access) return std::unexpected(access.error());
        auto done = config->config.set_output_access(output, *access);
        if (!done) return propagate(std::move(done));
        ++config->changes;
        return 1;
    });
}

int tuff_graph_bind_image(tuff_graph* graph, const char* input, const tuff_host_image* image,
                          tuff_diagnostics** why) {
    return guarded<int>(why, 0, [&]() -> Result<int> {
        if (!graph || !input || !image || !image->handle)
            return null_argument("graph, input, image or its handle");
        ImportedImage resource{.handle = image->handle, .layout = image->layout};
        describe(resource, image->info, image->family);
        graph->imports.insert_or_assign(input, Import{resource, image->info != nullptr});
        return 1;
    });
}

int tuff_graph_bind_buffer(tuff_graph* graph, const char* input, const tuff_host_buffer* buffer,
                           tuff_diagnostics** why) {
    return guarded<int>(why, 0, [&]() -> Result<int> {
        if (!graph || !input || !buffer || !buffer->handle)
            return null_argument("graph, input, buffer or its handle");
        ImportedBuffer resource{.handle = buffer->handle};
        describe(resource, buffer->info, buffer->family);
        graph->imports.insert_or_assign(input, Import{resource, buffer->info != nullptr});
        return 1;
    });
}

void tuff_graph_forget_image(tuff_graph* graph, VkImage image) {
    if (graph) forget<ImportedImage>(*graph, image);
}

void tuff_graph_forget_buffer(tuff_graph* graph, VkBuffer buffer) {
    if (graph) forget<ImportedBuffer>(*graph, buffer);
}

int tuff_graph_execute_between(tuff_graph* graph, const tuff_frame* frame,
                               const tuff_semaphore* wait, size_t wait_count,
                               const tuff_semaphore* signal, size_t signal_count,
                               tuff_diagnostics** why) {
    return guarded<int>(why, 0, [&]() -> Result<int> {
        if (!graph || !frame) return null_argument("graph or frame");
        if ((!wait && wait_count > 0) || (!signal && signal_count > 0))
            return null_argument("wait or signal");
        if (auto ready = graph->prepare(*frame); !ready) return propagate(std::move(ready));
        auto done = execute(*graph->runner.executor(), semaphores(wait, wait_count),
                            semaphores(signal, signal_count));
        if (!done) return propagate(std::move(done));
        return 1;
    });
}

int tuff_graph_record(tuff_graph* graph, const tuff_frame* frame, VkCommandBuffer commands,
                      tuff_diagnostics** why) {
    return guarded<int>(why, 0, [&]() -> Result<int> {
        if (!graph || !frame || !commands) return null_argument("graph, frame or commands");
        if (auto ready = graph->prepare(*frame); !ready) return propagate(std::move(ready));
        if (auto done = record(*graph->runner.executor(), commands); !done)
            return propagate(std::move(done));
        return 1;
    });
}

int tuff_graph_output_image(tuff_graph* graph, const char* output, tuff_output_image* image,
                            tuff_diagnostics** why) {
    return guarded<int>(why, 0, [&]() -> Result<int> {
        if (!graph || !output || !image) return null_argument("graph, output or image");
        const auto executor = graph->executor();
        if (!executor) return std::unexpected(executor.error());
        const auto found = output_image(**executor, output);
        if (!found) return std::unexpected(found.error());
        *image = {found->handle, found->format, found->extent,
                  found->mips,   found->layers, found->layout};
        return 1;
    });
}

int tuff_graph_output_buffer(tuff_graph* graph, const char* output, tuff_output_buffer* buffer,
                             tuff_diagnostics** why) {
    return guarded<int>(why, 0, [&]() -> Result<int> {
        if (!graph || !output || !buffer) return null_argument("graph, output or buffer");
        const auto executor = graph->executor();
        if (!executor) return std::unexpected(executor.error());
        const auto found = output_buffer(**executor, output);
        if (!found) return std::unexpected(found.error());
        *buffer = {found->handle, found->size};
        return 1;
    });
}

} // extern "C"
