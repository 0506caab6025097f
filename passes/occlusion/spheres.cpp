#include "passes/occlusion/spheres.hpp"

#include "passes/volume/sampled_volume.hpp"

#include <cmath>
#include <memory>
#include <span>
#include <vector>

namespace tuff::passes {
namespace {

constexpr int kMaxShellRadius = 16; // offsets have six bits in shaders/occlusion/spheres.comp

/// For each shell the index behind its last voxel, then all voxels, shell after shell.
std::vector<std::uint32_t> shell_voxels(int radius) {
    std::vector<std::vector<std::uint32_t>> shells(static_cast<std::size_t>(radius));
    for (int z = -radius; z <= radius; ++z)
        for (int y = -radius; y <= radius; ++y)
            for (int x = -radius; x <= radius; ++x) {
                // Squares of distances are whole, those of radii between shells are not: no ties.
                const auto shell =
                    std::lround(std::sqrt(static_cast<double>(x * x + y * y + z * z)));
                if (shell < 1 || shell > radius) continue;
                shells[static_cast<std::size_t>(shell - 1)].push_back(
                    static_cast<std::uint32_t>((z + 32) << 12 | (y + 32) << 6 | (x + 32)));
            }
    std::vector<std::uint32_t> words(shells.size());
    for (std::size_t i = 0; i < shells.size(); ++i) {
        words.insert(words.end(), shells[i].begin(), shells[i].end());
        words[i] = static_cast<std::uint32_t>(words.size());
    }
    return words;
}

} // namespace

void OcclusionSpheres::describe(PassInfo<OcclusionSpheres>& info) {
    info.summary("Computes the ambient occlusion of each voxel from spherical shells, as a "
                 "reference")
        .details("A ray crosses about one voxel of each spherical shell that is one voxel "
                 "thick: the voxels whose centers are within half a voxel of the radius. The "
                 "mean of their opacities is the probability that the ray is blocked there. "
                 "The result is the product of 1 - mean over all shells, as if shells were "
                 "independent. If the opacity is uniform, the result is that of rays.\n\n"
                 "Each voxel sums over its whole sphere. This is the model that the cubes of "
                 "occlusion/ambient approximate, and it is slow.")
        .source("Kroes, Schut and Eisemann, \"Smooth Probabilistic Ambient Occlusion for Volume "
                "Rendering\", GPU Pro 6, 2015")
        .complexity("O(voxels * radius^3)")
        .cost([](const OcclusionSpheres& pass, const Graph& graph) {
            if (!pass.result) return Cost{};
            return Cost{.bytes =
                            volume_bytes(graph, pass.opacity) + volume_bytes(graph, pass.result),
                        .operations = 2.0 * std::pow(2.0 * pass.radius + 1.0, 3.0) *
                                      volume_texels(graph, pass.result)};
        });
    info.input("opacity", &OcclusionSpheres::opacity,
               "volume of opacities, clamped to 0 to 1; NaN counts as 0");
    info.parameter("radius", &OcclusionSpheres::radius, "radius of the last shell")
        .range(1, kMaxShellRadius)
        .unit("voxels")
        .structural();
    info.parameter("border", &OcclusionSpheres::border,
                   "outside of the volume: \"open\", or the values at its edge (\"clamp\")")
        .structural();
    info.parameter("own", &OcclusionSpheres::own, "whether the voxel itself counts").structural();
    info.output("result", &OcclusionSpheres::result,
                "volume of the same size, r32_sfloat: 1 is open, 0 is fully occluded");
}

void OcclusionSpheres::build(Graph& graph) {
    if (!are_opacities(graph, opacity, "opacity")) return;
    const glm::ivec3 dims = volume_dims(graph, opacity);
    ComputeNodeBuilder node = graph.compute("occlusion/spheres");
    set_border(node, border);
    node.specialize("kOwn", std::uint32_t{own});
    node.read("opacity", ImageView(opacity).mip(0), Sampler::nearest());
    node.set("dims", dims);
    node.set("shells", radius);
    const std::vector<std::uint32_t> words = shell_voxels(static_cast<int>(radius));
    const auto bytes = std::as_bytes(std::span(words));
    const auto kept = std::make_shared<std::vector<std::byte>>(bytes.begin(), bytes.end());
    node.read("voxels", graph.constant_buffer("shells", {.size = kept->size(), .stride = 4}, kept));
    result = node.write("result", volume_like(graph, "open", dims, Format::r32_sfloat));
    node.dispatch_over(graph.extent(result));
}

TUFF_PASS(OcclusionSpheres)

} // namespace tuff::passes
