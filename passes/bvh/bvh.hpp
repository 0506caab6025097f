#pragma once

#include "passes/geometry/triangle_mesh.hpp"
#include "passes/primitives/elements.hpp"

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>
#include <tuff/shared_struct.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// Hierarchies of boxes over the triangles of a mesh, and how kernels find what a ray hits in them.
///
/// A kernel that traces rays includes bvh/traverse.glsl, declares `uint vertex_count` and
/// `uint triangle_count` in its `Params`, and calls `closest_hit(ray, mesh)` or
/// `any_hit(ray, mesh)` with the `MeshSize` that they make. In C++:
///
///     ComputeNodeBuilder node = graph.compute("raytrace/my_tracer");
///     bind_bvh(node, bvh, {.traversal = Traversal::bit_trail});
///
/// or, for the device's own hierarchy as well, `TracingNode`.
///
/// All traversals of all hierarchies give the same hits, to the bit; the device's own, but for
/// ties.
namespace tuff::passes {

/// Words of a leaf: a triangle's three corners, padded to vec4.
inline constexpr std::uint64_t kLeafWords = 12;

/// How the nodes of a hierarchy lie in memory. The data is described in
/// shaders/include/bvh/bvh.glsl.
enum class BvhLayout : std::uint8_t {
    none,   ///< no nodes: rays try every triangle
    binary, ///< nodes of 64 bytes with the boxes of both children; a triangle a leaf
    wide,   ///< nodes of 96 bytes with the boxes of up to eight children; a triangle a leaf
    heap,   ///< nodes of 32 bytes with their own boxes; the children of n are 2n and 2n + 1
    device, ///< the device's acceleration structure
};

/// A hierarchy over a mesh, or over instances of meshes (see passes/bvh/instances.hpp; `mesh` is
/// then the first of them).
struct Bvh {
    static constexpr std::string_view kPortType = "Bvh";

    Buffer nodes;      ///< by layout
    Buffer leaves;     ///< three quads a triangle, in the order of the leaves: vertices and numbers
    Buffer status;     ///< `BvhStatus`; over instances, of the upper hierarchy
    Buffer top_nodes;  ///< over instances: the upper hierarchy, of binary nodes
    Buffer top_leaves; ///< three quads an instance
    Buffer instances;  ///< where rays go to meshes; connected where there are instances
    Acceleration acceleration; ///< the device's
    TriangleMesh mesh;
    BvhLayout layout = BvhLayout::none;
    std::uint32_t levels = 0; ///< of a heap

    explicit operator bool() const {
        return bool(mesh) && (layout == BvhLayout::none || nodes || acceleration);
    }
    std::vector<PortMember> members() const;
};

/// What a build found: the words of `Bvh::status`; `HierarchyStatus` of bvh/bvh.glsl.
struct BvhStatus {
    static constexpr std::uint32_t kNoNode = 0xffffffffu;
    static constexpr std::uint32_t kLeafBit = 0x80000000u;
    static constexpr std::uint32_t kLargeLeaf = 64; ///< larger ones are told

    std::uint32_t root = kNoNode;   ///< a node; a leaf, with the highest bit set; or `kNoNode`
    std::uint32_t leaves = 0;       ///< triangles in the hierarchy
    std::uint32_t degenerate = 0;   ///< triangles left out because they have no area,
    std::uint32_t not_finite = 0;   ///< because a coordinate is infinite or no number,
    std::uint32_t bad_index = 0;    ///< because they name a vertex that does not exist
    std::uint32_t largest_leaf = 0; ///< triangles of the largest leaf
    std::uint32_t nodes = 0;        ///< interior nodes
    std::uint32_t spoilt = 0;       ///< triangles in leaves that rays cannot hit since a refit
    std::array<float, 4> low{};     ///< corners of the box of all triangles; meaningless if none
    std::array<float, 4> high{};    ///< the fourth numbers have no meaning

    static constexpr std::string_view kStructName = "BvhStatus";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(BvhStatus, root),       TUFF_MEMBER(BvhStatus, leaves),
                          TUFF_MEMBER(BvhStatus, degenerate), TUFF_MEMBER(BvhStatus, not_finite),
                          TUFF_MEMBER(BvhStatus, bad_index),  TUFF_MEMBER(BvhStatus, largest_leaf),
                          TUFF_MEMBER(BvhStatus, nodes),      TUFF_MEMBER(BvhStatus, spoilt),
                          TUFF_MEMBER(BvhStatus, low),        TUFF_MEMBER(BvhStatus, high)};
    }
    static BvhStatus read(std::span<const std::uint32_t> words);
    /// bvh/bad-triangles and bvh/spoilt-triangles: triangles that were left out or that rays cannot
    /// hit; bvh/large-leaf.
    Diagnostics warnings() const;
};
static_assert(sizeof(BvhStatus) == 64);

inline std::vector<PortMember> Bvh::members() const {
    std::vector<PortMember> all = mesh.members();
    if (nodes) all.push_back({"nodes", nodes});
    if (leaves) all.push_back({"leaves", leaves});
    if (status) all.push_back({"status", status, BufferElements::of<BvhStatus>()});
    if (top_nodes) all.push_back({"top_nodes", top_nodes});
    if (top_leaves) all.push_back({"top_leaves", top_leaves});
    if (instances) all.push_back({"instances", instances});
    if (acceleration) {
        all.push_back({"top", acceleration.top});
        all.push_back({"bottom", acceleration.bottom});
    }
    return all;
}

/// As in bvh/traverse.glsl.
inline constexpr std::uint32_t kMaxHeapLevels = 24;

/// How rays go through a hierarchy.
enum class Traversal : std::uint8_t {
    automatic,   ///< the fastest one for the layout
    brute_force, ///< every triangle of the mesh
    stack,       ///< nearer child first, the other one on a stack
    bit_trail,   ///< the same without a stack: a bit a level, and going up by parents
    device,      ///< the device's own, of its own hierarchies alone
};

/// How a ray is tested against a triangle. The numbers are those of bvh/triangle.glsl.
enum class TriangleTest : std::uint8_t {
    watertight,       ///< no ray passes between triangles that share an edge
    moeller_trumbore, ///< the chapter's
};

struct RayQuery {
    Traversal traversal = Traversal::automatic;
    TriangleTest test = TriangleTest::watertight;
};

/// A mesh whose triangles rays try one by one: for tests, and where there are few.
Bvh without_hierarchy(TriangleMesh mesh);

/// Checks that rays can go through `bvh` so: reports graph/unconnected, what is wrong with the
/// mesh, or bvh/no-such-traversal.
[[nodiscard]] bool is_valid(Graph& graph, const Bvh& bvh, Traversal traversal);

/// Warns (bvh/loop-limit) if rays try more triangles one by one than the device's loops have rounds.
void warn_of_ended_loops(Graph& graph, const Bvh& bvh, Traversal traversal);

/// Binds what bvh/mesh_triangle.glsl declares, and sets `vertex_count` and `triangle_count`.
void bind_mesh(KernelNode& node, const TriangleMesh& mesh);

/// Sets what shaders/bvh/memory_order.glsl has to know of the device.
void specialize_memory_order(const Graph& graph, KernelNode& node);

/// Whether the device's own traversal looks for hits.
bool traced_by_device(const Bvh& bvh, Traversal traversal);

/// Binds and sets all that bvh/traverse.glsl speaks of. `bvh` must be valid, and the kernel be the
/// variant that goes with it: see `TracingNode`.
void bind_bvh(KernelNode& node, const Bvh& bvh, const RayQuery& query = {});

/// Whether rays go through `bvh` by a ray-tracing pipeline: through the device's own hierarchy,
/// where the device has no ray queries.
bool goes_by_pipeline(const Graph& graph, const Bvh& bvh, Traversal traversal);

/// A node whose kernel traces rays: a compute kernel with variants of DEVICE (by ray queries) and
/// INSTANCES, or a ray kernel of the same name. It has what `bind_bvh` binds.
class TracingNode {
  public:
    /// Chooses the variant that goes with `bvh` and `query`, and with `variant`, where the kernel
    /// has more macros.
    TracingNode(Graph& graph, std::string_view kernel, const Bvh& bvh, const RayQuery& query,
                std::string_view name, ShaderVariant variant = {});

    /// To bind the rest.
    KernelNode& operator*() { return rays_ ? static_cast<KernelNode&>(*rays_) : *compute_; }
    KernelNode* operator->() { return &**this; }
    /// `groups`: of `group_size` invocations.
    void dispatch(const Groups& groups);
    /// Invocations of a group: one where `goes_by_pipeline`.
    std::uint32_t group_size() const { return rays_ ? 1 : compute_->group_size()[0]; }
    /// An invocation for each of `count` rays.
    void dispatch_each(std::uint32_t count);

  private:
    std::optional<ComputeNodeBuilder> compute_; ///< one of the two
    std::optional<RayNodeBuilder> rays_;
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::Traversal> {
    static constexpr std::array<std::string_view, 5> names{"auto", "brute_force", "stack",
                                                           "bit_trail", "device"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::TriangleTest> {
    static constexpr std::array<std::string_view, 2> names{"watertight", "moeller_trumbore"};
};
