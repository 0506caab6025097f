#pragma once

#include <tuff/diagnostic.hpp>
#include <tuff/format.hpp>
#include <tuff/shader_interface.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

/// The work of nodes: kernels and their bindings, draws, copies, builds. Part of
/// the description of a graph (tuff/graph_desc.hpp); indices refer to its arrays.
namespace tuff {

/// The initial contents of an image or buffer.
using ClearValue = std::variant<std::array<float, 4>, std::array<std::uint32_t, 4>>;

/// Interpolation between texels.
enum class Filter : std::uint8_t { nearest, linear };
/// Addressing beyond the edge of an image.
enum class AddressMode : std::uint8_t { clamp, repeat, mirror };

/// How a kernel samples an image.
struct Sampler {
    Filter mag_filter = Filter::linear;         ///< for magnification
    Filter min_filter = Filter::linear;         ///< for minification
    Filter mip_filter = Filter::linear;         ///< between mip levels
    AddressMode address_u = AddressMode::clamp; ///< along x
    AddressMode address_v = AddressMode::clamp; ///< along y
    AddressMode address_w = AddressMode::clamp; ///< along z
    float max_anisotropy = 1.0f;                ///< 1: none
    bool base_level_only = false;               ///< smaller mips are never read
    friend bool operator==(const Sampler&, const Sampler&) = default;

    /// The nearest texel of the nearest mip level.
    static constexpr Sampler nearest() {
        return {Filter::nearest, Filter::nearest, Filter::nearest};
    }
};

/// Connects a shader binding to an access of the same node, or to nothing.
struct BindingUse {
    /// `access` of an optional binding that is not connected: a null descriptor.
    static constexpr std::uint32_t kNotConnected = ~0u;

    std::uint32_t binding = 0; ///< index into ShaderInterface::bindings
    std::uint32_t element = 0; ///< of an array binding
    std::uint32_t access = 0;  ///< index among the node's accesses, or `kNotConnected`
    std::uint32_t group = 0;   ///< 0: all draws; k: only draws of bind group k
    Sampler sampler;           ///< of sampled images
    friend bool operator==(const BindingUse&, const BindingUse&) = default;
};

/// A value for a specialisation constant.
struct SpecializationUse {
    std::uint32_t id = 0;   ///< `constant_id` in the kernel
    std::uint32_t bits = 0; ///< of the value, of any type
    friend bool operator==(const SpecializationUse&, const SpecializationUse&) = default;
};

/// A kernel with its bindings and parameters: part of compute, raster and ray nodes.
struct KernelUse {
    const ShaderInterface* shader = nullptr;  ///< of a library that outlives the description
    std::vector<BindingUse> bindings;         ///< one for each bound element
    std::vector<SpecializationUse> constants; ///< that differ from their defaults
    std::uint32_t push_offset = 0;  ///< into GraphDesc::parameters, `shader->push_bytes` long
    std::uint32_t param_offset = 0; ///< into GraphDesc::parameters, `shader->param_bytes` long

    /// Number of elements of a binding of `shader`, which may be a constant.
    std::uint32_t count_of(const ShaderBinding& binding) const {
        for (const SpecializationUse& constant : constants)
            if (constant.id == binding.count_constant) return constant.bits;
        return binding.count;
    }
    friend bool operator==(const KernelUse&, const KernelUse&) = default;
};

/// A dispatch.
struct ComputeNode {
    KernelUse kernel;                                ///< what runs
    std::array<std::uint32_t, 3> groups = {1, 1, 1}; ///< along x, y, z
    std::uint32_t indirect_access = ~0u; ///< among the node's accesses: counts come from a buffer
    std::uint64_t indirect_offset = 0;   ///< bytes
    friend bool operator==(const ComputeNode&, const ComputeNode&) = default;
};

/// A launch of a hardware ray-tracing pipeline.
struct RayNode {
    KernelUse kernel;                              ///< ray generation, and the stages that it calls
    std::array<std::uint32_t, 3> rays = {1, 1, 1}; ///< invocations of ray generation, along x, y, z
    std::uint32_t indirect_access = ~0u; ///< among the node's accesses: counts come from a buffer
    std::uint64_t indirect_offset = 0;   ///< bytes
    friend bool operator==(const RayNode&, const RayNode&) = default;
};

/// Initial contents of an attachment.
enum class LoadOp : std::uint8_t { load, clear, discard };

/// An attachment of a raster node.
struct Attachment {
    std::uint32_t access = 0;                  ///< index among the node's accesses
    std::uint32_t resolve_access = ~0u;        ///< index of the resolve target
    LoadOp load = LoadOp::clear;               ///< how it begins
    ClearValue clear = std::array<float, 4>{}; ///< where `load` is `clear`
    bool blend = false;                        ///< colour: blended by RasterState::blend
    friend bool operator==(const Attachment&, const Attachment&) = default;
};

/// Primitives of a draw.
enum class Topology : std::uint8_t { triangle_list, triangle_strip, line_list, point_list };
/// Which faces of triangles are culled.
enum class CullMode : std::uint8_t { none, front, back };
/// Comparison of a new depth with the stored one.
enum class CompareOp : std::uint8_t {
    never,
    less,
    equal,
    less_or_equal,
    greater,
    not_equal,
    greater_or_equal,
    always
};
/// Factor of a colour in blending.
enum class BlendFactor : std::uint8_t {
    zero,
    one,
    source_alpha,
    one_minus_source_alpha,
    destination_alpha,
    one_minus_destination_alpha,
    source_color,
    one_minus_source_color,
    destination_color,
    one_minus_destination_color
};
/// How the two products are combined.
enum class BlendOp : std::uint8_t { add, subtract, reverse_subtract, min, max };

/// Replaces blending for all attachments of a node, which must have integer formats.
enum class LogicOp : std::uint8_t { none, bit_or, bit_xor };

/// How new colours are combined with the stored ones.
struct BlendState {
    BlendFactor source_color = BlendFactor::one;                         ///< of the new colour
    BlendFactor destination_color = BlendFactor::one_minus_source_alpha; ///< of the stored one
    BlendOp color_op = BlendOp::add;                                     ///< of red, green and blue
    BlendFactor source_alpha = BlendFactor::one;                         ///< of the new alpha
    BlendFactor destination_alpha = BlendFactor::one_minus_source_alpha; ///< of the stored one
    BlendOp alpha_op = BlendOp::add;                                     ///< of alpha
    friend bool operator==(const BlendState&, const BlendState&) = default;
};

/// The fixed-function state of a raster node.
struct RasterState {
    Topology topology = Topology::triangle_list; ///< primitives of the draws
    CullMode cull = CullMode::none;              ///< faces that are culled
    bool front_counter_clockwise = true;         ///< which faces are front faces
    bool depth_test = true;                      ///< with a depth attachment
    bool depth_write = true;                     ///< stores depths that pass the test
    CompareOp depth_compare = CompareOp::less;   ///< new depth with stored
    BlendState blend;                            ///< of attachments that blend
    LogicOp logic = LogicOp::none;               ///< others need `DeviceCaps::logic_op`
    /// Every pixel that a triangle touches gets a fragment; needs
    /// `DeviceCaps::conservative_raster`.
    bool conservative = false;
    float depth_bias_constant = 0.0f; ///< in units of the depth format's resolution
    float depth_bias_slope = 0.0f;    ///< times the triangle's slope
    friend bool operator==(const RasterState&, const RasterState&) = default;
};

/// One draw of a raster node.
struct Draw {
    std::uint32_t count = 0;          ///< vertices, or indices if the node has an index buffer
    std::uint32_t first = 0;          ///< vertex or index
    std::int32_t vertex_offset = 0;   ///< indexed draws
    std::uint32_t instance_count = 1; ///< instances
    std::uint32_t first_instance = 0; ///< for per-draw data in kernels
    std::uint32_t group = 0;          ///< bind group
    /// Among the node's accesses: the arguments (VkDraw[Indexed]IndirectCommand) come from a
    /// buffer.
    std::uint32_t indirect_access = ~0u;
    std::uint64_t indirect_offset = 0; ///< bytes
    std::uint32_t indirect_draws = 1;  ///< consecutive argument records
    CullMode cull = CullMode::none;    ///< used if `own_cull` is set
    bool own_cull = false;             ///< `cull` replaces that of the state
    friend bool operator==(const Draw&, const Draw&) = default;
};

/// The type of the numbers in an index buffer.
enum class IndexType : std::uint8_t { uint16, uint32 };

/// A rectangle of a render area, in pixels from its upper left corner.
struct Scissor {
    std::uint32_t x = 0;      ///< of the left edge
    std::uint32_t y = 0;      ///< of the upper edge
    std::uint32_t width = 0;  ///< to the right
    std::uint32_t height = 0; ///< downwards
    friend bool operator==(const Scissor&, const Scissor&) = default;
};

/// Draws into attachments, or into none.
struct RasterNode {
    KernelUse kernel;                         ///< a vertex and a fragment stage
    std::vector<Attachment> colors;           ///< by location
    std::optional<Attachment> depth;          ///< for tests and writes, or only for tests
    RasterState state;                        ///< of all draws
    std::vector<Draw> draws;                  ///< in order
    std::uint32_t index_access = ~0u;         ///< among the node's accesses; ~0u: not indexed
    IndexType index_type = IndexType::uint32; ///< of the index buffer
    Extent area;                              ///< render area; with attachments, theirs
    std::optional<Scissor> scissor;           ///< none: the whole area
    std::uint32_t samples = 1;                ///< a pixel; with attachments, theirs
    std::uint32_t groups = 0;                 ///< highest bind group used
    std::uint32_t count_access = ~0u; ///< among the node's accesses: result of the occlusion query
    friend bool operator==(const RasterNode&, const RasterNode&) = default;
};

/// A copy between images of the same size and compatible formats, or between buffer and image.
struct CopyNode {
    std::uint32_t source = 0;                         ///< index among the node's accesses
    std::uint32_t destination = 0;                    ///< index among the node's accesses
    std::array<std::int32_t, 3> source_offset{};      ///< texels; images only
    std::array<std::int32_t, 3> destination_offset{}; ///< texels; images only
    Extent extent;                                    ///< texels; images only
    friend bool operator==(const CopyNode&, const CopyNode&) = default;
};

/// A blit: copies between images, with scaling and conversion.
struct BlitNode {
    std::uint32_t source = 0;                                ///< index among the node's accesses
    std::uint32_t destination = 0;                           ///< index among the node's accesses
    std::array<std::array<std::int32_t, 3>, 2> source_box{}; ///< low and high corner, texels
    std::array<std::array<std::int32_t, 3>, 2> destination_box{}; ///< low and high corner, texels
    Filter filter = Filter::linear;                               ///< how it scales
    friend bool operator==(const BlitNode&, const BlitNode&) = default;
};

/// Fills a buffer with one word, or clears a colour or depth image.
struct FillNode {
    std::uint32_t destination = 0;             ///< index among the node's accesses
    ClearValue value = std::array<float, 4>{}; ///< for a buffer, the first word
    friend bool operator==(const FillNode&, const FillNode&) = default;
};

/// Uploads bytes from the host in every execution.
struct UploadNode {
    std::uint32_t destination = 0;                       ///< index among the node's accesses
    std::shared_ptr<const std::vector<std::byte>> bytes; ///< all bytes of the written range
    friend bool operator==(const UploadNode&, const UploadNode&) = default;
};

/// Scratch memory of builds is aligned to this, and is that much larger than needed.
inline constexpr std::uint64_t kAccelerationScratchAlignment = 256;

/// The level over triangles, or the level over instances.
enum class AccelerationLevel : std::uint8_t { bottom, top };

/// Builds a level of a hardware acceleration structure, for a fast build.
/// Numbers are indices among the node's accesses.
struct BuildAccelerationNode {
    AccelerationLevel level = AccelerationLevel::bottom; ///< the level
    std::uint32_t destination = 0;                       ///< the structure
    std::uint32_t scratch = 0;                           ///< scratch memory of the build
    /// One untransformed instance of the bottom level: written with the bottom, read by the top.
    std::uint32_t instances = 0;
    std::uint32_t positions = 0; ///< bottom: three floats a vertex
    std::uint32_t indices = 0;   ///< bottom: three words a triangle; ~0u: in order
    std::uint32_t vertices = 0;  ///< bottom: number of vertices
    std::uint32_t triangles = 0; ///< bottom: number of triangles
    friend bool operator==(const BuildAccelerationNode&, const BuildAccelerationNode&) = default;
};

class CommandContext; // tuff/vulkan.hpp
class Communicator;   // tuff/communicator.hpp

/// A node that the host records. It must use only its declared accesses.
struct CustomNode {
    std::function<void(CommandContext&)> record; ///< called in every execution
    /// Functions cannot be compared: nodes with one always differ.
    friend bool operator==(const CustomNode& a, const CustomNode& b) {
        return !a.record && !b.record;
    }
};

/// The bytes that a host node has declared, in the order of its declarations.
struct HostBuffers {
    std::span<const std::span<const std::byte>> read; ///< by the number of the read
    std::span<const std::span<std::byte>> written;    ///< by the number of the write
};

/// What a host node does.
class HostTask {
  public:
    virtual ~HostTask() = default;
    /// Reads and writes the bytes that the node has declared, on a thread of the executor. It must
    /// not wait for the device. An error ends the execution: `Executor::wait` returns it.
    virtual Result<void> run(const HostBuffers& buffers) = 0;
    /// The ranks that what it reads is sent to, if it does nothing else with it. Such bytes may be in
    /// memory that the host cannot touch (`Communicator::lend`).
    virtual Communicator* sends(std::size_t read) const {
        (void)read;
        return nullptr;
    }
    /// The ranks that what it writes comes from, if it does nothing else with it.
    virtual Communicator* receives(std::size_t write) const {
        (void)write;
        return nullptr;
    }
    /// Whether `other` does the same, so that a graph with either has the same structure.
    virtual bool equals(const HostTask& other) const { return this == &other; }
};

/// A node that runs on the host, between nodes of the device.
struct HostNode {
    std::shared_ptr<HostTask> task; ///< runs in every execution
    /// Whether both do the same.
    friend bool operator==(const HostNode& a, const HostNode& b) {
        return a.task == b.task || (a.task && b.task && a.task->equals(*b.task));
    }
};

/// Accesses without work, for tests, benchmarks and captured graphs.
struct EmptyNode {
    friend bool operator==(const EmptyNode&, const EmptyNode&) = default;
};

/// The work of a node.
using NodePayload = std::variant<EmptyNode, ComputeNode, RasterNode, CopyNode, BlitNode, FillNode,
                                 UploadNode, BuildAccelerationNode, RayNode, CustomNode, HostNode>;

} // namespace tuff
