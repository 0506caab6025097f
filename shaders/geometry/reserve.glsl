// Room in the list of parts. Before it: geometry/parts.glsl, the buffers `parts` and `part_list`, the
// shared `counters`.

// The blocks of a triangle, and where in the list they begin; none where there is no room.
struct Reserved {
    uint first;
    ivec2 low; // block
    ivec2 size;
};

// Takes `count` parts and returns the first; from `room` on there are none. The counter must not pass
// 32 bits, for it would come back to parts that others have. So only as many triangles just add as
// cannot bring it there with all blocks of the picture each; whoever comes later adds no more than there
// is room for.
uint take_parts(uint count) {
    uvec2 blocks = (uvec2(params.size) + uint(kBlock - 1)) / uint(kBlock);
    uint before = atomicAdd(parts.words[kPartTakers], 1u);
    if (before < (0xffffffffu - params.room) / (blocks.x * blocks.y))
        return atomicAdd(parts.words[kPartCount], count);
    uint first = atomicAdd(parts.words[kPartCount], 0u);
    while (first < params.room) {
        uint seen = atomicCompSwap(parts.words[kPartCount], first,
                                   first + min(count, params.room - first));
        if (seen == first) break;
        first = seen;
    }
    return first;
}

Reserved reserve_parts(uint triangle, PixelBox box) {
    Reserved r;
    r.low = box.low >> 5;
    r.size = (box.high >> 5) - r.low + 1;
    uint count = uint(r.size.x * r.size.y);
    atomicAdd(counters[kLarge], 1u);
    r.first = take_parts(count);
    bool fits = r.first < params.room && count <= params.room - r.first;
    uint end = fits ? r.first + count : params.room;
    if (fits) {
        atomicMax(parts.words[kPartGroups], min(end, kMaxGroups));
        return r;
    }
    for (uint at = r.first; at < end; ++at) part_list.words[2u * at] = kNoTriangle;
    r.size = ivec2(0);
    atomicAdd(counters[kUnshared], 1u);
    uint whole = atomicAdd(parts.words[kWholeCount], 1u);
    part_list.words[2u * params.room + whole] = triangle;
    atomicMax(parts.words[kPartGroups], min(max(end, whole + 1u), kMaxGroups));
    return r;
}

void write_part(Reserved r, uint triangle, uint i) {
    ivec2 block = r.low + ivec2(i % uint(r.size.x), i / uint(r.size.x));
    part_list.words[2u * (r.first + i)] = triangle;
    part_list.words[2u * (r.first + i) + 1u] = block_at(block);
}
