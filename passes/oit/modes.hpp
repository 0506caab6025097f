#pragma once

#include <tuff/graph.hpp>

#include <glm/vec4.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace tuff::passes {

/// Triangles that one pass takes.
inline constexpr std::uint32_t kMaxTriangles = 1u << 24;

/// Checks a parameter "modes": how each material blends, 0 to 3. Reports pass/out-of-range.
[[nodiscard]] bool modes_are_valid(Graph& graph, const std::vector<float>& modes);

/// The modes as kernels take them, two bits a material. They must be valid.
std::array<glm::uvec4, 4> packed_modes(const std::vector<float>& modes);

} // namespace tuff::passes
