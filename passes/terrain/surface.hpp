#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tuff::passes {

/// What the unit square becomes in the world. The kernels have the same numbers.
enum class SurfaceKind : std::uint8_t { heights, fbm, sine, sphere, torus, knot, planet };

/// Whether the square lies on the ground and has heights.
constexpr bool is_ground(SurfaceKind kind) {
    return kind <= SurfaceKind::sine;
}

/// Squares that a surface consists of.
constexpr std::uint32_t face_count(SurfaceKind kind) {
    return kind == SurfaceKind::planet ? 6 : 1;
}

/// A surface over the unit square, as kernels that include terrain/surface.glsl take it.
struct Surface {
    static constexpr std::string_view kPortType = "Surface";

    Image heights; ///< optional, of kind `heights`: in the first channel
    Image pyramid; ///< optional: least and greatest heights, of terrain/bounds
    Buffer planet; ///< of kind `planet`: see shaders/terrain/surface.glsl
    SurfaceKind kind = SurfaceKind::heights;
    glm::vec4 ground{0.0f}; ///< side, factor of heights, what is added to them, share of ridges
    glm::vec4 shape{0.0f};  ///< of the kind; of closed surfaces w is the longest way along u or v
    /// Of grounds: bounds of y. Of closed surfaces: bounds of the distance from the surface without
    /// heights. World units.
    glm::vec2 bounds{0.0f};

    explicit operator bool() const { return ground.x > 0.0f; }
    std::vector<PortMember> members() const {
        std::vector<PortMember> all;
        if (heights) all.push_back({"heights", heights});
        if (pyramid) all.push_back({"pyramid", pyramid});
        return all;
    }
};

/// Sets what kernels take that call `surface_base_at` at most: no heights.
void set_surface_base(KernelNode& node, const Surface& surface);
/// Binds and sets what terrain/surface.glsl declares.
void set_surface(KernelNode& node, const Surface& surface);
/// The same for kernels that call `ground_bounds`.
void set_surface_bounds(KernelNode& node, const Surface& surface);

/// Makes a surface. See `describe`.
struct MakeSurface {
    static constexpr std::string_view kName = "terrain/surface";

    Image heights;
    SurfaceKind kind = SurfaceKind::heights;
    float side = 1.0f;
    float height = 0.1f;
    float base = 0.0f;
    float frequency = 4.0f;
    std::uint32_t octaves = 5;
    float gain = 0.5f;
    float ridges = 0.0f;
    std::uint32_t seed = 1;
    glm::vec2 waves{6.2831853f, 6.2831853f};
    float radius = 1.0f;
    float tube = 0.3f;
    float span = 1.0f;
    Surface surface;

    static void describe(PassInfo<MakeSurface>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::SurfaceKind> {
    static constexpr std::array<std::string_view, 7> names{"heights", "fbm",  "sine",  "sphere",
                                                           "torus",   "knot", "planet"};
};
