#include "tests/oracle/random_graph.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tuff::oracle {
namespace {

std::string stage_names(StageMask stages) {
    std::vector<std::string_view> names;
    if (stages & stage::kVertexShader) names.push_back("vertex");
    if (stages & stage::kFragmentShader) names.push_back("fragment");
    if (stages & stage::kCompute) names.push_back("compute");
    return names.empty() ? std::string() : fmt::format(" in {}", fmt::join(names, "+"));
}

std::string range_text(const ResourceDesc& resource, const Range& r) {
    if (!resource.is_image()) {
        if (r.offset == 0 && r.size == resource.buffer().size) return {};
        return fmt::format(" bytes {}..{}", r.offset, r.offset + r.size);
    }
    const ImageDesc& image = resource.image();
    if (r.mips == image.mips && r.layers == image.layers) return {};
    return fmt::format(" mips {}..{} layers {}..{}", r.mip, r.mip + r.mips, r.layer,
                       r.layer + r.layers);
}

std::string scope_text(const Scope& scope) {
    return fmt::format("{{{:#x}, {:#x}, {}}}", scope.stages, scope.memory, name_of(scope.layout));
}

std::string resource_text(const GraphDesc& graph, const ResourceDesc& resource) {
    static constexpr std::array kLifetimes = {"transient", "constant", "history", "imported"};
    std::string text = fmt::format("{} {}", kLifetimes[static_cast<std::size_t>(resource.lifetime)],
                                   graph.name(resource.name));
    if (resource.is_image()) {
        const ImageDesc& d = resource.image();
        text += fmt::format(": image {} {}x{}x{}, {} mips, {} layers, {} samples",
                            info(d.format).name, d.extent.width, d.extent.height, d.extent.depth,
                            d.mips, d.layers, d.samples);
    } else {
        text += fmt::format(": buffer of {} bytes", resource.buffer().size);
    }
    if (resource.lifetime == Lifetime::imported)
        text += fmt::format(", from {} to {}", scope_text(resource.import.first),
                            scope_text(resource.import.last));
    return text;
}

/// "b0#2": the second version after the first.
std::string version_text(const GraphDesc& graph, VersionId version) {
    std::uint32_t number = 0;
    for (VersionId v = graph.versions[version.index].previous; v;
         v = graph.versions[v.index].previous)
        ++number;
    return fmt::format("{}#{}", graph.name_of(graph.versions[version.index].resource), number);
}

} // namespace

std::string to_text(const GraphDesc& graph) {
    std::string text;
    for (const ResourceDesc& resource : graph.resources)
        text += resource_text(graph, resource) + '\n';
    for (const NodeDesc& node : graph.nodes) {
        static constexpr std::array kHints = {"", " (on main)", " (on compute)", " (on transfer)"};
        text += fmt::format("{}{}{}", graph.name(node.name), node.side_effect ? " (kept)" : "",
                            kHints[static_cast<std::size_t>(node.queue)]);
        for (std::uint32_t i = 0; i < node.access_count; ++i) {
            const AccessDesc& a = graph.accesses[node.first_access + i];
            text += fmt::format(
                "{} {} {}{}{}", i == 0 ? ":" : ",", name_of(a.access), version_text(graph, a.read),
                range_text(graph.resource_of(a.read), a.range), stage_names(a.shader_stages));
            if (a.written) text += fmt::format(" -> {}", version_text(graph, a.written));
        }
        text += '\n';
    }
    for (const OutputDesc& output : graph.outputs)
        text += fmt::format("output {}: host {} {}\n", graph.name(output.name),
                            name_of(output.access), version_text(graph, output.version));
    return text;
}

} // namespace tuff::oracle
