/** @file
 * The part of the C interface for hosts that use Vulkan themselves. tuff/host.hpp, the same in C++,
 * tells more of each. */
#ifndef TUFF_TUFF_VULKAN_H
#define TUFF_TUFF_VULKAN_H

#include <tuff/tuff.h>

#include <vulkan/vulkan_core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a host turns on when it makes a device for Tuff. */
typedef struct tuff_needs tuff_needs;
/** Of a physical device; fails where it lacks something. */
TUFF_API tuff_needs* tuff_needs_of(VkInstance instance, VkPhysicalDevice physical_device,
                                   tuff_diagnostics** why);
/** For VkDeviceCreateInfo::pNext, or to be merged into the host's own. */
TUFF_API const VkPhysicalDeviceFeatures2* tuff_needs_features(const tuff_needs* needs);
/** How many device extensions it takes. */
TUFF_API size_t tuff_needs_extension_count(const tuff_needs* needs);
/** Their names. */
TUFF_API const char* const* tuff_needs_extensions(const tuff_needs* needs);
/** A family whose queues draw and compute. */
TUFF_API uint32_t tuff_needs_queue_family(const tuff_needs* needs);
/** Ends them. */
TUFF_API void tuff_needs_free(tuff_needs* needs);

/** A device of the host's; see HostDevice. */
typedef struct tuff_host_device {
    VkInstance instance;              /**< of Vulkan 1.3 or later */
    VkPhysicalDevice physical_device; /**< of `instance` */
    VkDevice device;                  /**< of `physical_device` */
    VkQueue queue;                    /**< draws and computes */
    uint32_t queue_family;            /**< of `queue` */
    /** The chain and the extensions that the device was made with. */
    const VkPhysicalDeviceFeatures2* features;
    const char* const* extensions; /**< names of device extensions */
    size_t extension_count;        /**< how many */
    /** The lock of whoever uses the queue; null where one thread does. */
    void (*lock)(void* user);
    void (*unlock)(void* user);             /**< gives it back */
    void* user;                             /**< handed to both */
    const VkAllocationCallbacks* allocator; /**< null: the driver's own */
} tuff_host_device;

/** Everything that `host` names outlives the device that this returns. */
TUFF_API tuff_device* tuff_device_adopt(const tuff_host_device* host, tuff_diagnostics** why);

/** A semaphore of the host's; see HostSemaphore. */
typedef struct tuff_semaphore {
    VkSemaphore handle;           /**< binary or timeline */
    uint64_t value;               /**< of timeline semaphores */
    VkPipelineStageFlags2 stages; /**< that wait, or that must have ended */
} tuff_semaphore;

/** tuff_graph_execute between semaphores of the host's. */
TUFF_API int tuff_graph_execute_between(tuff_graph* graph, const tuff_frame* frame,
                                        const tuff_semaphore* wait, size_t wait_count,
                                        const tuff_semaphore* signal, size_t signal_count,
                                        tuff_diagnostics** why);
/** Records one execution into a command buffer of the host's. A frame that differs from the one
 * before in more than numbers compiles the graph anew: all recordings must have finished then. */
TUFF_API int tuff_graph_record(tuff_graph* graph, const tuff_frame* frame, VkCommandBuffer commands,
                               tuff_diagnostics** why);

/** An image output where it lies on the device; see OutputImage. */
typedef struct tuff_output_image {
    VkImage handle;       /**< owned by the graph */
    VkFormat format;      /**< of its texels */
    VkExtent3D extent;    /**< texels of mip 0 */
    uint32_t mips;        /**< mip levels */
    uint32_t layers;      /**< array layers */
    VkImageLayout layout; /**< that each execution leaves it in */
} tuff_output_image;
/** The image of an output, the same for all executions of a graph that is not compiled anew. */
TUFF_API int tuff_graph_output_image(tuff_graph* graph, const char* output,
                                     tuff_output_image* image, tuff_diagnostics** why);

#ifdef __cplusplus
}
#endif

#endif
