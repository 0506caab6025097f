#version 460
// The maps that the next frame is aligned with: this frame's, or where the camera is lost those of before.
layout(local_size_x = 16, local_size_y = 16) in;

readonly buffer CameraPose { vec4 rows[]; } camera_pose;
uniform sampler2D new_geometry_0;
uniform sampler2D new_geometry_1;
uniform sampler2D new_geometry_2;
uniform sampler2D new_grey_0;
uniform sampler2D new_grey_1;
uniform sampler2D new_grey_2;
uniform sampler2D old_geometry_0;
uniform sampler2D old_geometry_1;
uniform sampler2D old_geometry_2;
uniform sampler2D old_grey_0;
uniform sampler2D old_grey_1;
uniform sampler2D old_grey_2;
writeonly uniform image2D geometry_0;
writeonly uniform image2D geometry_1;
writeonly uniform image2D geometry_2;
writeonly uniform image2D grey_0;
writeonly uniform image2D grey_1;
writeonly uniform image2D grey_2;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    bool is_new = camera_pose.rows[3].w == 1.0;
    if (all(lessThan(at, imageSize(geometry_0)))) {
        imageStore(geometry_0, at, is_new ? texelFetch(new_geometry_0, at, 0) : texelFetch(old_geometry_0, at, 0));
        imageStore(grey_0, at, is_new ? texelFetch(new_grey_0, at, 0) : texelFetch(old_grey_0, at, 0));
    }
    if (all(lessThan(at, imageSize(geometry_1)))) {
        imageStore(geometry_1, at, is_new ? texelFetch(new_geometry_1, at, 0) : texelFetch(old_geometry_1, at, 0));
        imageStore(grey_1, at, is_new ? texelFetch(new_grey_1, at, 0) : texelFetch(old_grey_1, at, 0));
    }
    if (all(lessThan(at, imageSize(geometry_2)))) {
        imageStore(geometry_2, at, is_new ? texelFetch(new_geometry_2, at, 0) : texelFetch(old_geometry_2, at, 0));
        imageStore(grey_2, at, is_new ? texelFetch(new_grey_2, at, 0) : texelFetch(old_grey_2, at, 0));
    }
}
