#pragma once

#include <tuff/access.hpp>
#include <tuff/buffer_elements.hpp>
#include <tuff/diagnostic.hpp>
#include <tuff/format.hpp>
#include <tuff/pools.hpp>
#include <tuff/shader_interface.hpp>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// The description of a graph as flat arrays: what `Graph` (tuff/graph.hpp) builds, what `compile`
/// takes and what a `Plan` carries for the executor. Plain data, no Vulkan.
namespace tuff {

/// A typed index; of a default one `index` is ~0u, which means none.
template <typename Tag>
struct Id {
    std::uint32_t index = ~0u; ///< into the array of its kind
    /// Whether there is one.
    explicit operator bool() const { return index < ~0u - 1; }
    friend auto operator<=>(const Id&, const Id&) = default;
};
/// Index into GraphDesc::resources.
using ResourceId = Id<struct ResourceTag>;
/// Index into GraphDesc::versions.
using VersionId = Id<struct VersionTag>;
/// Index into GraphDesc::nodes.
using NodeId = Id<struct NodeTag>;
/// What a pass that failed hands on. It is no version, and its use is not reported: the mistake
/// that it comes from has been.
inline constexpr VersionId kInvalidVersion{~0u - 1};

/// All of the rest, where a count is asked for.
inline constexpr std::uint32_t kAll = ~0u;
/// The same for bytes.
inline constexpr std::uint64_t kWhole = ~0ull;

/// What a graph may hold at most. `compile` refuses what goes beyond with the code that is named,
/// so that its time and memory have a bound.
inline constexpr std::size_t kMaxNodes = 200'000;      ///< graph/too-many-nodes
inline constexpr std::size_t kMaxAccesses = 2'000'000; ///< of all nodes: graph/too-many-accesses
/// Parts of one resource that one node uses: graph/too-many-accesses.
inline constexpr std::size_t kMaxPartsInNode = 1024;
/// Pairs of nodes of which one must come before the other, and parts of resources that accesses
/// touch: graph/too-many-dependencies.
inline constexpr std::size_t kMaxDependencies = 10'000'000;
/// Invocations of one launch of a ray node: graph/dispatch-size. Every device with ray-tracing
/// pipelines takes as many.
inline constexpr std::uint64_t kMaxRays = 1ull << 30;
inline constexpr std::uint32_t kMaxHistoryDepth = 64;          ///< graph/history-depth
inline constexpr std::uint64_t kMaxResourceBytes = 1ull << 40; ///< graph/resource-size

/// A name in `GraphDesc::names`.
struct NameRef {
    std::uint32_t offset = 0; ///< bytes
    std::uint32_t length = 0; ///< bytes
    friend bool operator==(const NameRef&, const NameRef&) = default;
};

/// What the dimensions of an image mean; a cube has six layers.
enum class ImageShape : std::uint8_t { d2, d2_array, d3, cube };

/// An image, without its contents.
struct ImageDesc {
    Format format = Format::rgba8_unorm; ///< of its texels
    Extent extent;                       ///< texels of mip 0
    std::uint32_t mips = 1;              ///< mip levels
    std::uint32_t layers = 1;            ///< 6 per cube
    std::uint32_t samples = 1;           ///< a texel: a power of two
    ImageShape shape = ImageShape::d2;   ///< what its dimensions mean
    friend bool operator==(const ImageDesc&, const ImageDesc&) = default;
};

/// A buffer, without its contents.
struct BufferDesc {
    std::uint64_t size = 0;   ///< bytes
    std::uint32_t stride = 0; ///< bytes of an element where the buffer is an array; 0: untyped
    friend bool operator==(const BufferDesc&, const BufferDesc&) = default;
};

/// Who owns a resource's memory and how long its contents last.
enum class Lifetime : std::uint8_t {
    transient, ///< lives inside one execution; memory is shared with others
    constant,  ///< contents given once at creation, read only
    history,   ///< one of several copies that rotate from execution to execution
    imported,  ///< owned by the host
};

/// The contents of an image or buffer before anything has written it.
using ClearValue = std::variant<std::array<float, 4>, std::array<std::uint32_t, 4>>;

/// The state in which the host hands an import over, and wants it back.
struct ImportState {
    Scope first; ///< when the execution begins
    Scope last;  ///< when it has ended
    friend bool operator==(const ImportState&, const ImportState&) = default;
};

/// An image or a buffer of a graph.
struct ResourceDesc {
    NameRef name;                             ///< full path, "bloom/half"
    Lifetime lifetime = Lifetime::transient;  ///< whose memory, and how long the contents last
    std::variant<ImageDesc, BufferDesc> desc; ///< which of the two it is

    /// `constant`: the texels or bytes; images are packed mip by mip, and layer by layer in each.
    /// Shared so that a graph built anew for the same asset uploads nothing again.
    std::shared_ptr<const std::vector<std::byte>> contents;

    /// `history`: resources of one group share `history_depth + 1` copies. Age 0 is written in
    /// this execution; age n holds what age 0 held n executions ago.
    std::uint32_t history_group = ~0u;
    std::uint32_t history_age = 0;   ///< executions ago
    std::uint32_t history_depth = 0; ///< copies beside the current one
    /// What the copies hold before anything was written.
    ClearValue history_clear = std::array<float, 4>{};

    ImportState import; ///< `imported` only

    /// Whether it is an image.
    bool is_image() const { return std::holds_alternative<ImageDesc>(desc); }
    /// Its description; it must be one.
    const ImageDesc& image() const { return std::get<ImageDesc>(desc); }
    /// Its description; it must be one.
    const BufferDesc& buffer() const { return std::get<BufferDesc>(desc); }
    friend bool operator==(const ResourceDesc&, const ResourceDesc&) = default;
};

/// The contents of a resource between two writes. Each resource's versions form one chain.
struct VersionDesc {
    ResourceId resource; ///< whose contents they are
    VersionId previous;  ///< none: the contents the resource starts with
    VersionId next;      ///< none: not overwritten
    /// Several nodes may accumulate into one version; then this is the first of them.
    NodeId writer;
    bool accumulated = false; ///< written by `Access::accumulate`
    friend bool operator==(const VersionDesc&, const VersionDesc&) = default;
};

/// Part of a resource. Images use mips and layers, buffers the byte range. In an AccessDesc all
/// numbers are concrete.
struct Range {
    std::uint32_t mip = 0;       ///< first mip level
    std::uint32_t mips = kAll;   ///< number of mip levels
    std::uint32_t layer = 0;     ///< first layer
    std::uint32_t layers = kAll; ///< number of layers
    std::uint64_t offset = 0;    ///< bytes
    std::uint64_t size = kWhole; ///< bytes
    friend bool operator==(const Range&, const Range&) = default;
};

/// One use of one resource by one node: all that the compile stages look at.
struct AccessDesc {
    VersionId read;    ///< the version whose contents are read or, in place, replaced
    VersionId written; ///< none: a read
    Range range;       ///< part of the version's resource
    StageMask shader_stages = stage::kNone; ///< of kernels: who accesses
    Access access = Access::storage_read;   ///< what it does there
    friend bool operator==(const AccessDesc&, const AccessDesc&) = default;
};

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
    std::vector<SpecializationUse> constants; ///< those that are not left at their defaults
    std::uint32_t push_offset = 0;  ///< into GraphDesc::parameters, `shader->push_bytes` long
    std::uint32_t param_offset = 0; ///< into GraphDesc::parameters, `shader->param_bytes` long
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
    std::uint32_t resolve_access = ~0u;        ///< the resolve target, likewise
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
    std::uint32_t triangles = 0; ///< bottom: likewise
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

/// Where a node would rather run. A wish: where the device has no such queue, or the queue cannot
/// do what the node asks for, it runs on the main one.
enum class QueueHint : std::uint8_t {
    automatic, ///< the compiler decides (`CompileOptions::queues`)
    main,      ///< graphics, compute and transfers
    compute,   ///< beside the main queue: compute and transfers
    transfer,  ///< beside the main queue: copies
};

/// A node, whatever it does.
struct NodeDesc {
    NameRef name;                           ///< the full path, "bloom/blur_x"
    std::uint32_t first_access = 0;         ///< index into GraphDesc::accesses
    std::uint32_t access_count = 0;         ///< its accesses follow one another
    std::uint32_t payload = ~0u;            ///< index into GraphDesc::payloads; ~0u: EmptyNode
    bool side_effect = false;               ///< never culled
    bool changing = false;                  ///< its parameters change from frame to frame
    QueueHint queue = QueueHint::automatic; ///< where it would rather run
    friend bool operator==(const NodeDesc&, const NodeDesc&) = default;
};

/// What the words of a status refer to by number: names of nodes, lines of kernels. It follows from
/// the graph's structure, so that graphs of the same structure have the same.
class StatusNames {
  public:
    virtual ~StatusNames() = default;
    /// Tells what `words` mean, with the place in each message.
    virtual Diagnostics read(std::span<const std::uint32_t> words) const = 0;
};

/// Tells what the words of a status mean, once they are on the host.
class StatusReader {
  public:
    /// One that the words suffice for.
    using Function = Diagnostics (*)(std::span<const std::uint32_t> words);

    /// None.
    StatusReader() = default;
    /// By the words alone; messages are told under the name of the pass.
    StatusReader(Function read) : read_(read) {}
    /// By names as well, which messages have in them.
    StatusReader(std::shared_ptr<const StatusNames> names) : names_(std::move(names)) {}

    /// Whether there is one.
    explicit operator bool() const { return read_ || names_; }
    /// Whether messages say whom they are about.
    bool names_place() const { return names_ != nullptr; }
    /// What the words mean.
    Diagnostics operator()(std::span<const std::uint32_t> words) const {
        return names_ ? names_->read(words) : read_(words);
    }
    /// Names are left out: see `StatusNames`.
    friend bool operator==(const StatusReader& a, const StatusReader& b) {
        return a.read_ == b.read_ && a.names_place() == b.names_place();
    }

  private:
    Function read_ = nullptr;
    std::shared_ptr<const StatusNames> names_;
};
/// Likewise, which pools were too small.
using PoolReader = std::vector<PoolNeed> (*)(std::span<const std::uint32_t> words);

/// What the host may read, or present, once an execution has finished.
struct OutputDesc {
    NameRef name;                      ///< unique among the outputs
    VersionId version;                 ///< what is kept
    Access access = Access::copy_read; ///< the state it is left in
    /// Of a status, which nobody asked for by name: see `Graph::status`.
    StatusReader reader = {};
    PoolReader pools = nullptr;   ///< null: the status is of no pool
    BufferElements elements = {}; ///< of a buffer, where somebody said it
    friend bool operator==(const OutputDesc&, const OutputDesc&) = default;
};

/// A graph as flat arrays, in the order in which things were declared.
struct GraphDesc {
    std::vector<ResourceDesc> resources; ///< by ResourceId
    std::vector<VersionDesc> versions;   ///< by VersionId
    std::vector<NodeDesc> nodes;         ///< by NodeId
    std::vector<AccessDesc> accesses;    ///< node by node
    std::vector<NodePayload> payloads;   ///< by NodeDesc::payload
    std::vector<OutputDesc> outputs;     ///< by name or number
    std::vector<OutputDesc> statuses;    ///< compiling makes outputs of those that are made anyway
    std::vector<std::byte> parameters;   ///< push and `Params` bytes of all kernels
    std::string names;                   ///< all names, back to back
    Diagnostics diagnostics;             ///< what the builder found wrong; compile reports it

    /// The text of a name, which lives as long as `names`.
    std::string_view name(NameRef ref) const {
        return std::string_view(names).substr(ref.offset, ref.length);
    }
    /// The resource that a version is of.
    const ResourceDesc& resource_of(VersionId v) const {
        return resources[versions[v.index].resource.index];
    }
    /// For texts: what nobody asked for by name is the "status of" a pass.
    std::string label(const OutputDesc& output) const {
        return (output.reader ? "status of " : "") + std::string(name(output.name));
    }
    /// The full name of a node.
    std::string_view name_of(NodeId n) const { return name(nodes[n.index].name); }
    /// The full name of a resource.
    std::string_view name_of(ResourceId r) const { return name(resources[r.index].name); }
};

/// True where `a` and `b` differ in nothing but `parameters` and the bytes of uploads: the same
/// plan serves both. False where either has errors, for then it has no plan.
bool same_structure(const GraphDesc& a, const GraphDesc& b);

} // namespace tuff
