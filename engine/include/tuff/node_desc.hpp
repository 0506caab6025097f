#pragma once

#include <tuff/format.hpp>
#include <tuff/shader_interface.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

/// What the nodes of a graph do: kernels and what is bound to them, draws, copies, builds. Part of
/// the description of a graph (tuff/graph_desc.hpp), to whose arrays the numbers in here refer.
namespace tuff {

/// The contents of an image or buffer before anything has written it.
using ClearValue = std::variant<std::array<float, 4>, std::array<std::uint32_t, 4>>;

/// How texels between grid points are found.
enum class Filter : std::uint8_t { nearest, linear };
/// What lies beyond the edge of an image.
enum class AddressMode : std::uint8_t { clamp, repeat, mirror };

/// How a kernel samples an image.
struct Sampler {
    Filter mag_filter = Filter::linear;         ///< where a texel covers more than a sample
    Filter min_filter = Filter::linear;         ///< where it covers less
    Filter mip_filter = Filter::linear;         ///< between mip levels
    AddressMode address_u = AddressMode::clamp; ///< along x
    AddressMode address_v = AddressMode::clamp; ///< along y
    AddressMode address_w = AddressMode::clamp; ///< along z
    float max_anisotropy = 1.0f;                ///< 1: none
    bool base_level_only = false;               ///< smaller mips are never looked at
    friend bool operator==(const Sampler&, const Sampler&) = default;

    /// The nearest texel of the nearest mip level, as it is.
    static constexpr Sampler nearest() {
        return {Filter::nearest, Filter::nearest, Filter::nearest};
    }
};

/// Connects a shader binding to an access of the same node, or to nothing.
struct BindingUse {
    /// `access` of an optional binding that is not connected: a null descriptor.
    static constexpr std::uint32_t kNotConnected = ~0u;

    std::uint32_t binding = 0; ///< index into ShaderInterface::bindings
    std::uint32_t element = 0; ///< of an arrayed binding
    std::uint32_t access = 0;  ///< index among the node's accesses, or `kNotConnected`
    std::uint32_t group = 0;   ///< 0: all draws; k: only draws of bind group k
    Sampler sampler;           ///< of sampled images
    friend bool operator==(const BindingUse&, const BindingUse&) = default;
};

/// A value for a specialisation constant.
struct SpecializationUse {
    std::uint32_t id = 0;   ///< `constant_id` in the kernel
    std::uint32_t bits = 0; ///< of the value, whatever its type
    friend bool operator==(const SpecializationUse&, const SpecializationUse&) = default;
};

/// What the compute, raster and ray nodes share: the kernel, its bindings and parameter bytes.
struct KernelUse {
    const ShaderInterface* shader = nullptr;  ///< of a library that outlives the description
    std::vector<BindingUse> bindings;         ///< one for each element that is bound
    std::vector<SpecializationUse> constants; ///< with other values than their defaults
    std::uint32_t push_offset = 0;  ///< into GraphDesc::parameters, `shader->push_bytes` long
    std::uint32_t param_offset = 0; ///< into GraphDesc::parameters, `shader->param_bytes` long

    /// Elements of a binding of `shader`, whose constants may say how many.
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

/// A launch of a ray-tracing pipeline of the device's own.
struct RayNode {
    KernelUse kernel;                              ///< what runs: ray generation, and what it calls
    std::array<std::uint32_t, 3> rays = {1, 1, 1}; ///< invocations of ray generation, along x, y, z
    std::uint32_t indirect_access = ~0u; ///< among the node's accesses: counts come from a buffer
    std::uint64_t indirect_offset = 0;   ///< bytes
    friend bool operator==(const RayNode&, const RayNode&) = default;
};

/// What an attachment holds when rendering begins.
enum class LoadOp : std::uint8_t { load, clear, discard };

/// What a raster node draws into.
struct Attachment {
    std::uint32_t access = 0;                  ///< index among the node's accesses
    std::uint32_t resolve_access = ~0u;        ///< index of the resolve target
    LoadOp load = LoadOp::clear;               ///< how it begins
    ClearValue clear = std::array<float, 4>{}; ///< where `load` is `clear`
    bool blend = false;                        ///< colour: blended by RasterState::blend
    friend bool operator==(const Attachment&, const Attachment&) = default;
};

/// What the vertices of a draw make.
enum class Topology : std::uint8_t { triangle_list, triangle_strip, line_list, point_list };
/// Which faces of triangles are left out.
enum class CullMode : std::uint8_t { none, front, back };
/// How a depth is compared with the one that is there.
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
/// What a colour is multiplied with when it is blended.
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
/// How two colours become one.
enum class BlendOp : std::uint8_t { add, subtract, reverse_subtract, min, max };

/// Instead of blending, for all attachments of a node, which are of whole numbers.
enum class LogicOp : std::uint8_t { none, bit_or, bit_xor };

/// How what is drawn is combined with what is there.
struct BlendState {
    BlendFactor source_color = BlendFactor::one;                         ///< of what is drawn
    BlendFactor destination_color = BlendFactor::one_minus_source_alpha; ///< of what is there
    BlendOp color_op = BlendOp::add;                                     ///< of red, green and blue
    BlendFactor source_alpha = BlendFactor::one;                         ///< of what is drawn
    BlendFactor destination_alpha = BlendFactor::one_minus_source_alpha; ///< of what is there
    BlendOp alpha_op = BlendOp::add;                                     ///< of alpha
    friend bool operator==(const BlendState&, const BlendState&) = default;
};

/// The fixed-function state of a raster node.
struct RasterState {
    Topology topology = Topology::triangle_list; ///< what vertices make
    CullMode cull = CullMode::none;              ///< faces that are left out
    bool front_counter_clockwise = true;         ///< which faces are front faces
    bool depth_test = true;  ///< compares depths, where there is a depth attachment
    bool depth_write = true; ///< keeps depths that pass
    CompareOp depth_compare = CompareOp::less; ///< how they are compared
    BlendState blend;                          ///< of attachments that blend
    LogicOp logic = LogicOp::none;             ///< other ones only where `DeviceCaps::logic_op`
    /// Every pixel that a triangle touches gets a fragment; only where
    /// `DeviceCaps::conservative_raster`.
    bool conservative = false;
    float depth_bias_constant = 0.0f; ///< in units of the depth format's resolution
    float depth_bias_slope = 0.0f;    ///< times the triangle's slope
    friend bool operator==(const RasterState&, const RasterState&) = default;
};

/// One draw of a raster node.
struct Draw {
    std::uint32_t count = 0;          ///< vertices, or indices where the node has an index buffer
    std::uint32_t first = 0;          ///< vertex or index
    std::int32_t vertex_offset = 0;   ///< indexed draws
    std::uint32_t instance_count = 1; ///< instances
    std::uint32_t first_instance = 0; ///< kernels use it to find per-draw data
    std::uint32_t group = 0;          ///< bind group
    /// Among the node's accesses: the arguments (VkDraw[Indexed]IndirectCommand) come from a
    /// buffer.
    std::uint32_t indirect_access = ~0u;
    std::uint64_t indirect_offset = 0; ///< bytes
    std::uint32_t indirect_draws = 1;  ///< consecutive argument records
    CullMode cull = CullMode::none;    ///< used where `own_cull` is set
    bool own_cull = false;             ///< `cull` holds in place of the state's
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
    KernelUse kernel;                         ///< what runs: a vertex and a fragment stage
    std::vector<Attachment> colors;           ///< by location
    std::optional<Attachment> depth;          ///< tested and written, or tested alone
    RasterState state;                        ///< of all draws
    std::vector<Draw> draws;                  ///< in order
    std::uint32_t index_access = ~0u;         ///< among the node's accesses; ~0u: not indexed
    IndexType index_type = IndexType::uint32; ///< of the index buffer
    Extent area;                              ///< render area; with attachments, theirs
    std::optional<Scissor> scissor;           ///< where draws are seen; none: in the whole area
    std::uint32_t samples = 1;                ///< a pixel; with attachments, theirs
    std::uint32_t groups = 0;                 ///< highest bind group used
    std::uint32_t count_access = ~0u; ///< among the node's accesses: takes the number of samples
    friend bool operator==(const RasterNode&, const RasterNode&) = default;
};

/// A copy: of images of the same size and compatible formats, or between buffer and image.
struct CopyNode {
    std::uint32_t source = 0;                         ///< index among the node's accesses
    std::uint32_t destination = 0;                    ///< index among the node's accesses
    std::array<std::int32_t, 3> source_offset{};      ///< texels; images only
    std::array<std::int32_t, 3> destination_offset{}; ///< texels; images only
    Extent extent;                                    ///< texels; images only
    friend bool operator==(const CopyNode&, const CopyNode&) = default;
};

/// A copy between images that scales and converts.
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
    ClearValue value = std::array<float, 4>{}; ///< of a buffer the first word
    friend bool operator==(const FillNode&, const FillNode&) = default;
};

/// Brings bytes from the host, in every execution.
struct UploadNode {
    std::uint32_t destination = 0;                       ///< index among the node's accesses
    std::shared_ptr<const std::vector<std::byte>> bytes; ///< the whole of what is written
    friend bool operator==(const UploadNode&, const UploadNode&) = default;
};

/// Scratch memory of builds begins at multiples of this, and has that much room beside.
inline constexpr std::uint64_t kAccelerationScratchAlignment = 256;

/// The level over triangles, or the one over instances of it.
enum class AccelerationLevel : std::uint8_t { bottom, top };

/// Builds a level of an acceleration structure for the device's own ray tracing, for a fast build.
/// Numbers are indices among the node's accesses.
struct BuildAccelerationNode {
    AccelerationLevel level = AccelerationLevel::bottom; ///< what is built
    std::uint32_t destination = 0;                       ///< the structure
    std::uint32_t scratch = 0;                           ///< memory of the build's own
    /// One instance of the bottom level as it is: written with the bottom, read for the top.
    std::uint32_t instances = 0;
    std::uint32_t positions = 0; ///< bottom: three floats a vertex
    std::uint32_t indices = 0;   ///< bottom: three words a triangle; ~0u: in order
    std::uint32_t vertices = 0;  ///< bottom: that there are
    std::uint32_t triangles = 0; ///< bottom: number of them
    friend bool operator==(const BuildAccelerationNode&, const BuildAccelerationNode&) = default;
};

class CommandContext; // tuff/vulkan.hpp

/// The host records the node itself; it declares its accesses and keeps to them.
struct CustomNode {
    std::function<void(CommandContext&)> record; ///< called in every execution
    /// Functions cannot be compared: nodes that have one always differ.
    friend bool operator==(const CustomNode& a, const CustomNode& b) {
        return !a.record && !b.record;
    }
};

/// Accesses without work. Tests, benchmarks and captured graphs use it.
struct EmptyNode {
    friend bool operator==(const EmptyNode&, const EmptyNode&) = default;
};

/// What a node does.
using NodePayload = std::variant<EmptyNode, ComputeNode, RasterNode, CopyNode, BlitNode, FillNode,
                                 UploadNode, BuildAccelerationNode, RayNode, CustomNode>;

} // namespace tuff
