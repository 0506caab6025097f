#pragma once

#include "passes/occlusion/ambient.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <glm/common.hpp>
#include <glm/vec3.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

/// What the tests of ambient occlusion share: volumes, and means over cubes of them in double
/// precision, by sums over boxes and not by levels.
namespace tuff::testing_gpu {

/// A volume of one number a texel.
struct OpacityVolume {
    glm::ivec3 dims{1};
    std::vector<float> numbers;

    static OpacityVolume of(glm::ivec3 dims, const std::function<double(glm::ivec3)>& number);
    /// From 0 to `most`, without order.
    static OpacityVolume noise(glm::ivec3 dims, std::uint32_t seed, double most = 1.0);
    /// Bodies with cavities, a thin sheet and a haze, as in scans.
    static OpacityVolume bodies(int side);

    double at(glm::ivec3 texel) const; ///< of one of the volume's
    double beyond(glm::ivec3 texel, passes::OcclusionBorder border) const; ///< of any
    Image image(Graph& graph, std::string_view name = "opacity") const;
    /// Calls `visit(voxel)` for all.
    void each(const std::function<void(glm::ivec3)>& visit) const;
};

/// Noise in steps of 16 bits, so that no rounding is close.
inline OpacityVolume noise_of_units(glm::ivec3 dims) {
    OpacityVolume volume = OpacityVolume::noise(dims, 7, 0.4);
    for (float& number : volume.numbers)
        number = std::round(number * 65535.0f) / 65535.0f;
    return volume;
}

/// A level as the pass keeps it: texel 0 is of the cube that begins 2^number - 1 before the volume.
struct WholeLevel {
    glm::ivec3 dims{1};
    std::vector<std::uint32_t> units;

    std::uint32_t at(glm::ivec3 texel, passes::OcclusionBorder border) const {
        const glm::ivec3 inside = glm::clamp(texel, glm::ivec3(0), dims - 1);
        if (border == passes::OcclusionBorder::open && inside != texel) return 0;
        return units[static_cast<std::size_t>((inside.z * dims.y + inside.y) * dims.x + inside.x)];
    }
    template <typename Unit>
    static WholeLevel of(glm::ivec3 dims, const Unit& unit) {
        WholeLevel made{.dims = dims, .units = {}};
        for (int z = 0; z < dims.z; ++z)
            for (int y = 0; y < dims.y; ++y)
                for (int x = 0; x < dims.x; ++x)
                    made.units.push_back(unit(glm::ivec3(x, y, z)));
        return made;
    }
};

/// How many nodes whose names have `text` in them a pass has for a volume of noise, where a binding
/// has so many bytes.
template <typename Pass>
std::ptrdiff_t nodes_named(Graph graph, std::string_view text, std::uint64_t most_bytes, int side,
                           Pass pass) {
    DeviceCaps caps = graph.target();
    caps.max_storage_buffer_bytes = most_bytes;
    graph.set_target(caps);
    pass.opacity = OpacityVolume::noise(glm::ivec3(side), 1).image(graph);
    graph.output("result", graph.add(pass).result);
    const GraphDesc built = std::move(graph).finish();
    return std::ranges::count_if(
        built.nodes, [&](const NodeDesc& node) { return built.name(node.name).contains(text); });
}

/// Sums over boxes that may lie up to `margin` voxels beyond the volume.
class BoxSums {
  public:
    BoxSums(const OpacityVolume& volume, passes::OcclusionBorder border, int margin);
    /// The mean over the cube of so many voxels from `low` on.
    double mean(glm::ivec3 low, int width) const;

  private:
    double sum_before(glm::ivec3 texel) const;

    glm::ivec3 dims_{1};
    int margin_ = 0;
    std::vector<double> sums_;
};

/// The result of occlusion/ambient at a voxel. `halvings`: levels of half the size, of open borders
/// or of sides that they divide.
class AmbientReference {
  public:
    AmbientReference(const OpacityVolume& volume, const passes::OcclusionAmbient& pass,
                     std::uint32_t halvings, const OpacityVolume* numbers = nullptr);
    double at(glm::ivec3 voxel) const;
    glm::dvec3 shift_of(glm::ivec3 voxel) const;

  private:
    double mean(glm::ivec3 voxel, glm::dvec3 shift, std::uint32_t level) const;

    const OpacityVolume* volume_;
    passes::OcclusionAmbient pass_;
    std::uint32_t halvings_;
    const OpacityVolume* numbers_;
    std::uint32_t levels_;
    BoxSums sums_;
};

/// The number of a texel of a volume that was read back.
double texel_of(const HostImage& image, glm::ivec3 texel);

/// Kept in full.
passes::OcclusionAmbient exact_ambient(Image opacity);

/// The greatest difference of the volume from what `expected` says of its texel.
double worst_texel(const HostImage& image, const std::function<double(glm::ivec3)>& expected);

/// The codes of what is wrong with a graph.
std::string occlusion_codes(const Graph& graph);

} // namespace tuff::testing_gpu
