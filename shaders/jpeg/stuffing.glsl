// Bytes of 255 among the entropy-coded data, after each of which a zero is stuffed.

uint count_255(uint word) {
    uint rest = ~word; // which byte is 0?
    uint low = (rest & 0x7f7f7f7fu) + 0x7f7f7f7fu;
    return uint(bitCount(~(low | rest | 0x7f7f7f7fu)));
}
