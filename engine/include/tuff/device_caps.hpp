#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tuff {

/// Kind of device that the driver reports; `cpu`: a software device.
enum class DeviceType : std::uint8_t { other, integrated, discrete, virtual_gpu, cpu };

/// Memory that acceleration structures need, as the device reports when it is opened.
struct AccelerationSizes {
    /// One level of an acceleration structure.
    struct Size {
        std::uint32_t triangles = 0;     ///< at most
        std::uint64_t bytes = 0;         ///< of the structure
        std::uint64_t scratch_bytes = 0; ///< for its build
    };
    std::vector<Size> bottom; ///< by increasing number of triangles
    Size top;                 ///< over one instance

    /// Size of the bottom level over `triangles` triangles; null if unknown.
    const Size* bottom_for(std::uint32_t triangles) const {
        for (const Size& size : bottom)
            if (size.triangles >= triangles) return &size;
        return nullptr;
    }
};

/// Limits and features of a device, read once when it is opened. Plain data: the graph compiler
/// needs only this and no device, and tests make their own.
struct DeviceCaps {
    std::string name = "none";           ///< from the driver
    std::string driver;                  ///< driver name and version as the driver reports them
    std::uint32_t api_version = 0;       ///< packed as Vulkan does; see `version_string`
    std::uint32_t vendor_id = 0;         ///< PCI
    std::uint32_t device_id = 0;         ///< PCI
    DeviceType type = DeviceType::other; ///< from the driver

    // Limits: at least those of the core tier.
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
    /// Images with samplers in one stage of a kernel. Each element of an array counts.
    std::uint32_t max_stage_textures = 16;
    std::uint32_t max_stage_bindings = 128;       ///< of any kind; each element of an array counts
    std::uint32_t uniform_offset_alignment = 256; ///< bytes
    std::uint32_t storage_offset_alignment = 256; ///< bytes
    /// Bytes between a buffer and an image in one block.
    std::uint64_t buffer_image_granularity = 1;
    std::uint32_t sample_counts =
        1 | 4;                       ///< bit n set: 2^n... as VkSampleCountFlags, colour and depth
    std::uint32_t subgroup_size = 4; ///< invocations; default of kernels
    std::uint32_t min_subgroup_size = 4;                        ///< invocations
    std::uint32_t max_subgroup_size = 4;                        ///< invocations
    double timestamp_period_ns = 0.0;                           ///< 0: no timestamps
    std::uint64_t device_memory_bytes = std::uint64_t{1} << 30; ///< largest device-local heap

    // Optional features for faster paths.
    bool int64 = false;                   ///< integers of 64 bits in kernels
    bool int64_buffer_atomics = false;    ///< atomics of 64 bits in buffers
    bool fp16 = false;                    ///< floats of 16 bits in kernels
    bool fp64 = false;                    ///< floats of 64 bits in kernels
    bool float_atomic_add = false;        ///< atomic addition of floats in buffers
    bool anisotropy = false;              ///< anisotropic filtering
    float max_anisotropy = 1.0f;          ///< largest `Sampler::max_anisotropy`
    bool async_compute = false;           ///< has a compute queue without graphics
    bool transfer_queue = false;          ///< has a queue that only copies
    bool cooperative_matrix = false;      ///< cooperative matrices in kernels
    bool mesh_shaders = false;            ///< mesh and task shaders
    bool ray_tracing_pipelines = false;   ///< ray nodes can run
    bool acceleration_structures = false; ///< can be built; `acceleration_sizes` are known
    bool ray_query = false;               ///< kernels can trace rays through them
    /// Unconnected optional bindings are null; without it they are small resources that
    /// the device owns.
    bool null_descriptors = false;
    std::shared_ptr<const AccelerationSizes> acceleration_sizes; ///< null: none can be built
    /// Kernels can index arrays of textures by numbers that differ from invocation to
    /// invocation.
    bool texture_arrays = false;
    bool logic_op = false;            ///< logic operations on attachments
    bool conservative_raster = false; ///< `RasterState::conservative`
    /// Attachments of r32_sfloat and rgba32_sfloat can be blended.
    bool float32_blending = false;
    bool memory_budget = false; ///< reports free memory
    /// A running group keeps running while other groups wait for it, so kernels can wait for
    /// groups that started before them. Vulkan does not promise this; it is true on
    /// the GPUs of AMD, Intel and NVIDIA.
    bool forward_progress = false;
    /// Loops run until their condition ends them, so kernels can wait in a loop.
    /// llvmpipe ends any loop after 2^16 iterations, even one that waits for a group that has not
    /// started yet.
    bool unbounded_loops = false;
    /// Images are as fast in the general layout as in any other, so graphs need not change
    /// layouts (`LayoutMode`): true for the GPUs of NVIDIA, and for GPUs with
    /// VK_KHR_unified_image_layouts.
    bool unified_layouts = false;
    /// Filters cube maps across the edges of faces. Vulkan demands it; SwiftShader filters
    /// with border texels, which it does not fill if a shader wrote the faces.
    bool seamless_cubes = false;
    /// Memory barriers are allowed in divergent control flow, as in Vulkan; llvmpipe waits at them
    /// for the whole group.
    bool barriers_in_branches = true;
    bool exact_sample_counts = false; ///< `RasterNodeBuilder::count_samples` counts exactly
};

} // namespace tuff
