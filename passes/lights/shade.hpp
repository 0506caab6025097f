#pragma once

#include "passes/lights/lights.hpp"
#include "passes/scene/camera_parameters.hpp"

#include <tuff/scene_resources.hpp>

namespace tuff::passes {

/// Documentation of the port "material".
inline constexpr std::string_view kMaterialPicture =
    "red: roughness, green: metallic of each pixel's surface, as lights/surfaces makes them; "
    "without it the parameters are used for all surfaces";

/// The format of the lit picture.
enum class LitStorage : std::uint8_t { rgba16_sfloat, rgba32_sfloat };

/// Lights the surfaces of a picture. See `describe`.
struct ShadeLights {
    static constexpr std::string_view kName = "lights/shade";

    Lights lights;
    LightGrid grid; ///< optional
    Image depth;
    Image normal;
    Image albedo;
    Image material; ///< optional
    Image under;    ///< optional
    Image hidden;   ///< optional
    Scene scene;
    CameraParameters camera;
    float roughness = 0.5f;
    float metallic = 0.0f;
    glm::vec3 ambient{0.0f};
    glm::vec4 background{0.0f, 0.0f, 0.0f, 1.0f};
    LitStorage storage = LitStorage::rgba16_sfloat;
    Image result;

    static void describe(PassInfo<ShadeLights>& info);
    void build(Graph& graph);
};

/// Shows how many lights tiles have. See `describe`.
struct LightHeat {
    static constexpr std::string_view kName = "lights/heat";

    LightGrid grid;
    Image depth;
    Scene scene;
    CameraParameters camera;
    float most = 64.0f;
    Image color;
    Image numbers;
    Image legend;

    static void describe(PassInfo<LightHeat>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::LitStorage> {
    static constexpr std::array<std::string_view, 2> names{"rgba16_sfloat", "rgba32_sfloat"};
};
