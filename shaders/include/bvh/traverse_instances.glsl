// Traversals of hierarchies over instances of hierarchies. Included by bvh/traverse.glsl.
//
// A ray that comes to an instance is brought to the space of its mesh and goes on there; its
// direction keeps what length it gets, so t means the same in both. An instance's hit is nowhere
// before the ray enters the instance's box (t is brought there, by a rounding's worth): an instance
// that `may_hit` skips would not have been nearer, in whatever order instances are met.
readonly buffer BvhTopNodes { uvec4 values[]; } bvh_top_nodes;
readonly buffer BvhTopLeaves { uvec4 values[]; } bvh_top_leaves;
readonly buffer BvhInstances { uvec4 values[]; } bvh_instances;

// The instance of which a ray's `leaves` is the triangle; kEveryInstance: it is of all. A kernel
// may set it before it casts.
const uint kEveryInstance = 0xffffffffu;
uint leaves_instance = kEveryInstance;

// What rays are in an instance. No path in the hierarchy over instances is longer than
// kMaxTopLevels: codes have 30 bits, numbers 26.
struct Visit {
    uint instance; // kNoInstance: in none
    PreparedRay ray;
    Hit best;
    float enters; // t
    uint root;
    uint first_leaf;
    uint leaves;
};
const uint kMaxTopLevels = 64u;

Children top_children_of(Slabs slabs, uint node) {
    uvec4 a = bvh_top_nodes.values[4u * node];
    uvec4 b = bvh_top_nodes.values[4u * node + 1u];
    uvec4 c = bvh_top_nodes.values[4u * node + 2u];
    uvec4 d = bvh_top_nodes.values[4u * node + 3u];
    ray_work.x += 2u;
    return Children(interval_in(slabs, uintBitsToFloat(a.xyz), uintBitsToFloat(b.xyz)),
                    interval_in(slabs, uintBitsToFloat(c.xyz), uintBitsToFloat(d.xyz)), a.w, c.w);
}

bool may_hit_top_child(Slabs slabs, uint at, float t) {
    ++ray_work.x;
    return may_hit(interval_in(slabs, uintBitsToFloat(bvh_top_nodes.values[at].xyz),
                               uintBitsToFloat(bvh_top_nodes.values[at + 1u].xyz)),
                   t);
}

uint top_parent_of(uint node) {
    return (node & kLeafBit) != 0u ? bvh_top_leaves.values[3u * (node & ~kLeafBit) + 1u].w
                                   : bvh_top_nodes.values[4u * node + 1u].w;
}

// Sums in one order: all traversals get the same ray.
vec3 turned_by(vec4 x, vec4 y, vec4 z, vec3 v) {
    precise vec3 turned = vec3(x.x * v.x + x.y * v.y + x.z * v.z, y.x * v.x + y.y * v.y + y.z * v.z,
                               z.x * v.x + z.y * v.y + z.z * v.z);
    return turned;
}

// Takes the ray into the instance of a leaf, where that may have a hit.
Visit begin_visit(Ray ray, Slabs slabs, uint leaf, Hit best) {
    uvec4 a = bvh_top_leaves.values[3u * leaf];
    uvec4 b = bvh_top_leaves.values[3u * leaf + 1u];
    vec2 interval = interval_in(slabs, uintBitsToFloat(a.xyz), uintBitsToFloat(b.xyz));
    Visit visit;
    visit.instance = kNoInstance;
    if (!may_hit(interval, best.t)) return visit;
    visit.instance = a.w;
    visit.enters = interval.x;
    uint at = kInstanceQuads * a.w;
    uvec4 mesh = bvh_instances.values[at + 3u];
    visit.root = mesh.x;
    visit.first_leaf = mesh.y & ~kUnmoved;
    visit.leaves = mesh.z;
    Ray placed = ray;
    placed.t_max = best.t;
    if (leaves_instance != kEveryInstance && leaves_instance != a.w) placed.leaves = kNoTriangle;
    if ((mesh.y & kUnmoved) == 0u) {
        vec4 x = uintBitsToFloat(bvh_instances.values[at]);
        vec4 y = uintBitsToFloat(bvh_instances.values[at + 1u]);
        vec4 z = uintBitsToFloat(bvh_instances.values[at + 2u]);
        precise vec3 from = ray.origin - vec3(x.w, y.w, z.w);
        placed.origin = turned_by(x, y, z, from);
        placed.direction = turned_by(x, y, z, ray.direction);
    }
    visit.ray = prepare(placed);
    visit.best = no_hit(placed);
    return visit;
}

// Of equal t the lower instance counts.
void end_visit(inout Visit visit, inout Hit best) {
    Hit hit = visit.best;
    hit.t = max(hit.t, visit.enters);
    hit.instance = visit.instance;
    visit.instance = kNoInstance;
    if (hit.triangle == kNoTriangle) return;
    if (hit.t < best.t || hit.instance < best.instance) best = hit;
}

// Where a ray goes from a node of either level.
struct Way {
    bool left; // may have a hit, as may the other
    bool right;
    uint near; // the child to go to
    uint far;
};

Way way_from(uint node, Slabs slabs, Visit visit, float nearest) {
    bool inside = visit.instance != kNoInstance;
    Children children;
    if (inside) children = children_of(visit.ray, node);
    else children = top_children_of(slabs, node);
    float t = inside ? visit.best.t : nearest;
    Way way;
    way.left = may_hit(children.left, t);
    way.right = may_hit(children.right, t);
    bool right_first = way.right && (!way.left || children.right.x < children.left.x);
    way.near = right_first ? children.right_child : children.left_child;
    way.far = right_first ? children.left_child : children.right_child;
    return way;
}

// Every triangle of every instance.
Hit traverse_instances_mesh(Ray ray, bool any) {
    Slabs slabs = slabs_of(ray);
    Hit best = no_hit(ray);
    if (bvh_status.elements[0].root == kNoNode) return best;
    for (uint i = 0u; i < bvh_status.elements[0].leaves; ++i) {
        Visit visit = begin_visit(ray, slabs, i, best);
        if (visit.instance == kNoInstance) continue;
        for (uint leaf = 0u; leaf < visit.leaves; ++leaf)
            meet_leaf(visit.ray, visit.first_leaf + leaf, visit.best);
        end_visit(visit, best);
        if (any && best.triangle != kNoTriangle) break;
    }
    return best;
}

// Both levels on one stack.
Hit traverse_instances_stack(Ray ray, bool any) {
    Slabs slabs = slabs_of(ray);
    Hit best = no_hit(ray);
    uint node = bvh_status.elements[0].root;
    if (node == kNoNode) return best;
    uint stack[kMaxTopLevels + kMaxLevels];
    uint waiting = 0u;
    uint outside = 0u; // of those that wait, the ones over instances
    Visit visit;
    visit.instance = kNoInstance;
    while (true) {
        bool inside = visit.instance != kNoInstance;
        if ((node & kLeafBit) == 0u) {
            Way way = way_from(node, slabs, visit, best.t);
            if (way.left && way.right) stack[waiting++] = way.far;
            if (way.left || way.right) {
                node = way.near;
                continue;
            }
        } else if (inside) {
            meet_leaf(visit.ray, node & ~kLeafBit, visit.best);
            if (any && visit.best.triangle != kNoTriangle) waiting = outside;
        } else {
            visit = begin_visit(ray, slabs, node & ~kLeafBit, best);
            outside = waiting;
            if (visit.instance != kNoInstance) {
                if (traversal != kTraverseWide) {
                    node = visit.root;
                    continue;
                }
                go_wide(visit.ray, visit.root, any, visit.best);
            }
        }
        if (visit.instance != kNoInstance && waiting == outside) {
            end_visit(visit, best);
            if (any && best.triangle != kNoTriangle) break;
        }
        if (waiting == 0u) break;
        node = stack[--waiting];
    }
    return best;
}

// Both levels by bit trails: that of the upper one waits while the ray is in an instance.
Hit traverse_instances_trail(Ray ray, bool any) {
    Slabs slabs = slabs_of(ray);
    Hit best = no_hit(ray);
    uint node = bvh_status.elements[0].root;
    if (node == kNoNode) return best;
    uvec3 bit_trail = uvec3(0u);
    uvec3 top_trail = uvec3(0u);
    uint top_leaf = kNoNode;
    Visit visit;
    visit.instance = kNoInstance;
    while (true) {
        bool inside = visit.instance != kNoInstance;
        if ((node & kLeafBit) == 0u) {
            Way way = way_from(node, slabs, visit, best.t);
            if (way.left || way.right) {
                node = way.near;
                bit_trail = trail_down(bit_trail);
                if (!(way.left && way.right)) bit_trail.x |= 1u;
                continue;
            }
        } else if (inside) {
            meet_leaf(visit.ray, node & ~kLeafBit, visit.best);
            if (any && visit.best.triangle != kNoTriangle) {
                end_visit(visit, best);
                return best;
            }
        } else {
            visit = begin_visit(ray, slabs, node & ~kLeafBit, best);
            if (visit.instance != kNoInstance) {
                top_trail = bit_trail;
                top_leaf = node;
                bit_trail = uvec3(0u);
                node = visit.root;
                continue;
            }
        }
        // Up to the nearest level whose sibling waits, out of the instance where there is none.
        uint child = node;
        while (true) {
            inside = visit.instance != kNoInstance;
            uint parent = inside ? parent_of(child) : top_parent_of(child);
            if (parent == kNoNode) {
                if (!inside) return best;
                end_visit(visit, best);
                child = top_leaf;
                bit_trail = top_trail;
                continue;
            }
            if ((bit_trail.x & 1u) == 0u) {
                bit_trail.x |= 1u;
                uint at = 4u * parent;
                uint left_child = inside ? bvh_nodes.values[at].w : bvh_top_nodes.values[at].w;
                if (left_child == child) at += 2u;
                if (inside ? may_hit_child(visit.ray, at, visit.best.t)
                           : may_hit_top_child(slabs, at, best.t)) {
                    node = inside ? bvh_nodes.values[at].w : bvh_top_nodes.values[at].w;
                    break;
                }
            }
            child = parent;
            bit_trail = trail_up(bit_trail);
        }
    }
    return best;
}
