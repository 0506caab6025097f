// What two balls that touch do to each other.

struct Contact {
    float squared_distance; // of middles at which balls touch
    float distance;
    float push;     // velocity for a unit of overlap
    float exchange; // share of the closing velocity: 1/2 stops it, 1 reverses it
    float friction; // share of the velocity along each other
};

// Where two middles are one point there is no direction from one to the other: the same axis for
// both, in opposite directions.
vec3 fixed_direction(uint id, uint other) {
    vec3 axis = vec3(0.0);
    axis[(id + other) % 3u] = id < other ? 1.0 : -1.0;
    return axis;
}

const float kOnePoint = 1e-30; // squared distance below which a direction is lost to rounding

float squared_distance(vec3 position, vec3 other_position) {
    precise vec3 between = other_position - position;
    precise float squared =
        between.x * between.x + between.y * between.y + between.z * between.z;
    return squared;
}

bool are_touching(Contact contact, vec3 position, vec3 other_position) {
    return squared_distance(position, other_position) < contact.squared_distance;
}

// How much of a push between equal masses the first of two gains. What both gain, times their masses,
// is the same; 1 for equal masses, to the bit.
float share_of(float mass, float other_mass) {
    return 2.0 * other_mass / (mass + other_mass);
}

// The velocity that ball `id` gains by ball `other`, which it touches. The sign of all of it is the
// opposite for the other ball, to the bit, so momentum is kept.
vec3 pushed(Contact contact, uint id, vec3 position, vec3 velocity, uint other, vec3 other_position,
            vec3 other_velocity) {
    precise vec3 between = other_position - position;
    float squared = squared_distance(position, other_position);
    float apart = sqrt(squared);
    vec3 normal = squared > kOnePoint ? between / apart : fixed_direction(id, other);
    vec3 relative = velocity - other_velocity;
    float closing = dot(relative, normal);
    // Balls push, they do not pull.
    float pressed =
        max(contact.push * (contact.distance - apart) + contact.exchange * closing, 0.0);
    return -(pressed * normal + contact.friction * (relative - closing * normal));
}
