#include "passes/raytrace/wavefront.hpp"

#include "passes/primitives/compaction.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace tuff::passes {
namespace {

constexpr std::uint64_t kHitBytes = 16;       // a quad
constexpr std::uint64_t kPathBytes = 32;      // two
constexpr std::uint64_t kShadowRayBytes = 48; // three

Buffer slot_buffer(Graph& graph, std::string_view name, std::uint32_t slots, std::uint64_t bytes) {
    return graph.buffer(name, {.size = slots * bytes, .stride = 4});
}

/// The stages of one bounce, which work on the same slots.
class Bounce {
  public:
    Bounce(Graph& graph, const Tracing& tracing, Paths paths)
        : graph_(graph), tracing_(tracing), paths_(std::move(paths)) {}

    void find_hits() {
        if (tracing_.waves) {
            hits_ = tracing_.waves.closest(paths_);
            return;
        }
        TracingNode node = tracing_node("raytrace/closest", "hit");
        node->read("rays", paths_.rays);
        hits_ = node->write("hits", slot_buffer(graph_, "hits", tracing_.slots, kHitBytes));
        dispatch(node);
        if (tracing_.shapes) hits_ = tracing_.shapes.closest(graph_, slots_of(paths_.rays), hits_);
    }

    /// Adds the light of all lights at places, a shadow ray at a time, if hits are lit.
    void light(bool lit) {
        shadow_rays_ = slot_buffer(graph_, "shadow_rays", tracing_.slots, kShadowRayBytes);
        if (!lit) return;
        for (const Shader& shader : tracing_.light_rays) {
            for (const MaterialBatch& batch : tracing_.batches) {
                ComputeNodeBuilder node =
                    graph_.compute(shader.kernel, batch.variant(), "light_rays");
                bind_hits(node, shader, batch);
                dispatch(node);
            }
            try_shadow_rays();
        }
    }

    void shade(const Shader& shader, std::uint32_t bounce, std::uint32_t last) {
        alive_ = array(graph_, "alive", tracing_.slots);
        for (const MaterialBatch& batch : tracing_.batches) {
            ComputeNodeBuilder node = graph_.compute(shader.kernel, batch.variant(), "shade");
            bind_hits(node, shader, batch);
            node.set("bounce", bounce);
            node.set("last_bounce", last);
            node.specialize("compacts", std::uint32_t(goes_on(bounce, last)));
            alive_ = node.write("alive", alive_);
            dispatch(node);
        }
    }

    void try_shadow_rays() {
        if (tracing_.shapes) shadow_rays_ = tracing_.shapes.block(graph_, slots_of(shadow_rays_));
        if (tracing_.waves)
            paths_.paths = tracing_.waves.light(paths_, shadow_rays_);
        else if (tracing_.see_through)
            try_shadow_rays_through();
        else
            try_whole_shadows();
    }

    void try_whole_shadows() {
        TracingNode node = tracing_node("raytrace/shadow", "light");
        node->read("shadow_rays", shadow_rays_);
        paths_.paths = node->write("paths", paths_.paths);
        dispatch(node);
    }

    /// A walk for each batch of materials that let light through.
    void try_shadow_rays_through() {
        for (std::size_t i = 0; i < tracing_.see_through.batches.size(); ++i) {
            TracingNode node = tracing_node("raytrace/shadow_through", "light",
                                            tracing_.see_through.batches[i].variant());
            bind_see_through(graph_, *node, tracing_.scene, tracing_.see_through, i);
            shadow_rays_ = node->write("shadow_rays", shadow_rays_);
            paths_.paths = node->write("paths", paths_.paths);
            dispatch(node);
        }
    }

    /// The paths that go on, in a queue where they are gathered.
    Paths end(std::uint32_t bounce, std::uint32_t last) {
        if (!goes_on(bounce, last)) return paths_;
        CompactionRequest request;
        request.source = paths_.queue ? paths_.queue : alive_;
        request.length = length();
        request.keep.flags = alive_;
        request.indices = !paths_.queue;
        const auto kept = compact(graph_, request);
        if (!kept) return paths_;
        paths_.queue = kept->kept;
        paths_.count = kept->kept_count;
        return paths_;
    }

  private:
    SlotRays slots_of(Buffer rays) const {
        return {
            .rays = rays, .queue = paths_.queue, .count = paths_.count, .slots = tracing_.slots};
    }
    TracingNode tracing_node(std::string_view kernel, std::string_view name,
                             const ShaderVariant& variant = {}) {
        TracingNode node(graph_, kernel, tracing_.bvh, tracing_.query, name, variant);
        bind_queue(*node);
        return node;
    }
    /// Binds what kernels that look at hits share.
    void bind_hits(ComputeNodeBuilder& node, const Shader& shader, const MaterialBatch& batch) {
        bind_surfaces(graph_, node, tracing_.scene, tracing_.bvh.mesh, batch);
        bind_queue(node);
        shader.bind(node);
        node.read("hits", hits_);
        node.specialize("has_shapes", std::uint32_t(bool(tracing_.shapes)));
        paths_.rays = node.write("rays", paths_.rays);
        paths_.paths = node.write("paths", paths_.paths);
        shadow_rays_ = node.write("shadow_rays", shadow_rays_);
    }
    void dispatch(ComputeNodeBuilder& node) {
        if (paths_.queue)
            queue_groups(node.group_size()[0]).dispatch(node);
        else
            node.dispatch_each(tracing_.slots);
    }
    void dispatch(TracingNode& node) {
        if (paths_.queue)
            node.dispatch(queue_groups(node.group_size()));
        else
            node.dispatch_each(tracing_.slots);
    }
    /// Groups of so many invocations for the entries of the queue, counted once for each size.
    const Groups& queue_groups(std::uint32_t invocations) {
        const auto found = queue_groups_.find(invocations);
        if (found != queue_groups_.end()) return found->second;
        return queue_groups_.emplace(invocations, groups_for(graph_, length(), invocations))
            .first->second;
    }
    Length length() const { return {.most = tracing_.slots, .count = paths_.count}; }
    bool goes_on(std::uint32_t bounce, std::uint32_t last) const {
        return bounce < last && tracing_.scheduling == PathScheduling::compacted;
    }
    void bind_queue(KernelNode& node) const {
        node.set("slots", tracing_.slots);
        node.read_optional("queue", paths_.queue);
        node.read_optional("queue_length", paths_.count, "has_queue");
    }

    Graph& graph_;
    const Tracing& tracing_;
    Paths paths_;
    std::map<std::uint32_t, Groups> queue_groups_; ///< by the invocations of a group
    Buffer hits_;
    Buffer shadow_rays_;
    Buffer alive_;
};

} // namespace

Paths begin_paths(Graph& graph, const Tracing& tracing, const CameraRays& camera,
                  std::uint32_t sample, const Paths& before) {
    const bool first = !before.paths;
    ComputeNodeBuilder node =
        graph.compute(first ? "raytrace/first_sample" : "raytrace/next_sample", "begin_paths");
    camera.set(node);
    node.set("sample_offset", sample);
    node.read_optional("frame", tracing.frame);
    Paths paths;
    paths.rays = node.write("rays", slot_buffer(graph, "rays", tracing.slots, kRayBytes));
    paths.paths = node.write("paths", first ? slot_buffer(graph, "paths", tracing.slots, kPathBytes)
                                            : before.paths);
    node.dispatch_each(tracing.slots);
    return paths;
}

Paths trace_bounce(Graph& graph, const Tracing& tracing, Paths paths, const Shader& shader,
                   const BounceNumber& number) {
    Bounce stages(graph, tracing, std::move(paths));
    stages.find_hits();
    stages.light(number.lit);
    stages.shade(shader, number.bounce, number.last);
    stages.try_shadow_rays();
    return stages.end(number.bounce, number.last);
}

} // namespace tuff::passes
