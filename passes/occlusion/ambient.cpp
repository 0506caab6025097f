#include "passes/occlusion/ambient.hpp"

#include "passes/volume/sampled_volume.hpp"

#include <fmt/format.h>

namespace tuff::passes {
namespace {

constexpr double kOperationsOfShell = 90.0; // of a voxel

/// Of the voxels before the last shell is through: what comes through, and the mean of a cube.
Image state_image(Graph& graph, const OcclusionLevel& level, glm::ivec3 dims) {
    return volume_like(graph, fmt::format("through_{}", level.number), dims, Format::rg32_sfloat);
}

/// Multiplies by what comes through the shell that ends with `level`. `state` is not connected
/// before the first one.
Image through_shell(Graph& graph, const OcclusionAmbient& pass, const OcclusionLevel& level,
                    Image state, bool last) {
    const glm::ivec3 dims = volume_dims(graph, pass.opacity);
    ComputeNodeBuilder node =
        graph.compute("occlusion/shell", fmt::format("shell_{}", level.number));
    set_border(node, pass.border);
    set_kept(node, last ? pass.precision : OcclusionPrecision::float32);
    node.specialize("kOwn", std::uint32_t{pass.own});
    node.specialize("kShell", std::uint32_t{level.number > 0});
    node.specialize("kLast", std::uint32_t{last});
    node.specialize("kShifted", std::uint32_t{pass.normals});
    node.read("opacity", ImageView(pass.opacity).mip(0), Sampler::nearest());
    node.read_optional("numbers", ImageView(pass.numbers).mip(0), Sampler::nearest());
    node.read_optional("state", ImageView(state), Sampler::nearest());
    node.read("level", ImageView(level.means).mip(0), Sampler::nearest());
    node.set("dims", dims);
    node.set("level_dims", level.dims);
    node.set("begin", level.begin());
    node.set("scale", level.scale());
    node.set("half_width", level.half_width());
    node.set("normal", pass.normal);
    node.set("strength", pass.strength);
    const Image result =
        node.write("result", last ? volume_like(graph, "open", dims, format_of(pass.precision))
                                  : state_image(graph, level, dims));
    node.dispatch_over(graph.extent(result));
    return result;
}

} // namespace

void OcclusionAmbient::describe(PassInfo<OcclusionAmbient>& info) {
    info.summary("Finds how open the surroundings of each voxel are, by shells of cubes")
        .details(
            "Cubes about a voxel double in width. The opacity of the shell between two of them "
            "follows from the means over both, (8 * outer - inner) / 7, brought into 0 to 1; it is "
            "taken for the probability that a ray is blocked there. What comes through all shells "
            "is the product of 1 - opacity, as if shells knew nothing of each other: before a wall "
            "that fills half of what is around less than a half comes through, so the result is "
            "not that of rays, though it orders places as they do. \"strength\" is an exponent "
            "that makes up for it. Cubes of even width are made symmetric by the means between "
            "four texels. With \"normals\" each cube is moved along -gradient * \"normal\", at "
            "most "
            "by half its width, so that what is behind a surface does not darken it (ambient "
            "occlusion); the gradient is by central differences, a half from an opaque texel to an "
            "empty one, and 0 in what is even, where cubes stay around the voxel (obscurance). "
            "With \"numbers\" it is theirs: give numbers from 0 to 1 that grow inwards. Shells end "
            "with the widest cube that is no wider than the longest side of the volume. Levels "
            "are made and used one after the other, so two of them take room at a time.")
        .source("Kroes, Schut and Eisemann, \"Smooth Probabilistic Ambient Occlusion for Volume "
                "Rendering\", GPU Pro 6, 2015")
        .complexity("O(voxels * shells)")
        .cost([](const OcclusionAmbient& pass, const Graph& graph) {
            if (!pass.result) return Cost{};
            const double texels = volume_texels(graph, pass.result);
            return Cost{.bytes =
                            volume_bytes(graph, pass.opacity) + volume_bytes(graph, pass.result),
                        .operations = kOperationsOfShell * pass.shells * texels};
        });
    info.input("opacity", &OcclusionAmbient::opacity,
               "a volume of numbers from 0 to 1; others count as the nearest of them, and what is "
               "none as 0");
    info.optional_input("numbers", &OcclusionAmbient::numbers,
                        "a volume of the same size, whose gradients are normals");
    info.parameter("shells", &OcclusionAmbient::shells, "at most")
        .range(1, kMostOcclusionLevels)
        .structural();
    describe_levels(info);
    info.parameter("normals", &OcclusionAmbient::normals, "move cubes out of what is solid")
        .structural();
    info.parameter(
            "normal", &OcclusionAmbient::normal,
            "factor of the gradient: 2 moves cubes all the way at the edge of a solid; below "
            "0 for \"numbers\" that fall inwards")
        .range(-100.0, 100.0);
    info.parameter("strength", &OcclusionAmbient::strength,
                   "exponent of the result: below 1 makes it brighter, 0 leaves no occlusion")
        .range(0.0, 16.0);
    info.parameter("own", &OcclusionAmbient::own, "the voxel itself counts, as a shell of its own")
        .structural();
    info.output("result", &OcclusionAmbient::result,
                "a volume of the same size: 1 where all is open, 0 where nothing comes through");
}

void OcclusionAmbient::build(Graph& graph) {
    const LevelParameters parameters = level_parameters(*this);
    if (!are_opacities(graph, opacity, "opacity") || !are_opacities(graph, numbers, "numbers") ||
        !fit(graph, opacity, numbers) || !has_room(graph, opacity, shells, parameters))
        return;
    OcclusionLevels levels(graph, opacity, shells, parameters);
    if (levels.count() == 0) result = through_shell(graph, *this, levels.last(), {}, true);
    Image state;
    while (levels.last().number < levels.count()) {
        levels.add();
        const bool last = levels.last().number == levels.count();
        state = through_shell(graph, *this, levels.last(), state, last);
        if (last) result = state;
    }
}

TUFF_PASS(OcclusionAmbient)

} // namespace tuff::passes
