#version 460
layout(local_size_x = 1) in;

buffer State { uint value; } state;
writeonly buffer Done { uint value; } done;

void main() {
    const uint n = state.value;
    const uint next = n % 2u == 0u ? n / 2u : 3u * n + 1u;
    state.value = next;
    done.value = next == 1u ? 7u : 0u;
}
