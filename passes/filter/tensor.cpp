#include "passes/filter/tensor.hpp"

#include "passes/filter/array_checks.hpp"

namespace tuff::passes {
namespace {

/// The most f32 of a buffer: addresses are 32 bits of bytes.
constexpr std::uint64_t kMaxTensorNumbers = std::uint64_t{1} << 29;

} // namespace

std::optional<TensorField> tensor_field(Graph& graph, glm::uvec4 size, std::uint32_t batch,
                                        std::uint32_t most) {
    // What a source holds is checked by holds_places.
    const std::uint64_t whole = size.x == 0 ? 0 : kMaxTensorNumbers;
    if (!checked_arrays(graph, {.size = size,
                                .batch = batch,
                                .whole = whole,
                                .more = most,
                                .most = kMaxTensorNumbers}))
        return {};
    return TensorField{size.x * size.y * size.z * size.w, batch};
}

bool holds_places(Graph& graph, std::string_view port, Buffer buffer, const TensorField& field,
                  std::uint32_t per_place) {
    const std::uint64_t needed = std::uint64_t{field.places} * field.arrays * per_place;
    return holds_numbers(graph, port, buffer, needed);
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
