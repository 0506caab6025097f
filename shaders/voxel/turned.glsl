// Turns that bring any axis to the third place.
#include "overlap.glsl"

// Axes of the turned coordinates, as axes of the grid: a turn keeps the orientation.
int turn = 0;

ivec3 turned(ivec3 v) {
    return turn == 0 ? v : turn == 1 ? v.yzx : v.zxy;
}

ivec3 turned_back(ivec3 v) {
    return turn == 0 ? v : turn == 1 ? v.zxy : v.yzx;
}

// The turn after which `axis` is the third one.
int turn_to(int axis) {
    return axis == 2 ? 0 : axis == 0 ? 1 : 2;
}

int main_axis(Overlap o) {
    vec3 size = abs(vec3(to_float(o.normal[0]), to_float(o.normal[1]), to_float(o.normal[2])));
    return size.z >= size.x && size.z >= size.y ? 2 : size.x >= size.y ? 0 : 1;
}

Corners relative(Corners c, ivec3 origin) {
    return Corners(turned(c.a - origin), turned(c.b - origin), turned(c.c - origin));
}

// A column along the third of the turned axes is tested once in the projection that sees most of the
// triangle; of its voxels those remain, x to y, that the plane meets: four at most. `single`: it meets
// one, in or beyond the box.
ivec2 met_by_plane(Overlap o, Box box, ivec2 b, out bool single) {
    single = false;
    if (!passes_projection(o, 2, ivec3(b, 0))) return ivec2(0, -1);
    ivec2 interval = ivec2(-int(kMaxQuotient), int(kMaxQuotient));
    bound_by_plane(o, b, interval);
    single = interval.x == interval.y;
    return ivec2(max(interval.x, 0), min(interval.y, box.high.z - box.low.z));
}

// Of these, whether the triangle itself meets one.
bool is_met(Overlap o, ivec3 at) {
    return passes_projection(o, 0, at) && passes_projection(o, 1, at);
}
