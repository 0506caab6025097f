#ifndef FLUID_REACH
#define FLUID_REACH
// Two neighbours along an axis with a place between them, and their shares of what is there. Sides
// are asked once for an axis and not for each of eight corners, and most places are far from them.
#include "solid.glsl"

struct Reach {
    ivec2 at;     // what is beyond a side is that on the other end, or the last within
    vec2 share;   // none of what is beyond sides that are left out
    float within; // the share of what is not beyond a side of inflow
};

// `place` among `size` values at whole numbers. Bit n of `left_out`: sides of FluidFace n.
Reach reach_along(int axis, int size, float place, uint left_out) {
    float low = floor(place);
    float part = place - low;
    Reach reach = Reach(ivec2(low) + ivec2(0, 1), vec2(1.0 - part, part), 1.0);
    if (reach.at.x >= 0 && reach.at.y < size) return reach;
    Place first = place_along(axis, size, reach.at.x);
    Place second = place_along(axis, size, reach.at.y);
    reach.at = ivec2(first.at, second.at);
    if (first.beyond == kInflow) reach.within -= reach.share.x;
    if (second.beyond == kInflow) reach.within -= reach.share.y;
    if ((left_out >> first.beyond & 1u) != 0u) reach.share.x = 0.0;
    if ((left_out >> second.beyond & 1u) != 0u) reach.share.y = 0.0;
    return reach;
}
// Along an axis with one value.
Reach reach_alone() {
    return Reach(ivec2(0), vec2(1.0, 0.0), 1.0);
}

#endif
