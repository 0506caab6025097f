#version 460
// Bounds of 4 x 4 tiles, and the lights that may reach what they show, in one go: the block's part
// of the view chooses lights, and its tiles choose from these.
//
// 16 invocations a tile look at pixels. Then each chooses from a piece of a span of lights, and tries
// one tile with every 16th piece that has chosen lights. A block has few lights, so most of the time
// goes into waiting and into lists that are nearly empty: a span takes two barriers.
//! variants SIDE=8,16,32
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_basic : require

layout(local_size_x = 256) in;
layout(constant_id = 0) const uint test = 2u;
layout(constant_id = 1) const uint split = 0u;
layout(constant_id = 2) const uint has_nodes = 0u; // 1: balls about 32 and 1024 lights follow theirs
layout(constant_id = 3) const uint has_strips = 0u;
layout(constant_id = 4) const uint span_chunks = 1u; // chunks of lights at a time: 1, 2 or 4

#include "status.glsl"
#include "tile.glsl"

const uint kBlock = 4u; // tiles along a side
const uint kTiles = 16u;
const uint kLanes = 16u;       // of a tile
const uint kMaxChunks = 128u; // of the lights that there may be
const uint kSpan = span_chunks * kChunk;
const uint kSpanWords = span_chunks * kChunkWords;
const uint kPiece = kSpan / 256u; // lights that an invocation chooses from
// Of blocks: never stricter than that of tiles, and sides alone cost less than they let in.
const uint kBlockTest = test == kBox ? kBox : kPlanes;
const uint kPixelsEach = SIDE * SIDE / 16u;

readonly buffer Balls { vec4 values[]; } balls;
readonly buffer Cones { vec4 values[]; } cones;
readonly buffer Strips { uint values[]; } strips; // [column of blocks, then row][word]
uniform sampler2D depth;
writeonly buffer Bounds { vec4 values[]; } bounds;
writeonly buffer Masks { uint values[]; } masks;         // [tile][list][word]
writeonly buffer Summaries { uint values[]; } summaries; // [tile][list][word]

uniform Params {
    uint place_groups;
    uint count;         // lights
    uint stride;        // of a light in "balls", vectors
    uint words;         // of a list
    uint summary_words;
    uvec2 tiles;
    vec2 size; // of the picture, pixels
    vec2 scale;
    vec4 depth_terms;
    float perspective;
} params;

shared uint least[kTiles]; // bits of depths
shared uint greatest[kTiles];
shared uint inner_least[kTiles];    // beyond the middle
shared uint inner_greatest[kTiles]; // before it
shared uint slice_bits[kTiles];
shared uint block_least;
shared uint block_greatest;
shared Cell cells[kTiles]; // their sides
shared uint chosen[256]; // pieces of a span, and which of their lights
shared uint chosen_count[2]; // of this span, and of the next one
const uint kLists = split == kHalf || split == kModifiedHalf ? 2u : 1u;
const uint kFoundWords = kLists * kTiles * kSpanWords;
shared uint found[kFoundWords];
shared uint confirmed[test == kPixels ? kFoundWords : 1u];
shared uint summary[kLists * kTiles * span_chunks];
shared uint open_chunks[kMaxChunks / 32u]; // bits: those whose ball the block meets

Lens lens() {
    return Lens(params.size, params.scale, params.depth_terms, params.perspective);
}

uvec2 tile_place(uint tile) {
    return gl_WorkGroupID.xy * kBlock + uvec2(tile % kBlock, tile / kBlock);
}

// Pixels come in squares of four, as textureGather orders them: one look-up brings four depths.
uvec2 pixel_place(uint tile, uint k) {
    const uint kSquares = SIDE / 2u; // along a side
    uint square = gl_LocalInvocationID.x % kLanes + kLanes * (k / 4u);
    uvec2 corner = uvec2(0x6u >> k % 4u & 1u, 0x3u >> k % 4u & 1u);
    return tile_place(tile) * SIDE + 2u * uvec2(square % kSquares, square / kSquares) + corner;
}

// 1 where there is nothing, or nothing sensible: the bits of all that is not in [0, 1) are greater.
float sensible_depth(float value) {
    return uintBitsToFloat(min(floatBitsToUint(value + 0.0), kNoDepthBits));
}

void read_depths(uint tile, out float values[kPixelsEach]) {
    vec2 scale = 1.0 / params.size;
    for (uint k = 0u; k < kPixelsEach; k += 4u) {
        vec2 middle = vec2(pixel_place(tile, k + 3u)) + 1.0; // between the four
        vec4 square = textureGather(depth, middle * scale);
        for (uint i = 0u; i < 4u; ++i)
            values[k + i] = sensible_depth(square[i]);
    }
    uvec2 size = uvec2(params.size);
    if (all(lessThanEqual((gl_WorkGroupID.xy + 1u) * kBlock * SIDE, size))) return;
    for (uint k = 0u; k < kPixelsEach; ++k)
        if (any(greaterThanEqual(pixel_place(tile, k), size))) values[k] = 1.0;
}

vec4 bound_of(uint tile) {
    return uintBitsToFloat(uvec4(least[tile], inner_greatest[tile], inner_least[tile],
                                 greatest[tile]));
}

// What does not depend on depths.
void start_group() {
    uint lane = gl_LocalInvocationID.x;
    if (lane == 0u) {
        block_least = kNoDepthBits;
        block_greatest = 0u;
        chosen_count[0] = 0u;
    }
    if (has_nodes != 0u && lane < kMaxChunks / 32u) open_chunks[lane] = 0u;
    if (lane >= kTiles) return;
    least[lane] = kNoDepthBits;
    greatest[lane] = 0u;
    inner_least[lane] = kNoDepthBits;
    inner_greatest[lane] = 0u;
    slice_bits[lane] = 0u;
    Window window = window_of(tile_place(lane), 1u, SIDE, params.size);
    cells[lane] = make_cell(slope_of(window.first, params.size, params.scale),
                            slope_of(window.last, params.size, params.scale), 0.0, 0.0,
                            params.perspective);
}

void find_outer_bounds(uint tile, float values[kPixelsEach]) {
    float low = 1.0;
    float high = 0.0;
    for (uint k = 0u; k < kPixelsEach; ++k) {
        low = min(low, values[k]);
        high = max(high, values[k] < 1.0 ? values[k] : 0.0);
    }
    uint lowest = subgroupMin(floatBitsToUint(low));
    uint highest = subgroupMax(floatBitsToUint(high));
    if (lowest < kNoDepthBits && subgroupElect()) {
        atomicMin(block_least, lowest);
        atomicMax(block_greatest, highest);
    }
    if (low < 1.0) {
        atomicMin(least[tile], floatBitsToUint(low));
        atomicMax(greatest[tile], floatBitsToUint(high));
    }
}

// Those about the middle of the distances.
void find_inner_bounds(uint tile, float values[kPixelsEach]) {
    float low = uintBitsToFloat(least[tile]);
    float high = uintBitsToFloat(greatest[tile]);
    if (low >= 1.0) return;
    const float kGreatest = uintBitsToFloat(kNoDepthBits - 1u); // depth of a surface
    float middle = min(middle_depth(low, high, params.depth_terms), kGreatest);
    vec2 inner = vec2(1.0, 0.0);
    for (uint k = 0u; k < kPixelsEach; ++k) {
        if (values[k] > middle) inner.x = min(inner.x, values[k]);
        else inner.y = max(inner.y, values[k]);
    }
    if (inner.x < 1.0) atomicMin(inner_least[tile], floatBitsToUint(inner.x));
    if (inner.y > 0.0) atomicMax(inner_greatest[tile], floatBitsToUint(inner.y));
    if (split != kMask) return;
    float near = distance_of(low, params.depth_terms);
    float slices = slices_a_unit(near, distance_of(high, params.depth_terms));
    uint bits = 0u;
    for (uint k = 0u; k < kPixelsEach; ++k)
        if (values[k] < 1.0)
            bits |= 1u << slice_of(distance_of(values[k], params.depth_terms), near, slices);
    if (bits != 0u) atomicOr(slice_bits[tile], bits);
}

void store_bounds() {
    uint lane = gl_LocalInvocationID.x;
    uvec2 place = tile_place(lane);
    if (lane < kTiles && all(lessThan(place, params.tiles)))
        bounds.values[place.y * params.tiles.x + place.x] = bound_of(lane);
}

vec4 node_ball(uint node) {
    return balls.values[params.stride * params.count + node];
}

// Whether the block may have lights of a span.
bool is_open(uint first) {
    const uint kBits = (1u << span_chunks) - 1u;
    return has_nodes == 0u || (open_chunks[first / 32u] >> first % 32u & kBits) != 0u;
}

// By the balls about chunks; the summaries of others become 0.
void open(Cell block, bool shows) {
    uint lane = gl_LocalInvocationID.x;
    uint first_top = (params.count + 31u) / 32u;
    if (lane < params.summary_words && params.count > 0u && shows &&
        meets(node_ball(first_top + lane), block, kBlockTest))
        atomicOr(open_chunks[lane / 32u], 1u << lane % 32u);
    barrier();
    for (uint j = lane; j < kLists * kTiles * params.summary_words; j += 256u) {
        uint chunk = j % params.summary_words;
        uint list = j / params.summary_words;
        uvec2 place = tile_place(list / kLists);
        if (is_open(chunk / span_chunks * span_chunks) ||
            any(greaterThanEqual(place, params.tiles)))
            continue;
        uint at = (place.y * params.tiles.x + place.x) * kLists + list % kLists;
        summaries.values[at * params.summary_words + chunk] = 0u;
    }
}

// The invocation's piece of a span, a bit for each light; of the block's column and row alone, which
// meet its sides, where these are known.
uint piece_of_span(uint first) {
    uint light = first * kChunk + gl_LocalInvocationID.x * kPiece;
    uint word = light / 32u;
    if (light >= params.count) return 0u;
    uint lights = 0xffffffffu >> 32u - min(kPiece, params.count - light);
    if (has_strips == 0u) return lights;
    uvec2 strip = gl_WorkGroupID.xy + uvec2(0u, gl_NumWorkGroups.x);
    uint reach = strips.values[strip.x * params.words + word] &
                 strips.values[strip.y * params.words + word];
    return reach >> light % 32u & lights;
}

// Of a piece, the lights that may reach what the block shows.
void choose(uint first, uint turn, uint piece, Cell block) {
    uint light = first * kChunk + gl_LocalInvocationID.x * kPiece;
    if (piece == 0u || (has_nodes != 0u && !meets(node_ball(light / 32u), block, kBlockTest)))
        return;
    uint kept = 0u;
    for (uint left = piece; left != 0u; left &= left - 1u) {
        vec4 ball = balls.values[params.stride * (light + uint(findLSB(left)))];
        if (has_strips != 0u ? meets_depths(ball, block) : meets(ball, block, kBlockTest))
            kept |= left & -left;
    }
    if (kept != 0u)
        chosen[atomicAdd(chosen_count[turn], 1u)] = gl_LocalInvocationID.x << 16 | kept;
}

void try_light(uint first, uint k, uint tile, vec4 bound, Cell own, vec4 distances) {
    uint i = first * kChunk + k;
    vec4 ball = balls.values[params.stride * i];
    if (split == kMask && (slices_of(ball, bound, params.depth_terms) & slice_bits[tile]) == 0u)
        return;
    if (!(ball.w > 0.0) || (test != kBox && !meets_sides(ball, own))) return;
    for (uint list = 0u; list < kLists; ++list) {
        own.near = list == 0u ? distances.x : distances.z;
        own.far = list == 0u ? distances.y : distances.w;
        if (own.near > own.far || !meets_between(ball, own, test)) continue;
        if (!cone_meets(cones.values[2u * i], cones.values[2u * i + 1u], own)) continue;
        uint at = tile * kLists + list;
        atomicOr(found[at * kSpanWords + k / 32u], 1u << k % 32u);
        if (test != kPixels) atomicOr(summary[at * span_chunks + k / kChunk], 1u << k / 32u % 32u);
    }
}

void try_chosen(uint first, uint count) {
    uint tile = gl_LocalInvocationID.x % kTiles;
    uint n = gl_LocalInvocationID.x / kTiles;
    vec4 bound = bound_of(tile);
    if (n >= count || bound.x >= 1.0) return;
    Cell own = cells[tile];
    vec4 distances = vec4(list_distances(0u, split, bound, params.depth_terms),
                          list_distances(1u, split, bound, params.depth_terms));
    for (; n < count; n += kLanes) {
        uint start = (chosen[n] >> 16) * kPiece;
        for (uint left = chosen[n] & 0xffffu; left != 0u; left &= left - 1u)
            try_light(first, start + uint(findLSB(left)), tile, bound, own, distances);
    }
}

// Keeps of what is found the lights that reach the middle of a pixel.
void confirm(uint first_chunk, uint tile, float values[kPixelsEach]) {
    uint at = tile * kLists;
    float nearest_of_far = kLists == 2u ? uintBitsToFloat(inner_greatest[tile]) : 1.0;
    for (uint w = 0u; w < kSpanWords; ++w) {
        uint first = found[at * kSpanWords + w];
        uint second = kLists == 2u ? found[(at + 1u) * kSpanWords + w] : 0u;
        for (uint left = first | second; left != 0u; left &= left - 1u) {
            uint bit = left & -left;
            uint i = first_chunk * kChunk + w * 32u + uint(findLSB(left));
            vec4 apex = cones.values[2u * i];
            vec4 axis = cones.values[2u * i + 1u];
            bool open_near = (first & bit) != 0u;
            bool open_far = (second & bit) != 0u;
            bool near = false;
            bool far = false;
            for (uint k = 0u; k < kPixelsEach; ++k) {
                bool in_far = values[k] > nearest_of_far;
                if (values[k] >= 1.0 || !(in_far ? open_far : open_near)) continue;
                float away = distance_of(values[k], params.depth_terms);
                if (!lights_point(apex, axis, seen_point(vec2(pixel_place(tile, k)), away, lens())))
                    continue;
                if (in_far) {
                    far = true;
                    open_far = false;
                } else {
                    near = true;
                    open_near = false;
                }
                if (!open_near && !open_far) break;
            }
            uint chunk = w / kChunkWords;
            if (near) {
                atomicOr(confirmed[at * kSpanWords + w], bit);
                atomicOr(summary[at * span_chunks + chunk], 1u << w % kChunkWords);
            }
            if (far) {
                atomicOr(confirmed[(at + 1u) * kSpanWords + w], bit);
                atomicOr(summary[(at + 1u) * span_chunks + chunk], 1u << w % kChunkWords);
            }
        }
    }
}

// Before the first span.
void empty_lists() {
    uint lane = gl_LocalInvocationID.x;
    for (uint j = lane; j < kFoundWords; j += 256u) {
        found[j] = 0u;
        if (test == kPixels) confirmed[j] = 0u;
    }
    if (lane < kLists * kTiles * span_chunks) summary[lane] = 0u;
}

// Also empties the lists for the next span.
void store(uint first) {
    uint lane = gl_LocalInvocationID.x;
    for (uint j = lane; j < kFoundWords; j += 256u) {
        uint mask = test == kPixels ? confirmed[j] : found[j];
        found[j] = 0u;
        if (test == kPixels) confirmed[j] = 0u;
        uvec2 place = tile_place(j / kSpanWords / kLists);
        uint word = first * kChunkWords + j % kSpanWords;
        if (word >= params.words || any(greaterThanEqual(place, params.tiles))) continue;
        uint list = (place.y * params.tiles.x + place.x) * kLists + j / kSpanWords % kLists;
        masks.values[list * params.words + word] = mask;
    }
    if (lane >= kLists * kTiles * span_chunks) return;
    uint own = lane / span_chunks;
    uint chunk = first + lane % span_chunks;
    uvec2 place = tile_place(own / kLists);
    if (chunk < params.summary_words && all(lessThan(place, params.tiles))) {
        uint list = (place.y * params.tiles.x + place.x) * kLists + own % kLists;
        summaries.values[list * params.summary_words + chunk] = summary[lane];
    }
    summary[lane] = 0u;
}

void main() {
    write_status(params.place_groups);
    uint lane = gl_LocalInvocationID.x;
    uint tile = lane / kLanes;
    float values[kPixelsEach];
    read_depths(tile, values);
    uint piece = piece_of_span(0u);
    empty_lists();
    start_group();
    barrier();
    find_outer_bounds(tile, values);
    barrier();
    find_inner_bounds(tile, values);
    bool shows = block_least < kNoDepthBits;
    Cell block = window_cell(window_of(gl_WorkGroupID.xy * kBlock, kBlock, SIDE, params.size),
                             uintBitsToFloat(block_least), uintBitsToFloat(block_greatest), lens());
    if (has_nodes != 0u) open(block, shows);
    uint turn = 0u;
    for (uint first = 0u; first < params.summary_words; first += span_chunks) {
        uint own_piece = piece;
        piece = piece_of_span(first + span_chunks);
        if (!is_open(first)) continue;
        if (shows) choose(first, turn, own_piece, block);
        barrier();
        if (shows) try_chosen(first, chosen_count[turn]);
        turn ^= 1u;
        if (lane == 0u) chosen_count[turn] = 0u;
        barrier();
        if (test == kPixels) {
            if (shows) confirm(first, tile, values);
            barrier();
        }
        store(first);
    }
    store_bounds();
}
