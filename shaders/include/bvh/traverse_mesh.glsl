// Every triangle of the mesh, one after the other: what all other traversals are compared with.
// Before the include, declare the member `uint triangle_count` of `Params` too.

Hit traverse_mesh(Ray ray, bool any) {
    PreparedRay prepared = prepare(ray);
    Hit best = no_hit(ray);
    for (uint id = 0u; id < params.triangle_count; ++id) {
        Corners corners = mesh_triangle(id);
        if (corners.kind != kProper) continue;
        meet_triangle(prepared, corners.a, corners.b, corners.c, id, best);
        ++ray_work.y;
        if (any && best.triangle != kNoTriangle) break;
    }
    return best;
}
