#include "passes/filter/tensor.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

/// The most f32 of a buffer: addresses are 32 bits of bytes.
constexpr std::uint64_t kMaxTensorNumbers = std::uint64_t{1} << 29;

} // namespace

std::optional<TensorField> tensor_field(Graph& graph, glm::uvec4 size, std::uint32_t batch,
                                        std::uint32_t most) {
    std::uint64_t places = 1;
    std::uint64_t all = std::uint64_t{batch} * most;
    for (int axis = 0; axis < 4; ++axis) {
        if (size[axis] == 0) {
            graph.error("filter/empty",
                        fmt::format("an array of {} x {} x {} x {} has no numbers", size.x, size.y,
                                    size.z, size.w),
                        "\"size\" has a number for each axis, 1 where there is none");
            return {};
        }
        // Both factors are below 2^32, so nothing overflows before it is found to be too much.
        if (all <= kMaxTensorNumbers) all *= size[axis];
        if (places <= kMaxTensorNumbers) places *= size[axis];
    }
    if (all > kMaxTensorNumbers) {
        graph.error("filter/too-large",
                    fmt::format("{} arrays of {} x {} x {} x {} with {} numbers at each place are "
                                "more than the {} that can be addressed",
                                batch, size.x, size.y, size.z, size.w, most, kMaxTensorNumbers),
                    "filter parts, each by itself");
        return {};
    }
    return TensorField{static_cast<std::uint32_t>(places), batch};
}

bool holds_places(Graph& graph, std::string_view port, Buffer buffer, const TensorField& field,
                  std::uint32_t per_place) {
    const std::uint64_t needed = std::uint64_t{field.places} * field.arrays * per_place;
    const std::uint64_t there = graph.desc(buffer).size / sizeof(float);
    if (there >= needed) return true;
    graph.error("filter/too-short",
                fmt::format("\"{}\" holds {} numbers, but {} are needed: {} for each of {} places",
                            port, there, needed, per_place,
                            std::uint64_t{field.places} * field.arrays),
                "\"size\" and \"batch\" say how many places there are");
    return false;
}

Buffer place_array(Graph& graph, std::string_view name, const TensorField& field,
                   std::uint32_t per_place) {
    const std::uint64_t numbers = std::uint64_t{field.places} * field.arrays * per_place;
    return graph.buffer(name, {.size = numbers * sizeof(float), .stride = sizeof(float)});
}

double places_of(glm::uvec4 size, std::uint32_t batch) {
    return static_cast<double>(size.x) * size.y * size.z * size.w * batch;
}

} // namespace tuff::passes
