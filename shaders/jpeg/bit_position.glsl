// Where a block's bits begin in the entropy-coded data. Include after shape.glsl.

readonly buffer Offsets { uint bits[]; } offsets;   // of all blocks before
readonly buffer Segments { uint bytes[]; } segments; // before a segment: of restart markers' places, too

uint bit_position(uint block) {
    if (restart == 0u) return offsets.bits[block];
    uint segment = block / (restart * kUnitBlocks);
    return 8u * segments.bytes[segment] + offsets.bits[block] - offsets.bits[segment * restart * kUnitBlocks];
}
