/* A C program with a Vulkan device of its own: hands a picture and a buffer to a config, has the
 * graph recorded into its commands and submitted between its semaphores, takes the results where
 * they lie, and makes the mistakes that hosts make. */
#include <tuff/tuff_vulkan.h>

#include <vulkan/vulkan.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kWidth = 8, kHeight = 4, kWords = 5 };

static int failures = 0;

static void expect(int holds, const char* what) {
    if (holds) return;
    fprintf(stderr, "does not hold: %s\n", what);
    ++failures;
}

static void must(VkResult result, const char* what) {
    if (result == VK_SUCCESS) return;
    fprintf(stderr, "%s: %d\n", what, (int)result);
    exit(1);
}

/* Expects that a call has worked. */
static void works(int done, tuff_diagnostics** why, const char* what) {
    if (done) return;
    fprintf(stderr, "%s: %s\n", what, tuff_diagnostics_text(*why));
    tuff_diagnostics_free(*why);
    *why = NULL;
    ++failures;
}

/* Expects that a call has failed with this code, and says what to do. */
static void fails(int done, tuff_diagnostics** why, const char* code) {
    if (done || tuff_diagnostics_count(*why) == 0 ||
        strcmp(tuff_diagnostics_code(*why, 0), code) != 0) {
        fprintf(stderr, "expected %s, not: %s\n", code, tuff_diagnostics_text(*why));
        ++failures;
    } else if (strcmp(code, "c/null") != 0) {
        expect(tuff_diagnostics_hint(*why, 0)[0] != '\0', "a mistake comes with a hint");
    }
    tuff_diagnostics_free(*why);
    *why = NULL;
}

/* --- what the host watches --------------------------------------------------------------------*/
typedef struct Watch {
    int blocks; /* of memory that Vulkan has asked the host for */
    int allocations;
    int depth; /* of the lock */
    int locked;
    int logged;
    char last[512]; /* of what was logged */
    int validation;
} Watch;

/* Blocks begin with their size and where they were allocated, for the reallocation and the end. */
typedef struct Block {
    void* start;
    size_t size;
} Block;

static void* VKAPI_PTR allocate(void* user, size_t size, size_t alignment,
                                VkSystemAllocationScope scope) {
    Watch* watch = user;
    char* const start = malloc(size + alignment + sizeof(Block));
    (void)scope;
    if (!start) return NULL;
    const size_t first = (size_t)start + sizeof(Block);
    char* const aligned = start + sizeof(Block) + (alignment - first % alignment) % alignment;
    const Block block = {start, size};
    memcpy(aligned - sizeof(Block), &block, sizeof(Block));
    __atomic_add_fetch(&watch->blocks, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&watch->allocations, 1, __ATOMIC_RELAXED);
    return aligned;
}
static void VKAPI_PTR release(void* user, void* memory) {
    Watch* watch = user;
    Block block;
    if (!memory) return;
    memcpy(&block, (char*)memory - sizeof(Block), sizeof(Block));
    free(block.start);
    __atomic_sub_fetch(&watch->blocks, 1, __ATOMIC_RELAXED);
}
static void* VKAPI_PTR reallocate(void* user, void* memory, size_t size, size_t alignment,
                                  VkSystemAllocationScope scope) {
    void* const fresh = size ? allocate(user, size, alignment, scope) : NULL;
    if (memory && fresh) {
        Block block;
        memcpy(&block, (char*)memory - sizeof(Block), sizeof(Block));
        memcpy(fresh, memory, block.size < size ? block.size : size);
    }
    if (!size || fresh) release(user, memory);
    return fresh;
}

static void lock(void* user) {
    Watch* watch = user;
    ++watch->depth;
    ++watch->locked;
}
static void unlock(void* user) {
    --((Watch*)user)->depth;
}
static void log_message(void* user, const char* message) {
    Watch* watch = user;
    ++watch->logged;
    snprintf(watch->last, sizeof(watch->last), "%s", message);
}
static VKAPI_ATTR VkBool32 VKAPI_CALL on_validation(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                    VkDebugUtilsMessageTypeFlagsEXT types,
                                                    const VkDebugUtilsMessengerCallbackDataEXT* data,
                                                    void* user) {
    (void)severity, (void)types;
    fprintf(stderr, "validation: %s\n", data->pMessage);
    ++((Watch*)user)->validation;
    return VK_FALSE;
}

/* --- the host's Vulkan ------------------------------------------------------------------------*/
typedef struct Host {
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
    VkCommandPool pool;
    VkSemaphore timeline;
    uint64_t reached;
    tuff_needs* needs;
} Host;

static void make_instance(Host* host, Watch* watch) {
    const char* const layer = "VK_LAYER_KHRONOS_validation";
    const char* const extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_3};
    const VkValidationFeatureEnableEXT check =
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    const VkValidationFeaturesEXT checks = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                            .enabledValidationFeatureCount = 1,
                                            .pEnabledValidationFeatures = &check};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pNext = &checks,
                                       .pApplicationInfo = &application,
                                       .enabledLayerCount = 1,
                                       .ppEnabledLayerNames = &layer,
                                       .enabledExtensionCount = 1,
                                       .ppEnabledExtensionNames = &extension};
    must(vkCreateInstance(&info, NULL, &host->instance), "vkCreateInstance");
    const VkDebugUtilsMessengerCreateInfoEXT listen = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_validation,
        .pUserData = watch};
    const PFN_vkCreateDebugUtilsMessengerEXT create =
        (PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(host->instance,
                                                                  "vkCreateDebugUtilsMessengerEXT");
    must(create(host->instance, &listen, NULL, &host->messenger), "a messenger");
}

/* The first device that can do what Tuff needs. */
static void make_device(Host* host) {
    VkPhysicalDevice devices[8];
    uint32_t count = 8;
    tuff_diagnostics* why = NULL;
    (void)vkEnumeratePhysicalDevices(host->instance, &count, devices);
    for (uint32_t i = 0; i < count && !host->needs; ++i) {
        host->physical = devices[i];
        host->needs = tuff_needs_of(host->instance, devices[i], i + 1 == count ? &why : NULL);
    }
    works(host->needs != NULL, &why, "tuff_needs_of");
    if (!host->needs) exit(1);
    host->family = tuff_needs_queue_family(host->needs);
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = host->family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = tuff_needs_features(host->needs),
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = (uint32_t)tuff_needs_extension_count(host->needs),
        .ppEnabledExtensionNames = tuff_needs_extensions(host->needs)};
    must(vkCreateDevice(host->physical, &info, NULL, &host->device), "vkCreateDevice");
    vkGetDeviceQueue(host->device, host->family, 0, &host->queue);
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = host->family};
    must(vkCreateCommandPool(host->device, &pool, NULL, &host->pool), "vkCreateCommandPool");
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                             .pNext = &type};
    must(vkCreateSemaphore(host->device, &semaphore, NULL, &host->timeline), "vkCreateSemaphore");
}

static void end_host(Host* host) {
    const PFN_vkDestroyDebugUtilsMessengerEXT destroy =
        (PFN_vkDestroyDebugUtilsMessengerEXT)vkGetInstanceProcAddr(
            host->instance, "vkDestroyDebugUtilsMessengerEXT");
    vkDestroySemaphore(host->device, host->timeline, NULL);
    vkDestroyCommandPool(host->device, host->pool, NULL);
    vkDestroyDevice(host->device, NULL);
    tuff_needs_free(host->needs);
    destroy(host->instance, host->messenger, NULL);
    vkDestroyInstance(host->instance, NULL);
}

static VkDeviceMemory memory_for(const Host* host, VkMemoryRequirements needs,
                                 VkMemoryPropertyFlags wanted) {
    VkPhysicalDeviceMemoryProperties types;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    vkGetPhysicalDeviceMemoryProperties(host->physical, &types);
    for (uint32_t i = 0; i < types.memoryTypeCount && !memory; ++i) {
        if (!(needs.memoryTypeBits >> i & 1u)) continue;
        if ((types.memoryTypes[i].propertyFlags & wanted) != wanted) continue;
        const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                           .allocationSize = needs.size,
                                           .memoryTypeIndex = i};
        must(vkAllocateMemory(host->device, &info, NULL, &memory), "vkAllocateMemory");
    }
    return memory;
}

static const VkImageCreateInfo kImage = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
    .imageType = VK_IMAGE_TYPE_2D,
    .format = VK_FORMAT_R32G32B32A32_SFLOAT,
    .extent = {kWidth, kHeight, 1},
    .mipLevels = 1,
    .arrayLayers = 1,
    .samples = VK_SAMPLE_COUNT_1_BIT,
    .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT};

typedef struct Image {
    VkImage handle;
    VkDeviceMemory memory;
} Image;

static Image make_image(const Host* host) {
    Image image;
    VkMemoryRequirements needs;
    must(vkCreateImage(host->device, &kImage, NULL, &image.handle), "vkCreateImage");
    vkGetImageMemoryRequirements(host->device, image.handle, &needs);
    image.memory = memory_for(host, needs, 0);
    must(vkBindImageMemory(host->device, image.handle, image.memory, 0), "vkBindImageMemory");
    return image;
}

static VkBufferCreateInfo buffer_info(VkDeviceSize size) {
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    return info;
}

/* Of memory that the CPU sees. */
typedef struct Buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    void* bytes;
} Buffer;

static Buffer make_buffer(const Host* host, VkDeviceSize size) {
    Buffer buffer;
    VkMemoryRequirements needs;
    const VkBufferCreateInfo info = buffer_info(size);
    must(vkCreateBuffer(host->device, &info, NULL, &buffer.handle), "vkCreateBuffer");
    vkGetBufferMemoryRequirements(host->device, buffer.handle, &needs);
    buffer.memory = memory_for(
        host, needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    must(vkBindBufferMemory(host->device, buffer.handle, buffer.memory, 0), "vkBindBufferMemory");
    must(vkMapMemory(host->device, buffer.memory, 0, size, 0, &buffer.bytes), "vkMapMemory");
    return buffer;
}

static void end_image(const Host* host, Image image) {
    vkDestroyImage(host->device, image.handle, NULL);
    vkFreeMemory(host->device, image.memory, NULL);
}
static void end_buffer(const Host* host, Buffer buffer) {
    vkDestroyBuffer(host->device, buffer.handle, NULL);
    vkFreeMemory(host->device, buffer.memory, NULL);
}

/* --- frames -----------------------------------------------------------------------------------*/
static VkCommandBuffer begin(const Host* host) {
    VkCommandBuffer commands = VK_NULL_HANDLE;
    const VkCommandBufferAllocateInfo one = {.sType =
                                                 VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = host->pool,
                                             .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                             .commandBufferCount = 1};
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    must(vkAllocateCommandBuffers(host->device, &one, &commands), "vkAllocateCommandBuffers");
    must(vkBeginCommandBuffer(commands, &info), "vkBeginCommandBuffer");
    return commands;
}

/* Submits after what the timeline has reached, and moves it on. */
static void submit(Host* host, VkCommandBuffer commands) {
    must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    const VkSemaphoreSubmitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                        .semaphore = host->timeline,
                                        .value = host->reached,
                                        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    VkSemaphoreSubmitInfo signal = wait;
    signal.value = ++host->reached;
    const VkCommandBufferSubmitInfo one = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                           .commandBuffer = commands};
    const VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                .waitSemaphoreInfoCount = 1,
                                .pWaitSemaphoreInfos = &wait,
                                .commandBufferInfoCount = 1,
                                .pCommandBufferInfos = &one,
                                .signalSemaphoreInfoCount = 1,
                                .pSignalSemaphoreInfos = &signal};
    must(vkQueueSubmit2(host->queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit2");
}

static void change_layout(VkCommandBuffer commands, VkImage image, VkPipelineStageFlags2 before,
                          VkAccessFlags2 wrote, VkImageLayout from, VkPipelineStageFlags2 after,
                          VkAccessFlags2 accesses, VkImageLayout to) {
    const VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = before,
        .srcAccessMask = wrote,
        .dstStageMask = after,
        .dstAccessMask = accesses,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .imageMemoryBarrierCount = 1,
                                   .pImageMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(commands, &info);
}

/* The host's own drawing: grey everywhere. Its last use is kDrawn, in any frame. */
static const tuff_use kDrawn = {VK_PIPELINE_STAGE_2_CLEAR_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
static void draw(VkCommandBuffer commands, VkImage image, float grey) {
    const VkClearColorValue color = {{grey, grey, grey, 1.0f}};
    const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    change_layout(commands, image, kDrawn.stages, kDrawn.accesses, VK_IMAGE_LAYOUT_UNDEFINED,
                  kDrawn.stages, kDrawn.accesses, kDrawn.layout);
    vkCmdClearColorImage(commands, image, kDrawn.layout, &color, 1, &all);
}

/* Fetches the graph's picture, which lies there as a texture, and leaves it so. */
static void fetch(VkCommandBuffer commands, VkImage picture, VkBuffer target) {
    const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {kWidth, kHeight, 1}};
    const VkPipelineStageFlags2 shaders =
        VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    change_layout(commands, picture, shaders, 0, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                  VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT,
                  VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    vkCmdCopyImageToBuffer(commands, picture, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, target, 1,
                           &region);
    change_layout(commands, picture, VK_PIPELINE_STAGE_2_COPY_BIT, 0,
                  VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, shaders, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT,
                  VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    const VkMemoryBarrier2 to_cpu = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                     .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                     .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                     .dstStageMask = VK_PIPELINE_STAGE_2_HOST_BIT,
                                     .dstAccessMask = VK_ACCESS_2_HOST_READ_BIT};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .memoryBarrierCount = 1,
                                   .pMemoryBarriers = &to_cpu};
    vkCmdPipelineBarrier2(commands, &info);
}

/* --- the config -------------------------------------------------------------------------------*/
static const char kConfig[] =
    "{\"tuff\": 1, \"inputs\": {\"scene\": \"Image\", \"steps\": \"Buffer\"},\n"
    " \"params\": {\"stops\": {\"default\": 0.0, \"range\": [-4, 4]}},\n"
    " \"nodes\": {\n"
    "  \"bright\": {\"pass\": \"image/tonemap\", \"in\": {\"source\": \"scene\"},\n"
    "             \"params\": {\"exposure\": \"$stops\", \"operator\": \"none\", \"encoding\": \"linear\",\n"
    "                        \"format\": \"rgba32_sfloat\"}},\n"
    "  \"sums\": {\"pass\": \"primitives/scan\", \"in\": {\"source\": \"steps\"},\n"
    "           \"params\": {\"kind\": \"inclusive\"}}},\n"
    " \"outputs\": {\"picture\": \"bright.result\", \"sums\": \"sums.result\"}}\n";

static tuff_config* make_config(void) {
    tuff_diagnostics* why = NULL;
    tuff_config* const config = tuff_config_parse(kConfig, "host.json", &why);
    works(config != NULL, &why, "tuff_config_parse");
    const tuff_use written = {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_WRITE_BIT,
                              VK_IMAGE_LAYOUT_UNDEFINED};
    fails(tuff_config_import_image(config, "scen", &kImage, &kDrawn, &kDrawn, &why), &why,
          "config/unknown-port");
    fails(tuff_config_output_layout(config, "picture", VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                    &why),
          &why, "c/layout");
    works(tuff_config_import_image(config, "scene", &kImage, &kDrawn, &kDrawn, &why), &why,
          "tuff_config_import_image");
    works(tuff_config_import_buffer(config, "steps", kWords * sizeof(uint32_t), &written, &written,
                                    &why),
          &why, "tuff_config_import_buffer");
    works(tuff_config_output_layout(config, "picture", VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                                    &why),
          &why, "tuff_config_output_layout");
    return config;
}

/* --- what is tried ----------------------------------------------------------------------------*/
/* Both forms, three frames each, with a picture and a brightness that change. */
static void run_frames(Host* host, tuff_graph* graph, tuff_config* config, const Image* images,
                       const Buffer* steps, int submits) {
    tuff_diagnostics* why = NULL;
    const Buffer pixels = make_buffer(host, kWidth * kHeight * 16);
    const VkBufferCreateInfo made = buffer_info(kWords * sizeof(uint32_t));
    const tuff_host_buffer told = {steps->handle, &made, host->family};
    works(tuff_graph_bind_buffer(graph, "steps", &told, &why), &why, "tuff_graph_bind_buffer");
    for (int i = 0; i < 3; ++i) {
        const tuff_frame frame = {i, i / 60.0, 1.0 / 60.0};
        const tuff_host_image image = {images[i % 2].handle, &kImage, kDrawn.layout, host->family};
        works(tuff_graph_bind_image(graph, "scene", &image, &why), &why, "tuff_graph_bind_image");
        works(tuff_config_set(config, "stops", i == 2 ? "1" : "0", &why), &why, "tuff_config_set");
        VkCommandBuffer commands = begin(host);
        draw(commands, image.handle, 0.125f * (float)(i + 1));
        if (submits) {
            submit(host, commands);
            const tuff_semaphore wait = {host->timeline, host->reached,
                                         VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
            const tuff_semaphore signal = {host->timeline, ++host->reached,
                                           VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
            works(tuff_graph_execute_between(graph, &frame, &wait, 1, &signal, 1, &why), &why,
                  "tuff_graph_execute_between");
            commands = begin(host);
        } else {
            works(tuff_graph_record(graph, &frame, commands, &why), &why, "tuff_graph_record");
        }
        tuff_output_image picture = {0};
        works(tuff_graph_output_image(graph, "picture", &picture, &why), &why,
              "tuff_graph_output_image");
        expect(picture.format == VK_FORMAT_R32G32B32A32_SFLOAT && picture.extent.width == kWidth,
               "the picture's kind");
        expect(picture.layout == VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, "the layout asked for");
        fetch(commands, picture.handle, pixels.handle);
        submit(host, commands);
        must(vkQueueWaitIdle(host->queue), "vkQueueWaitIdle");
        const float grey = ((const float*)pixels.bytes)[4 * (kWidth * kHeight - 1)];
        expect(grey == (i == 2 ? 0.75f : 0.125f * (float)(i + 1)), "the picture's brightness");

        void* bytes = NULL;
        size_t size = 0;
        works(tuff_graph_read_buffer(graph, "sums", &bytes, &size, &why), &why,
              "tuff_graph_read_buffer");
        const uint32_t expected[kWords] = {1, 3, 6, 10, 15};
        expect(size == sizeof(expected) && memcmp(bytes, expected, size) == 0, "running sums");
        free(bytes);
    }
    tuff_output_buffer sums = {0};
    works(tuff_graph_output_buffer(graph, "sums", &sums, &why), &why, "tuff_graph_output_buffer");
    expect(sums.handle != VK_NULL_HANDLE && sums.size == kWords * sizeof(uint32_t), "its size");
    end_buffer(host, pixels);
}

static void try_mistakes(Host* host, tuff_graph* graph, const Image* image, const Buffer* steps) {
    tuff_diagnostics* why = NULL;
    const tuff_frame frame = {0, 0.0, 0.0};
    const tuff_host_image right = {image->handle, &kImage, kDrawn.layout, host->family};
    tuff_host_image wrong = right;
    VkImageCreateInfo info = kImage;

    /* What is bound is looked at when an execution begins. */
    wrong.layout = VK_IMAGE_LAYOUT_GENERAL;
    works(tuff_graph_bind_image(graph, "scene", &wrong, &why), &why, "tuff_graph_bind_image");
    fails(tuff_graph_execute(graph, &frame, &why), &why, "gpu/import-mismatch");
    wrong = right;
    wrong.info = &info;
    info.extent.width = kWidth + 1;
    works(tuff_graph_bind_image(graph, "scene", &wrong, &why), &why, "tuff_graph_bind_image");
    info.extent.width = 0; /* it was copied */
    fails(tuff_graph_execute(graph, &frame, &why), &why, "gpu/import-mismatch");
    works(tuff_graph_bind_image(graph, "scene", &right, &why), &why, "tuff_graph_bind_image");
    works(tuff_graph_bind_image(graph, "scne", &right, &why), &why, "tuff_graph_bind_image");
    fails(tuff_graph_execute(graph, &frame, &why), &why, "gpu/unknown-import");
    tuff_graph_forget_image(graph, image->handle); /* under both names */
    fails(tuff_graph_execute(graph, &frame, &why), &why, "gpu/import-missing");

    VkBufferCreateInfo plain = buffer_info(kWords * sizeof(uint32_t));
    plain.usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
    const tuff_host_buffer unfit = {steps->handle, &plain, host->family};
    tuff_host_buffer fit = unfit;
    fit.info = NULL; /* not looked at */
    works(tuff_graph_bind_image(graph, "scene", &right, &why), &why, "tuff_graph_bind_image");
    works(tuff_graph_bind_buffer(graph, "steps", &unfit, &why), &why, "tuff_graph_bind_buffer");
    fails(tuff_graph_execute(graph, &frame, &why), &why, "gpu/import-mismatch");
    works(tuff_graph_bind_buffer(graph, "steps", &fit, &why), &why, "tuff_graph_bind_buffer");

    wrong.handle = VK_NULL_HANDLE;
    fails(tuff_graph_bind_image(graph, "scene", &wrong, &why), &why, "c/null");
    const tuff_semaphore none = {0};
    fails(tuff_graph_execute_between(graph, &frame, &none, 1, NULL, 0, &why), &why,
          "gpu/host-handle");
    fails(tuff_graph_execute_between(graph, &frame, NULL, 1, NULL, 0, &why), &why, "c/null");
    fails(tuff_graph_record(graph, &frame, VK_NULL_HANDLE, &why), &why, "c/null");
    const VkCommandBuffer commands = begin(host);
    fails(tuff_graph_record(graph, &frame, commands, &why), &why, "gpu/host-driven");
    submit(host, commands);
    works(tuff_graph_execute(graph, &frame, &why), &why, "and right again");
    works(tuff_graph_wait(graph, &why), &why, "tuff_graph_wait");
}

static tuff_graph* start(tuff_device* device, tuff_config* config) {
    tuff_diagnostics* why = NULL;
    tuff_graph* const graph = tuff_graph_start(device, config, &why);
    works(graph != NULL, &why, "tuff_graph_start");
    return graph;
}

static void run(Host* host, tuff_device* device, Watch* watch) {
    tuff_config* const config = make_config();
    const Image images[2] = {make_image(host), make_image(host)};
    const Buffer steps = make_buffer(host, kWords * sizeof(uint32_t));
    for (uint32_t i = 0; i < kWords; ++i)
        ((uint32_t*)steps.bytes)[i] = i + 1;

    tuff_graph* graph = start(device, config);
    run_frames(host, graph, config, images, &steps, 0);
    tuff_graph_free(graph);
    graph = start(device, config);
    run_frames(host, graph, config, images, &steps, 1);
    try_mistakes(host, graph, &images[0], &steps);
    tuff_graph_free(graph);
    expect(watch->logged == 0, "so far all was returned");

    /* One that ends before what it has recorded does says so, and waits. */
    tuff_diagnostics* why = NULL;
    const tuff_frame frame = {0, 0.0, 0.0};
    graph = start(device, config);
    const tuff_host_image image = {.handle = images[0].handle};
    const tuff_host_buffer words = {.handle = steps.handle};
    works(tuff_graph_bind_image(graph, "scene", &image, &why), &why, "tuff_graph_bind_image");
    works(tuff_graph_bind_buffer(graph, "steps", &words, &why), &why, "tuff_graph_bind_buffer");
    const VkCommandBuffer commands = begin(host);
    draw(commands, image.handle, 0.5f);
    works(tuff_graph_record(graph, &frame, commands, &why), &why, "tuff_graph_record");
    must(vkEndCommandBuffer(commands), "vkEndCommandBuffer"); /* never submitted */
    tuff_graph_free(graph);
    expect(watch->logged == 1 && strstr(watch->last, "gpu/host-in-flight") != NULL, "it is logged");
    expect(tuff_device_message_count(device) == 1, "and counted");
    expect(strcmp(tuff_device_message(device, 0), watch->last) == 0, "and kept");
    expect(tuff_device_message(device, 1)[0] == '\0', "and no more");

    tuff_config_free(config);
    end_image(host, images[0]);
    end_image(host, images[1]);
    end_buffer(host, steps);
}

int main(void) {
    Watch watch = {0};
    Host host = {0};
    tuff_diagnostics* why = NULL;
    make_instance(&host, &watch);
    make_device(&host);

    const VkAllocationCallbacks allocator = {.pUserData = &watch,
                                             .pfnAllocation = allocate,
                                             .pfnReallocation = reallocate,
                                             .pfnFree = release};
    tuff_host_device told = {.instance = host.instance,
                             .physical_device = host.physical,
                             .device = host.device,
                             .queue = host.queue,
                             .queue_family = host.family,
                             .features = tuff_needs_features(host.needs),
                             .extensions = tuff_needs_extensions(host.needs),
                             .extension_count = tuff_needs_extension_count(host.needs),
                             .lock = lock,
                             .unlock = unlock,
                             .user = &watch,
                             .allocator = &allocator,
                             .log = log_message,
                             .debug_names = 1};
    told.queue = VK_NULL_HANDLE;
    fails(tuff_device_adopt(&told, &why) != NULL, &why, "device/host");
    told.queue = host.queue;
    told.unlock = NULL;
    fails(tuff_device_adopt(&told, &why) != NULL, &why, "device/host");
    told.unlock = unlock;
    VkPhysicalDeviceFeatures2 none = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    told.features = &none;
    fails(tuff_device_adopt(&told, &why) != NULL, &why, "device/missing-feature");
    told.features = tuff_needs_features(host.needs);

    tuff_device* const device = tuff_device_adopt(&told, &why);
    works(device != NULL, &why, "tuff_device_adopt");
    if (device) run(&host, device, &watch);
    tuff_device_close(device);
    expect(watch.allocations > 0 && watch.blocks == 0, "the host's memory is given back");
    expect(watch.locked > 0 && watch.depth == 0, "the host's lock is taken and given back");
    expect(watch.logged == 1, "nothing else was logged");
    end_host(&host);
    expect(watch.validation == 0, "the validation layer has nothing to say");
    return failures == 0 ? 0 : 1;
}
