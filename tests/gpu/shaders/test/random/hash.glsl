// A few rounds of multiply and shift: whatever is wrong in the input changes all of the output.
uint hash(uint x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
}

uint hash(uint a, uint b) { return hash(a * 31u + hash(b)); }
