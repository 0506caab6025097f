#include "passes/displacement/shapes.hpp"

#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <bit>

namespace tuff::passes {
namespace {

/// Patches as rays of paths find them: what the functions of RayShapes hold.
struct PathPatches {
    CastDisplaced cast; ///< without rays
    Buffer materials;
    std::uint32_t material = 0;
    PatchNormals normals = PatchNormals::smooth;

    Buffer closest(Graph& graph, const SlotRays& rays, Buffer hits) const {
        graph.push_scope("patches");
        CastDisplaced nearest = cast;
        nearest.before = hits;
        const Buffer found = cast_displaced(graph, nearest, rays, PathRays::paths,
                                            RayShapes::kSurfaceQuads * rays.slots);
        ComputeNodeBuilder node = graph.compute("displacement/surfaces");
        cast.surface.bind(node);
        cast.surface.bind_places(node);
        node.read("boxes", cast.surface.boxes);
        node.read("rays", rays.rays);
        node.read_optional("before", Buffer{}, "has_before");
        node.specialize("endless", 1u);
        node.read_optional("patch_materials", materials, "has_materials");
        node.set("material", material);
        node.specialize("flat_normals", std::uint32_t(normals == PatchNormals::flat));
        node.set("finest", cast.surface.level);
        node.set("scale", cast.surface.scale);
        node.set("spread", cast.spread);
        node.set("eye", cast.eye);
        const Buffer with_surfaces = node.write("hits", found);
        dispatch_rays(graph, node, rays);
        graph.pop_scope();
        return with_surfaces;
    }

    Buffer block(Graph& graph, const SlotRays& rays) const {
        graph.push_scope("patches");
        CastDisplaced any = cast;
        any.any = true;
        const Buffer found = cast_displaced(graph, any, rays, PathRays::shadow, 0);
        ComputeNodeBuilder node = graph.compute("displacement/block");
        node.read("hits", found);
        const Buffer left = node.write("shadow_rays", rays.rays);
        dispatch_rays(graph, node, rays);
        graph.pop_scope();
        return left;
    }
};

} // namespace

void dispatch_rays(Graph& graph, ComputeNodeBuilder& node, const SlotRays& rays) {
    node.set("ray_count", rays.slots);
    node.read_optional("queue", rays.queue);
    node.read_optional("queue_length", rays.count, "has_queue");
    if (rays.queue)
        dispatch_each(graph, node, {.most = rays.slots, .count = rays.count});
    else
        node.dispatch_each(rays.slots);
}

void DisplacedShapes::describe(PassInfo<DisplacedShapes>& info) {
    info.summary("Adds displaced patches to scenes of raytrace/whitted and raytrace/path_trace")
        .details("Rays of all bounces and shadow rays hit the patches as well as the scene's "
                 "triangles. They see the mesh that displacement/tessellate makes at the finest "
                 "level or, with \"spread\", at a level for the size of pixels seen from \"eye\". "
                 "The mesh itself is never stored. Both sets of texture coordinates are those of "
                 "the patches; the materials are those of the scene.\n\n"
                 "Emission of patches is found only by scattered rays. Patches block shadow rays "
                 "whatever their material's alpha is.")
        .complexity("O(level) a ray for nearly flat surfaces");
    info.input("surface", &DisplacedShapes::surface, "the surface, from displacement/surface");
    info.optional_input("materials", &DisplacedShapes::materials,
                        "material of each patch, if there are several, from "
                        "displacement/scene_patches")
        .elements<std::uint32_t>();
    info.parameter("material", &DisplacedShapes::material,
                   "index of the scene's material for all patches, if \"materials\" is not "
                   "connected")
        .range(0, 1 << 20);
    info.parameter("normals", &DisplacedShapes::normals, "normals that shading uses").structural();
    info.parameter("spread", &DisplacedShapes::spread,
                   "width of a pixel at distance 1 from \"eye\"; 0: all patches use the finest "
                   "level")
        .range(0.0, 10.0);
    info.parameter("eye", &DisplacedShapes::eye, "position of the camera, for \"spread\"");
    info.parameter("method", &DisplacedShapes::method,
                   "how rays find their hits, as in displacement/cast")
        .structural();
    info.parameter("batch", &DisplacedShapes::batch,
                   "deferred: largest number of rays that "
                   "share a tree")
        .range(64, 1 << 20)
        .structural();
    info.parameter("most_pairs", &DisplacedShapes::most_pairs,
                   "deferred: capacity in pairs, as in displacement/cast")
        .range(0, 1 << 28)
        .structural();
    info.output("shapes", &DisplacedShapes::shapes, "the patches, for the tracers");
}

void DisplacedShapes::build(Graph& graph) {
    if (materials && capacity(graph, materials) < surface.count) {
        graph.error("displacement/short-materials",
                    fmt::format("there are {} patches, but \"materials\" has {}", surface.count,
                                capacity(graph, materials)),
                    "give one word for each patch");
        return;
    }
    const PathPatches patches{.cast = {.surface = surface,
                                       .rays = {},
                                       .before = {},
                                       .spread = spread,
                                       .from = FinenessFrom::eye,
                                       .eye = eye,
                                       .method = method,
                                       .batch = batch,
                                       .most_pairs = most_pairs},
                              .materials = materials,
                              .material = material,
                              .normals = normals};
    shapes.closest = [patches](Graph& g, const SlotRays& rays, Buffer hits) {
        return patches.closest(g, rays, hits);
    };
    shapes.block = [patches](Graph& g, const SlotRays& rays) { return patches.block(g, rays); };
    shapes.material = materials ? 0 : material;
    shapes.buffers = {surface.patches, surface.texels};
    if (surface.placed) shapes.buffers.push_back(surface.placed.instances);
    if (materials) shapes.buffers.push_back(materials);
    shapes.settings = {surface.count,
                       surface.level,
                       static_cast<std::uint32_t>(surface.kind),
                       static_cast<std::uint32_t>(surface.wrap),
                       material,
                       static_cast<std::uint32_t>(normals)};
    for (const float number : {surface.scale, spread, eye.x, eye.y, eye.z})
        shapes.settings.push_back(std::bit_cast<std::uint32_t>(number));
}

TUFF_PASS(DisplacedShapes)

} // namespace tuff::passes
