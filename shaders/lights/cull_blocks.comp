#version 460
// Bounds of 4 x 4 tiles, and the lights that may reach what they show, in one go: the block's part
// of the view chooses lights, and its tiles choose from these.
//
// 16 invocations a tile look at pixels; for the rest each invocation has one tile and every 16th
// light of those chosen.
//! variants SIDE=8,16,32

layout(local_size_x = 256) in;
layout(constant_id = 0) const uint test = 2u;
layout(constant_id = 1) const uint split = 0u;
layout(constant_id = 2) const uint has_nodes = 0u; // 1: balls about 32 and 1024 lights follow theirs
layout(constant_id = 3) const uint has_strips = 0u;

#include "status.glsl"
#include "tile.glsl"

const uint kBlock = 4u; // tiles along a side
const uint kTiles = 16u;
const uint kLanes = 16u;       // of a tile
const uint kMaxChunks = 128u; // of the lights that there may be
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
shared Cell cells[kTiles];            // of the first lists
shared vec2 second_distances[kTiles]; // near and far of the second ones, whose sides are the same
shared uint chosen[kChunk];
shared uint chosen_count;
const uint kFoundWords = (split == kHalf || split == kModifiedHalf ? 2u : 1u) * kTiles * kChunkWords;
shared uint found[kFoundWords];
shared uint confirmed[test == kPixels ? kFoundWords : 1u];
shared uint summary[2u * kTiles];
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

// 1 where there is nothing, or nothing sensible.
float depth_of_pixel(uvec2 pixel, float value) {
    bool shown = all(lessThan(pixel, uvec2(params.size))) && shows_something(value);
    return shown ? value + 0.0 : 1.0;
}

void read_depths(uint tile, out float values[kPixelsEach]) {
    vec2 scale = 1.0 / params.size;
    for (uint k = 0u; k < kPixelsEach; k += 4u) {
        vec2 middle = vec2(pixel_place(tile, k + 3u)) + 1.0; // between the four
        vec4 square = textureGather(depth, middle * scale);
        for (uint i = 0u; i < 4u; ++i)
            values[k + i] = depth_of_pixel(pixel_place(tile, k + i), square[i]);
    }
}

vec4 bound_of(uint tile) {
    return uintBitsToFloat(uvec4(least[tile], inner_greatest[tile], inner_least[tile],
                                 greatest[tile]));
}

void find_bounds(uint tile, float values[kPixelsEach]) {
    uint lane = gl_LocalInvocationID.x;
    if (lane < kTiles) {
        least[lane] = kNoDepthBits;
        greatest[lane] = 0u;
        inner_least[lane] = kNoDepthBits;
        inner_greatest[lane] = 0u;
        slice_bits[lane] = 0u;
    }
    if (lane == 0u) {
        block_least = kNoDepthBits;
        block_greatest = 0u;
    }
    barrier();
    vec2 own = vec2(1.0, 0.0);
    for (uint k = 0u; k < kPixelsEach; ++k)
        if (values[k] < 1.0) own = vec2(min(own.x, values[k]), max(own.y, values[k]));
    if (own.x < 1.0) {
        atomicMin(least[tile], floatBitsToUint(own.x));
        atomicMax(greatest[tile], floatBitsToUint(own.y));
    }
    barrier();
    float low = uintBitsToFloat(least[tile]);
    float high = uintBitsToFloat(greatest[tile]);
    float near = distance_of(low, params.depth_terms);
    float slices = slices_a_unit(near, distance_of(high, params.depth_terms));
    float middle = middle_depth(low, high, params.depth_terms);
    vec2 inner = vec2(1.0, 0.0);
    uint bits = 0u;
    for (uint k = 0u; k < kPixelsEach; ++k) {
        if (values[k] >= 1.0) continue;
        if (values[k] > middle) inner.x = min(inner.x, values[k]);
        else inner.y = max(inner.y, values[k]);
        if (split == kMask)
            bits |= 1u << slice_of(distance_of(values[k], params.depth_terms), near, slices);
    }
    if (inner.x < 1.0) atomicMin(inner_least[tile], floatBitsToUint(inner.x));
    if (own.x < 1.0) atomicMax(inner_greatest[tile], floatBitsToUint(inner.y));
    if (bits != 0u) atomicOr(slice_bits[tile], bits);
    if (lane < kTiles) {
        atomicMin(block_least, least[lane]);
        atomicMax(block_greatest, greatest[lane]);
    }
    barrier();
    uvec2 place = tile_place(lane);
    if (lane < kTiles && all(lessThan(place, params.tiles)))
        bounds.values[place.y * params.tiles.x + place.x] = bound_of(lane);
}

vec4 node_ball(uint node) {
    return balls.values[params.stride * params.count + node];
}

// Lights of a chunk that may reach what the block shows. Four a time are those of the block's column
// and row, which meet its sides.
void choose(uint chunk, Cell block) {
    uint lane = gl_LocalInvocationID.x;
    if (has_strips != 0u) {
        uint word = chunk * kChunkWords + lane / 8u;
        if (word >= params.words) return;
        uvec2 strip = gl_WorkGroupID.xy + uvec2(0u, gl_NumWorkGroups.x);
        uint reach = strips.values[strip.x * params.words + word] &
                     strips.values[strip.y * params.words + word];
        uint left = reach >> 4u * (lane % 8u) & 15u;
        if (left == 0u || (has_nodes != 0u && !meets(node_ball(word), block, kBlockTest))) return;
        for (; left != 0u; left &= left - 1u) {
            uint k = 4u * lane + uint(findLSB(left));
            if (meets_depths(balls.values[params.stride * (chunk * kChunk + k)], block))
                chosen[atomicAdd(chosen_count, 1u)] = k;
        }
        return;
    }
    for (uint k = lane; k < kChunk; k += 256u) {
        uint i = chunk * kChunk + k;
        if (i >= params.count) break;
        if (has_nodes != 0u && !meets(node_ball(i / 32u), block, kBlockTest)) continue;
        if (meets(balls.values[params.stride * i], block, kBlockTest))
            chosen[atomicAdd(chosen_count, 1u)] = k;
    }
}

void try_chosen(uint chunk, uint lists) {
    uint tile = gl_LocalInvocationID.x % kTiles;
    vec4 bound = bound_of(tile);
    if (bound.x >= 1.0) return;
    Cell own = cells[tile];
    vec4 distances = vec4(own.near, own.far, second_distances[tile]);
    for (uint n = gl_LocalInvocationID.x / kTiles; n < chosen_count; n += kLanes) {
        uint k = chosen[n];
        uint i = chunk * kChunk + k;
        vec4 ball = balls.values[params.stride * i];
        if (split == kMask &&
            (slices_of(ball, bound, params.depth_terms) & slice_bits[tile]) == 0u)
            continue;
        if (!(ball.w > 0.0) || (test != kBox && !meets_sides(ball, own))) continue;
        for (uint list = 0u; list < lists; ++list) {
            own.near = list == 0u ? distances.x : distances.z;
            own.far = list == 0u ? distances.y : distances.w;
            if (own.near > own.far || !meets_between(ball, own, test)) continue;
            if (!cone_meets(cones.values[2u * i], cones.values[2u * i + 1u], own)) continue;
            uint at = tile * lists + list;
            atomicOr(found[at * kChunkWords + k / 32u], 1u << (k % 32u));
            if (test != kPixels) atomicOr(summary[at], 1u << (k / 32u));
        }
    }
}

// Keeps of what is found the lights that reach the middle of a pixel.
void confirm(uint chunk, uint tile, uint lists, float values[kPixelsEach]) {
    uint at = tile * lists;
    float nearest_of_far = lists == 2u ? uintBitsToFloat(inner_greatest[tile]) : 1.0;
    for (uint w = 0u; w < kChunkWords; ++w) {
        uint first = found[at * kChunkWords + w];
        uint second = lists == 2u ? found[(at + 1u) * kChunkWords + w] : 0u;
        for (uint left = first | second; left != 0u; left &= left - 1u) {
            uint bit = left & -left;
            uint i = chunk * kChunk + w * 32u + uint(findLSB(left));
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
            if (near) {
                atomicOr(confirmed[at * kChunkWords + w], bit);
                atomicOr(summary[at], 1u << w);
            }
            if (far) {
                atomicOr(confirmed[(at + 1u) * kChunkWords + w], bit);
                atomicOr(summary[at + 1u], 1u << w);
            }
        }
    }
}

// By the balls about chunks; the summaries of others become 0.
void open(Cell block, bool shows, uint lists) {
    uint lane = gl_LocalInvocationID.x;
    uint first_top = (params.count + 31u) / 32u;
    if (lane < kMaxChunks / 32u) open_chunks[lane] = 0u;
    barrier();
    if (lane < params.summary_words && params.count > 0u && shows &&
        meets(node_ball(first_top + lane), block, kBlockTest))
        atomicOr(open_chunks[lane / 32u], 1u << (lane % 32u));
    barrier();
    for (uint j = lane; j < lists * kTiles * params.summary_words; j += 256u) {
        uint chunk = j % params.summary_words;
        uint list = j / params.summary_words;
        uvec2 place = tile_place(list / lists);
        if ((open_chunks[chunk / 32u] >> (chunk % 32u) & 1u) != 0u ||
            any(greaterThanEqual(place, params.tiles)))
            continue;
        uint at = (place.y * params.tiles.x + place.x) * lists + list % lists;
        summaries.values[at * params.summary_words + chunk] = 0u;
    }
}

void store(uint chunk, uint lists) {
    uint lane = gl_LocalInvocationID.x;
    for (uint j = lane; j < lists * kTiles * kChunkWords; j += 256u) {
        uint w = j % kChunkWords;
        uvec2 place = tile_place(j / kChunkWords / lists);
        uint word = chunk * kChunkWords + w;
        if (word >= params.words || any(greaterThanEqual(place, params.tiles))) continue;
        uint list = (place.y * params.tiles.x + place.x) * lists + j / kChunkWords % lists;
        masks.values[list * params.words + word] = test == kPixels ? confirmed[j] : found[j];
    }
    uvec2 place = tile_place(lane / lists);
    if (lane < lists * kTiles && all(lessThan(place, params.tiles))) {
        uint list = (place.y * params.tiles.x + place.x) * lists + lane % lists;
        summaries.values[list * params.summary_words + chunk] = summary[lane];
    }
}

void main() {
    write_status(params.place_groups);
    uint lane = gl_LocalInvocationID.x;
    uint lists = has_two_lists(split) ? 2u : 1u;
    uint tile = lane / kLanes;
    float values[kPixelsEach];
    read_depths(tile, values);
    find_bounds(tile, values);

    if (lane < 2u * kTiles) {
        uint of_tile = lane % kTiles;
        Cell cell = list_cell(lane / kTiles, split, bound_of(of_tile),
                              window_of(tile_place(of_tile), 1u, SIDE, params.size), lens());
        if (lane < kTiles) cells[of_tile] = cell;
        else second_distances[of_tile] = vec2(cell.near, cell.far);
    }
    Cell block = window_cell(window_of(gl_WorkGroupID.xy * kBlock, kBlock, SIDE, params.size),
                             uintBitsToFloat(block_least), uintBitsToFloat(block_greatest), lens());
    bool shows = block_least < kNoDepthBits;
    if (has_nodes != 0u) open(block, shows, lists);
    for (uint chunk = 0u; chunk < params.summary_words; ++chunk) {
        if (has_nodes != 0u && (open_chunks[chunk / 32u] >> (chunk % 32u) & 1u) == 0u) continue;
        barrier();
        if (lane == 0u) chosen_count = 0u;
        if (lane < 2u * kTiles) summary[lane] = 0u;
        for (uint j = lane; j < lists * kTiles * kChunkWords; j += 256u) {
            found[j] = 0u;
            if (test == kPixels) confirmed[j] = 0u;
        }
        barrier();
        if (shows) choose(chunk, block);
        barrier();
        if (shows) try_chosen(chunk, lists);
        barrier();
        if (test == kPixels) {
            if (shows) confirm(chunk, tile, lists, values);
            barrier();
        }
        store(chunk, lists);
    }
}
