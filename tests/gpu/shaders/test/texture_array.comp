#version 460
#extension GL_EXT_nonuniform_qualifier : require
// Invocation i looks at the texture that the table names for it.
layout(local_size_x = 64) in;

layout(constant_id = 0) const uint texture_count = 1u;
uniform sampler2D textures[texture_count];
readonly buffer Chosen { uint values[]; } chosen;
writeonly buffer Result { float values[]; } result;

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= chosen.values.length()) return;
    uint texture_id = chosen.values[i];
    result.values[i] = texture_id < texture_count
                           ? textureLod(textures[nonuniformEXT(texture_id)], vec2(0.5), 0.0).x
                           : float(texture_count);
}
