// What the passes that capture fragments are told about their lists.
layout(push_constant) uniform Lists {
    uvec2 origin;   // of the rectangle that is captured, in pixels
    uvec2 size;     // of the rectangle
    uint capacity;  // fragments that there is room for
    vec2 depths;    // scale and bias: where the depths that occur come to lie in [0, 1]
    uvec4 modes[4]; // two bits a material: how it is blended
} lists;

const uint kMostModes = 256u; // materials; those beyond are blended over what lies behind
