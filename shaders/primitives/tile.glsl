// The shape of a tile: what a group works on at a time. As in passes/primitives/elements.hpp,
// unless a pass says otherwise: specialize("kQuads").
#ifndef PRIMITIVES_TILE
#define PRIMITIVES_TILE
const uint kGroup = gl_WorkGroupSize.x;
layout(constant_id = 3) const uint kQuads = 4u; // uvec4 of each invocation
const uint kItems = 4u * kQuads;
const uint kTile = kGroup * kItems;
const uint kMinSubgroup = 4u;
const uint kMaxSubgroups = kGroup / kMinSubgroup;
#endif
