#include "scene/mesh/mesh_materials.hpp"
#include "scene/mesh/portable_random.hpp"

#include <tuff/scene.hpp>

#include <glm/geometric.hpp>
#include <glm/packing.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace tuff {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

/// What of the scene is of one material.
class ArcadePart {
  public:
    glm::vec3 color{1.0f}; ///< of what is added next; linear

    /// `across` times `up` quads of the surface point(u, v), u and v from 0 to 1. It faces the side
    /// on which u goes to the left where v goes up.
    template <typename Point>
    void surface(std::uint32_t across, std::uint32_t up, Point&& point) {
        constexpr double kStep = 1e-4;
        const auto first = static_cast<std::uint32_t>(vertices_.size());
        for (std::uint32_t j = 0; j <= up; ++j)
            for (std::uint32_t i = 0; i <= across; ++i) {
                const double u = static_cast<double>(i) / across;
                const double v = static_cast<double>(j) / up;
                const glm::dvec3 along_u = point(u + kStep, v) - point(u - kStep, v);
                const glm::dvec3 along_v = point(u, v + kStep) - point(u, v - kStep);
                add(point(u, v), glm::normalize(glm::cross(along_v, along_u)), along_u, {u, v});
            }
        const std::uint32_t row = across + 1;
        for (std::uint32_t j = 0; j < up; ++j)
            for (std::uint32_t i = 0; i < across; ++i) {
                const std::uint32_t at = first + j * row + i;
                indices_.insert(indices_.end(),
                                {at, at + row, at + 1, at + 1, at + row, at + row + 1});
            }
    }
    void box(glm::dvec3 low, glm::dvec3 high) {
        for (int axis = 0; axis < 3; ++axis)
            for (const bool far : {false, true})
                surface(1, 1, [=](double u, double v) {
                    if (!far) std::swap(u, v);
                    glm::dvec3 at = low;
                    at[axis] = far ? high[axis] : low[axis];
                    const int next = (axis + 1) % 3;
                    const int last = (axis + 2) % 3;
                    at[next] += v * (high[next] - low[next]);
                    at[last] += u * (high[last] - low[last]);
                    return at;
                });
    }

    void add_to(SceneData& scene, const SceneMaterial& material, const char* name) && {
        Bounds bounds;
        for (const Vertex& vertex : vertices_)
            bounds.grow(vertex.position);
        const auto number = static_cast<std::uint32_t>(scene.draws.size());
        scene.draws.push_back({.first_index = static_cast<std::uint32_t>(scene.indices.size()),
                               .index_count = static_cast<std::uint32_t>(indices_.size()),
                               .vertex_offset = static_cast<std::int32_t>(scene.vertices.size()),
                               .material = number,
                               .transform = 0,
                               .mesh = number,
                               .vertex_count = static_cast<std::uint32_t>(vertices_.size())});
        scene.draw_bounds.push_back(bounds);
        scene.bounds.grow(bounds.min);
        scene.bounds.grow(bounds.max);
        scene.vertices.insert(scene.vertices.end(), vertices_.begin(), vertices_.end());
        scene.indices.insert(scene.indices.end(), indices_.begin(), indices_.end());
        scene.materials.push_back(material);
        scene.material_names.emplace_back(name);
        scene.mesh_names.emplace_back(name);
    }

  private:
    void add(glm::dvec3 position, glm::dvec3 normal, glm::dvec3 tangent, glm::dvec2 uv) {
        vertices_.push_back({.position = position,
                             .color_rg = glm::packUnorm2x16({color.x, color.y}),
                             .normal = normal,
                             .color_ba = glm::packUnorm2x16({color.z, 1.0f}),
                             .tangent = glm::vec4(glm::normalize(tangent), -1.0f),
                             .uv0 = uv});
    }

    std::vector<Vertex> vertices_;
    std::vector<std::uint32_t> indices_;
};

glm::vec3 tinted(double brightness, glm::dvec3 tint) {
    return brightness * tint;
}

constexpr int kBays = 8;
constexpr double kBay = 3.0;   // between the middles of columns
constexpr double kNave = 2.5;  // from the middle to the columns
constexpr double kAisle = 5.0; // to the walls
constexpr double kEnd = 0.5 * kBay * kBays;
constexpr double kShaft = 3.0; // height of columns

double pillar_z(int column) {
    return kBay * column - kEnd;
}

glm::dvec3 turned(double u, double radius, double height) {
    return {radius * std::cos(kTurn * u), height, radius * std::sin(kTurn * u)};
}

/// Fluted, thicker below, on a square foot and below a square head.
void add_column(ArcadePart& stone, glm::dvec3 at) {
    stone.surface(60, 50, [at](double u, double v) {
        const double shaft = std::clamp(8.0 * std::min(v - 0.04, 0.96 - v), 0.0, 1.0);
        const double ends = 0.08 * std::exp(-30.0 * std::min(v, 1.0 - v));
        const double flutes = 0.018 * shaft * (1.0 + std::cos(15.0 * kTurn * u));
        return at + turned(u, 0.32 - 0.06 * v + ends - flutes, 0.12 + (kShaft - 0.12) * v);
    });
    stone.box(at + glm::dvec3(-0.45, 0.0, -0.45), at + glm::dvec3(0.45, 0.14, 0.45));
    stone.box(at + glm::dvec3(-0.42, kShaft - 0.02, -0.42),
              at + glm::dvec3(0.42, kShaft + 0.2, 0.42));
}

/// A half ring of rectangular section above `at`, from one foot, at `along`, to the other. `size`
/// is its inner radius, its outer one, and how far it goes to both sides along `axis`, which is up
/// times `along`.
void add_arch(ArcadePart& stone, std::uint32_t steps, glm::dvec3 at, glm::dvec3 along,
              glm::dvec3 axis, glm::dvec3 size) {
    const auto place = [=](double turn, double radius, double side) {
        const double angle = 0.5 * kTurn * turn;
        return at + radius * (std::cos(angle) * along + std::sin(angle) * glm::dvec3(0, 1, 0)) +
               side * size.z * axis;
    };
    stone.surface(steps, 8, [=](double u, double v) { return place(u, size.y, 2.0 * v - 1.0); });
    stone.surface(steps, 8, [=](double u, double v) { return place(u, size.x, 1.0 - 2.0 * v); });
    for (const double side : {-1.0, 1.0})
        stone.surface(steps, 8, [=](double u, double v) {
            return place(u,
                         side > 0 ? size.y + v * (size.x - size.y) : size.x + v * (size.y - size.x),
                         side);
        });
}

void add_nave(ArcadePart& stone, PortableRandom& random) {
    for (const double side : {-1.0, 1.0}) {
        for (int column = 0; column <= kBays; ++column) {
            stone.color = tinted(random.around(0.8, 0.06), {1.0f, 0.96f, 0.88f});
            add_column(stone, {side * kNave, 0.0, pillar_z(column)});
        }
        for (int bay = 0; bay < kBays; ++bay) {
            stone.color = tinted(random.around(0.76, 0.06), {1.0f, 0.95f, 0.86f});
            add_arch(stone, 40, {side * kNave, kShaft + 0.2, pillar_z(bay) + 0.5 * kBay}, {0, 0, 1},
                     {1, 0, 0}, {1.1, 1.48, 0.3});
        }
        stone.box({side * kNave - 0.4, 4.66, -kEnd - 0.5}, {side * kNave + 0.4, 4.95, kEnd + 0.5});
    }
    for (int rib = 0; rib <= kBays; ++rib)
        add_arch(stone, 48, {0.0, 4.95, pillar_z(rib)}, {-1, 0, 0}, {0, 0, 1}, {2.3, 2.55, 0.15});
    stone.color = glm::vec3(0.82f, 0.79f, 0.72f);
    stone.surface(96, 40, [](double u, double v) {
        const double angle = 0.5 * kTurn * u;
        return glm::dvec3(-2.52 * std::cos(angle), 4.95 + 2.52 * std::sin(angle),
                          (2.0 * v - 1.0) * (kEnd + 0.4));
    });
}

/// Two walls of bricks that stand out by different lengths.
void add_walls(ArcadePart& brick, PortableRandom& random) {
    constexpr int kRows = 20;
    constexpr int kRowBricks = 40;
    constexpr double kHigh = 0.25;
    constexpr double kLong = 2.0 * kEnd / kRowBricks;
    for (const double side : {-1.0, 1.0})
        for (int row = 0; row < kRows; ++row)
            for (int i = 0; i < kRowBricks; ++i) {
                const double z = -kEnd + kLong * (i + (row % 2 == 0 ? 0.0 : 0.5));
                const double face = side * (kAisle - 0.04 * random());
                const double back = side * (kAisle + 0.3);
                brick.color = tinted(random.around(1.0, 0.3), {0.52, 0.24, 0.17});
                brick.box({std::min(face, back), kHigh * row + 0.008, z + 0.008},
                          {std::max(face, back), kHigh * (row + 1) - 0.008, z + kLong - 0.008});
            }
}

/// Tiles of two colours, none quite level with the next.
void add_floor(ArcadePart& tile, PortableRandom& random) {
    constexpr int kAcross = 16;
    constexpr int kAlong = 40;
    const glm::dvec2 size(2.0 * kAisle / kAcross, 2.0 * kEnd / kAlong);
    for (int row = 0; row < kAlong; ++row)
        for (int i = 0; i < kAcross; ++i) {
            const glm::dvec2 low(size.x * i - kAisle, size.y * row - kEnd);
            const double gap = 0.006;
            const double dark = (row + i) % 2 == 0 ? 0.22 : 0.7;
            tile.color = tinted(random.around(dark, 0.05), {1.0f, 0.97f, 0.92f});
            tile.box({low.x + gap, -0.2, low.y + gap},
                     {low.x + size.x - gap, 0.004 * random(), low.y + size.y - gap});
        }
}

/// An urn in each bay of both aisles, no two alike.
void add_urns(ArcadePart& copper, PortableRandom& random) {
    for (const double side : {-1.0, 1.0})
        for (int bay = 0; bay < kBays; ++bay) {
            const glm::dvec3 at(side * random.around(3.9, 0.2), 0.004, pillar_z(bay) + 0.5 * kBay);
            const double high = random.around(1.0, 0.2);
            const double wide = random.around(0.34, 0.06);
            const double waist = random.around(0.7, 0.15);
            copper.color = tinted(random.around(0.85, 0.12), {0.9, 0.55, 0.36});
            copper.surface(40, 32, [=](double u, double v) {
                const double belly = std::sin(0.5 * kTurn * (0.12 + waist * v));
                return at + turned(u, 0.08 + wide * belly, high * v);
            });
        }
}

/// Lamps along the middle of the nave.
void add_lamps(ArcadePart& lamp) {
    for (int bay = 0; bay < kBays; ++bay)
        lamp.surface(24, 16, [bay](double u, double v) {
            const double angle = 0.5 * kTurn * (0.02 + 0.96 * v);
            return glm::dvec3(0.0, 4.2, pillar_z(bay) + 0.5 * kBay) +
                   turned(u, 0.16 * std::sin(angle), -0.16 * std::cos(angle));
        });
}

SceneMaterial arcade_material(float metallic, float roughness, float emission = 0.0f) {
    SceneMaterial material = mesh_material();
    material.base_color = glm::vec4(1.0f);
    material.metallic = metallic;
    material.roughness = roughness;
    material.emissive = emission * glm::vec3(1.0f, 0.8f, 0.55f);
    return material;
}

} // namespace

SceneData make_arcade(std::uint32_t seed) {
    PortableRandom random(seed);
    std::array<ArcadePart, 5> parts;
    add_nave(parts[0], random);
    add_walls(parts[1], random);
    add_floor(parts[2], random);
    add_urns(parts[3], random);
    add_lamps(parts[4]);
    SceneData scene;
    scene.transforms.emplace_back();
    std::move(parts[0]).add_to(scene, arcade_material(0.0f, 0.8f), "stone");
    std::move(parts[1]).add_to(scene, arcade_material(0.0f, 0.9f), "brick");
    std::move(parts[2]).add_to(scene, arcade_material(0.0f, 0.15f), "floor");
    std::move(parts[3]).add_to(scene, arcade_material(1.0f, 0.25f), "copper");
    std::move(parts[4]).add_to(scene, arcade_material(0.0f, 1.0f, 6.0f), "lamp");
    scene.node_count = 1;
    return scene;
}

} // namespace tuff
