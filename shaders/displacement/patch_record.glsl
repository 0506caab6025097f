// A quad that a map displaces.
#ifndef DISPLACEMENT_PATCH_RECORD
#define DISPLACEMENT_PATCH_RECORD

// `PatchRecord`, member by member. Corners go round: a at (0, 0), b at (1, 0), c at (1, 1), d at (0, 1).
struct PatchRecord {
    vec3 a;
    float u_a;
    vec3 b;
    float u_b;
    vec3 c;
    float u_c;
    vec3 d;
    float u_d;
    vec3 normal_a; // of any length
    float v_a;
    vec3 normal_b;
    float v_b;
    vec3 normal_c;
    float v_c;
    vec3 normal_d;
    float v_d;
};

#endif
