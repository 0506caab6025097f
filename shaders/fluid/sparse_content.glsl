#ifndef FLUID_SPARSE_CONTENT
#define FLUID_SPARSE_CONTENT
// How much bricks of smoke hold, where a full pool takes the slots of those that hold least.

float content_of(vec4 dye) {
    vec4 size = abs(dye);
    float most = max(max(size.x, size.y), max(size.z, size.w));
    return most < 1e30 ? most : 0.0; // also what is not finite
}

// The bits of floats that are not negative have the order of their values.
uint weight_of_content(float content) {
    return floatBitsToUint(content);
}

#endif
