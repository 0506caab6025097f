#include "passes/bvh/cast.hpp"

#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

namespace tuff::passes {

void CastRays::describe(PassInfo<CastRays>& info) {
    info.summary("Finds the hits of rays in a hierarchy")
        .details("A ray is eight words: origin and greatest t; direction, of any length but 0, and "
                 "the number of a triangle that the ray leaves and cannot hit, or ~0. For the "
                 "closest hit, \"hits\" has t, the triangle's number (~0: no hit, and t is the "
                 "greatest), and the weights of its second and third vertex. For any hit, it has 1 "
                 "or 0. A ray whose origin or direction is not finite hits nothing.\n\nAll "
                 "hierarchies and all traversals give the same hits to the bit: the hit of least t "
                 "and, at equal t, of the least triangle number. The device's own traversal, in a "
                 "hierarchy of bvh/hardware_build, differs only in ties: it takes any of several "
                 "triangles that share an edge or coincide. Where rounding makes a ray miss what "
                 "the device hits, t and weights are the device's. It counts no boxes. The "
                 "watertight test includes the edges and corners of a triangle; the other test may "
                 "let rays through between two triangles.")
        .source("A. Garcia, F. Avila, S. Murguia and L. Reyes, \"Interactive Ray Tracing Using the "
                "Compute Shader in DirectX 11\", GPU Pro 3, 2012; S. Woop, C. Benthin and I. Wald, "
                "\"Watertight Ray/Triangle Intersection\", JCGT 2013")
        .complexity("O(log n) a ray for n triangles of a surface; O(n) by brute force")
        .cost([](const CastRays& pass, const Graph& graph) {
            const double count = static_cast<double>(capacity(graph, pass.rays) / kRayWords);
            // What rays and hits move; nodes come from caches, as far as they do.
            const double answer = pass.question == RayQuestion::closest ? 16.0 : 4.0;
            return Cost{.bytes = count * (32.0 + answer), .operations = 0.0};
        });
    info.input("bvh", &CastRays::bvh, "the hierarchy");
    info.input("rays", &CastRays::rays, "the rays, eight words each").elements<RayRecord>();
    info.optional_input(
            "starts", &CastRays::starts,
            "for each ray, a reference to the node or leaf where it starts, or ~0 for the root; "
            "only for the closest hit, and only for traversals by bit trail")
        .elements<std::uint32_t>();
    info.optional_input("left", &CastRays::left,
                        "the instance that each ray leaves, one word each; without it a ray leaves "
                        "its triangle in all instances")
        .elements<std::uint32_t>();
    info.parameter("question", &CastRays::question, "the closest hit, or whether there is any hit")
        .structural();
    info.parameter("traversal", &CastRays::traversal, "how rays go through the hierarchy")
        .structural();
    info.parameter("test", &CastRays::test, "the test of a ray against a triangle").structural();
    info.parameter("with_work", &CastRays::with_work, "computes \"work\"").structural();
    info.parameter("with_ends", &CastRays::with_ends, "computes \"ends\"").structural();
    info.output("hits", &CastRays::hits, "four words a ray, or one")
        .elements_from("Hit (f32 t, u32 triangle, vec2 barycentric); with \"any\" u32",
                       [](const CastRays& pass) {
                           return pass.question == RayQuestion::any
                                      ? BufferElements::of<std::uint32_t>()
                                      : BufferElements::of<HitRecord>();
                       });
    info.output("work", &CastRays::work,
                "numbers of boxes and triangles that each ray was tested against; only "
                "\"with_work\"")
        .elements<glm::uvec2>();
    info.output("ends", &CastRays::ends,
                "reference to the leaf of each closest hit, or ~0 if there is none or the "
                "traversal does not report it; only \"with_ends\"")
        .elements<std::uint32_t>();
    info.output("hit_instances", &CastRays::hit_instances,
                "number of the instance of each closest hit, or ~0; only with bvh/instances")
        .elements<std::uint32_t>();
}

void CastRays::build(Graph& graph) {
    if (!is_valid(graph, bvh, traversal)) return;
    warn_of_ended_loops(graph, bvh, traversal);
    const auto count = static_cast<std::uint32_t>(capacity(graph, rays) / kRayWords);
    if (left && !holds(graph, left, {.most = count, .count = {}}, "left")) return;
    if (starts && !holds(graph, starts, {.most = count, .count = {}}, "starts")) return;
    const bool closest = question == RayQuestion::closest;
    const bool instanced = bool(bvh.instances);
    const std::string_view question_asked = closest ? "closest" : "any";
    TracingNode traced(graph, fmt::format("bvh/{}", question_asked), bvh,
                       {.traversal = traversal, .test = test}, question_asked);
    KernelNode& node = *traced;
    node.read("rays", rays);
    node.set("ray_count", count);
    node.specialize("with_work", with_work ? 1u : 0u);
    hits =
        node.write("hits", array(graph, "hits", std::uint64_t{count} * (closest ? kHitWords : 1)));
    const Buffer counts =
        node.write("work", array(graph, "work", with_work ? std::uint64_t{count} * 2 : 1));
    if (with_work) work = counts;
    if (instanced) {
        node.read_optional("left", left);
        if (closest)
            hit_instances = node.write("hit_instances", array(graph, "hit_instances", count));
    }
    if (closest) {
        if (!instanced && !traced_by_device(bvh, traversal)) node.read_optional("starts", starts);
        node.specialize("with_ends", with_ends ? 1u : 0u);
        const Buffer found = node.write("ends", array(graph, "ends", with_ends ? count : 1));
        if (with_ends) ends = found;
    }
    traced.dispatch_each(count);
}

TUFF_PASS(CastRays)

} // namespace tuff::passes
