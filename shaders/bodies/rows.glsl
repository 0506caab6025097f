// Constraints as the solvers have them, by place in the order in which they are solved. Quads of one kind
// lie behind each other: quad k of place s is rows.values[k * stride + s].
//
// Of a contact: 0: normal, friction; 1: from the second body's middle to the first's, restitution;
// 2 to 5: a point seen from the first body's middle, speed that is wanted (less than 0: apart);
// 6 to 9: what 1 m/s takes along the normal and across it, two ways, kg; gap, m.
// Of a joint: 0 and 1: the anchors seen from the middles, kind, parts; 2: how far the anchors are apart, m,
// and shift or angle; 3: axis, speed of the motor; 4: turn that is wrong, radians, most impulse of the
// motor; 5: low and high limit.
// Impulses: four quads the same. Of a contact one a point: along the normal, across it two ways, and the
// speed at which it came. Of a joint: at the anchor and of the motor; of the turn and of the lower limit;
// of the upper limit.
#ifndef BODIES_ROWS
#define BODIES_ROWS

const uint kRowQuads = 10u;
const uint kImpulseQuads = 4u;
const uint kIsJoint = 0x100u; // of a head's last word: else the number of points
#endif
