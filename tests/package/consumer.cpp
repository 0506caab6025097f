// The graph compiler alone, from the installed package: no Vulkan, no device.
#include <tuff/explain.hpp>
#include <tuff/graph.hpp>
#include <tuff/plan.hpp>

#include <cstdio>
#include <string>

int main() {
    using namespace tuff;
    Graph graph;
    const ImageDesc picture{.format = Format::rgba16_sfloat, .extent = {64, 32, 1}};
    Image image = graph.clear(graph.image("first", picture), std::array<float, 4>{});
    for (int i = 0; i < 5; ++i)
        image = graph.copy(image, graph.image("next", picture));
    graph.output("picture", image, Access::sampled);
    (void)graph.clear(graph.image("unused", picture), std::array<float, 4>{});

    const auto plan = compile(std::move(graph).finish(), DeviceCaps{});
    if (!plan) {
        std::fprintf(stderr, "%s\n", to_string(plan.error()).c_str());
        return 1;
    }
    const std::string text = explain(*plan);
    const PlanStatistics& found = plan->statistics;
    const std::uint64_t two_pictures = 2 * 64 * 32 * 8;
    const bool fine = found.nodes == 6 && found.culled == 1 &&
                      found.transient_bytes == two_pictures &&
                      text.find("picture") != std::string::npos;
    if (!fine) std::fprintf(stderr, "%s\n", text.c_str());
    return fine ? 0 : 1;
}
