// What a face says of the media that the eye is in: what a ray enters on its way to infinity and
// does not leave again it was not in, and the other way round. Blended by addition, or counted for
// each medium where 32-bit floats cannot be blended. Include volume/capture_fragment.glsl before.

#if BLENDED

layout(location = 0) out vec4 near_extinction; // fourth: how many media
layout(location = 1) out vec4 near_emission;   // fourth: shadows of the first light
layout(location = 2) out vec4 near_scatter;    // and of the second
#if MANY_LIGHTS
layout(location = 3) out vec4 near_shadows; // of lights 2 to 5, and kSecondCount times 6 and 7
#endif

void add_near_state() {
    float sign = gl_FrontFacing ? -1.0 : 1.0;
    int kind = kind_of(params.scatter[medium]);
    float is_medium = kind == kMedium ? sign : 0.0;
    near_extinction = vec4(is_medium * params.extinction[medium].rgb, is_medium);
    near_emission = vec4(is_medium * params.emission[medium].rgb, kind == 1 ? sign : 0.0);
    near_scatter = vec4(is_medium * params.scatter[medium].rgb, kind == 2 ? sign : 0.0);
#if MANY_LIGHTS
    near_shadows = vec4(0.0);
    if (kind >= 3) near_shadows[(kind - 3) & 3] = kind >= 7 ? sign * kSecondCount : sign;
#endif
}

#else

// Two media share a word: shaders/volume/near_images.comp takes them apart.
buffer Near { int words[]; } near;

void add_near_state() {
    int sign = gl_FrontFacing ? -1 : 1;
    atomicAdd(near.words[pixel_number() * params.near_words + medium / 2u],
              sign * ((medium & 1u) == 0u ? 1 : 1 << 16));
}

#endif
