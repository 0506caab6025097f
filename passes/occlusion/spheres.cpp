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
    info.summary("Finds how open the surroundings of each voxel are, by spherical shells")
        .details("A ray meets about one voxel of each spherical shell that is one voxel thick: "
                 "those whose middle is less than half a voxel nearer or farther than the radius. "
                 "The mean of their opacities is the probability that it is blocked there, and "
                 "what comes through all shells is the product of 1 - mean, as if shells knew "
                 "nothing of each other. Where opacity is even the result is that of rays. Each "
                 "voxel adds up all of its ball: this is what the cubes of occlusion/ambient come "
                 "from, not a fast way.")
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
               "a volume of numbers from 0 to 1; others count as the nearest of them, and what is "
               "none as 0");
    info.parameter("radius", &OcclusionSpheres::radius, "of the last shell")
        .range(1, kMaxShellRadius)
        .unit("voxels")
        .structural();
    info.parameter("border", &OcclusionSpheres::border,
                   "beyond the volume: \"open\", or what its edge is (\"clamp\")")
        .structural();
    info.parameter("own", &OcclusionSpheres::own, "the voxel itself counts").structural();
    info.output("result", &OcclusionSpheres::result,
                "a volume of the same size, r32_sfloat: 1 where all is open, 0 where nothing comes "
                "through");
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
