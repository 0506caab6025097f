#include "passes/bodies/step.hpp"

namespace tuff::passes {
namespace {

constexpr std::uint32_t kManifoldBytes = 6 * 16;
constexpr std::uint64_t kPairGroups = 8; // bytes: where the tally has groups for pairs

} // namespace

void FindContacts::describe(PassInfo<FindContacts>& info) {
    info.summary("Finds the contacts of rigid bodies: up to four points and one normal for "
                 "each pair")
        .details(
            "Spheres and capsules use the closest points of their axes. Boxes and convex "
            "hulls use separating axes, then clip a face of one by the sides of the "
            "other. A sphere or capsule against a box or hull uses the closest "
            "feature.\n\n"
            "Against half-spaces and height fields, the moving body is tested at points of its "
            "surface: a hull at its corners, a box on heights also at the centers of edges "
            "and faces, a capsule on heights at five points of its axis. Against distance "
            "fields, the points are the ends of a capsule or the corners of a box or hull, "
            "and where the field along its axis, edges and faces has a minimum. A minimum "
            "counts if it is lower than the corners by 1/5000 of the length of the edge: "
            "on flat fields only the corners count.\n\n"
            "Points are identified by the features that made them, so the next step finds "
            "them again. If there are more than four points, the deepest and farthest "
            "apart are kept.")
        .source("S. Gottschalk, M. Lin and D. Manocha, \"OBBTree\", SIGGRAPH 1996; C. Ericson, "
                "\"Real-Time Collision Detection\", 2005")
        .complexity("O(pairs)")
        .cost([](const FindContacts& pass, const Graph&) {
            const double pairs = 3.0 * pass.bodies.count;
            return Cost{.bytes = 300.0 * pairs, .operations = 1500.0 * pairs};
        });
    info.input("bodies", &FindContacts::bodies, "the bodies");
    info.input("outlines", &FindContacts::outlines, "bounds, from bodies/forces");
    info.input("pairs", &FindContacts::pairs, "the pairs, from bodies/pairs");
    info.output("contacts", &FindContacts::contacts, "the contacts");
}

void FindContacts::build(Graph& graph) {
    if (!is_valid(graph, bodies)) return;
    contacts.pairs = pairs;
    const bool round = bodies.has(ShapeKind::sphere) || bodies.has(ShapeKind::capsule);
    const bool hulls = bodies.has(ShapeKind::hull);
    const bool solid = hulls || bodies.has(ShapeKind::box);
    const bool fields = bodies.has(ShapeKind::plane) || bodies.has(ShapeKind::heights) ||
                        bodies.has(ShapeKind::distances);
    contacts.manifolds = body_array(graph, "manifolds", pairs.room, kManifoldBytes);
    const auto find = [&](ComputeNodeBuilder node) {
        node.read("pairs", pairs.pairs);
        node.read("tally", pairs.tally);
        node.read("places", bodies.places);
        node.read("turns", bodies.turns);
        node.read("shapes", bodies.shapes);
        node.read("boxes", outlines.boxes);
        return node;
    };
    const auto end = [&](ComputeNodeBuilder node) {
        contacts.manifolds = node.write("manifolds", contacts.manifolds);
        contacts.pairs.status = node.accumulate("status", pairs.status);
        node.dispatch_indirect(pairs.tally, kPairGroups);
    };
    const ShaderVariant variant{{"HULLS", hulls ? 1u : 0u}};
    // First, for it says of all others that they do not touch.
    ComputeNodeBuilder spheres = find(graph.compute("bodies/contacts_round"));
    spheres.set("known", (solid ? 1u : 0u) | (fields ? 2u : 0u));
    end(spheres);
    if (solid) {
        ComputeNodeBuilder node = find(graph.compute("bodies/contacts_solid", variant));
        if (hulls) node.read("geometry", bodies.geometry);
        end(node);
    }
    if (solid && round) {
        ComputeNodeBuilder node = find(graph.compute("bodies/contacts_mixed", variant));
        if (hulls) node.read("geometry", bodies.geometry);
        end(node);
    }
    if (fields) {
        // Without distances the kernel has nothing of them to carry along.
        const bool minima = bodies.has(ShapeKind::distances);
        ComputeNodeBuilder node =
            find(graph.compute("bodies/contacts_field", {{"MINIMA", minima ? 1u : 0u}}));
        node.read("geometry", bodies.geometry);
        end(node);
    }
}

TUFF_PASS(FindContacts)

} // namespace tuff::passes
