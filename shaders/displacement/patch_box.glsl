#ifndef DISPLACEMENT_PATCH_BOX
#define DISPLACEMENT_PATCH_BOX

struct PatchBox {
    vec3 low;
    vec3 high;
};

#endif
