#include "passes/filter/window.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff::passes {
namespace {

/// Reports filter/no-texture where an array is no image or volume of the device.
bool fits_texture(Graph& graph, const FilterProblem& problem) {
    const FilterSize& size = problem.size;
    if (size[3] != 1 || problem.kernel_size[3] != 1) {
        graph.error("filter/no-texture", "textures have at most three axes, not four",
                    "choose the path \"tiled\", or \"auto\"");
        return false;
    }
    const bool flat = size[2] == 1 && problem.kernel_size[2] == 1;
    const DeviceCaps& target = graph.target();
    const std::uint32_t limit = flat ? target.max_image_2d : target.max_image_3d;
    const std::uint32_t longest = std::max({size[0], size[1], size[2]});
    if (longest <= limit) return true;
    graph.error("filter/no-texture",
                fmt::format("{} numbers along an axis are more than the {} texels a side that the "
                            "device supports",
                            longest, limit),
                "choose the path \"tiled\", or \"auto\"");
    return false;
}

Image texture_of(Graph& graph, Buffer source, const FilterProblem& problem, std::uint32_t array) {
    const FilterSize& size = problem.size;
    const bool flat = size[2] == 1 && problem.kernel_size[2] == 1;
    const Image image = graph.image("texels", {.format = Format::r32_sfloat,
                                               .extent = {size[0], size[1], size[2]},
                                               .shape = flat ? ImageShape::d2 : ImageShape::d3});
    const std::uint64_t bytes = filter_count(size) * sizeof(float);
    return graph.copy_to_image(BufferView(source, array * bytes, bytes), image, "to_texture");
}

} // namespace

Buffer convolve_texture(Graph& graph, Buffer source, Buffer kernel, const FilterProblem& problem,
                        bool unrolled) {
    if (!fits_texture(graph, problem)) return {};
    const FilterWindow window = whole_window(problem);
    const bool flat = problem.size[2] == 1 && problem.kernel_size[2] == 1;
    Buffer result = window_results(graph, problem, window);
    for (std::uint32_t array = 0; array < problem.batch; ++array) {
        const Image texels = texture_of(graph, source, problem, array);
        ComputeNodeBuilder node =
            graph.compute("filter/texture", {{"AXES", flat ? 2 : 3}, {"UNROLLED", unrolled}});
        node.specialize("border", static_cast<std::uint32_t>(problem.border));
        if (unrolled) {
            node.specialize("kernel_x", problem.kernel_size[0]);
            node.specialize("kernel_y", problem.kernel_size[1]);
        }
        node.read("source", texels);
        node.read("kernel", kernel);
        node.set("source_size", as_vector(problem.size));
        node.set("result_size", as_vector(window.size));
        node.set("first", as_vector(window.first));
        node.set("kernel_size", as_vector(problem.kernel_size));
        const std::uint64_t of_array = filter_count(window.size) * problem.filters;
        node.set("first_result", static_cast<std::uint32_t>(array * of_array));
        node.set("filters", problem.filters);
        node.set("correlate", std::uint32_t(problem.correlate));
        result = node.write("result", result);
        node.dispatch_over({window.size[0], window.size[1], window.size[2]});
    }
    return result;
}

} // namespace tuff::passes
