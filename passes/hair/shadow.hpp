#pragma once

#include "passes/hair/hair.hpp"

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include <array>

namespace tuff::passes {

enum class ShadowForm : std::uint8_t {
    opacity_map, ///< a few layers behind the nearest strand of each texel
    lists,       ///< every strand of each texel
};

/// How much hair lies between any place and the light: shaders/hair/shadow.glsl.
struct HairShadow {
    static constexpr std::string_view kPortType = "HairShadow";

    Buffer first; ///< one word a texel
    Buffer words; ///< layers, or nodes of lists
    ShadowForm form = ShadowForm::opacity_map;
    std::uint32_t side = 0;   ///< texels
    std::uint32_t layers = 1; ///< number of layers of an opacity map
    float thickness = 1.0f;   ///< thickness of a layer, world units
    float bias = 0.0f;        ///< lookups are moved this far towards the light, world units
    glm::mat4 light_from_world{1.0f};
    glm::vec3 to_light{0.0f, 1.0f, 0.0f};

    explicit operator bool() const { return first && words; }
    std::vector<PortMember> members() const {
        return {{"first", first, BufferElements::of<std::uint32_t>()},
                {"words", words, BufferElements::of<std::uint32_t>()}};
    }
};

/// The optical depth of hair towards a light. See `describe`.
struct ShadowHair {
    static constexpr std::string_view kName = "hair/shadow";

    HairShape shape;
    ShadowForm form = ShadowForm::opacity_map;
    std::uint32_t side = 512;
    std::uint32_t layers = 8;
    float thickness = 0.012f;
    float nodes = 32.0f;
    glm::vec3 to_light{0.5f, 0.8f, 0.6f};
    glm::vec3 center{0.0f};
    float extent = 0.35f;
    float radius = 0.0001f;
    float tip = 0.3f;
    float opacity = 1.0f;
    float bias = 0.003f;
    HairShadow shadow;

    static void describe(PassInfo<ShadowHair>& info);
    void build(Graph& graph);
};

/// The words of a list's status.
struct ShadowStatus {
    std::uint32_t demand = 0;
    std::uint32_t lost = 0;
    std::uint32_t dropped = 0;

    static constexpr std::string_view kStructName = "ShadowStatus";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(ShadowStatus, demand), TUFF_MEMBER(ShadowStatus, lost),
                          TUFF_MEMBER(ShadowStatus, dropped)};
    }
    static ShadowStatus read(std::span<const std::uint32_t> words);
    Diagnostics warnings() const; ///< hair/full-shadow
    std::vector<PoolNeed> pool_needs() const;
};

/// Binds the resources and sets the parameters of shaders/hair/shadow.glsl. Without a shadow
/// nothing is shadowed. The kernel has the parameters light_from_world, side, thickness and bias.
void bind_shadow(Graph& graph, KernelNode& node, const HairShadow& shadow);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::ShadowForm> {
    static constexpr std::array<std::string_view, 2> names{"opacity_map", "lists"};
};
