#pragma once

#include "apps/bench/checks.hpp"
#include "passes/scene/mesh_raster.hpp"

#include <tuff/scene_resources.hpp>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

/// What the benchmark cases of the module blend.
namespace tuff::bench {

inline constexpr double kHalfFloatError = 2e-3;
inline constexpr std::uint64_t kMaxSheetPixels = std::uint64_t{1} << 23;
inline constexpr std::uint64_t kMaxSheetPixelsOnSoftware = std::uint64_t{1} << 16;

/// Sheets of glass that all cover the whole picture, each a grid of quads, tilted so that they go
/// through each other.
struct Sheets {
    std::uint32_t layers = 8;
    std::uint32_t columns = 16;
    std::uint32_t rows = 8;
    float aspect = 2.0f;
    float close = 1e-3f; ///< depths that are closer than this have no order

    /// x and y from -1 to 1 across the picture.
    float height(std::uint32_t layer, float x, float y) const {
        const float tilt_x = 2.0f * hash_unit(3 * layer) - 1.0f;
        const float tilt_y = 2.0f * hash_unit(3 * layer + 1) - 1.0f;
        const float middle = 4.0f * hash_unit(3 * layer + 2) - 2.0f;
        return middle + 1.5f * (tilt_x * x + tilt_y * y);
    }
    /// Multiples of 1/255, which lists hold exactly.
    glm::vec4 color(std::uint32_t layer) const {
        const auto channel = [&](std::uint32_t c, std::uint32_t low) {
            return static_cast<float>(low + hash32(8 * layer + c) % (256 - 2 * low)) / 255.0f;
        };
        return {channel(0, 0), channel(1, 0), channel(2, 0), channel(3, 60)};
    }

    SceneData scene() const {
        SceneData scene;
        for (std::uint32_t layer = 0; layer < layers; ++layer) {
            SceneMaterial material;
            material.base_color = color(layer);
            material.alpha_mode = AlphaMode::blend;
            material.flags = material_unlit | material_double_sided;
            scene.materials.push_back(material);
            scene.material_names.emplace_back("sheet");
            add_sheet(scene, layer);
        }
        Camera camera;
        camera.kind = Projection::orthographic;
        camera.position = {0.0f, 0.0f, 20.0f};
        camera.orthographic_height = 2.0f;
        camera.near_plane = 10.0f;
        camera.far_plane = 30.0f;
        scene.cameras.push_back({"camera", camera});
        return scene;
    }

    /// What one pixel should be; nothing where depths are too close to tell.
    std::optional<glm::dvec3> at(float x, float y, glm::vec3 background) const {
        std::vector<std::uint32_t> order(layers);
        for (std::uint32_t i = 0; i < layers; ++i)
            order[i] = i;
        std::ranges::sort(order, {}, [&](std::uint32_t layer) { return height(layer, x, y); });
        glm::dvec3 sum(background);
        for (std::uint32_t i = 0; i < layers; ++i) {
            if (i > 0 && std::abs(height(order[i], x, y) - height(order[i - 1], x, y)) < close)
                return {};
            const glm::dvec4 c(color(order[i]));
            sum = glm::dvec3(c) * c.a + (1.0 - c.a) * sum;
        }
        return sum;
    }

    /// What oit/multi_layer makes of one pixel: its rule, in double precision.
    template <std::size_t kLayers>
    std::optional<glm::dvec3> layered_at(float x, float y, glm::vec3 background) const {
        if (!at(x, y, background)) return {};
        struct Layer {
            float height;
            glm::dvec3 light;
            double through;
        };
        const auto joined = [](const Layer& front, const Layer& back) {
            return Layer{front.height, front.light + front.through * back.light,
                         front.through * back.through};
        };
        std::vector<Layer> kept; // from the front
        for (std::uint32_t sheet = 0; sheet < layers; ++sheet) {
            const glm::dvec4 c(color(sheet));
            const Layer layer{height(sheet, x, y), glm::dvec3(c) * c.a, 1.0 - c.a};
            kept.insert(std::ranges::lower_bound(kept, layer.height, std::ranges::greater{},
                                                 &Layer::height),
                        layer);
            if (kept.size() <= kLayers) continue;
            const Layer farthest = kept.back();
            kept.pop_back();
            kept.back() = joined(kept.back(), farthest);
        }
        Layer all{0.0f, glm::dvec3(0.0), 1.0};
        for (const Layer& layer : kept)
            all = joined(all, layer);
        return all.light + all.through * glm::dvec3(background);
    }

    /// What oit/weighted_blended makes of one pixel: its formula, in double precision.
    std::optional<glm::dvec3> weighted_at(float x, float y, glm::vec3 background) const {
        glm::dvec3 sum(0.0);
        double weights = 0.0;
        double through = 1.0;
        for (std::uint32_t layer = 0; layer < layers; ++layer) {
            const glm::dvec4 c(color(layer));
            const double nearness = (static_cast<double>(height(layer, x, y)) + 10.0) / 20.0;
            const double weight = c.a * std::max(1e-2, 30.0 * nearness * nearness * nearness);
            sum += weight * glm::dvec3(c);
            weights += weight;
            through *= 1.0 - c.a;
        }
        return sum / weights * (1.0 - through) + through * glm::dvec3(background);
    }

  private:
    void add_sheet(SceneData& scene, std::uint32_t layer) const {
        const auto count = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
        SceneDraw draw{.first_index = count(scene.indices),
                       .vertex_offset = static_cast<std::int32_t>(scene.vertices.size()),
                       .material = layer,
                       .transform = count(scene.transforms),
                       .mesh = layer};
        Bounds bounds;
        for (std::uint32_t j = 0; j <= rows; ++j)
            for (std::uint32_t i = 0; i <= columns; ++i) {
                // A little beyond the picture's rim, where no pixel is left out.
                const float x =
                    1.01f * (2.0f * static_cast<float>(i) / static_cast<float>(columns) - 1.0f);
                const float y =
                    1.01f * (2.0f * static_cast<float>(j) / static_cast<float>(rows) - 1.0f);
                Vertex vertex;
                vertex.position = {x * aspect, y, height(layer, x, y)};
                vertex.normal = {0.0f, 0.0f, 1.0f};
                vertex.color_rg = vertex.color_ba = 0xffffffffu;
                scene.vertices.push_back(vertex);
                bounds.min = glm::min(bounds.min, vertex.position);
                bounds.max = glm::max(bounds.max, vertex.position);
                if (i == columns || j == rows) continue;
                const std::uint32_t first = j * (columns + 1) + i;
                const std::uint32_t above = first + columns + 1;
                scene.indices.insert(scene.indices.end(),
                                     {first, first + 1, above + 1, first, above + 1, above});
            }
        draw.index_count = count(scene.indices) - draw.first_index;
        draw.vertex_count = (columns + 1) * (rows + 1);
        scene.transforms.push_back({});
        scene.draws.push_back(draw);
        scene.draw_bounds.push_back(bounds);
        scene.bounds.min = glm::min(scene.bounds.min, bounds.min);
        scene.bounds.max = glm::max(scene.bounds.max, bounds.max);
    }
};

/// A picture of them that is ready for what blends.
struct SheetsView {
    Scene scene;
    passes::SceneView view;
    Sheets sheets;
    Extent extent;
};
inline constexpr glm::vec4 kSheetsBackground{0.125f, 0.25f, 0.5f, 1.0f};

inline SheetsView prepare_sheets(CaseBuilder& c, std::uint32_t layers, std::uint32_t samples = 1) {
    SheetsView ready;
    ready.extent = c.extent();
    ready.sheets.layers = layers;
    if (samples > 1) {
        // A fragment for each triangle that a pixel touches: few of them, so that few pixels have
        // more than one a sheet.
        ready.sheets.columns = ready.sheets.rows = 1;
        // Where in a pixel a depth is taken is left to the device: two sheets come together by up
        // to 3 along x and y, which go from -1 to 1, and half a pixel lies between.
        ready.sheets.close = 3.0f / static_cast<float>(ready.extent.width) +
                             3.0f / static_cast<float>(ready.extent.height);
    }
    ready.sheets.aspect =
        static_cast<float>(ready.extent.width) / static_cast<float>(ready.extent.height);
    ready.scene = add_scene(c.graph(), "sheets", pack_scene(ready.sheets.scene()));
    passes::MeshRaster opaque{.scene = ready.scene,
                              .width = ready.extent.width,
                              .height = ready.extent.height,
                              .samples = samples,
                              .background = kSheetsBackground,
                              .blended = passes::BlendedDraws::left_out};
    opaque.camera.mode = passes::CameraMode::file;
    opaque.sun.shadows = false;
    ready.view = c.graph().add(opaque, "opaque").view;
    return ready;
}

/// What a pixel of the sheets should be, before a background.
using ExpectedOfSheets = std::optional<glm::dvec3> (Sheets::*)(float x, float y, glm::vec3) const;

/// Times what is in the scope "oit".
inline void measure_sheets(CaseBuilder& c, const SheetsView& ready) {
    c.time_only("oit/");
    // Each fragment has to be found once, and each pixel read and written.
    const double pixels = static_cast<double>(ready.extent.width) * ready.extent.height;
    const double fragments = pixels * ready.sheets.layers;
    c.set_cost({.bytes = 20.0 * pixels, .operations = 20.0 * fragments});
}

/// Some pixels of the picture; `tolerance` for half floats and rounding.
inline void check_sheets(CaseBuilder& c, const SheetsView& ready, Image color, double tolerance,
                         ExpectedOfSheets pixel = &Sheets::at) {
    measure_sheets(c, ready);
    c.check("color", color, [ready, tolerance, pixel](const HostImage& got) -> Verdict {
        constexpr std::uint32_t kChecked = 200;
        for (std::uint32_t i = 0; i < kChecked; ++i) {
            const std::uint32_t x = hash32(2 * i) % ready.extent.width;
            const std::uint32_t y = hash32(2 * i + 1) % ready.extent.height;
            const auto expected = (ready.sheets.*pixel)(
                2.0f * (static_cast<float>(x) + 0.5f) / static_cast<float>(ready.extent.width) -
                    1.0f,
                1.0f -
                    2.0f * (static_cast<float>(y) + 0.5f) / static_cast<float>(ready.extent.height),
                glm::vec3(kSheetsBackground));
            if (!expected) continue;
            const auto texel = got.texel(x, y);
            for (int channel = 0; channel < 3; ++channel)
                if (!(std::abs(static_cast<double>(texel[static_cast<std::size_t>(channel)]) -
                               (*expected)[channel]) <= tolerance))
                    return std::unexpected(fmt::format(
                        "texel {}, {} channel {} is {} instead of {}", x, y, channel,
                        texel[static_cast<std::size_t>(channel)], (*expected)[channel]));
        }
        return {};
    });
}

} // namespace tuff::bench
