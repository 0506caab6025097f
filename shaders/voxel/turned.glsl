// Turns that bring any axis to the third place. After overlap.glsl.

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
