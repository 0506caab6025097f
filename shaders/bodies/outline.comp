#version 460
// What a step needs of each body: the box around it, enlarged by how far it may go, its inertia in the
// world, and its velocity after gravity.

layout(local_size_x = 256) in;

#include "body.glsl"
#include "invocation.glsl"
#include "status.glsl"

readonly buffer Places { vec4 values[]; } places;
readonly buffer Turns { vec4 values[]; } turns;
readonly buffer Motions { vec4 values[]; } motions;
readonly buffer Shapes { vec4 values[]; } shapes;
readonly buffer Rest { vec2 values[]; } rest;
writeonly buffer Boxes { vec4 values[]; } boxes;     // low corner and enlargement; high and flags
writeonly buffer Masses { vec4 values[]; } masses;   // two quads a body
writeonly buffer Pushed { vec4 values[]; } pushed;   // motions
buffer Status { BodiesStatus elements[]; } status;

uniform Params {
    uint count;
    float dt;
    vec3 gravity;
    float kept; // share of the velocity that damping leaves
    float margin;
    float reach;
} params;

const uint kMoves = 1u;
const uint kIsThere = 2u;

vec3 half_box(Shape shape, vec4 turn) {
    mat3 frame = frame_of(turn);
    mat3 sizes = mat3(abs(frame[0]), abs(frame[1]), abs(frame[2]));
    if (shape.kind == kSphere) return vec3(shape.size.x);
    if (shape.kind == kCapsule) return sizes[1] * shape.size.y + shape.size.x;
    if (shape.kind == kPlane) return vec3(kFarAway);
    return sizes * shape.size;
}

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    vec4 place = places.values[i];
    vec4 turn = turns.values[i];
    vec4 velocity = motions.values[2u * i];
    vec4 spin = motions.values[2u * i + 1u];
    vec4 second = shapes.values[2u * i + 1u];
    Shape shape = shape_of(shapes.values[2u * i], second);
    bool whole = is_finite(place) && is_finite(turn);
    bool sleeps = rest.values[i].y != 0.0;
    bool dynamic = whole && place.w > 0.0 && shape.kind < kPlane;
    bool moves_well = is_finite(velocity.xyz) && is_finite(spin.xyz);
    if (!whole || (dynamic && !moves_well)) atomicAdd(status.elements[0].reset, 1u);
    if (!moves_well || !dynamic || sleeps) {
        velocity.xyz = vec3(0.0);
        spin.xyz = vec3(0.0);
    } else {
        velocity.xyz = (velocity.xyz + params.gravity * params.dt) * params.kept;
        spin.xyz *= params.kept;
    }
    vec3 principal = sound_moments(second.xyz, place.w, shape.size);
    Mass mass = mass_of(place.w, principal, turn);
    if (!dynamic || sleeps) mass = Mass(vec4(0.0), vec4(0.0));
    float around = params.margin +
                   (dynamic ? min(length(velocity.xyz) * params.dt, params.reach) : 0.0);
    vec3 size = half_box(shape, turn) + around;
    uint flags = (dynamic ? kMoves : 0u) | (whole && shape.kind < kNothing ? kIsThere : 0u);
    if ((flags & kIsThere) == 0u) {
        place.xyz = vec3(2.0 * kFarAway); // where nothing else is
        size = vec3(0.0);
    }
    vec3 high = place.xyz + size;
    if (shape.kind == kPlane) {
        // Where the plane is level, its half-space ends there.
        vec3 up = rotated(turn, vec3(0.0, 1.0, 0.0));
        for (int axis = 0; axis < 3; ++axis) {
            if (up[axis] > 0.999999) high[axis] = place[axis] + around;
        }
    }
    boxes.values[2u * i] = vec4(place.xyz - size, around);
    boxes.values[2u * i + 1u] = vec4(high, uintBitsToFloat(flags));
    masses.values[2u * i] = mass.first;
    masses.values[2u * i + 1u] = mass.second;
    pushed.values[2u * i] = velocity;
    pushed.values[2u * i + 1u] = spin;
}
