#include "passes/volume/fragments.hpp"

#include "passes/bvh/bvh.hpp"
#include "passes/primitives/elements.hpp"
#include "passes/scene/environment.hpp"
#include "passes/volume/compute_faces.hpp"
#include "passes/volume/sphere_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxListed = 64;
constexpr std::uint32_t kMaxFragmentsPerPixel = 2 * kMaxMedia;

bool media_are_valid(Graph& graph, const std::vector<MeshMedium>& media) {
    if (media.size() > kMaxMedia) {
        graph.error("volume/too-many-media",
                    fmt::format("{} meshes are connected to \"meshes\", which takes at most {}",
                                media.size(), kMaxMedia),
                    "merge meshes of the same medium");
        return false;
    }
    for (const MeshMedium& medium : media)
        if (medium.shadow_of > kMaxLights) {
            graph.error("volume/too-many-lights",
                        fmt::format("a shadow belongs to light {}, but only lights 0 to {} have "
                                    "shadows",
                                    medium.shadow_of - 1, kMaxLights - 1),
                        "add lights without shadows to \"lights.even\"");
            return false;
        }
    return std::ranges::all_of(
        media, [&](const MeshMedium& medium) { return is_valid(graph, medium.mesh); });
}

/// Whether what the eye is in can be told in the way that is asked for.
bool eye_can_be_found(Graph& graph, const VolumeFragments& pass) {
    if (pass.eye_inside == EyeInside::whole_lists || pass.meshes.empty()) return true;
    if (pass.rasterizer == FaceRasterizer::compute) {
        graph.error("volume/whole-lists",
                    "kernels that rasterize list all faces and blend nothing onto images",
                    "\"eye_inside\": \"whole_lists\"");
        return false;
    }
    if (graph.target().float32_blending) return true;
    // Then faces are counted, for each medium.
    const Extent extent = graph.extent(pass.opaque);
    const std::uint64_t bytes =
        std::uint64_t{4} * near_state_words(pass.meshes.size()) * extent.width * extent.height;
    if (bytes <= graph.target().max_storage_buffer_bytes) return true;
    graph.error("volume/no-blending",
                fmt::format("the device cannot blend onto 32-bit floats, and the counts of {} "
                            "media around the eye in {} x {} pixels do not fit a buffer",
                            pass.meshes.size(), extent.width, extent.height),
                "make the picture smaller, merge media, or set \"eye_inside\" to \"whole_lists\", "
                "with room for the faces before the eye");
    return false;
}

/// Lights that no mesh shadows are even ones.
void set_lights(ComputeNodeBuilder& node, const MediaLights& lights, std::uint32_t shadowed) {
    std::array<glm::vec3, kMaxLights> all = lights.shadowed();
    glm::vec3 even = lights.even;
    for (std::uint32_t light = shadowed; light < kMaxLights; ++light)
        even += std::exchange(all[light], glm::vec3(0.0f));
    node.specialize("kLights", shadowed);
    node.set("even_light", even);
    node.set("lights", std::span<const glm::vec3>(all));
}

} // namespace

void VolumeFragments::describe(PassInfo<VolumeFragments>& info) {
    info.summary("Renders transparent media, spheres and meshes: smoke, fire, colored glass")
        .details(
            "The ray of a pixel is cut into segments of even media, whose integrals have a closed "
            "form. So opacity depends on thickness, bodies may intersect one another and opaque "
            "surfaces, and nothing pops. Rays are straight: the model has no refraction.\n\n"
            "Spheres are sorted by their nearest points. A ray tries the spheres of its tile in "
            "that order and keeps the ends of their intervals in a short list; an end that is "
            "nearer than any later sphere is final and leaves the list. \"search\" all tries all "
            "spheres and gives the same picture to the bit. If a ray needs more than "
            "\"list_capacity\" ends at a time, its nearest end leaves early, or the new sphere is "
            "dropped. A tile whose list has no room in \"tile_capacity\" tries all spheres.\n\n"
            "Meshes must be closed. Their faces are drawn into a list for each pixel, counted "
            "first so that none is lost, and sorted by distance. The media around the eye are "
            "found from whole lists, hidden faces included, or summed up in images by an extra "
            "pass or by the pass that stores; then lists hold only visible faces. A device that "
            "cannot blend 32-bit floats counts in a buffer instead. If the faces of a pixel have "
            "no room, the pixel shows no mesh, and the status reports the capacity needed. "
            "\"rasterizer\" compute finds the faces as geometry/capture_fragments does, for "
            "devices without fast rasterization; pixels at edges may differ, because its grid is "
            "finer. Shadows of volume/shadow are meshes that block their light from all media "
            "inside; they may overlap. The camera's near plane cuts no mesh. If pixels disagree on "
            "the number of meshes around the eye, a mesh is open, and a warning reports it.\n\n"
            "Spheres that are not finite, have no positive radius or have a negative value are "
            "dropped and counted. Opaque distances that are NaN count as no surface.")
        .source("Szecsi, Barta and Kovacs, \"Volumetric Transparency with Per-Pixel Fragment "
                "Lists\", GPU Pro 3, 2012; signs of the exponents corrected")
        .complexity("O(pixels * (spheres of a tile + faces * log faces) + spheres * large tiles)")
        .cost([](const VolumeFragments& pass, const Graph& graph) -> Cost {
            if (!pass.result) return {};
            const Extent extent = graph.extent(pass.result);
            const double texels = static_cast<double>(extent.width) * extent.height;
            double triangles = 0.0;
            for (const MeshMedium& medium : pass.meshes)
                triangles += medium.mesh.triangle_count;
            const double faces = pass.meshes.empty() ? 0.0 : 4.0; // a pixel, as a guess
            return {.bytes = texels * (32.0 + faces * 48.0) + 200.0 * pass.spheres.count +
                             72.0 * triangles,
                    .operations = texels * 1000.0 + 100.0 * pass.spheres.count};
        });
    info.input("opaque", &VolumeFragments::opaque,
               "the opaque scene: color, and distance from the eye along the ray in alpha, from "
               "volume/opaque")
        .picture();
    info.optional_input("spheres", &VolumeFragments::spheres, "spheres of media");
    info.input_list("meshes", &VolumeFragments::meshes,
                    "closed meshes of media, and shadows; up to 256");
    info.optional_input("radius_map", &VolumeFragments::radius_map,
                        "cube map of radii, as shares of the spheres' radii in each direction");
    info.optional_input("environment", &VolumeFragments::environment,
                        "environment that the surfaces of meshes reflect");
    info.optional_input("scene", &VolumeFragments::scene,
                        "scene that an orbiting camera looks at, or that has the camera");
    info.group("camera", &VolumeFragments::camera);
    info.group("lights", &VolumeFragments::lights);
    info.parameter("search", &VolumeFragments::search,
                   "\"tiles\": rays try the spheres of their tile; \"all\": all spheres")
        .structural();
    info.parameter("tile", &VolumeFragments::tile, "side of a tile")
        .range(kLeastTile, kMaxTile)
        .unit("texels")
        .structural();
    info.parameter("tile_capacity", &VolumeFragments::tile_capacity,
                   "entries of the lists of all tiles together")
        .range(0, kMaxTileEntries)
        .structural();
    info.parameter("list_capacity", &VolumeFragments::list_capacity,
                   "ends of spheres that a ray keeps at a time")
        .range(1, kMaxListed)
        .structural();
    info.parameter("overflow", &VolumeFragments::overflow,
                   "what happens if a ray needs more: \"early\": its nearest end leaves the list "
                   "although another may lie before it; \"drop\": the sphere is dropped")
        .structural();
    info.parameter("fragments_per_pixel", &VolumeFragments::fragments_per_pixel,
                   "room for faces of meshes, on average over the picture; no more than a buffer "
                   "of the device holds")
        .range(0, kMaxFragmentsPerPixel)
        .structural();
    info.parameter("rasterizer", &VolumeFragments::rasterizer,
                   "who rasterizes the faces of meshes: the \"device\", or \"compute\" kernels")
        .structural();
    info.parameter("eye_inside", &VolumeFragments::eye_inside,
                   "how the meshes around the eye are found: from \"whole_lists\", or by blending "
                   "onto images of 32-bit floats, in a \"near_pass\" or along with the lists "
                   "(\"near_state\")")
        .structural();
    info.parameter("softness", &VolumeFragments::softness,
                   "thins spheres towards their contours: density falls with this power of one "
                   "minus the squared distance from the center; 0: even spheres")
        .range(0.0, kMaxSoftness);
    info.parameter("reflected", &VolumeFragments::reflected,
                   "multiplies the reflected environment; without an environment, this radiance "
                   "comes from all directions")
        .range(0.0, 65504.0);
    info.parameter("least_transmittance", &VolumeFragments::least_transmittance,
                   "transmittance below which rays end")
        .range(0.0, 1.0);
    info.parameter("format", &VolumeFragments::format,
                   "format of both pictures; \"same\" is that of \"opaque\"")
        .structural();
    info.output("result", &VolumeFragments::result, "the picture, linear light");
    info.output("transmittance", &VolumeFragments::transmittance,
                "transmittance of the light from behind, for each color channel");
    info.output("status", &VolumeFragments::status, "16 words: VolumeStatus")
        .elements<VolumeStatus>();
}

void VolumeFragments::build(Graph& graph) {
    const Extent extent = graph.extent(opaque);
    const Format picture = result_format(graph.desc(opaque).format, format);
    result = volume_picture(graph, "result", extent, picture);
    transmittance = volume_picture(graph, "transmittance", extent, picture);
    if (spheres && !is_valid(graph, spheres)) return;
    if (!media_are_valid(graph, meshes) || !eye_can_be_found(graph, *this)) return;
    const auto view = volume_view(graph, scene, camera, extent.width, extent.height);
    if (!view) return;

    SortedSpheres sorted =
        sort_spheres(graph, spheres ? spheres : no_spheres(graph), *view, volume_status(graph));
    const TileLists lists = search == SphereSearch::tiles && sorted.spheres.count > 0
                                ? list_spheres(graph, sorted, *view, tile, tile_capacity)
                                : TileLists{};
    const bool has_meshes = !meshes.empty();
    // No more than kernels of the device can see.
    const std::uint32_t room =
        fragment_room(graph, FragmentPayload::face, FragmentLayout::arrays,
                      std::uint64_t{view->width} * view->height * fragments_per_pixel);
    CapturedFaces faces;
    const Reflections reflections{.map = environment, .radiance = reflected};
    if (has_meshes && rasterizer == FaceRasterizer::compute) {
        const auto computed = compute_faces(graph, meshes, *view, reflections, room);
        if (!computed) return;
        faces = *computed;
    } else if (has_meshes) {
        faces = capture_faces(graph, meshes, *view, opaque, eye_inside, reflections, room);
    }
    const Buffer dropped =
        graph.copy(BufferView(sorted.status, 0, 4), array(graph, "dropped", 1), "dropped");

    if (has_meshes) { // no kernel counts it, for the scan knows
        sorted.status =
            graph.copy(BufferView(faces.lists.status, 0, 4),
                       BufferView(sorted.status, offsetof(VolumeStatus, fragments_needed), 4),
                       "fragments_needed");
        sorted.status = graph.fill(
            BufferView(sorted.status, offsetof(VolumeStatus, fewest_inside), 4), ~0u, "any_inside");
    }

    ComputeNodeBuilder node = graph.compute("volume/fragments", "look");
    node.specialize("kCapacity", list_capacity);
    node.specialize("kDropsNew", std::uint32_t(overflow == ListOverflow::drop));
    specialize_cube_lookups(graph, node);
    view->set(node);
    bind_lists(node, sorted, lists);
    node.read("nearest", sorted.nearest);
    node.read("dropped", dropped);
    node.read_optional("radius_map", radius_map.cube);
    node.set("softness", softness);
    node.set("least_transmittance", least_transmittance);
    node.set("fragment_room", room);
    set_lights(node, lights, shadowed_lights(meshes));
    set_media(node, meshes);
    node.read("opaque", opaque, Sampler::nearest());
    const Sampler texel = Sampler::nearest();
    node.read_optional("near_extinction", faces.near_extinction, texel, "has_near_state");
    node.read_optional("near_emission", faces.near_emission, texel, "has_near_state");
    node.read_optional("near_scatter", faces.near_scatter, texel, "has_near_state");
    node.read_optional("near_shadows", faces.near_shadows, texel, "has_near_shadows");
    node.read_optional("heads", faces.lists.heads, "has_meshes");
    node.read_optional("fragments", faces.lists.fragments, "has_meshes");
    result = node.write("result", result);
    transmittance = node.write("transmittance", transmittance);
    status = node.accumulate("status", sorted.status);
    view->dispatch(node);
    graph.status<VolumeStatus>(status);
}

TUFF_PASS(VolumeFragments)

} // namespace tuff::passes
