#version 460
// Looks for numbers in the elements of a buffer that are not finite. Numbers are counted through,
// element by element, those that are floating-point ones alone.
#include "not_finite.glsl"

layout(local_size_x = 256) in;

readonly buffer Source { uint words[]; } source;

const uint kMaxMembers = 64; // as in watch_finite.cpp

// Types of numbers, as in watch_finite.cpp.
const uint kFloat32 = 0;
const uint kFloat16 = 1;
const uint kFloat64 = 2;

uniform Params {
    uint check;         // among those of the graph
    uint first;         // byte of the first element
    uint end;           // byte after the last
    uint element_bytes; // from one element to the next
    uint elements;
    uint numbers;       // of an element
    uint member_count;  // of an element
    uvec4 members[kMaxMembers]; // offset in bytes, numbers, their type, bytes of each
} params;

Findings with_half(Findings so_far, uint index, uint bits) {
    const uint kInfinity = 0x7c00u;
    uint magnitude = bits & 0x7fffu;
    return with_number(so_far, index, magnitude < kInfinity, magnitude > kInfinity);
}

Findings with_double(Findings so_far, uint index, uint low, uint high) {
    const uint kInfinity = 0x7ff00000u;
    uint magnitude = high & 0x7fffffffu;
    return with_number(so_far, index, magnitude < kInfinity,
                       magnitude > kInfinity || (magnitude == kInfinity && low != 0));
}

Findings with_stored(Findings so_far, uint index, uint byte, uint type) {
    uint word = byte / 4;
    uint bits = source.words[word];
    if (type == kFloat16) return with_half(so_far, index, byte % 4 == 0 ? bits : bits >> 16);
    if (type == kFloat64) return with_double(so_far, index, bits, source.words[word + 1]);
    return with_float(so_far, index, bits);
}

void main() {
    Findings findings = nothing_found();
    uint step_size = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < params.elements; i += step_size) {
        uint element = params.first + i * params.element_bytes;
        uint index = i * params.numbers;
        for (uint m = 0; m < params.member_count; ++m) {
            uvec4 member = params.members[m];
            for (uint n = 0; n < member.y; ++n, ++index) {
                uint byte = element + member.x + n * member.w;
                if (byte + member.w <= params.end)
                    findings = with_stored(findings, index, byte, member.z);
            }
        }
    }
    report(params.check, findings);
}
