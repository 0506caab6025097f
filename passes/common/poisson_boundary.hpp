#pragma once

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// What lies beyond the faces of the box along one axis.
enum class PoissonBoundary : std::uint8_t {
    neumann,   ///< no flux through the face
    dirichlet, ///< the solution is 0 on the face, half a cell beyond the outermost centres
    periodic,  ///< the other end of the axis
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::PoissonBoundary> {
    static constexpr std::array<std::string_view, 3> names{"neumann", "dirichlet", "periodic"};
};
