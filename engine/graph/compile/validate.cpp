#include "graph/compile/import_states.hpp"
#include "graph/compile/ranges.hpp"
#include "graph/compile/stages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace tuff {
namespace {

/// `bytes` from `offset` on lie inside the buffer's range. Written so that nothing overflows.
bool holds(const Range& range, std::uint64_t offset, std::uint64_t bytes) {
    return offset <= range.size && bytes <= range.size - offset;
}

class Validator {
  public:
    Validator(const GraphDesc& graph, const DeviceCaps& caps)
        : graph_(graph), caps_(caps), built_cleanly_(!has_errors(graph.diagnostics)) {}
    Diagnostics run() &&;

  private:
    void check_extent_of_graph();
    void check_image(const ResourceDesc& resource);
    void check_bytes(const ResourceDesc& resource);
    void check_histories();
    /// An access of the node at hand.
    struct UseOfNode {
        ResourceId resource;
        std::uint32_t access; ///< among the node's
        friend auto operator<=>(const UseOfNode&, const UseOfNode&) = default;
    };
    bool uses_some_resource_twice(std::uint32_t node);
    void check_overlaps(const NodeDesc& node);
    bool check_counts_of_bindings(const NodeDesc& node, const KernelUse& kernel);
    void check_overlaps(const NodeDesc& node, ResourceId resource, std::span<const UseOfNode> uses);
    void check_kernel(const NodeDesc& node, const KernelUse& kernel, std::uint32_t groups);
    void check_queries(const NodeDesc& node, const KernelUse& kernel);
    void check_counts(const NodeDesc& node, std::uint32_t indirect_access, std::uint64_t offset);
    void check_compute(const NodeDesc& node, const ComputeNode& compute);
    void check_rays(const NodeDesc& node, const RayNode& rays);
    void check_raster(const NodeDesc& node, const RasterNode& raster);
    void check_attachment(const NodeDesc& node, const Attachment& attachment, bool depth);
    void check_host_uses(const NodeDesc& node, bool is_host_node);
    void check_outputs();

    template <typename... Args>
    void error(std::string code, std::string hint, fmt::format_string<Args...> text,
               Args&&... args) {
        mistakes_.push_back({.code = std::move(code),
                             .message = fmt::format(text, std::forward<Args>(args)...),
                             .hint = std::move(hint)});
    }
    const AccessDesc& access(const NodeDesc& node, std::uint32_t relative) const {
        return graph_.accesses[node.first_access + relative];
    }

    const GraphDesc& graph_;
    const DeviceCaps& caps_;
    /// What the builder refused is unbound, and what is made like it has no format: one mistake is
    /// not reported three times.
    const bool built_cleanly_;
    Diagnostics mistakes_;
    std::vector<UseOfNode> uses_; ///< kept for what it has allocated
    std::vector<NodeId> last_user_ = std::vector<NodeId>(graph_.resources.size()); ///< per resource
};

void Validator::check_image(const ResourceDesc& resource) {
    const std::string_view name = graph_.name(resource.name);
    const ImageDesc& image = resource.image();
    const Extent e = image.extent;
    const bool is_3d = image.shape == ImageShape::d3;
    const std::uint32_t limit = is_3d ? caps_.max_image_3d : caps_.max_image_2d;
    if (image.format == Format::undefined && built_cleanly_)
        error("graph/format", "name one of Format's", "image '{}' has no format", name);
    if (e.width > limit || e.height > limit || e.depth > limit)
        error("graph/image-size", fmt::format("the device's limit is {}", limit),
              "image '{}' of {}x{}x{} texels is too large", name, e.width, e.height, e.depth);
    if (!is_3d && e.depth != 1)
        error("graph/image-shape", "give it ImageShape::d3", "image '{}' has depth but is not 3-D",
              name);
    if (image.layers > caps_.max_image_layers || (is_3d && image.layers != 1))
        error("graph/image-shape", {}, "image '{}' cannot have {} layers", name, image.layers);
    if (image.shape == ImageShape::cube && (image.layers % 6 != 0 || e.width != e.height))
        error("graph/image-shape", "cubes are square and have six layers",
              "image '{}' cannot be a cube", name);
    if (image.mips > 1 && image.mips > full_mip_count(e))
        error("graph/image-mips", fmt::format("a full chain has {}", full_mip_count(e)),
              "image '{}' of {}x{}x{} cannot have {} mip levels", name, e.width, e.height, e.depth,
              image.mips);
    const bool counts = image.samples == 1 || (std::has_single_bit(image.samples) &&
                                               (image.samples & caps_.sample_counts) != 0);
    if (!counts || (image.samples > 1 && (image.mips != 1 || image.shape != ImageShape::d2)))
        error("graph/image-samples", "multisampled images are 2-D with one mip level",
              "image '{}' cannot have {} samples", name, image.samples);
}

/// Sums of sizes must not overflow, whatever else the device's limits let pass.
void Validator::check_bytes(const ResourceDesc& resource) {
    const std::uint64_t bytes =
        resource.is_image() ? packed_bytes(resource.image()) : resource.buffer().size;
    if (bytes > kMaxResourceBytes)
        error("graph/resource-size", fmt::format("{} bytes is the most", kMaxResourceBytes),
              "'{}' of {} bytes is too large", graph_.name(resource.name), bytes);
}

void Validator::check_extent_of_graph() {
    if (graph_.nodes.size() > kMaxNodes)
        error("graph/too-many-nodes", "split the graph, or let one node do more",
              "the graph has {} nodes, more than {}", graph_.nodes.size(), kMaxNodes);
    if (graph_.accesses.size() > kMaxAccesses)
        error("graph/too-many-accesses", "bind less, or larger parts",
              "the nodes use resources {} times, more than {}", graph_.accesses.size(),
              kMaxAccesses);
}

void Validator::check_histories() {
    const auto is_written_history = [](const ResourceDesc& resource) {
        return resource.lifetime == Lifetime::history && resource.history_age == 0;
    };
    if (std::ranges::none_of(graph_.resources, is_written_history)) return;
    std::vector<bool> written(graph_.resources.size(), false);
    for (const VersionDesc& version : graph_.versions)
        if (version.writer) written[version.resource.index] = true;
    for (std::size_t r = 0; r < graph_.resources.size(); ++r) {
        const ResourceDesc& resource = graph_.resources[r];
        if (is_written_history(resource) && !written[r])
            error("graph/history-unwritten", "write its `current` resource in every execution",
                  "history '{}' is never written", graph_.name(resource.name));
    }
}

bool Validator::uses_some_resource_twice(std::uint32_t node) {
    const NodeDesc& desc = graph_.nodes[node];
    bool twice = false;
    for (std::uint32_t a = 0; a < desc.access_count; ++a) {
        const ResourceId resource = graph_.versions[access(desc, a).read.index].resource;
        twice = std::exchange(last_user_[resource.index], NodeId{node}) == NodeId{node} || twice;
    }
    return twice;
}

/// Two accesses of one node to the same bytes conflict if either writes: nothing can be put
/// between.
void Validator::check_overlaps(const NodeDesc& node) {
    uses_.clear();
    for (std::uint32_t a = 0; a < node.access_count; ++a)
        uses_.push_back({graph_.versions[access(node, a).read.index].resource, a});
    std::ranges::sort(uses_);
    for (auto begin = uses_.cbegin(); begin != uses_.cend();) {
        const ResourceId resource = begin->resource;
        const auto end = std::find_if(
            begin, uses_.cend(), [&](const UseOfNode& use) { return use.resource != resource; });
        check_overlaps(node, resource, {begin, end});
        begin = end;
    }
}

void Validator::check_overlaps(const NodeDesc& node, ResourceId resource,
                               std::span<const UseOfNode> uses) {
    if (uses.size() > kMaxPartsInNode) {
        error("graph/too-many-accesses", "bind fewer, larger parts",
              "node '{}' uses {} parts of '{}', more than {}", graph_.name(node.name), uses.size(),
              graph_.name_of(resource), kMaxPartsInNode);
        return;
    }
    const bool image = graph_.resources[resource.index].is_image();
    for (std::size_t a = 0; a < uses.size(); ++a)
        for (std::size_t b = a + 1; b < uses.size(); ++b) {
            const AccessDesc& x = access(node, uses[a].access);
            const AccessDesc& y = access(node, uses[b].access);
            if (!x.written && !y.written) continue;
            if (!overlap(x.range, y.range, image)) continue;
            error("graph/self-overlap", "bind it once as read-write, or read from a copy of it",
                  "node '{}' uses the same part of '{}' twice and writes it",
                  graph_.name(node.name), graph_.name_of(resource));
            return; // one mistake, however many parts meet
        }
}

/// Whether each stage of a kernel may have as many bindings as the constants of the node make them.
bool Validator::check_counts_of_bindings(const NodeDesc& node, const KernelUse& kernel) {
    for (std::uint32_t stages = kernel.shader->stages; stages != 0; stages &= stages - 1) {
        const std::uint32_t stage = stages & (~stages + 1);
        std::uint64_t all = kernel.shader->param_stages & stage ? 1 : 0;
        std::uint64_t textures = 0;
        for (const ShaderBinding& binding : kernel.shader->bindings) {
            if ((binding.stages & stage) == 0) continue;
            all += kernel.count_of(binding);
            if (binding.kind == BindingKind::combined_image_sampler ||
                binding.kind == BindingKind::sampled_image)
                textures += kernel.count_of(binding);
        }
        const bool of_textures = textures > caps_.max_stage_textures;
        if (!of_textures && all <= caps_.max_stage_bindings) continue;
        error("graph/too-many-bindings", "bind a part at a time",
              "node '{}' binds {} {} to a stage of kernel '{}', more than the device's {}",
              graph_.name(node.name), of_textures ? textures : all,
              of_textures ? "textures" : "resources", kernel.shader->name,
              of_textures ? caps_.max_stage_textures : caps_.max_stage_bindings);
        return false;
    }
    return true;
}

void Validator::check_kernel(const NodeDesc& node, const KernelUse& kernel, std::uint32_t groups) {
    if (!kernel.shader) return;
    const ShaderInterface& shader = *kernel.shader;
    if (shader.push_bytes > caps_.max_push_bytes)
        error("graph/push-size", "move them into the Params block",
              "kernel '{}' has {} bytes of push constants, more than the device's {}", shader.name,
              shader.push_bytes, caps_.max_push_bytes);
    if (shader.indexes_textures && !caps_.texture_arrays)
        error("graph/no-texture-arrays", "index with constants: every device supports that",
              "kernel '{}' of node '{}' indexes textures by a variable, which the device cannot do",
              shader.name, graph_.name(node.name));
    if (!check_counts_of_bindings(node, kernel)) return;
    for (std::uint32_t b = 0; b < shader.bindings.size(); ++b)
        for (std::uint32_t element = 0; element < kernel.count_of(shader.bindings[b]); ++element) {
            const auto bound_for = [&](std::uint32_t group) {
                return std::ranges::any_of(kernel.bindings, [&](const BindingUse& use) {
                    return use.binding == b && use.element == element &&
                           (use.group == 0 || use.group == group);
                });
            };
            // Without bind groups there is one set, the shared one; with them, each must be whole.
            bool bound = groups > 0 || bound_for(0);
            for (std::uint32_t group = 1; group <= groups; ++group)
                bound = bound && bound_for(group);
            if (bound || !built_cleanly_ || shader.bindings[b].kind == BindingKind::sampler)
                continue;
            error("graph/unbound", "bind it with read(), write() or accumulate()",
                  "node '{}' leaves binding '{}' of kernel '{}' unbound", graph_.name(node.name),
                  shader.bindings[b].name, shader.name);
            break;
        }
    for (const BindingUse& use : kernel.bindings) {
        if (use.access == BindingUse::kNotConnected) continue;
        const AccessDesc& bound = access(node, use.access);
        if (graph_.resource_of(bound.read).is_image()) continue;
        if (bound.access == Access::acceleration_trace) continue; // no limits of bindings
        const bool uniform = bound.access == Access::uniform_read;
        const std::uint64_t limit =
            uniform ? caps_.max_uniform_buffer_bytes : caps_.max_storage_buffer_bytes;
        const std::uint32_t alignment =
            uniform ? caps_.uniform_offset_alignment : caps_.storage_offset_alignment;
        if (bound.range.offset % alignment != 0)
            error("graph/binding-offset",
                  fmt::format("the offset must be a multiple of {}; 256 suits most devices",
                              alignment),
                  "node '{}' binds '{}' at byte {} of its buffer", graph_.name(node.name),
                  shader.bindings[use.binding].name, bound.range.offset);
        if (bound.range.size > limit)
            error("graph/buffer-range", "bind a part of it with a BufferView",
                  "node '{}' binds {} bytes to '{}', more than the device's {}",
                  graph_.name(node.name), bound.range.size, shader.bindings[use.binding].name,
                  limit);
    }
}

void Validator::check_queries(const NodeDesc& node, const KernelUse& kernel) {
    const bool sends_rays =
        std::ranges::any_of(kernel.shader->bindings, [](const ShaderBinding& binding) {
            return binding.kind == BindingKind::acceleration_structure;
        });
    if (sends_rays && !caps_.ray_query)
        error("graph/no-ray-query",
              "use a hierarchy of bvh/lbvh_build, which works on every device",
              "node '{}' traces rays through acceleration structures, which the device cannot do",
              graph_.name(node.name));
}

/// Of an indirect dispatch or launch.
void Validator::check_counts(const NodeDesc& node, std::uint32_t indirect_access,
                             std::uint64_t offset) {
    if (indirect_access == ~0u) return;
    const Range& range = access(node, indirect_access).range;
    if ((range.offset + offset) % 4 != 0 || !holds(range, offset, 12))
        error("graph/indirect-range", "the counts are three words at a multiple of four bytes",
              "node '{}' reads its counts outside their buffer", graph_.name(node.name));
}

void Validator::check_rays(const NodeDesc& node, const RayNode& rays) {
    check_kernel(node, rays.kernel, 0);
    if (!rays.kernel.shader) return;
    if (!caps_.ray_tracing_pipelines)
        error("graph/no-ray-pipeline",
              "use a hierarchy of bvh/lbvh_build, which works on every device",
              "node '{}' runs a ray-tracing pipeline, which the device does not support",
              graph_.name(node.name));
    // A launch is as wide as a dispatch of the largest groups; 256 is what all devices have.
    constexpr std::uint64_t kGroup[] = {256, 1, 1};
    std::uint64_t invocations = 1;
    bool too_many = false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        too_many |= rays.rays[axis] > kGroup[axis] * caps_.max_group_count[axis];
        too_many |= rays.rays[axis] > 0 && invocations > kMaxRays / rays.rays[axis];
        invocations *= too_many ? 1 : rays.rays[axis];
    }
    if (too_many)
        error("graph/dispatch-size", "let each invocation send several rays",
              "node '{}' launches {}x{}x{} rays, more than the device takes",
              graph_.name(node.name), rays.rays[0], rays.rays[1], rays.rays[2]);
    check_counts(node, rays.indirect_access, rays.indirect_offset);
}

void Validator::check_compute(const NodeDesc& node, const ComputeNode& compute) {
    check_kernel(node, compute.kernel, 0);
    if (!compute.kernel.shader) return;
    check_queries(node, compute.kernel);
    std::uint64_t invocations = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (compute.groups[axis] > caps_.max_group_count[axis])
            error("graph/dispatch-size", "let each invocation handle several elements",
                  "node '{}' dispatches {} groups along axis {}, more than the device's {}",
                  graph_.name(node.name), compute.groups[axis], axis, caps_.max_group_count[axis]);
        std::uint32_t local = compute.kernel.shader->local_size[axis];
        for (const SpecializationUse& use : compute.kernel.constants)
            if (use.id == compute.kernel.shader->local_size_ids[axis]) local = use.bits;
        invocations *= local;
    }
    if (invocations > caps_.max_group_invocations || invocations == 0)
        error("graph/group-size",
              fmt::format("the device takes 1 to {}", caps_.max_group_invocations),
              "node '{}' has {} invocations in a group", graph_.name(node.name), invocations);
    check_counts(node, compute.indirect_access, compute.indirect_offset);
}

void Validator::check_attachment(const NodeDesc& node, const Attachment& attachment, bool depth) {
    const AccessDesc& target = access(node, attachment.access);
    const ResourceDesc& resource = graph_.resource_of(target.read);
    if (!resource.is_image() || info(resource.image().format).depth != depth)
        error("graph/attachment-format", "choose another format",
              "node '{}' attaches '{}' as {}, which its format is not", graph_.name(node.name),
              graph_.name(resource.name), depth ? "depth" : "colour");
}

void Validator::check_raster(const NodeDesc& node, const RasterNode& raster) {
    check_kernel(node, raster.kernel, raster.groups);
    for (const Attachment& color : raster.colors)
        check_attachment(node, color, false);
    if (raster.depth) check_attachment(node, *raster.depth, true);
    if (raster.colors.size() > 8)
        error("graph/attachment-count", "split the node",
              "node '{}' has {} colour attachments; 8 is the most", graph_.name(node.name),
              raster.colors.size());
    if (raster.state.logic != LogicOp::none && !caps_.logic_op)
        error("graph/unsupported-raster", "use atomics on a buffer instead",
              "node '{}' uses logic operations on attachments, which the device cannot do",
              graph_.name(node.name));
    if (raster.state.conservative && !caps_.conservative_raster)
        error("graph/unsupported-raster", "enlarge the triangles by half a pixel on all sides",
              "node '{}' rasterizes conservatively, which the device cannot do",
              graph_.name(node.name));
    const auto lies_within = [](std::uint32_t first, std::uint32_t size, std::uint32_t whole) {
        return std::uint64_t{first} + size <= whole;
    };
    const Scissor seen = raster.scissor.value_or(Scissor{});
    if (!lies_within(seen.x, seen.width, raster.area.width) ||
        !lies_within(seen.y, seen.height, raster.area.height))
        error("graph/scissor-outside", "clip it to the area",
              "node '{}' has a scissor of {}x{} pixels at {}, {}, and draws into {}x{}",
              graph_.name(node.name), seen.width, seen.height, seen.x, seen.y, raster.area.width,
              raster.area.height);
    const std::uint32_t record = raster.index_access == ~0u ? 16 : 20;
    for (const Draw& draw : raster.draws) {
        if (draw.indirect_access == ~0u) continue;
        const Range& range = access(node, draw.indirect_access).range;
        if ((range.offset + draw.indirect_offset) % 4 != 0 ||
            !holds(range, draw.indirect_offset, std::uint64_t{record} * draw.indirect_draws))
            error("graph/indirect-range",
                  fmt::format("a draw takes {} bytes at a multiple of four", record),
                  "node '{}' reads draw arguments outside their buffer", graph_.name(node.name));
    }
}

/// The host uses memory that is mapped for one execution after another, and nothing else does.
void Validator::check_host_uses(const NodeDesc& node, bool is_host_node) {
    for (std::uint32_t a = 0; a < node.access_count; ++a) {
        const AccessDesc& use = access(node, a);
        const bool by_host =
            use.access == Access::host_node_read || use.access == Access::host_node_write;
        if (by_host != is_host_node)
            error("graph/host-access", "add it with Graph::host",
                  "node '{}' {} '{}', which only {} does", graph_.name(node.name),
                  name_of(use.access), graph_.name(graph_.resource_of(use.read).name),
                  by_host ? "a host node" : "a node of the device");
        else if (by_host && graph_.resource_of(use.read).lifetime != Lifetime::transient)
            error("graph/host-access", "copy it into, or from, a transient buffer",
                  "host node '{}' uses '{}', which is not a transient buffer",
                  graph_.name(node.name), graph_.name(graph_.resource_of(use.read).name));
    }
}

void Validator::check_outputs() {
    std::unordered_set<std::string_view> names;
    for (std::size_t o = 0; o < graph_.outputs.size(); ++o) {
        const OutputDesc& output = graph_.outputs[o];
        const std::string_view name = graph_.name(output.name);
        const VersionDesc& version = graph_.versions[output.version.index];
        if (version.next)
            error("graph/output-overwritten", "output a copy of it",
                  "output '{}' names contents of '{}' that node '{}' overwrites", name,
                  graph_.name_of(version.resource),
                  graph_.name_of(graph_.versions[version.next.index].writer));
        if (graph_.resources[version.resource.index].lifetime != Lifetime::transient)
            error("graph/output-lifetime", "output a copy of it",
                  "output '{}' is '{}', which does not belong to one execution", name,
                  graph_.name_of(version.resource));
        if (!names.insert(name).second)
            error("graph/duplicate-output", {}, "two outputs are named '{}'", name);
    }
}

Diagnostics Validator::run() && {
    mistakes_ = graph_.diagnostics;
    check_extent_of_graph();
    if (mistakes_.size() > graph_.diagnostics.size()) return std::move(mistakes_);
    for (const ResourceDesc& resource : graph_.resources) {
        const std::size_t before = mistakes_.size();
        if (resource.is_image()) check_image(resource);
        if (mistakes_.size() == before) check_bytes(resource);
        if (resource.lifetime == Lifetime::imported)
            for (Diagnostic& mistake : check_import(graph_, resource))
                mistakes_.push_back(std::move(mistake));
    }
    check_histories();
    for (std::uint32_t n = 0; n < graph_.nodes.size(); ++n) {
        const NodeDesc& node = graph_.nodes[n];
        if (uses_some_resource_twice(n)) check_overlaps(node);
        if (node.payload == ~0u) {
            check_host_uses(node, false);
            continue;
        }
        const NodePayload& payload = graph_.payloads[node.payload];
        const bool is_host_node = std::holds_alternative<HostNode>(payload);
        if (is_host_node || std::holds_alternative<CustomNode>(payload))
            check_host_uses(node, is_host_node);
        if (const auto* compute = std::get_if<ComputeNode>(&payload)) check_compute(node, *compute);
        if (const auto* raster = std::get_if<RasterNode>(&payload)) check_raster(node, *raster);
        if (const auto* rays = std::get_if<RayNode>(&payload)) check_rays(node, *rays);
    }
    check_outputs();
    return std::move(mistakes_);
}

} // namespace

Diagnostics validate(const GraphDesc& graph, const DeviceCaps& caps) {
    return Validator(graph, caps).run();
}

} // namespace tuff
