// Voxels of a column along the third of the turned axes. Before it: `kShortCuts` and `set_voxel`;
// after turned.glsl.

// A column is tested once in the projection that sees most of the triangle; of its voxels those
// remain, four at most, that the plane meets. A single one is met by the triangle itself.
void set_column(Overlap o, Box box, ivec2 b) {
    if (!passes_projection(o, 2, ivec3(b, 0))) return;
    ivec2 interval = ivec2(-int(kMostQuotient), int(kMostQuotient));
    bound_by_plane(o, b, interval);
    bool single = kShortCuts != 0u && interval.x == interval.y;
    interval = ivec2(max(interval.x, 0), min(interval.y, box.high.z - box.low.z));
    for (int z = interval.x; z <= interval.y; ++z) {
        ivec3 at = ivec3(b, z);
        if (single || passes_projection(o, 0, at) && passes_projection(o, 1, at))
            set_voxel(uvec3(turned_back(at + box.low)));
    }
}
