#include "graph/watch/finite_checks.hpp"

#include <tuff/graph.hpp>
#include <tuff/watch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tuff {
namespace {

constexpr std::uint32_t kMaxCheckedMembers = 64;      // as in find_not_finite_elements.comp
constexpr std::uint64_t kMaxCheckedTexels = 1u << 30; // of a check: indices have two bits more
constexpr std::uint64_t kMaxNumberedTexels = 1ull << 32;
constexpr std::uint64_t kCheckGroups = 1024;    // at most; each invocation takes several numbers
constexpr std::uint64_t kOffsetAlignment = 256; // bytes, the most that devices ask of bindings

bool is_watched(const ImageDesc& image) {
    const NumericKind kind = info(image.format).kind;
    return image.samples == 1 && (kind == NumericKind::sfloat || kind == NumericKind::ufloat);
}

/// What is to be checked: a version's part, and who wrote it.
struct Watched {
    NodeId writer;            ///< none: a constant
    std::uint32_t others = 0; ///< who accumulated into it, too
    VersionId version;
    Range range;
    StoredElements elements; ///< of a buffer
};

/// Looks for what live nodes write, in the order of the nodes.
class WatchList {
  public:
    WatchList(const GraphDesc& graph, const AccessIndex& index) : graph_(graph), index_(index) {}

    void find(std::span<const CullReason> culled) {
        add_constants(culled);
        for (std::uint32_t n = 0; n < graph_.nodes.size(); ++n) {
            const NodeDesc& node = graph_.nodes[n];
            for (std::uint32_t a = 0; a < node.access_count; ++a)
                if (culled[n] == CullReason::none) add({n}, node.first_access + a);
        }
    }

    std::vector<Watched> watched;
    std::vector<std::string> skipped;

  private:
    void add_constants(std::span<const CullReason> culled) {
        for (std::uint32_t v = 0; v < graph_.versions.size(); ++v) {
            const ResourceDesc& resource = graph_.resource_of({v});
            if (resource.lifetime != Lifetime::constant) continue;
            const auto live = [&](std::uint32_t access) {
                const NodeId node = index_.node_of[access];
                return node && culled[node.index] == CullReason::none;
            };
            const auto readers = index_.readers[v];
            const auto reader = std::ranges::find_if(readers, live);
            if (reader == readers.end()) continue;
            if (resource.is_image()) {
                if (is_watched(resource.image()))
                    watched.push_back({.version = {v}, .range = whole(resource), .elements = {}});
                continue;
            }
            const StoredElements elements = stored_elements(graph_, index_, *reader);
            if (!elements.members.empty())
                watched.push_back({.version = {v}, .range = whole(resource), .elements = elements});
        }
    }

    void add(NodeId node, std::uint32_t access) {
        const AccessDesc& made = graph_.accesses[access];
        if (!made.written) return;
        // Bytes of the device's own.
        if (made.access == Access::acceleration_write ||
            made.access == Access::acceleration_scratch)
            return;
        const bool accumulated = graph_.versions[made.written.index].accumulated;
        if (accumulated) {
            const auto same = std::ranges::find_if(watched, [&](const Watched& other) {
                return other.version == made.written && other.range == made.range;
            });
            if (same != watched.end()) {
                if (same->writer != node) ++same->others;
                return;
            }
        }
        const ResourceDesc& resource = graph_.resource_of(made.written);
        Watched found{.writer = node, .version = made.written, .range = made.range, .elements = {}};
        if (resource.is_image()) {
            if (is_watched(resource.image())) watched.push_back(std::move(found));
            return;
        }
        found.elements = stored_elements(graph_, index_, access);
        if (!found.elements.known || found.elements.members.size() > kMaxCheckedMembers)
            skip(std::string(graph_.name(resource.name)));
        else if (!found.elements.members.empty())
            watched.push_back(std::move(found));
    }

    void skip(std::string name) {
        if (std::ranges::find(skipped, name) == skipped.end()) skipped.push_back(std::move(name));
    }

    const GraphDesc& graph_;
    const AccessIndex& index_;
};

/// Adds the nodes that check.
class CheckBuilder {
  public:
    CheckBuilder(Graph& graph, const DeviceCaps& caps) : graph_(graph), caps_(caps) {}

    /// The checks of what is watched; the nodes come later, when it is known how many there are.
    void plan(const Watched& watched) {
        const GraphDesc& desc = graph_.peek();
        if (desc.resource_of(watched.version).is_image())
            plan_image(watched);
        else
            plan_buffer(watched);
    }

    void build(std::vector<std::string> skipped) {
        if (planned_.empty() && skipped.empty()) return;
        graph_.push_scope("watch");
        const std::uint64_t words =
            std::max<std::size_t>(planned_.size(), 1) * FiniteChecks::kWordsPerCheck;
        const Buffer empty =
            graph_.fill(graph_.buffer("found", {.size = 4 * words, .stride = 4}), ~0u, "start");
        Buffer found = empty;
        graph_.push_changing(); // what is found is told of each execution
        for (std::uint32_t i = 0; i < planned_.size(); ++i)
            found = add_node(i, empty);
        graph_.pop_changing();
        std::vector<FiniteCheck> checks;
        for (Planned& planned : planned_)
            checks.push_back(std::move(planned.check));
        graph_.status(found, StatusReader(std::make_shared<const FiniteChecks>(
                                 std::move(checks), std::move(skipped))));
        graph_.pop_scope();
    }

  private:
    struct Planned {
        FiniteCheck check;
        VersionId version;
        Range range;                     ///< what is bound
        std::uint64_t bytes = 0;         ///< that are looked at, of buffers
        std::uint64_t skipped_bytes = 0; ///< before the first element, in what is bound
    };

    FiniteCheck named(const Watched& watched) const {
        const GraphDesc& desc = graph_.peek();
        FiniteCheck check;
        check.resource = desc.name(desc.resource_of(watched.version).name);
        check.writers = "a constant has a number";
        if (watched.writer && watched.others == 0)
            check.writers = fmt::format("node '{}' is the first to write a number",
                                        desc.name_of(watched.writer));
        else if (watched.writer)
            check.writers = fmt::format("node '{}' and {} more, which add to the same, are the "
                                        "first to write a number",
                                        desc.name_of(watched.writer), watched.others);
        return check;
    }

    void plan_image(const Watched& watched) {
        const ImageDesc image = graph_.peek().resource_of(watched.version).image();
        const bool layered = image.shape == ImageShape::d2_array || image.shape == ImageShape::cube;
        for (std::uint32_t m = 0; m < watched.range.mips; ++m) {
            const std::uint32_t mip = watched.range.mip + m;
            const Extent extent = mip_extent(image.extent, mip);
            const std::uint64_t texels =
                std::min(texels_of(extent) * watched.range.layers, kMaxNumberedTexels);
            Range range = watched.range;
            range.mip = mip;
            range.mips = 1;
            for (std::uint64_t first = 0; first < texels; first += kMaxCheckedTexels) {
                Planned planned{
                    .check = named(watched), .version = watched.version, .range = range};
                planned.check.what = CheckedTexels{.mip = mip,
                                                   .first_layer = range.layer,
                                                   .first = static_cast<std::uint32_t>(first),
                                                   .count = static_cast<std::uint32_t>(
                                                       std::min(texels - first, kMaxCheckedTexels)),
                                                   .extent = extent,
                                                   .layered = layered,
                                                   .has_mips = image.mips > 1};
                planned_.push_back(std::move(planned));
            }
        }
    }

    /// In pieces that a binding can hold, each of whole elements.
    void plan_buffer(const Watched& watched) {
        const Range& all = watched.range;
        const std::uint64_t each = watched.elements.bytes == 0 ? all.size : watched.elements.bytes;
        const std::uint64_t most =
            std::min<std::uint64_t>(caps_.max_storage_buffer_bytes, ~0u) - kOffsetAlignment;
        const std::uint64_t piece = std::max<std::uint64_t>(most / each, 1) * each;
        for (std::uint64_t at = 0; at < all.size; at += piece) {
            const std::uint64_t first = all.offset + at;
            Planned planned{.check = named(watched),
                            .version = watched.version,
                            .range = all,
                            .bytes = std::min(piece, all.size - at),
                            .skipped_bytes = first % kOffsetAlignment};
            planned.range.offset = first - planned.skipped_bytes;
            planned.range.size = planned.bytes + planned.skipped_bytes;
            planned.check.what = CheckedElements{.elements = watched.elements,
                                                 .first = first / each,
                                                 .is_array = watched.elements.bytes != 0};
            planned_.push_back(std::move(planned));
        }
    }

    Buffer add_node(std::uint32_t check, Buffer found) {
        const Planned& planned = planned_[check];
        const bool is_image = std::holds_alternative<CheckedTexels>(planned.check.what);
        const std::string name = fmt::format("check[{}]", check);
        return is_image ? add_image_node(check, name, found) : add_buffer_node(check, name, found);
    }

    Buffer add_image_node(std::uint32_t check, const std::string& name, Buffer found) {
        const Planned& planned = planned_[check];
        const auto& texels = std::get<CheckedTexels>(planned.check.what);
        const ImageDesc image = graph_.peek().resource_of(planned.version).image();
        const bool volume = image.shape == ImageShape::d3;
        ComputeNodeBuilder node =
            graph_.compute("graph/find_not_finite_texels", {{"VOLUME", volume ? 1 : 0}}, name);
        ImageView view(Image{planned.version});
        node.read("source",
                  view.mip(planned.range.mip).layer(planned.range.layer, planned.range.layers),
                  Sampler::nearest());
        found = node.accumulate("found", found);
        node.set("check", check);
        node.set("first", texels.first);
        node.set("count", texels.count);
        node.set("channels", info(image.format).channels);
        dispatch(node, texels.count);
        return found;
    }

    Buffer add_buffer_node(std::uint32_t check, const std::string& name, Buffer found) {
        const Planned& planned = planned_[check];
        const StoredElements& stored = std::get<CheckedElements>(planned.check.what).elements;
        const std::uint64_t each = stored.bytes == 0 ? planned.bytes : stored.bytes;
        const auto elements = static_cast<std::uint32_t>((planned.bytes + each - 1) / each);
        ComputeNodeBuilder node = graph_.compute("graph/find_not_finite_elements", name);
        node.read("source",
                  BufferView(Buffer{planned.version}, planned.range.offset, planned.range.size));
        found = node.accumulate("found", found);
        node.set("check", check);
        node.set("first", static_cast<std::uint32_t>(planned.skipped_bytes));
        node.set("end", static_cast<std::uint32_t>(planned.skipped_bytes + planned.bytes));
        node.set("element_bytes", static_cast<std::uint32_t>(each));
        node.set("elements", elements);
        node.set("numbers", stored.numbers());
        node.set("member_count", static_cast<std::uint32_t>(stored.members.size()));
        std::vector<glm::uvec4> members;
        for (const StoredNumbers& member : stored.members)
            members.emplace_back(member.offset, member.count, member.type,
                                 bytes_of_stored(member.type));
        node.set("members", std::span<const glm::uvec4>(members));
        dispatch(node, elements);
        return found;
    }

    static void dispatch(ComputeNodeBuilder& node, std::uint64_t count) {
        const std::uint64_t group = node.group_size()[0];
        node.dispatch(static_cast<std::uint32_t>(
            std::clamp<std::uint64_t>((count + group - 1) / group, 1, kCheckGroups)));
    }

    Graph& graph_;
    const DeviceCaps& caps_;
    std::vector<Planned> planned_;
};

/// So that what no kernel writes is finite.
GraphDesc zero_watched(GraphDesc graph, std::span<const Watched> all) {
    std::vector<bool> watched(graph.resources.size(), false);
    for (const Watched& one : all)
        watched[graph.versions[one.version.index].resource.index] = true;
    return fill_first(std::move(graph), "watch/zero",
                      [&](ResourceId resource) -> std::optional<ClearValue> {
                          if (!watched[resource.index]) return std::nullopt;
                          return std::array<float, 4>{};
                      });
}

} // namespace

GraphDesc watch_finite(GraphDesc graph, const DeviceCaps& caps, const ShaderInterfaces& shaders,
                       const WatchOptions& options) {
    if (has_errors(validate(graph, caps))) return graph;
    const AccessIndex index = index_accesses(graph);
    const Dependencies dependencies = find_dependencies(graph, index);
    if (has_errors(dependencies.diagnostics)) return graph;
    WatchList list(graph, index);
    list.find(cull(graph, dependencies));
    if (options.fills_first) graph = zero_watched(std::move(graph), list.watched);
    const std::size_t nodes = graph.nodes.size();
    Graph watching(std::move(graph), shaders);
    CheckBuilder checks(watching, caps);
    for (const Watched& watched : list.watched)
        checks.plan(watched);
    checks.build(std::move(list.skipped));
    GraphDesc watched = std::move(watching).finish();
    for (NodeDesc& node : std::span(watched.nodes).subspan(nodes))
        node.side_effect = true; // nobody reads what they find but the host
    return watched;
}

} // namespace tuff
