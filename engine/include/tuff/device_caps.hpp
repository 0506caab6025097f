#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tuff {

/// What kind of device a driver says it is; `cpu`: a software device.
enum class DeviceType : std::uint8_t { other, integrated, discrete, virtual_gpu, cpu };

/// Room that the device's acceleration structures take, as the device says when it is opened.
struct AccelerationSizes {
    /// Of one level of an acceleration structure.
    struct Size {
        std::uint32_t triangles = 0;     ///< at most
        std::uint64_t bytes = 0;         ///< that it takes itself
        std::uint64_t scratch_bytes = 0; ///< that building it takes beside
    };
    std::vector<Size> bottom; ///< by increasing number of triangles
    Size top;                 ///< over one instance

    /// Of the bottom level over so many triangles; null where the device does not tell.
    const Size* bottom_for(std::uint32_t triangles) const {
        for (const Size& size : bottom)
            if (size.triangles >= triangles) return &size;
        return nullptr;
    }
};

/// What a device can do, gathered once when it is opened. Plain data: the graph compiler takes it
/// without a device, and tests make their own.
struct DeviceCaps {
    std::string name = "none";           ///< as the driver says it
    std::string driver;                  ///< driver name and version as the driver reports them
    std::uint32_t api_version = 0;       ///< packed as Vulkan does; see `version_string`
    std::uint32_t vendor_id = 0;         ///< PCI
    std::uint32_t device_id = 0;         ///< PCI
    DeviceType type = DeviceType::other; ///< what the driver says it is

    // Limits of the core tier, raised where the device has more.
    std::uint32_t max_group_invocations = 256;  ///< invocations
    std::uint32_t max_shared_bytes = 32 * 1024; ///< bytes of shared memory a group
    std::uint32_t max_push_bytes = 128;         ///< bytes of push constants
    std::uint32_t max_image_2d = 16384;         ///< texels a side
    std::uint32_t max_image_3d = 2048;          ///< texels a side
    std::uint32_t max_image_layers = 2048;      ///< array layers
    /// Groups of a dispatch along x, y, z.
    std::uint32_t max_group_count[3] = {65535, 65535, 65535};
    std::uint64_t max_storage_buffer_bytes = 1u << 27; ///< bytes of one binding
    std::uint64_t max_uniform_buffer_bytes = 1u << 14; ///< bytes of one binding
    /// Images with samplers that one stage of a kernel may have. Elements of arrays count each.
    std::uint32_t max_stage_textures = 16;
    std::uint32_t max_stage_bindings = 128;       ///< of any kind; elements of arrays count each
    std::uint32_t uniform_offset_alignment = 256; ///< bytes
    std::uint32_t storage_offset_alignment = 256; ///< bytes
    /// Bytes between a buffer and an image in one block.
    std::uint64_t buffer_image_granularity = 1;
    std::uint32_t sample_counts =
        1 | 4;                       ///< bit n set: 2^n... as VkSampleCountFlags, colour and depth
    std::uint32_t subgroup_size = 4; ///< invocations; what kernels get unless they ask
    std::uint32_t min_subgroup_size = 4;                        ///< invocations
    std::uint32_t max_subgroup_size = 4;                        ///< invocations
    double timestamp_period_ns = 0.0;                           ///< 0: no timestamps
    std::uint64_t device_memory_bytes = std::uint64_t{1} << 30; ///< of the largest heap of its own

    // Optional abilities that faster paths ask for.
    bool int64 = false;                   ///< integers of 64 bits in kernels
    bool int64_buffer_atomics = false;    ///< atomics of 64 bits in buffers
    bool fp16 = false;                    ///< floats of 16 bits in kernels
    bool fp64 = false;                    ///< floats of 64 bits in kernels
    bool float_atomic_add = false;        ///< atomic addition of floats in buffers
    bool anisotropy = false;              ///< anisotropic filtering
    float max_anisotropy = 1.0f;          ///< most that `Sampler::max_anisotropy` may be
    bool async_compute = false;           ///< has a queue for compute without graphics
    bool transfer_queue = false;          ///< has a queue that copies and does nothing else
    bool cooperative_matrix = false;      ///< cooperative matrices in kernels
    bool mesh_shaders = false;            ///< mesh and task shaders
    bool ray_tracing_pipelines = false;   ///< ray nodes run, and go through them
    bool acceleration_structures = false; ///< may be built; `acceleration_sizes` are then known
    bool ray_query = false;               ///< kernels may send rays through them
    /// Optional bindings that are not connected are null; where not, they are small resources that
    /// the device owns.
    bool null_descriptors = false;
    std::shared_ptr<const AccelerationSizes> acceleration_sizes; ///< null: none are built
    /// Kernels may choose among the textures of an array by numbers that differ from invocation to
    /// invocation.
    bool texture_arrays = false;
    bool logic_op = false;            ///< attachments may be combined bit by bit
    bool conservative_raster = false; ///< `RasterState::conservative`
    /// Attachments of r32_sfloat and rgba32_sfloat may be blended onto.
    bool float32_blending = false;
    bool memory_budget = false; ///< tells how much memory is free
    /// A group that runs goes on running however many groups wait for it: kernels may wait for
    /// groups that have started before them. Vulkan promises nothing of the kind; it is true of
    /// the GPUs of AMD, Intel and NVIDIA.
    bool forward_progress = false;
    /// Loops end when their condition ends them, however many rounds that takes: kernels may wait
    /// in a loop. llvmpipe ends any loop after 2^16 rounds, even one that waits for a group whose
    /// turn has not come.
    bool unbounded_loops = false;
    /// Images are as fast in the general layout as in any other, so that graphs need not change
    /// layouts (`LayoutMode`): true of the GPUs of NVIDIA, and of GPUs that have
    /// VK_KHR_unified_image_layouts.
    bool unified_layouts = false;
    /// Filters cube maps across the edges of their faces. Vulkan demands it; SwiftShader filters
    /// against border texels, which it does not fill where a shader has written the faces.
    bool seamless_cubes = false;
    /// Memory barriers may stand where not all invocations of a group come by, as Vulkan has it;
    /// llvmpipe waits at them for the whole group.
    bool barriers_in_branches = true;
    bool exact_sample_counts = false; ///< `RasterNodeBuilder::count_samples` counts exactly
};

} // namespace tuff
