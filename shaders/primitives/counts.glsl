// Sums of words, for primitives/tile_scan.glsl and primitives/look_back.glsl, where what is scanned
// are counts and not the elements.
#extension GL_KHR_shader_subgroup_arithmetic : require

uint identity() {
    return 0u;
}

uint combine(uint a, uint b) {
    return a + b;
}

uint subgroup_combine(uint word) {
    return subgroupAdd(word);
}

uint subgroup_exclusive(uint word) {
    return subgroupExclusiveAdd(word);
}
