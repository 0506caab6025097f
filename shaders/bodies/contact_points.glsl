// A contact whose rows have been read: what solve_contact of solver.glsl does, step by step the same, without
// arrays, which compilers may put into memory. The includer has the constant `kPointRoom`: no contact has more points,
// and with 1 a kernel carries nothing of three others along.
#ifndef BODIES_CONTACT_POINTS
#define BODIES_CONTACT_POINTS

// Whether a contact of so many points has a second one, and so on.
bool has_second(uint points) {
    return kPointRoom > 1u && points > 1u;
}
bool has_third(uint points) {
    return kPointRoom > 2u && points > 2u;
}
bool has_fourth(uint points) {
    return kPointRoom > 3u && points > 3u;
}

struct Point {
    vec4 at;   // seen from the first body's middle; speed that is wanted
    vec4 mass; // along the normal, across it two ways, which is the same; gap
    vec4 had;  // impulses, and the speed at which it came
};
struct Contact {
    vec4 normal; // and friction
    vec4 apart;  // and restitution
    float bend;  // of the vectors across the normal
    Point first;
    Point second;
    Point third;
    Point fourth;
};

struct Frame {
    vec3 n;
    vec3 t1;
    vec3 t2;
};

Frame frame_at(vec3 n, float bend) {
    Frame frame;
    frame.n = n;
    across(n, bend, frame.t1, frame.t2);
    return frame;
}

void warm_point(Point point, vec3 apart, Frame frame, inout Both body) {
    vec3 impulse = point.had.x * frame.n + point.had.y * frame.t1 + point.had.z * frame.t2;
    push(body.a, body.ma, point.at.xyz, -impulse);
    push(body.b, body.mb, point.at.xyz + apart, impulse);
}

float speed_at(Point point, vec3 apart, vec3 n, Both body) {
    return dot(at_point(body.b, point.at.xyz + apart) - at_point(body.a, point.at.xyz), n);
}

#if !SOFT
// Of the points that push or should.
struct Together {
    vec3 at;
    float count;
    float missing;
    float least;
};

bool join_point(Point point, float lack, inout Together all) {
    if (point.had.x <= 0.0 && lack >= 0.0) return false;
    all.least = all.count == 0.0 ? point.had.x : min(all.least, point.had.x);
    all.at += point.at.xyz;
    all.missing += lack;
    all.count += 1.0;
    return true;
}

void push_points(uint points, inout Contact c, vec3 n, inout Both body) {
    Together all = Together(vec3(0.0), 0.0, 0.0, 0.0);
    bvec4 among = bvec4(false);
    among.x = join_point(c.first, speed_at(c.first, c.apart.xyz, n, body) + c.first.at.w, all);
    among.y = join_point(c.second, speed_at(c.second, c.apart.xyz, n, body) + c.second.at.w, all);
    if (has_third(points)) among.z = join_point(c.third, speed_at(c.third, c.apart.xyz, n, body) + c.third.at.w, all);
    if (has_fourth(points)) among.w = join_point(c.fourth, speed_at(c.fourth, c.apart.xyz, n, body) + c.fourth.at.w, all);
    if (all.count < 2.0) return;
    vec3 turn_a = cross(all.at, n);
    vec3 turn_b = cross(all.at + all.count * c.apart.xyz, n);
    vec3 spin_a = inverse_inertia(body.ma, turn_a);
    vec3 spin_b = inverse_inertia(body.mb, turn_b);
    float gives = all.count * all.count * (body.ma.first.w + body.mb.first.w) + dot(turn_a, spin_a) +
                  dot(turn_b, spin_b);
    if (gives <= 0.0) return;
    float change = max(-all.missing / gives, -all.least);
    c.first.had.x += among.x ? change : 0.0;
    c.second.had.x += among.y ? change : 0.0;
    c.third.had.x += among.z ? change : 0.0;
    c.fourth.had.x += among.w ? change : 0.0;
    body.a.linear.xyz -= (all.count * change * body.ma.first.w) * n;
    body.a.angular.xyz -= change * spin_a;
    body.b.linear.xyz += (all.count * change * body.mb.first.w) * n;
    body.b.angular.xyz += change * spin_b;
}
#endif

void push_point(inout Point point, uvec2 bodies, vec4 apart, vec3 n, inout Both body) {
    vec3 ra = point.at.xyz;
    vec3 rb = ra + apart.xyz;
    float speed = dot(at_point(body.b, rb) - at_point(body.a, ra), n);
    float now = point.had.x;
#if SOFT
    if (phase == kBounce) {
        if (apart.w > 0.0 && point.had.w < -params.threshold && point.had.x > 0.0)
            now = max(point.had.x - point.mass.x * (speed + apart.w * point.had.w), 0.0);
    } else {
        float gap = point.mass.w + dot(shift_at(bodies.y, rb) - shift_at(bodies.x, ra), n);
        now = normal_impulse(gap, speed, point.mass.x, point.at.w, point.had.x);
    }
#else
    now = normal_impulse(point.mass.w, speed, point.mass.x, point.at.w, point.had.x);
#endif
    vec3 impulse = (now - point.had.x) * n;
    point.had.x = now;
    push(body.a, body.ma, ra, -impulse);
    push(body.b, body.mb, rb, impulse);
}

void rub_point(inout Point point, vec3 apart, float friction, Frame frame, inout Both body) {
    vec3 ra = point.at.xyz;
    vec3 rb = ra + apart;
    vec3 sliding = at_point(body.b, rb) - at_point(body.a, ra);
    // Within the cone.
    vec2 now = point.had.yz - point.mass.y * vec2(dot(sliding, frame.t1), dot(sliding, frame.t2));
    float most = friction * point.had.x;
    float size = length(now);
    if (size > most) now *= most / size;
    vec3 impulse = (now.x - point.had.y) * frame.t1 + (now.y - point.had.z) * frame.t2;
    point.had.yz = now;
    push(body.a, body.ma, ra, -impulse);
    push(body.b, body.mb, rb, impulse);
}

void solve_points(uint points, uvec2 bodies, inout Contact c, inout Both body) {
    Frame frame = frame_at(c.normal.xyz, c.bend);
    vec3 n = frame.n;
    vec3 apart = c.apart.xyz;
    if (points == 0u) return;
    if (phase == kWarm) {
        warm_point(c.first, apart, frame, body);
        if (has_second(points)) warm_point(c.second, apart, frame, body);
        if (has_third(points)) warm_point(c.third, apart, frame, body);
        if (has_fourth(points)) warm_point(c.fourth, apart, frame, body);
        return;
    }
#if !SOFT
    if (has_second(points)) push_points(points, c, n, body);
#endif
    push_point(c.first, bodies, c.apart, n, body);
    if (has_second(points)) push_point(c.second, bodies, c.apart, n, body);
    if (has_third(points)) push_point(c.third, bodies, c.apart, n, body);
    if (has_fourth(points)) push_point(c.fourth, bodies, c.apart, n, body);
    if (phase == kBounce) return;
    rub_point(c.first, apart, c.normal.w, frame, body);
    if (has_second(points)) rub_point(c.second, apart, c.normal.w, frame, body);
    if (has_third(points)) rub_point(c.third, apart, c.normal.w, frame, body);
    if (has_fourth(points)) rub_point(c.fourth, apart, c.normal.w, frame, body);
}
#endif
