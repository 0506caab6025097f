// Place of a coefficient, row * 8 + column, by its number in the order of the file: four to a word.
const uint kZigzag[16] =
    uint[](0x10080100u, 0x0a030209u, 0x19201811u, 0x05040b12u,
           0x211a130cu, 0x22293028u, 0x060d141bu, 0x1c150e07u,
           0x38312a23u, 0x242b3239u, 0x170f161du, 0x332c251eu,
           0x2d343b3au, 0x2e271f26u, 0x363d3c35u, 0x3f3e372fu);

uint place_of(uint number) {
    return kZigzag[number >> 2] >> (8u * (number & 3u)) & 0xffu;
}
