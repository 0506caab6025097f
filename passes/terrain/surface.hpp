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

/// The shape of the unit square in the world. The kernels have the same values.
enum class SurfaceKind : std::uint8_t { heights, fbm, sine, sphere, torus, knot, planet };

/// Whether the surface is a ground with heights.
constexpr bool is_ground(SurfaceKind kind) {
    return kind <= SurfaceKind::sine;
}

/// Number of squares of a surface.
constexpr std::uint32_t face_count(SurfaceKind kind) {
    return kind == SurfaceKind::planet ? 6 : 1;
}

/// A surface over the unit square, as kernels that include terrain/surface.glsl take it.
struct Surface {
    static constexpr std::string_view kPortType = "Surface";

    Image heights; ///< optional, for kind `heights`: in the first channel
    Image pyramid; ///< optional: minimum and maximum heights, from terrain/bounds
    Buffer planet; ///< for kind `planet`: see shaders/terrain/surface.glsl
    SurfaceKind kind = SurfaceKind::heights;
    glm::vec4 ground{0.0f}; ///< side, factor of heights, offset of heights, share of ridges
    glm::vec4 shape{0.0f};  ///< depends on the kind; for closed surfaces w is the longest path
                            ///< along u or v
    /// Grounds: bounds of y. Closed surfaces: bounds of the distance from the surface without
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

/// Sets the parameters of kernels that only call `surface_base_at`: no heights.
void set_surface_base(KernelNode& node, const Surface& surface);
/// Binds the resources and sets the parameters that terrain/surface.glsl declares.
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
