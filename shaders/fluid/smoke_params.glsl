    ivec3 dims; // of the flow
    uint faces;
    ivec3 dye_dims;
    int scale;        // cells of the dye to one of the flow
    float extinction; // of smoke of amount 1, 1 / cell of the dye
    vec3 towards_light; // of unit length
