// Looking up the textures of a scene's materials. Fragment stage, after scene.glsl.

// A slot's texture at the coordinates uv0, uv1 that it asks for (KHR_texture_transform). The
// derivatives are those of the interpolated coordinates, which every invocation of a quad has: what
// helper invocations read from the buffer of materials, some devices leave at 0, and then a
// derivative of transformed coordinates picks a wrong mip along the edges of triangles.
vec4 material_texture(sampler2D map, TextureSlot slot, vec4 coordinates) {
    mat2 transform = mat2(slot.matrix.xy, slot.matrix.zw);
    vec4 dx = dFdx(coordinates);
    vec4 dy = dFdy(coordinates);
    bool first = slot.uv_set == 0;
    return textureGrad(map, transform * (first ? coordinates.xy : coordinates.zw) + slot.offset,
                       transform * (first ? dx.xy : dx.zw), transform * (first ? dy.xy : dy.zw));
}

// The normal of a face's front, as the normal map tilts it. Tangents without a direction tilt nothing.
vec3 mapped_normal(sampler2D map, TextureSlot slot, vec4 coordinates, float scale, vec3 normal,
                   vec4 vertex_tangent) {
    vec3 tangent = vertex_tangent.xyz - normal * dot(normal, vertex_tangent.xyz);
    float size = length(tangent);
    if (size <= 1e-6 * length(vertex_tangent.xyz)) return normal;
    tangent /= size;
    vec3 bitangent = cross(normal, tangent) * sign(vertex_tangent.w);
    vec3 texel = material_texture(map, slot, coordinates).xyz * 2.0 - 1.0;
    texel.xy *= scale;
    return normalize(tangent * texel.x + bitangent * texel.y + normal * texel.z);
}
