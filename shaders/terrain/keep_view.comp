#version 460
// Keeps the camera for the next frame, which looks at what hid what in this one.

layout(local_size_x = 1) in;

writeonly buffer View { mat4 clip_from_world; } view;
uniform Params { mat4 clip_from_world; } params;

void main() {
    view.clip_from_world = params.clip_from_world;
}
