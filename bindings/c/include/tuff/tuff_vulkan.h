/* The part of the C interface for hosts that use Vulkan themselves. tuff/host.hpp, the same in C++,
 * tells more of each. */
#ifndef TUFF_TUFF_VULKAN_H
#define TUFF_TUFF_VULKAN_H

#include <tuff/tuff.h>

#include <vulkan/vulkan_core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a host turns on when it makes a device for Tuff. */
typedef struct tuff_needs tuff_needs;
TUFF_API tuff_needs* tuff_needs_of(VkInstance instance, VkPhysicalDevice physical_device,
                                   tuff_diagnostics** why);
/* For VkDeviceCreateInfo::pNext, or to be merged into the host's own. */
TUFF_API const VkPhysicalDeviceFeatures2* tuff_needs_features(const tuff_needs* needs);
TUFF_API size_t tuff_needs_extension_count(const tuff_needs* needs);
TUFF_API const char* const* tuff_needs_extensions(const tuff_needs* needs);
/* A family whose queues draw and compute. */
TUFF_API uint32_t tuff_needs_queue_family(const tuff_needs* needs);
TUFF_API void tuff_needs_free(tuff_needs* needs);

typedef struct tuff_host_device {
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device;
    VkQueue queue; /* draws and computes */
    uint32_t queue_family;
    /* The chain and the extensions that the device was made with. */
    const VkPhysicalDeviceFeatures2* features;
    const char* const* extensions;
    size_t extension_count;
    /* The lock of whoever uses the queue; null where one thread does. */
    void (*lock)(void* user);
    void (*unlock)(void* user);
    void* user;
    const VkAllocationCallbacks* allocator; /* null: the driver's own */
} tuff_host_device;

/* Everything that `host` names outlives the device that this returns. */
TUFF_API tuff_device* tuff_device_adopt(const tuff_host_device* host, tuff_diagnostics** why);

typedef struct tuff_semaphore {
    VkSemaphore handle;
    uint64_t value; /* of timeline semaphores */
    VkPipelineStageFlags2 stages;
} tuff_semaphore;

/* tuff_graph_execute between semaphores of the host's. */
TUFF_API int tuff_graph_execute_between(tuff_graph* graph, const tuff_frame* frame,
                                        const tuff_semaphore* wait, size_t wait_count,
                                        const tuff_semaphore* signal, size_t signal_count,
                                        tuff_diagnostics** why);
/* Records one execution into a command buffer of the host's. A frame that differs from the one
 * before in more than numbers compiles the graph anew: all recordings must have finished then. */
TUFF_API int tuff_graph_record(tuff_graph* graph, const tuff_frame* frame, VkCommandBuffer commands,
                               tuff_diagnostics** why);

typedef struct tuff_output_image {
    VkImage handle;
    VkFormat format;
    VkExtent3D extent;
    uint32_t mips;
    uint32_t layers;
    VkImageLayout layout; /* that each execution leaves it in */
} tuff_output_image;
TUFF_API int tuff_graph_output_image(tuff_graph* graph, const char* output,
                                     tuff_output_image* image, tuff_diagnostics** why);

#ifdef __cplusplus
}
#endif

#endif
