#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <glm/vec4.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tuff::passes {

/// What the unit square becomes in the world. The kernels have the same numbers.
enum class SurfaceKind : std::uint8_t { heights };

/// A surface over the unit square, as kernels that include terrain/surface.glsl take it.
struct Surface {
    static constexpr std::string_view kPortType = "Surface";

    Image heights; ///< optional: r32_sfloat
    SurfaceKind kind = SurfaceKind::heights;
    glm::vec4 ground{0.0f}; ///< side, factor of heights, what is added to them; 0
    glm::vec4 shape{0.0f};  ///< of the kind
    glm::vec4 bounds{0.0f}; ///< least and greatest y, of maps whose heights are 0 to 1
    std::uint32_t wraps = 0; ///< bit 0: u goes round, bit 1: v does
    std::uint32_t faces = 1; ///< unit squares, with a tree each

    explicit operator bool() const { return ground.x > 0.0f; }
    std::vector<PortMember> members() const {
        if (!heights) return {};
        return {{"heights", heights}};
    }
};

/// Binds and sets what terrain/surface.glsl declares.
void set_surface(KernelNode& node, const Surface& surface);

/// Makes a surface. See `describe`.
struct MakeSurface {
    static constexpr std::string_view kName = "terrain/surface";

    Image heights;
    SurfaceKind kind = SurfaceKind::heights;
    float side = 1.0f;
    float height = 0.1f;
    float base = 0.0f;
    Surface surface;

    static void describe(PassInfo<MakeSurface>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::SurfaceKind> {
    static constexpr std::array<std::string_view, 1> names{"heights"};
};
