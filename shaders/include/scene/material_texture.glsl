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
