#include "model/views.hpp"

#include "core/text_table.hpp"
#include "graph/compile/ranges.hpp"
#include "graph/explain/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::viewer {
namespace {

NameRef intern(GraphDesc& graph, std::string_view name) {
    const NameRef ref{static_cast<std::uint32_t>(graph.names.size()),
                      static_cast<std::uint32_t>(name.size())};
    graph.names += name;
    return ref;
}

bool holds_acceleration(const GraphDesc& graph, ResourceId resource) {
    return std::ranges::any_of(graph.accesses, [&](const AccessDesc& access) {
        const bool built = access.access == Access::acceleration_write ||
                           access.access == Access::acceleration_scratch;
        return built && graph.versions[access.read.index].resource == resource;
    });
}

bool has_contents(const GraphDesc& graph, const VersionDesc& version) {
    if (version.previous || version.writer) return true;
    const Lifetime lifetime = graph.resources[version.resource.index].lifetime;
    const bool old = graph.resources[version.resource.index].history_age > 0;
    return lifetime == Lifetime::constant || (lifetime == Lifetime::history && old);
}

bool can_be_shown(const GraphDesc& graph, const VersionDesc& version) {
    const ResourceDesc& resource = graph.resources[version.resource.index];
    if (resource.is_image() && resource.image().samples > 1) return false;
    return has_contents(graph, version);
}

View view_of(const GraphDesc& graph, VersionId id, std::uint32_t number) {
    const VersionDesc& version = graph.versions[id.index];
    View view{.key = {std::string(graph.name_of(version.resource)), number},
              .writer = version.writer ? std::string(graph.name_of(version.writer)) : "",
              .outputs = {},
              .desc = graph.resource_of(id).desc,
              .lifetime = graph.resource_of(id).lifetime};
    for (const OutputDesc& output : graph.outputs)
        if (output.version == id) {
            view.outputs.emplace_back(graph.name(output.name));
            if (output.elements) view.elements = output.elements;
        }
    return view;
}

std::optional<VersionId> find_version(const GraphDesc& graph, const ViewKey& key) {
    if (key.resource.empty()) {
        if (graph.outputs.empty()) return std::nullopt;
        for (const OutputDesc& output : graph.outputs)
            if (graph.resource_of(output.version).is_image()) return output.version;
        return graph.outputs.front().version;
    }
    const std::vector<std::uint32_t> numbers = version_numbers(graph);
    for (std::uint32_t v = 0; v < graph.versions.size(); ++v)
        if (numbers[v] == key.version && can_be_shown(graph, graph.versions[v]) &&
            graph.name_of(graph.versions[v].resource) == key.resource)
            return VersionId{v};
    return std::nullopt;
}

/// Copies all of a version into a resource of its own, and returns what it then holds.
VersionId add_copy(GraphDesc& graph, VersionId source) {
    ResourceDesc resource;
    resource.name = intern(graph, "viewer.copy");
    resource.desc = graph.resource_of(source).desc;
    const Range range = whole(resource);
    const Extent extent = resource.is_image() ? resource.image().extent : Extent{};
    const ResourceId id{static_cast<std::uint32_t>(graph.resources.size())};
    graph.resources.push_back(std::move(resource));

    const NodeId node{static_cast<std::uint32_t>(graph.nodes.size())};
    const VersionId before{static_cast<std::uint32_t>(graph.versions.size())};
    const VersionId after{before.index + 1};
    graph.versions.push_back({.resource = id, .next = after});
    graph.versions.push_back({.resource = id, .previous = before, .writer = node});
    const auto first = static_cast<std::uint32_t>(graph.accesses.size());
    graph.accesses.push_back({.read = source, .range = range, .access = Access::copy_read});
    graph.accesses.push_back(
        {.read = before, .written = after, .range = range, .access = Access::copy_write});
    graph.nodes.push_back({.name = intern(graph, "viewer.copy"),
                           .first_access = first,
                           .access_count = 2,
                           .payload = static_cast<std::uint32_t>(graph.payloads.size())});
    graph.payloads.emplace_back(CopyNode{.source = 0, .destination = 1, .extent = extent});
    return after;
}

} // namespace

std::string label_of(const View& view) {
    if (!view.outputs.empty()) return view.outputs.front();
    return view.key.version > 1 || (view.key.version == 1 && view.writer.empty())
               ? fmt::format("{} #{}", view.key.resource, view.key.version)
               : view.key.resource;
}

std::uint64_t bytes_of(const View& view) {
    if (!view.is_image()) return view.buffer().size;
    const ImageDesc& image = view.image();
    std::uint64_t bytes = 0;
    for (std::uint32_t mip = 0; mip < image.mips; ++mip)
        bytes += byte_size(image.format, {std::max(image.extent.width >> mip, 1u),
                                          std::max(image.extent.height >> mip, 1u),
                                          std::max(image.extent.depth >> mip, 1u)});
    return bytes * image.layers;
}

std::string shape_text(const View& view) {
    if (!view.is_image()) {
        const std::string bytes = human_bytes(view.buffer().size);
        return view.elements ? fmt::format("{} of {}", bytes, view.elements.name()) : bytes;
    }
    const ImageDesc& image = view.image();
    std::string text =
        fmt::format("{} {} x {}", info(image.format).name, image.extent.width, image.extent.height);
    if (image.extent.depth > 1) text += fmt::format(" x {}", image.extent.depth);
    if (image.layers > 1) text += fmt::format(", {} layers", image.layers);
    if (image.mips > 1) text += fmt::format(", {} mips", image.mips);
    return text;
}

std::vector<View> list_views(const GraphDesc& graph) {
    const std::vector<std::uint32_t> numbers = version_numbers(graph);
    std::vector<bool> hidden(graph.resources.size());
    for (const AccessDesc& access : graph.accesses)
        if (access.access == Access::acceleration_write ||
            access.access == Access::acceleration_scratch)
            hidden[graph.versions[access.read.index].resource.index] = true;
    std::vector<View> views;
    for (std::uint32_t v = 0; v < graph.versions.size(); ++v)
        if (!hidden[graph.versions[v].resource.index] && can_be_shown(graph, graph.versions[v]))
            views.push_back(view_of(graph, VersionId{v}, numbers[v]));
    std::ranges::stable_partition(views, [](const View& view) { return !view.outputs.empty(); });
    return views;
}

std::optional<ViewKey> last_version(const GraphDesc& graph, std::string_view resource) {
    const std::vector<std::uint32_t> numbers = version_numbers(graph);
    for (std::size_t v = graph.versions.size(); v-- > 0;)
        if (graph.versions[v].writer && graph.name_of(graph.versions[v].resource) == resource)
            return ViewKey{std::string(resource), numbers[v]};
    return std::nullopt;
}

std::optional<KeptView> keep_view(GraphDesc& graph, const ViewKey& key, std::string_view output) {
    const auto version = find_version(graph, key);
    if (!version || holds_acceleration(graph, graph.versions[version->index].resource))
        return std::nullopt;
    KeptView kept{.output = {},
                  .view = view_of(graph, *version, version_numbers(graph)[version->index])};
    if (!kept.view.outputs.empty()) {
        kept.output = kept.view.outputs.front();
        return kept;
    }
    const bool stays = !graph.versions[version->index].next &&
                       graph.resource_of(*version).lifetime == Lifetime::transient;
    const VersionId kept_version = stays ? *version : add_copy(graph, *version);
    graph.outputs.push_back({.name = intern(graph, output), .version = kept_version});
    kept.output = output;
    return kept;
}

} // namespace tuff::viewer
