#include "passes/solver/poisson_sides.hpp"

#include "passes/primitives/elements.hpp"
#include "passes/solver/poisson_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

namespace tuff::passes {
namespace {

constexpr std::array<std::string_view, 6> kSideNames{"x_low",  "x_high", "y_low",
                                                     "y_high", "z_low",  "z_high"};
constexpr std::array<std::string_view, 6> kSideValues{"x_low_values", "x_high_values",
                                                      "y_low_values", "y_high_values",
                                                      "z_low_values", "z_high_values"};
constexpr std::array<std::string_view, 6> kSideImageNames{
    "x_low_values_image",  "x_high_values_image", "y_low_values_image",
    "y_high_values_image", "z_low_values_image",  "z_high_values_image"};
constexpr std::array kSideFields{&Poisson::x_low,  &Poisson::x_high, &Poisson::y_low,
                                 &Poisson::y_high, &Poisson::z_low,  &Poisson::z_high};
constexpr std::array kSideBuffers{&Poisson::x_low_values, &Poisson::x_high_values,
                                  &Poisson::y_low_values, &Poisson::y_high_values,
                                  &Poisson::z_low_values, &Poisson::z_high_values};
constexpr std::array kSideImages{&Poisson::x_low_values_image, &Poisson::x_high_values_image,
                                 &Poisson::y_low_values_image, &Poisson::y_high_values_image,
                                 &Poisson::z_low_values_image, &Poisson::z_high_values_image};

CellSource values_of(const Poisson& pass, std::size_t side) {
    return {kSideValues[side], pass.*kSideBuffers[side], pass.*kSideImages[side]};
}

glm::uvec3 face_size(glm::uvec3 size, std::size_t side) {
    switch (side / 2) {
    case 0: return {size.y, size.z, 1};
    case 1: return {size.x, size.z, 1};
    default: return {size.x, size.y, 1};
    }
}

bool is_missing(glm::uvec3 size, std::size_t axis) {
    return (axis == 2 && size.z == 1) || (axis == 1 && size.y == 1 && size.z == 1);
}

bool is_given(const Poisson& pass, std::size_t side) {
    const PoissonSide& s = pass.*kSideFields[side];
    return s.kind != PoissonSideKind::axis || s.value != 0.0f || values_of(pass, side);
}

bool is_valid_side(Graph& graph, const Poisson& pass, std::size_t side) {
    if (!is_given(pass, side)) return true;
    const std::array kinds{pass.boundary.x, pass.boundary.y, pass.boundary.z};
    const std::string_view name = kSideNames[side];
    if (is_missing(pass.size, side / 2)) {
        graph.error("solver/side",
                    fmt::format("\"{}\" is a side of an axis with one cell, along which no cells "
                                "are coupled",
                                name),
                    "remove the side: a picture has sides along x and y, a line along x");
        return false;
    }
    if (kinds[side / 2] == PoissonBoundary::periodic) {
        graph.error("solver/side", fmt::format("\"{}\" is a side of a periodic axis", name),
                    "give the axis another boundary, or leave the side as it is");
        return false;
    }
    const PoissonSide& s = pass.*kSideFields[side];
    if (s.kind == PoissonSideKind::robin && s.a == 0.0f && s.b == 0.0f) {
        graph.error("solver/side", fmt::format("\"a\" and \"b\" of \"{}\" are both 0", name),
                    "set one of them above 0");
        return false;
    }
    const CellSource values = values_of(pass, side);
    return !values || has_cells(graph, values, face_size(pass.size, side), CellNumbers::real);
}

} // namespace

PoissonSides sides_of(const Poisson& pass) {
    PoissonSides sides;
    std::ranges::transform(kSideFields, sides.begin(), [&](auto field) { return pass.*field; });
    return sides;
}

PoissonGrid grid_of(const Poisson& pass) {
    return finest_grid(pass.size, pass.spacing, pass.boundary, sides_of(pass));
}

void describe_sides(PassInfo<Poisson>& info) {
    for (std::size_t side = 0; side < kSideFields.size(); ++side) {
        info.group(kSideNames[side], kSideFields[side]);
        info.optional_input(kSideValues[side], kSideBuffers[side],
                            "an f32 for each cell of the face, added to the side's \"value\"; y is "
                            "fastest on x sides, x on the others")
            .elements<float>();
        info.optional_input(kSideImageNames[side], kSideImages[side],
                            "an image of one channel instead of the buffer");
    }
}

bool has_valid_sides(Graph& graph, const Poisson& pass) {
    bool right = true;
    for (std::size_t side = 0; side < kSideFields.size(); ++side)
        right = is_valid_side(graph, pass, side) && right;
    return right;
}

Buffer with_sides(Graph& graph, const Poisson& pass, Buffer rhs) {
    const auto has_values = [&](std::size_t side) {
        return (pass.*kSideFields[side]).value != 0.0f || values_of(pass, side);
    };
    const auto all = std::views::iota(std::size_t{0}, kSideFields.size());
    if (std::ranges::none_of(all, has_values)) return rhs;

    PoissonGrid grid = grid_of(pass);
    if (pass.size.z == 1) std::swap(grid.axes[1], grid.axes[2]); // back to the pass's axes
    std::array<Buffer, 6> fields;
    for (const std::size_t side : all)
        fields[side] = cells_in(graph, values_of(pass, side));
    ComputeNodeBuilder node = graph.compute("solver/add_sides");
    node.read("rhs", rhs);
    for (const std::size_t side : all)
        node.read_optional(kSideNames[side], fields[side]);
    glm::vec3 value[2]{};
    glm::vec3 weight[2]{};
    for (const std::size_t side : all) {
        if (is_missing(pass.size, side / 2)) continue;
        const auto axis = static_cast<int>(side / 2);
        const PoissonAxis& a = grid.axes[side / 2];
        value[side % 2][axis] = (pass.*kSideFields[side]).value;
        if (!a.wraps)
            weight[side % 2][axis] =
                static_cast<float>(a.value_weight(side % 2 == 0 ? a.low : a.high));
    }
    node.set("cells", glm::ivec3(pass.size));
    node.set("low_value", value[0]);
    node.set("high_value", value[1]);
    node.set("low_weight", weight[0]);
    node.set("high_weight", weight[1]);
    const Buffer result = node.write("result", array(graph, "rhs", grid.count()));
    node.dispatch_each(grid.count32());
    return result;
}

} // namespace tuff::passes
