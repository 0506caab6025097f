#include "passes/filter/warp.hpp"

#include "passes/filter/array_checks.hpp"
#include "passes/filter/kernel_design.hpp"

namespace tuff::passes {

void FilterWarp::describe(PassInfo<FilterWarp>& info) {
    info.summary("Deforms an image or volume by a field of displacements")
        .details("result[p] = source(p + field[p]), with linear interpolation along each axis. The "
                 "field has an array for each axis, one after the other, as \"filter/register\" "
                 "makes it: x for lines, x and y for images, x, y and z for volumes. Displacements "
                 "that are not finite count as 0.\n\nErrors: filter/empty, filter/too-short, "
                 "filter/too-large, filter/axes, filter/no-border.")
        .complexity("O(numbers)")
        .cost([](const FilterWarp& pass, const Graph& graph) {
            const auto bytes = static_cast<double>(graph.desc(pass.result).size);
            return Cost{.bytes = 2.0 * bytes + static_cast<double>(graph.desc(pass.field).size),
                        .operations = 8.0 * bytes};
        });
    info.input("source", &FilterWarp::source, "f32, x fastest").elements<float>();
    info.input("field", &FilterWarp::field,
               "f32: displacements along x of all numbers, then along y, then along z")
        .elements<float>();
    info.parameter("size", &FilterWarp::size, "numbers along x, y and z; w is 1").structural();
    info.parameter("batch", &FilterWarp::batch,
                   "number of consecutive arrays, all deformed by the same field")
        .range(1, 1e9)
        .structural();
    info.parameter(
            "border", &FilterWarp::border,
            "values beyond the border: zeros, the nearest number, the array mirrored (the last "
            "number repeated) or repeated")
        .structural();
    info.output("result", &FilterWarp::result, "the deformed array, f32, of the source's size")
        .elements<float>();
}

void FilterWarp::build(Graph& graph) {
    const std::uint64_t held = graph.desc(source).size / sizeof(float);
    const auto array =
        checked_arrays(graph, {.size = size, .batch = batch, .whole = held, .more = 3});
    if (!array) return;
    const std::uint32_t axes = kernel_dimensions(*array);
    if (axes > 3) {
        graph.error("filter/axes", "a field has displacements only along x, y and z",
                    "deform each volume of a sequence separately");
        return;
    }
    if (border == FilterBorder::valid) {
        graph.error("filter/no-border",
                    "the border \"valid\" cannot be used: displacements may lead beyond the border "
                    "everywhere",
                    "choose a border other than \"valid\"");
        return;
    }
    const std::uint64_t one = filter_count(*array);
    if (!holds_numbers(graph, "field", field, one * axes)) return;
    ComputeNodeBuilder node = graph.compute("filter/warp");
    node.specialize("border", static_cast<std::uint32_t>(border));
    node.read("source", source);
    node.read("field", field);
    node.set("size", as_vector(*array));
    node.set("axes", axes);
    node.set("count", static_cast<std::uint32_t>(one * batch));
    result = node.write("result", filter_floats(graph, "result", one * batch));
    node.dispatch_each(static_cast<std::uint32_t>(one * batch));
}

TUFF_PASS(FilterWarp)

} // namespace tuff::passes
