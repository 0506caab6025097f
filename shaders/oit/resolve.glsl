// Sorting and blending the fragments of a pixel. Before the include: oit/lists.glsl's conditions.
#include "lists.glsl"
#include "blend.glsl"

layout(constant_id = 13) const uint kKeep = 8u;  // fragments sorted at a time
layout(constant_id = 14) const uint kOrder = 0u; // kOver, kUnder
layout(constant_id = 15) const uint kLong = 0u;  // of lists longer than kKeep: kExact, kNearest

const uint kOver = 0u;
const uint kUnder = 1u;
const uint kExact = 0u;
const uint kNearest = 1u;
