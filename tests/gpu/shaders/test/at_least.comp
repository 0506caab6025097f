#version 460
layout(local_size_x = 1) in;

readonly buffer Source { uint value; } source;
writeonly buffer Done { uint value; } done;
uniform Params { uint bound; } params;

void main() { done.value = source.value >= params.bound ? 1u : 0u; }
