#pragma once

#include <tuff/access.hpp>
#include <tuff/buffer_elements.hpp>
#include <tuff/diagnostic.hpp>
#include <tuff/format.hpp>
#include <tuff/node_desc.hpp>
#include <tuff/pools.hpp>
#include <tuff/ranks.hpp>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// The description of a graph as flat arrays: built by `Graph` (tuff/graph.hpp), compiled by
/// `compile`, and part of a `Plan`. Plain data, no Vulkan.
namespace tuff {

/// A typed index; the default is none: `index` is ~0u.
template <typename Tag>
struct Id {
    std::uint32_t index = ~0u; ///< into the array of its kind
    /// Whether it is an index.
    explicit operator bool() const { return index < ~0u - 1; }
    friend auto operator<=>(const Id&, const Id&) = default;
};
/// Index into GraphDesc::resources.
using ResourceId = Id<struct ResourceTag>;
/// Index into GraphDesc::versions.
using VersionId = Id<struct VersionTag>;
/// Index into GraphDesc::nodes.
using NodeId = Id<struct NodeTag>;
/// The outputs of a failed pass. It is not a version, and using it is not reported: the failure
/// already has been.
inline constexpr VersionId kInvalidVersion{~0u - 1};

/// As a count: all that remain.
inline constexpr std::uint32_t kAll = ~0u;
/// As a size in bytes: all that remain.
inline constexpr std::uint64_t kWhole = ~0ull;

/// Limits of a graph. `compile` refuses larger ones with the code given below,
/// so that its time and memory are bounded.
inline constexpr std::size_t kMaxNodes = 200'000;      ///< graph/too-many-nodes
inline constexpr std::size_t kMaxAccesses = 2'000'000; ///< of all nodes: graph/too-many-accesses
/// Parts of one resource that one node uses: graph/too-many-accesses.
inline constexpr std::size_t kMaxPartsInNode = 1024;
/// Dependencies between two nodes, and parts of resources that accesses
/// touch: graph/too-many-dependencies.
inline constexpr std::size_t kMaxDependencies = 10'000'000;
/// Invocations of one launch of a ray node: graph/dispatch-size. Every device with ray-tracing
/// pipelines supports as many.
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
    ImageShape shape = ImageShape::d2;   ///< meaning of its dimensions
    friend bool operator==(const ImageDesc&, const ImageDesc&) = default;
};

/// A buffer, without its contents.
struct BufferDesc {
    std::uint64_t size = 0;   ///< bytes
    std::uint32_t stride = 0; ///< bytes of an element if it is an array; 0: untyped
    friend bool operator==(const BufferDesc&, const BufferDesc&) = default;
};

/// Owner of a resource's memory, and how long its contents last.
enum class Lifetime : std::uint8_t {
    transient, ///< lives inside one execution; memory is shared with others
    constant,  ///< contents set once at creation, read-only
    history,   ///< one of several copies that rotate from execution to execution
    imported,  ///< owned by the host
};

/// The states of an import before and after an execution.
struct ImportState {
    Scope first; ///< when the execution begins
    Scope last;  ///< when the execution has ended
    friend bool operator==(const ImportState&, const ImportState&) = default;
};

/// An image or a buffer of a graph.
struct ResourceDesc {
    NameRef name;                             ///< full path, "bloom/half"
    Lifetime lifetime = Lifetime::transient;  ///< of memory and contents
    std::variant<ImageDesc, BufferDesc> desc; ///< an image or a buffer

    /// `constant`: the texels or bytes; images are packed mip by mip, and layer by layer in each.
    /// Shared, so that a graph built again with the same asset uploads nothing again.
    std::shared_ptr<const std::vector<std::byte>> contents;

    /// `history`: resources of one group share `history_depth + 1` copies. Age 0 is written in
    /// this execution; age n holds what age 0 held n executions ago.
    std::uint32_t history_group = ~0u;
    std::uint32_t history_age = 0;   ///< executions ago
    std::uint32_t history_depth = 0; ///< copies beside the current one
    /// Initial value of the copies.
    ClearValue history_clear = std::array<float, 4>{};

    ImportState import; ///< `imported` only

    /// Set if it is a rank's part of a field (`Graph::set_part`).
    std::optional<FieldPart> part;

    /// Whether it has no contents and only gives nodes their order (`Graph::order_messages`).
    bool orders_only = false;

    /// Whether it is an image.
    bool is_image() const { return std::holds_alternative<ImageDesc>(desc); }
    /// Its description; it must be an image.
    const ImageDesc& image() const { return std::get<ImageDesc>(desc); }
    /// Its description; it must be a buffer.
    const BufferDesc& buffer() const { return std::get<BufferDesc>(desc); }
    friend bool operator==(const ResourceDesc&, const ResourceDesc&) = default;
};

/// The contents of a resource between two writes. Each resource's versions form one chain.
struct VersionDesc {
    ResourceId resource; ///< that has the contents
    VersionId previous;  ///< none: the contents the resource starts with
    VersionId next;      ///< none: not overwritten
    /// If several nodes accumulate into the version, the first of them.
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
    StageMask shader_stages = stage::kNone; ///< of kernels: stages that access it
    Access access = Access::storage_read;   ///< kind of access
    friend bool operator==(const AccessDesc&, const AccessDesc&) = default;
};

/// The queue that a node prefers. If the device has no such queue, or the queue cannot
/// do the node's work, the node runs on the graphics queue.
enum class QueueHint : std::uint8_t {
    automatic, ///< the compiler decides (`CompileOptions::queues`)
    graphics,  ///< graphics, compute and transfers
    compute,   ///< beside the graphics queue: compute and transfers
    transfer,  ///< beside the graphics queue: copies
};

/// A node of any kind.
struct NodeDesc {
    NameRef name;                           ///< the full path, "bloom/blur_x"
    std::uint32_t first_access = 0;         ///< index into GraphDesc::accesses
    std::uint32_t access_count = 0;         ///< number of consecutive accesses
    std::uint32_t payload = ~0u;            ///< index into GraphDesc::payloads; ~0u: EmptyNode
    bool side_effect = false;               ///< never culled
    bool changing = false;                  ///< its parameters change from frame to frame
    QueueHint queue = QueueHint::automatic; ///< preferred queue
    friend bool operator==(const NodeDesc&, const NodeDesc&) = default;
};

/// Names that the words of a status refer to by number: nodes, lines of kernels. They follow from
/// the graph's structure, so graphs of the same structure have the same names.
class StatusNames {
  public:
    virtual ~StatusNames() = default;
    /// The diagnostics that `words` stand for, each with its node in the message.
    virtual Diagnostics read(std::span<const std::uint32_t> words) const = 0;
};

/// Turns the words of a status, once they are on the host, into diagnostics.
class StatusReader {
  public:
    /// A reader that needs only the words.
    using Function = Diagnostics (*)(std::span<const std::uint32_t> words);

    /// None.
    StatusReader() = default;
    /// Reads the words alone; the name of the pass is added to messages.
    StatusReader(Function read) : read_(read) {}
    /// Also uses names, which its messages contain.
    StatusReader(std::shared_ptr<const StatusNames> names) : names_(std::move(names)) {}

    /// Whether there is one.
    explicit operator bool() const { return read_ || names_; }
    /// Whether its messages contain the name of the node.
    bool names_place() const { return names_ != nullptr; }
    /// The diagnostics that the words stand for.
    Diagnostics operator()(std::span<const std::uint32_t> words) const {
        return names_ ? names_->read(words) : read_(words);
    }
    /// Names are not compared: see `StatusNames`.
    friend bool operator==(const StatusReader& a, const StatusReader& b) {
        return a.read_ == b.read_ && a.names_place() == b.names_place();
    }

  private:
    Function read_ = nullptr;
    std::shared_ptr<const StatusNames> names_;
};
/// Reads the pools that were too small from the same words.
using PoolReader = std::vector<PoolNeed> (*)(std::span<const std::uint32_t> words);

/// A result that the host can read, or present, once an execution has finished.
struct OutputDesc {
    NameRef name;                      ///< unique among the outputs
    VersionId version;                 ///< kept until it was read
    Access access = Access::copy_read; ///< determines its final state
    /// For a status, which is not a named output: see `Graph::status`.
    StatusReader reader = {};
    PoolReader pools = nullptr;   ///< null: the status is of no pool
    BufferElements elements = {}; ///< of a buffer, if known
    friend bool operator==(const OutputDesc&, const OutputDesc&) = default;
};

/// A graph as flat arrays, in order of declaration.
struct GraphDesc {
    std::vector<ResourceDesc> resources; ///< by ResourceId
    std::vector<VersionDesc> versions;   ///< by VersionId
    std::vector<NodeDesc> nodes;         ///< by NodeId
    std::vector<AccessDesc> accesses;    ///< node by node
    std::vector<NodePayload> payloads;   ///< by NodeDesc::payload
    std::vector<OutputDesc> outputs;     ///< by name or number
    std::vector<OutputDesc> statuses;    ///< compiling makes outputs of those of live nodes
    std::vector<std::byte> parameters;   ///< push and `Params` bytes of all kernels
    std::string names;                   ///< all names, back to back
    Diagnostics diagnostics;             ///< mistakes that the builder found; compile reports them

    /// The text of a name, which lives as long as `names`.
    std::string_view name(NameRef ref) const {
        return std::string_view(names).substr(ref.offset, ref.length);
    }
    /// The resource that a version is of.
    const ResourceDesc& resource_of(VersionId v) const {
        return resources[versions[v.index].resource.index];
    }
    /// For texts: the name of the output, or "status of" a pass.
    std::string label(const OutputDesc& output) const {
        return (output.reader ? "status of " : "") + std::string(name(output.name));
    }
    /// The full name of a node.
    std::string_view name_of(NodeId n) const { return name(nodes[n.index].name); }
    /// The full name of a resource.
    std::string_view name_of(ResourceId r) const { return name(resources[r.index].name); }
};

/// Whether `a` and `b` differ only in `parameters` and the bytes of uploads, so that one
/// plan serves both. False if either has errors, because then it has no plan.
bool same_structure(const GraphDesc& a, const GraphDesc& b);

} // namespace tuff
