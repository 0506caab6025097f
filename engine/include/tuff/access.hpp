#pragma once

#include <cstdint>
#include <string_view>

namespace tuff {

/// Pipeline stages as bits; the numbers are those of VkPipelineStageFlagBits2.
using StageMask = std::uint64_t;
namespace stage {
/// @{
/// Vulkan's stage of that name.
inline constexpr StageMask kNone = 0;
inline constexpr StageMask kDrawIndirect = 0x2;
inline constexpr StageMask kVertexShader = 0x8;
inline constexpr StageMask kFragmentShader = 0x80;
inline constexpr StageMask kEarlyDepth = 0x100;
inline constexpr StageMask kLateDepth = 0x200;
inline constexpr StageMask kColorOutput = 0x400;
inline constexpr StageMask kCompute = 0x800;
inline constexpr StageMask kHost = 0x4000;
inline constexpr StageMask kAllCommands = 0x10000;
inline constexpr StageMask kRayTracing = 0x20'0000;
inline constexpr StageMask kAccelerationBuild = 0x200'0000;
inline constexpr StageMask kCopy = 0x1'0000'0000;
inline constexpr StageMask kResolve = 0x2'0000'0000;
inline constexpr StageMask kBlit = 0x4'0000'0000;
inline constexpr StageMask kClear = 0x8'0000'0000;
inline constexpr StageMask kTransfer = kCopy | kResolve | kBlit | kClear;
inline constexpr StageMask kIndexInput = 0x10'0000'0000;
/// @}
} // namespace stage

/// Memory access kinds as bits; the numbers are those of VkAccessFlagBits2.
using MemoryMask = std::uint64_t;
namespace memory {
/// @{
/// Vulkan's access of that name.
inline constexpr MemoryMask kNone = 0;
inline constexpr MemoryMask kIndirectRead = 0x1;
inline constexpr MemoryMask kIndexRead = 0x2;
inline constexpr MemoryMask kUniformRead = 0x8;
inline constexpr MemoryMask kShaderRead = 0x20; ///< inputs of builds; kernels have the two below
inline constexpr MemoryMask kColorRead = 0x80;
inline constexpr MemoryMask kColorWrite = 0x100;
inline constexpr MemoryMask kDepthRead = 0x200;
inline constexpr MemoryMask kDepthWrite = 0x400;
inline constexpr MemoryMask kTransferRead = 0x800;
inline constexpr MemoryMask kTransferWrite = 0x1000;
inline constexpr MemoryMask kHostRead = 0x2000;
inline constexpr MemoryMask kHostWrite = 0x4000;
inline constexpr MemoryMask kMemoryRead = 0x8000;
inline constexpr MemoryMask kMemoryWrite = 0x10000;
inline constexpr MemoryMask kAccelerationRead = 0x20'0000;
inline constexpr MemoryMask kAccelerationWrite = 0x40'0000;
inline constexpr MemoryMask kSampledRead = 0x1'0000'0000;
inline constexpr MemoryMask kStorageRead = 0x2'0000'0000;
inline constexpr MemoryMask kStorageWrite = 0x4'0000'0000;
inline constexpr MemoryMask kAllWrites = kColorWrite | kDepthWrite | kTransferWrite | kHostWrite |
                                         kMemoryWrite | kStorageWrite | kAccelerationWrite;
/// @}
} // namespace memory

/// Image layouts; the numbers are those of VkImageLayout. Buffers are always `undefined`.
enum class Layout : std::uint32_t {
    undefined = 0,
    general = 1,
    color_attachment = 2,
    depth_attachment = 3,
    depth_read_only = 4,
    shader_read_only = 5,
    transfer_source = 6,
    transfer_destination = 7,
    present = 1000001002,
};

/// Usages a resource must be created for. Each becomes the Vulkan image or buffer usage flag of the
/// same name; `kHost` becomes a kind of memory.
using UsageMask = std::uint32_t;
namespace usage {
/// @{
/// Vulkan's usage of that name.
inline constexpr UsageMask kSampled = 1u << 0;
inline constexpr UsageMask kStorage = 1u << 1;
inline constexpr UsageMask kUniform = 1u << 2;
inline constexpr UsageMask kColorAttachment = 1u << 3;
inline constexpr UsageMask kDepthAttachment = 1u << 4;
inline constexpr UsageMask kTransferSource = 1u << 5;
inline constexpr UsageMask kTransferDestination = 1u << 6;
inline constexpr UsageMask kIndex = 1u << 7;
inline constexpr UsageMask kIndirect = 1u << 8;
inline constexpr UsageMask kAccelerationInput = 1u << 9;
inline constexpr UsageMask kAcceleration = 1u << 10;
inline constexpr UsageMask kDeviceAddress = 1u << 11;
inline constexpr UsageMask kHost = 1u << 12; ///< of host nodes: in memory that the CPU can map
/// @}
} // namespace usage

/// How one node uses one resource.
enum class Access : std::uint8_t {
    uniform_read,
    storage_read,
    storage_write,
    storage_read_write, ///< in place, ordered against every other access
    accumulate,         ///< atomics whose order does not matter: several nodes may share a version
    sampled,
    color_write,      ///< attachment, old contents discarded (clear or don't care)
    color_read_write, ///< attachment, loaded or blended onto
    depth_write,
    depth_read_write,
    depth_read, ///< tested against, never written
    resolve_write,
    index_read,
    indirect_read,
    copy_read,
    copy_write,
    blit_read,
    blit_write,
    clear_write,          ///< fill and clear commands
    acceleration_input,   ///< vertices, indices or instances that a build reads
    acceleration_read,    ///< read by the build of the level above
    acceleration_write,   ///< built; old contents discarded
    acceleration_scratch, ///< scratch memory of a build
    acceleration_trace,   ///< kernels trace rays through it
    ray_count_read,       ///< has the numbers of rays that a ray node launches
    host_read,            ///< the CPU reads it after the execution
    host_node_read,       ///< a host node reads it
    host_node_write,      ///< a host node writes it
    present,
};

/// Stages, memory accesses and image layout of an access.
struct Scope {
    StageMask stages = stage::kNone;   ///< of the pipeline
    MemoryMask memory = memory::kNone; ///< kinds of memory access
    Layout layout = Layout::undefined; ///< for images
    friend bool operator==(const Scope&, const Scope&) = default;
};

/// Whether it reads the old contents.
bool reads(Access access);
/// Whether it changes the contents.
bool writes(Access access);
/// Whether images can have this access.
bool suits_images(Access access);
/// Whether buffers can have this access.
bool suits_buffers(Access access);
/// The scope of `access`. Fixed-function accesses ignore `shader_stages`.
Scope scope_of(Access access, StageMask shader_stages, bool is_image);
/// The usage flag that a resource needs for the access.
UsageMask usage_of(Access access);
/// "storage_read", for messages.
std::string_view name_of(Access access);
/// "shader_read_only", for messages.
std::string_view name_of(Layout layout);

} // namespace tuff
