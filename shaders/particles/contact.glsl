// What two balls that touch do to each other. Before the include, declare the members below in
// `Params`, and a function that tells the particle of an index of the other array:
//
//     float squared_distance; // of middles at which balls touch
//     float distance;
//     float push;             // velocity for a unit of overlap
//     float exchange;         // share of the closing velocity: 1/2 stops it, 1 reverses it
//     float friction;         // share of the velocity along each other
//     uint particle_of(uint index);

// Where two middles are one point there is no direction from one to the other: the same axis for
// both, in opposite directions.
vec3 fixed_direction(uint id, uint other) {
    vec3 axis = vec3(0.0);
    axis[(id + other) % 3u] = id < other ? 1.0 : -1.0;
    return axis;
}

const float kOnePoint = 1e-30; // squared distance below which a direction is lost to rounding

// Adds what the ball `index` of the other array does to the velocity of ball `id`. The sign of all
// that is added is the opposite for the other ball, to the bit, so momentum is kept.
void touch(uint id, vec3 position, vec3 velocity, uint index, vec3 other_position,
           vec3 other_velocity, inout vec3 change, inout uint contacts) {
    precise vec3 between = other_position - position;
    precise float squared =
        between.x * between.x + between.y * between.y + between.z * between.z;
    if (!(squared < params.squared_distance)) return;
    ++contacts;
    float apart = sqrt(squared);
    vec3 normal = squared > kOnePoint ? between / apart : fixed_direction(id, particle_of(index));
    vec3 relative = velocity - other_velocity;
    float closing = dot(relative, normal);
    // Balls push, they do not pull.
    float pressed = max(params.push * (params.distance - apart) + params.exchange * closing, 0.0);
    change -= pressed * normal + params.friction * (relative - closing * normal);
}
