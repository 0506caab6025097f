#version 460
layout(local_size_x = 1) in;

// One step of Newton's method for the whole square root: from x0 >= sqrt(square) it falls until the
// root is reached.
readonly buffer Source { uint value; } source;
writeonly buffer Target { uint value; } target;
writeonly buffer Done { uint value; } done;
uniform Params { uint square; } params;

void main() {
    const uint x = source.value;
    const uint next = (x + params.square / x) / 2u;
    target.value = min(x, next);
    done.value = next >= x ? 1u : 0u;
}
