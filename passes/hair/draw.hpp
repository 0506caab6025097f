#pragma once

#include "passes/geometry/fragment_lists.hpp"
#include "passes/hair/clock.hpp"
#include "passes/hair/colliders.hpp"
#include "passes/hair/detail.hpp"
#include "passes/hair/shadow.hpp"
#include "passes/oit/resolve.hpp"
#include "passes/scene/camera_parameters.hpp"

#include <vector>

namespace tuff::passes {

enum class FibreModel : std::uint8_t { kajiya_kay, marschner };

/// Computes the light that hair sends to a camera. See `describe`.
struct ShadeHair {
    static constexpr std::string_view kName = "hair/shade";

    HairShape shape;
    HairShadow shadow;
    CameraParameters camera;
    FibreModel model = FibreModel::marschner;
    std::vector<float> colors{0.55f, 0.33f, 0.16f};
    glm::vec3 to_light{0.5f, 0.8f, 0.6f};
    glm::vec3 light{3.0f};
    glm::vec3 ambient{0.15f};
    float exponent = 60.0f;
    float specular = 1.0f;
    float shift = -3.0f;
    float roughness = 7.0f;
    float spread = 15.0f;
    float scattering = 1.0f;
    float variation = 0.15f;
    Buffer lit;

    static void describe(PassInfo<ShadeHair>& info);
    void build(Graph& graph);
};

enum class HairRaster : std::uint8_t {
    ribbons, ///< the rasterizer draws ribbons
    compute, ///< a kernel walks along each edge
};
enum class HairBlend : std::uint8_t {
    lists,  ///< fragments in lists, sorted and blended
    opaque, ///< the nearest ribbon of each pixel
};

/// Draws hair into a picture. See `describe`.
struct DrawHair {
    static constexpr std::string_view kName = "hair/draw";

    HairShape shape;
    Buffer lit;
    Image under;
    Image depth;
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    CameraParameters camera;
    HairRaster raster = HairRaster::ribbons;
    HairBlend blend = HairBlend::lists;
    float radius = 0.00008f;
    float tip = 0.3f;
    float opacity = 0.9f;
    float layers = 8.0f;
    LongLists long_lists = LongLists::exact;
    DetailParameters detail;
    Image result;
    FragmentLists lists;

    static void describe(PassInfo<DrawHair>& info);
    void build(Graph& graph);
};

/// Draws the bodies under the hair as a smooth surface. See `describe`.
struct HairBust {
    static constexpr std::string_view kName = "hair/bust";

    HairColliders colliders;
    HairShadow shadow;
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    CameraParameters camera;
    HeadParameters head;
    glm::vec3 skin{0.62f, 0.42f, 0.33f};
    glm::vec3 background_low{0.05f, 0.055f, 0.07f};
    glm::vec3 background_high{0.22f, 0.24f, 0.28f};
    glm::vec3 to_light{0.5f, 0.8f, 0.6f};
    glm::vec3 light{3.0f};
    glm::vec3 ambient{0.15f};
    float blend = 0.03f;
    float reach = 1.0f;
    Image color;
    Image depth;

    static void describe(PassInfo<HairBust>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::FibreModel> {
    static constexpr std::array<std::string_view, 2> names{"kajiya_kay", "marschner"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::HairRaster> {
    static constexpr std::array<std::string_view, 2> names{"ribbons", "compute"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::HairBlend> {
    static constexpr std::array<std::string_view, 2> names{"lists", "opaque"};
};
