// Light from an environment: panoramas, cube maps, and the lookups of image-based lighting
// (passes/scene/environment_map.hpp).
//
// Directions are right-handed with +y up. The centre of a panorama looks along -z and u grows to
// the right as seen from inside, so that +x lies at u = 0.75; v = 0 is straight up. Columns and
// rows are equal steps of longitude and latitude.

const float kEnvironmentPi = 3.14159265358979;

// --- panoramas -----------------------------------------------------------------------------------

// Texture coordinates in [0, 1] of a direction of any length but 0. Straight up and down, where
// every u is right, u is 0.5.
vec2 panorama_uv(vec3 direction) {
    float across = length(direction.xz);
    float longitude = across > 0.0 ? atan(direction.x, -direction.z) : 0.0;
    // atan keeps its precision at the poles, where acos loses half of it.
    float from_top = atan(across, direction.y);
    return vec2(longitude / (2.0 * kEnvironmentPi) + 0.5, from_top / kEnvironmentPi);
}

// The unit direction at texture coordinates `uv`: the inverse of `panorama_uv`.
vec3 panorama_direction(vec2 uv) {
    float longitude = (uv.x - 0.5) * 2.0 * kEnvironmentPi;
    float from_top = uv.y * kEnvironmentPi;
    float across = sin(from_top);
    return vec3(across * sin(longitude), cos(from_top), -across * cos(longitude));
}

// --- cube maps -----------------------------------------------------------------------------------

// The direction, not of unit length, through the point `st` in [-1, 1] of a face: x to the right
// and y down in the face's image. Faces are +x, -x, +y, -y, +z, -z ("Cube Map Face Selection" of
// the Vulkan specification).
vec3 cube_direction(int face, vec2 st) {
    switch (face) {
    case 0: return vec3(1.0, -st.y, -st.x);
    case 1: return vec3(-1.0, -st.y, st.x);
    case 2: return vec3(st.x, 1.0, st.y);
    case 3: return vec3(st.x, -1.0, -st.y);
    case 4: return vec3(st.x, -st.y, 1.0);
    default: return vec3(-st.x, -st.y, -1.0);
    }
}

// Centre of a texel as `cube_direction` takes it.
vec2 cube_texel_centre(ivec2 texel, int side) {
    return (2.0 * vec2(texel) + 1.0) / float(side) - 1.0;
}

// Solid angle, in steradians, of a small square of side `width` about `st`: by how much the square
// is further away than the face's centre, and tilted.
float cube_solid_angle(vec2 st, float width) {
    float distance_squared = 1.0 + dot(st, st);
    return width * width * inversesqrt(distance_squared) / distance_squared;
}

// --- lookups -------------------------------------------------------------------------------------

// Where a direction of the world lies in a map that was turned by `degrees` about +y, counter-
// clockwise as seen from above. Every lookup below takes such a direction of the map.
vec3 environment_direction(vec3 world, float degrees) {
    float c = cos(radians(degrees));
    float s = sin(radians(degrees));
    return vec3(c * world.x - s * world.z, world.y, s * world.x + c * world.z);
}

// Radiance that a white Lambertian surface with this unit normal gives off, from the nine
// coefficients of `EnvironmentMap::irradiance`; they hold the constants of the basis and of the
// cosine lobe already (Ramamoorthi and Hanrahan, "An Efficient Representation for Irradiance
// Environment Maps", SIGGRAPH 2001). A band-limited sun undershoots behind the surface by 4 percent
// of its peak at most; that is cut off at 0.
vec3 environment_diffuse(vec3 normal, vec4 coefficients[9]) {
    vec3 n = normal;
    vec3 sum = coefficients[0].rgb;
    sum += coefficients[1].rgb * n.y;
    sum += coefficients[2].rgb * n.z;
    sum += coefficients[3].rgb * n.x;
    sum += coefficients[4].rgb * (n.x * n.y);
    sum += coefficients[5].rgb * (n.y * n.z);
    sum += coefficients[6].rgb * (3.0 * n.z * n.z - 1.0);
    sum += coefficients[7].rgb * (n.x * n.z);
    sum += coefficients[8].rgb * (n.x * n.x - n.y * n.y);
    return max(sum, vec3(0.0));
}

// The level of `EnvironmentMap::specular` that is prefiltered for a perceptual roughness in [0, 1];
// `mips` is the map's number of levels.
float environment_specular_lod(float roughness, int mips) {
    return clamp(roughness, 0.0, 1.0) * float(mips - 1);
}

// See DeviceCaps::seamless_cubes; passes set it by `specialize_cube_lookups`.
layout(constant_id = 30) const uint kSeamlessCubes = 0;

// `direction`, moved so far into the face it points at that filtering takes no texels beyond the
// face: not even with weight 0, for what lies there need not be a number. side: of the face's image.
vec3 within_cube_face(vec3 direction, int side) {
    const float kTexels = 0.5 + 1.0 / 64.0; // from the edge; devices round coordinates
    vec3 size = abs(direction);
    float major = max(size.x, max(size.y, size.z));
    float most = major * max(1.0 - 2.0 * kTexels / float(side), 0.0);
    vec3 limit = mix(vec3(most), vec3(major), equal(size, vec3(major)));
    return clamp(direction, -limit, limit);
}

// A level of one texel is filtered with what lies beyond it wherever it is looked at: the middle of
// the four texels stands for it whose mean it is.
vec3 cube_level_within_face(samplerCube cube, vec3 direction, float level) {
    // Not textureSize(cube, int(level)): llvmpipe takes one invocation's level for all.
    int side = max(textureSize(cube, 0).x >> int(level), 1);
    vec3 within = within_cube_face(direction, side);
    return textureLod(cube, within, side == 1 ? max(level - 1.0, 0.0) : level).rgb;
}

// Colour of a cube, filtered linearly. Where the device does not know the neighbours of a face, the
// nearest texels of the face itself stand for them.
vec3 cube_radiance(samplerCube cube, vec3 direction, float lod) {
    if (kSeamlessCubes != 0) return textureLod(cube, direction, lod).rgb;
    lod = clamp(lod, 0.0, float(textureQueryLevels(cube) - 1));
    vec3 finer = cube_level_within_face(cube, direction, floor(lod));
    vec3 coarser = cube_level_within_face(cube, direction, ceil(lod));
    return mix(finer, coarser, fract(lod));
}

// Prefiltered radiance about a reflected direction. Sampler: linear, also between the levels.
vec3 environment_specular(samplerCube specular, vec3 reflected, float roughness) {
    float lod = environment_specular_lod(roughness, textureQueryLevels(specular));
    return cube_radiance(specular, reflected, lod);
}

// Radiance of the panorama itself, for what lies behind a scene. Sampler: linear, u repeats, v is
// clamped.
vec3 environment_background(sampler2D panorama, vec3 direction) {
    vec3 radiance = textureLod(panorama, panorama_uv(direction), 0.0).rgb;
    radiance = mix(radiance, vec3(0.0), isnan(radiance));
    return clamp(radiance, 0.0, 65504.0);
}

// --- the split sum -------------------------------------------------------------------------------

// Scale and bias of the specular colour: a surface under even light reflects f0 * x + y of it after
// one bounce among its microfacets. Sampler: linear, clamped.
vec2 environment_dfg(sampler2D dfg, float n_dot_v, float roughness) {
    return textureLod(dfg, clamp(vec2(n_dot_v, roughness), 0.0, 1.0), 0.0).rg;
}

// What to multiply the two lookups by: radiance = weights.specular * environment_specular +
// weights.diffuse * environment_diffuse.
struct EnvironmentWeights {
    vec3 specular;
    vec3 diffuse;
};

// Fdez-Aguera, "A Multiple-Scattering Microfacet Model for Real-Time Image Based Lighting", JCGT
// 8(1), 2019. Light that bounces several times among the microfacets, which the table leaves out,
// comes back as diffuse light tinted by the specular colour; a surface with f0 = 1, or with
// f0 = 0.04 and a white base, reflects all of even light at every roughness.
// dfg: from `environment_dfg`. f0: reflectance along the normal. base: diffuse albedo, black for
// metals.
EnvironmentWeights environment_weights(vec2 dfg, vec3 f0, vec3 base) {
    vec3 single = f0 * dfg.x + dfg.y;
    float missing = 1.0 - min(dfg.x + dfg.y, 1.0);
    vec3 average = f0 + (1.0 - f0) / 21.0; // of Schlick's Fresnel term over the hemisphere
    vec3 multiple = missing * single * average / (1.0 - average * missing);
    return EnvironmentWeights(single, multiple + base * (1.0 - single - multiple));
}
