#include "passes/lights/lights.hpp"

#include "passes/common/picture.hpp"
#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

namespace tuff::passes {

bool is_valid(Graph& graph, const Lights& lights) {
    if (!in_range(graph, "count", lights.count, 0, kMaxPlacedLights)) return false;
    const auto holds_all = [&](Buffer buffer, std::string_view name, std::uint64_t bytes) {
        const std::uint64_t needed = bytes * lights.count;
        if (graph.desc(buffer).size >= needed) return true;
        graph.error("primitives/too-short",
                    fmt::format("buffer \"{}\" of the lights has {} bytes, but {} lights take "
                                "{}",
                                name, graph.desc(buffer).size, lights.count, needed),
                    "give one element for each light");
        return false;
    };
    if (lights.nodes && (graph.desc(lights.nodes).size < sizeof(glm::vec4) * lights.node_count() ||
                         graph.desc(lights.tops).size < sizeof(glm::vec4) * lights.top_count())) {
        graph.error("primitives/too-short", "the tree was made for fewer lights",
                    "connect the output of lights/tree");
        return false;
    }
    return holds_all(lights.spheres, "spheres", sizeof(glm::vec4)) &&
           holds_all(lights.shades, "shades", sizeof(LightShade));
}

LightStatus LightStatus::read(std::span<const std::uint32_t> words) {
    return status_from<LightStatus>(words);
}

Diagnostics LightStatus::warnings() const {
    Diagnostics all;
    if (bad > 0)
        all.push_back(warning("lights/bad-light",
                              fmt::format("{} lights have a position or color that is not "
                                          "finite, or a range that is not positive: they emit "
                                          "nothing",
                                          bad),
                              "fix the lights"));
    if (overflowed > 0)
        all.push_back(warning("lights/full-lists",
                              fmt::format("{} lists have no room for all their lights, the "
                                          "fullest of which has {}: their pixels try all lights",
                                          overflowed, most),
                              fmt::format("set \"room\" to {}", most)));
    return all;
}

std::vector<PortMember> LightGrid::members() const {
    std::vector<PortMember> all{{"masks", masks, BufferElements::of<std::uint32_t>()},
                                {"summaries", summaries, BufferElements::of<std::uint32_t>()},
                                {"status", status, BufferElements::of<std::uint32_t>()}};
    if (bounds) all.push_back({"bounds", bounds, BufferElements::of<glm::vec4>()});
    if (bins) all.push_back({"bins", bins, BufferElements::of<std::uint32_t>()});
    if (lists) all.push_back({"lists", lists, BufferElements::of<std::uint32_t>()});
    if (counts) all.push_back({"counts", counts, BufferElements::of<std::uint32_t>()});
    return all;
}

} // namespace tuff::passes
