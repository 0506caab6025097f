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

std::unexpected<Diagnostics> null_argument(const char* names) {
    return fail("c/null", std::string("\"") + names + "\" is null");
}

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
                      .allocator = host.allocator};
    for (const char* name : std::span(host.extensions, host.extension_count))
        device.extensions.emplace_back(name);
    if (host.lock && host.unlock) {
        device.queue.lock = [lock = host.lock, user = host.user] { lock(user); };
        device.queue.unlock = [unlock = host.unlock, user = host.user] { unlock(user); };
    }
    return device;
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

int tuff_graph_execute_between(tuff_graph* graph, const tuff_frame* frame,
                               const tuff_semaphore* wait, size_t wait_count,
                               const tuff_semaphore* signal, size_t signal_count,
                               tuff_diagnostics** why) {
    return guarded<int>(why, 0, [&]() -> Result<int> {
        if (!graph || !frame) return null_argument("graph or frame");
        if ((!wait && wait_count > 0) || (!signal && signal_count > 0))
            return null_argument("wait or signal");
        if (auto ready = graph->prepare(*frame); !ready) return propagate(std::move(ready));
        auto done = execute(*graph->executor, semaphores(wait, wait_count),
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
        if (auto done = record(*graph->executor, commands); !done)
            return propagate(std::move(done));
        return 1;
    });
}

int tuff_graph_output_image(tuff_graph* graph, const char* output, tuff_output_image* image,
                            tuff_diagnostics** why) {
    return guarded<int>(why, 0, [&]() -> Result<int> {
        if (!graph || !output || !image) return null_argument("graph, output or image");
        const auto found = output_image(*graph->executor, output);
        if (!found) return std::unexpected(found.error());
        *image = {found->handle, found->format, found->extent,
                  found->mips,   found->layers, found->layout};
        return 1;
    });
}

} // extern "C"
