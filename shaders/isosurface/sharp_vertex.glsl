// The vertex of a cell where the field may have creases. Gradients are those of the smoothest of three stencils
// (essentially non-oscillatory differences), so that planes keep theirs up to the crease.
#ifndef ISOSURFACE_SHARP_VERTEX
#define ISOSURFACE_SHARP_VERTEX

#include "grid.glsl"

float sharp_difference(ivec3 texel, uint axis) {
    ivec3 stride = unit_step(axis);
    float heights[5];
    for (int i = 0; i < 5; ++i) {
        ivec3 at = texel + (i - 2) * stride;
        bool is_there = at[axis] >= 0 && at[axis] < params.dims[axis];
        heights[i] = is_there ? height_of(at) : no_number();
    }
    float best = 0.0;
    float least = 3e38;
    for (int i = 0; i < 3; ++i) {
        int middle = (i + 1) % 3 + 1; // the central one first
        float bend = heights[middle - 1] - 2.0 * heights[middle] + heights[middle + 1];
        if (!is_number(bend) || !(abs(bend) < least)) continue;
        least = abs(bend);
        float slope = 0.5 * (heights[middle + 1] - heights[middle - 1]);
        best = slope + float(2 - middle) * bend;
    }
    if (least < 3e38) return best / texel_step()[axis];
    float ahead = heights[3] - heights[2];
    float back = heights[2] - heights[1];
    if (is_number(ahead)) return ahead / texel_step()[axis];
    return is_number(back) ? back / texel_step()[axis] : 0.0;
}

vec3 sharp_gradient(ivec3 texel) {
    return vec3(sharp_difference(texel, 0u), sharp_difference(texel, 1u),
                sharp_difference(texel, 2u));
}

// Where a crease lies between both ends, each end has a plane of its own: the surface is where the
// higher of them crosses, or the lower if the crease is hollow. The place is relative to `point`, in
// steps of the lattice.
SurfacePoint sharp_crossing(ivec3 point, uint axis) {
    ivec3 end = point + unit_step(axis);
    float a = field_at(point);
    float b = field_at(end);
    vec3 gradient_a = sharp_gradient(nearest_texel(point));
    vec3 gradient_b = sharp_gradient(nearest_texel(end));
    float turn = a > 0.0 ? -1.0 : 1.0; // the height rises from a to b
    float slope_a = turn * gradient_a[axis] * texel_step()[axis];
    float slope_b = turn * gradient_b[axis] * texel_step()[axis];
    float share = a / (a - b);
    vec3 gradient = mix(gradient_a, gradient_b, share);
    float bend = slope_b - slope_a;
    if (abs(bend) > 0.1 * max(abs(slope_a), abs(slope_b))) {
        float crease = 1.0 + (turn * (a - b) + slope_a) / bend;
        float share_a = slope_a > 0.0 ? -turn * a / slope_a : 2.0;
        float share_b = slope_b > 0.0 ? 1.0 - turn * b / slope_b : -1.0;
        bool takes_a = bend > 0.0 == share_a < share_b;
        float root = takes_a ? share_a : share_b;
        if (crease >= 0.0 && crease <= 1.0 && root >= 0.0 && root <= 1.0) {
            share = root;
            gradient = takes_a ? gradient_a : gradient_b;
        }
    }
    vec3 out_of_a = vec3(unit_step(axis)) * -turn;
    return SurfacePoint(vec3(unit_step(axis)) * share, unit_or(-gradient, out_of_a));
}

// The point nearest to planes (the quadric error function of dual contouring): the least squares of
// distances, by the eigenvectors of the symmetric matrix; directions that the planes hardly say
// anything about keep the mean of the planes' points.
const float kLeastShare = 0.03; // of the greatest eigenvalue
const uint kSweeps = 5u;

struct Quadric {
    mat3 matrix;
    vec3 right; // relative to the origin of the points
    vec3 sum;   // of the points
    vec3 normals;
    float count;
};

Quadric no_planes() {
    return Quadric(mat3(0.0), vec3(0.0), vec3(0.0), vec3(0.0), 0.0);
}

void add_plane(inout Quadric planes, vec3 point, vec3 normal) {
    planes.matrix += outerProduct(normal, normal);
    planes.right += normal * dot(normal, point);
    planes.sum += point;
    planes.normals += normal;
    planes.count += 1.0;
}

// One of Jacobi's rotations: the element at (p, q) becomes 0.
void rotate(inout mat3 matrix, inout mat3 axes, int p, int q) {
    float off = matrix[p][q];
    if (abs(off) < 1e-12) return;
    float theta = (matrix[q][q] - matrix[p][p]) / (2.0 * off);
    float tangent = (theta < 0.0 ? -1.0 : 1.0) / (abs(theta) + sqrt(theta * theta + 1.0));
    float c = inversesqrt(tangent * tangent + 1.0);
    float s = tangent * c;
    int r = 3 - p - q;
    float rp = matrix[r][p];
    float rq = matrix[r][q];
    matrix[p][p] -= tangent * off;
    matrix[q][q] += tangent * off;
    matrix[p][q] = 0.0;
    matrix[q][p] = 0.0;
    matrix[r][p] = c * rp - s * rq;
    matrix[p][r] = matrix[r][p];
    matrix[r][q] = s * rp + c * rq;
    matrix[q][r] = matrix[r][q];
    vec3 axis_p = axes[p];
    axes[p] = c * axis_p - s * axes[q];
    axes[q] = s * axis_p + c * axes[q];
}

vec3 nearest_point(Quadric planes) {
    vec3 mean = planes.sum / planes.count;
    vec3 rest = planes.right - planes.matrix * mean;
    mat3 matrix = planes.matrix;
    mat3 axes = mat3(1.0);
    for (uint sweep = 0u; sweep < kSweeps; ++sweep) {
        rotate(matrix, axes, 0, 1);
        rotate(matrix, axes, 0, 2);
        rotate(matrix, axes, 1, 2);
    }
    vec3 values = vec3(matrix[0][0], matrix[1][1], matrix[2][2]);
    float least = kLeastShare * max(max(values.x, values.y), values.z);
    vec3 point = mean;
    for (int i = 0; i < 3; ++i)
        if (values[i] > least) point += axes[i] * (dot(axes[i], rest) / values[i]);
    return point;
}

#endif
