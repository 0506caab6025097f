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
    void* user;                             /**< handed to the host's functions */
    const VkAllocationCallbacks* allocator; /**< null: the driver's own */
    /** Gets what Tuff has to say where no call can return it; may be null. From any thread. */
    void (*log)(void* user, const char* message);
    int debug_names; /**< the instance has VK_EXT_debug_utils: objects get names, commands labels */
} tuff_host_device;

/** Everything that `host` names outlives the device that this returns. */
TUFF_API tuff_device* tuff_device_adopt(const tuff_host_device* host, tuff_diagnostics** why);

/* --- the host's images and buffers ------------------------------------------------------------*/
/** What the host does with an import last before each execution, or next after it. */
typedef struct tuff_use {
    VkPipelineStageFlags2 stages; /**< that use it */
    VkAccessFlags2 accesses;      /**< how */
    VkImageLayout layout;         /**< of an image; undefined before: what is in it is discarded */
} tuff_use;

/** Connects an input of the config ("inputs"), of type Image, to images of the host's that are made
 * as `info` says. Graphs that have been started see it from their next frame on. */
TUFF_API int tuff_config_import_image(tuff_config* config, const char* input,
                                      const VkImageCreateInfo* info, const tuff_use* before,
                                      const tuff_use* after, tuff_diagnostics** why);
/** Likewise an input of type Buffer. */
TUFF_API int tuff_config_import_buffer(tuff_config* config, const char* input, VkDeviceSize size,
                                       const tuff_use* before, const tuff_use* after,
                                       tuff_diagnostics** why);
/** The layout that executions leave an image output in: TRANSFER_SRC_OPTIMAL unless told otherwise,
 * or SHADER_READ_ONLY_OPTIMAL, DEPTH_STENCIL_READ_ONLY_OPTIMAL, PRESENT_SRC_KHR, GENERAL. */
TUFF_API int tuff_config_output_layout(tuff_config* config, const char* output,
                                       VkImageLayout layout, tuff_diagnostics** why);

/** An image of the host's for an input. */
typedef struct tuff_host_image {
    VkImage handle; /**< on the adopted device */
    /** As it was made, held against what the config imports; null: not looked at, nor what
     * follows. */
    const VkImageCreateInfo* info;
    VkImageLayout layout; /**< when the next execution begins */
    uint32_t family;      /**< whose it is then, or VK_QUEUE_FAMILY_IGNORED */
} tuff_host_image;
/** Gives an input its image from the next execution on, which tells where it does not fit. The
 * image lives until the last execution that uses it has finished. */
TUFF_API int tuff_graph_bind_image(tuff_graph* graph, const char* input,
                                   const tuff_host_image* image, tuff_diagnostics** why);

/** A buffer of the host's for an input. */
typedef struct tuff_host_buffer {
    VkBuffer handle;                /**< on the adopted device */
    const VkBufferCreateInfo* info; /**< as it was made; null: not looked at, nor the family */
    uint32_t family;                /**< whose it is, or VK_QUEUE_FAMILY_IGNORED */
} tuff_host_buffer;
/** Likewise a buffer. */
TUFF_API int tuff_graph_bind_buffer(tuff_graph* graph, const char* input,
                                    const tuff_host_buffer* buffer, tuff_diagnostics** why);
/** Before an image ends that was bound: another may get its handle. */
TUFF_API void tuff_graph_forget_image(tuff_graph* graph, VkImage image);
/** Likewise a buffer. */
TUFF_API void tuff_graph_forget_buffer(tuff_graph* graph, VkBuffer buffer);

/* --- frames -----------------------------------------------------------------------------------*/
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
/** Records one execution into a command buffer of the host's, whose pool is of the queue's family.
 * Recordings are submitted in their order, each once, and recording n is begun when n - 2 has
 * finished. A frame that differs from the one before in more than numbers compiles the graph anew:
 * all recordings must have finished then. */
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

/** A buffer output where it lies on the device. */
typedef struct tuff_output_buffer {
    VkBuffer handle;   /**< owned by the graph */
    VkDeviceSize size; /**< bytes */
} tuff_output_buffer;
/** Likewise of a buffer. */
TUFF_API int tuff_graph_output_buffer(tuff_graph* graph, const char* output,
                                      tuff_output_buffer* buffer, tuff_diagnostics** why);

#ifdef __cplusplus
}
#endif

#endif
