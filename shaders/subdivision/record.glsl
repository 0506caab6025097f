// A triangle with its neighbours, all that one step of subdivision needs. Corners go round
// counter-clockwise. Neighbour 0 of a corner is the next corner, neighbour 1 the one after it, and on
// round the corner; the neighbours that are no corners are a ring round the triangle, in which the
// last of one corner is the first of the next. Beyond a boundary, whose edges are sharp for ever, two
// neighbours complete the ring; what they are weighs nothing.
//
// Points lie slot by slot, in each those of all records: three corners, then the ring. Their last word
// is the sharpness, of corner k: of the edge to the next corner; in the ring: of the edges to corners
// 0, 1 and 2, ten bits each.
#ifndef RECORD
#define RECORD

const uint kSharpnessUnits = 64u; // of a level
const uint kSharpnessMask = 1023u; // as much is for ever

readonly buffer Heads { uvec4 elements[]; } heads;   // see head_word, then three vertices
readonly buffer Points { uvec4 elements[]; } points; // floats' bits, sharpness

struct Record {
    uint index;
    uint room; // records that a slot has room for
    uint flags;
    uint ring; // its length
    uvec3 valence;
    uvec3 vertices;
};

uint head_word(uvec3 valence, uvec3 fixed_corners, uvec3 boundary) {
    return valence.x | valence.y << 6 | valence.z << 12 | fixed_corners.x << 18 | fixed_corners.y << 19 |
           fixed_corners.z << 20 | boundary.x << 21 | boundary.y << 22 | boundary.z << 23;
}

uint ring_length(uvec3 valence) {
    return max(valence.x + valence.y + valence.z, 10u) - 9u;
}

Record record_at(uint index, uint room) {
    uvec4 head = heads.elements[index];
    uvec3 valence = uvec3(head.x & 63u, head.x >> 6 & 63u, head.x >> 12 & 63u);
    return Record(index, room, head.x >> 18, ring_length(valence), valence, head.yzw);
}

bool is_fixed(Record record, uint corner) {
    return (record.flags >> corner & 1u) != 0u;
}
bool is_at_boundary(Record record, uint corner) {
    return (record.flags >> (3u + corner) & 1u) != 0u;
}

uint following(uint corner) {
    return corner == 2u ? 0u : corner + 1u;
}

uvec4 point_at(Record record, uint slot) {
    return points.elements[slot * record.room + record.index];
}

vec3 corner_of(Record record, uint corner) {
    return uintBitsToFloat(point_at(record, corner).xyz);
}

uint edge_sharpness(Record record, uint edge) {
    return point_at(record, edge).w & kSharpnessMask;
}

struct Spoke {
    vec3 position;
    uint sharpness;
};

Spoke spoke_of(Record record, uint corner, uint k) {
    uint next = following(corner);
    if (k == 0u) return Spoke(corner_of(record, next), edge_sharpness(record, corner));
    uint last = following(next);
    if (k == 1u) return Spoke(corner_of(record, last), edge_sharpness(record, last));
    uint first = corner == 0u ? 0u : corner == 1u ? record.valence.x - 3u
                                                  : record.valence.x + record.valence.y - 6u;
    uint place = first + k - 2u;
    while (place >= record.ring)
        place -= record.ring;
    uvec4 at = point_at(record, 3u + place);
    return Spoke(uintBitsToFloat(at.xyz), at.w >> (10u * corner) & kSharpnessMask);
}

#endif
