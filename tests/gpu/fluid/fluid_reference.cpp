#include "tests/gpu/fluid/fluid_test.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace tuff::testing_gpu {

using passes::FluidFace;
using passes::FluidMethod;

FluidReference::Cell FluidReference::at(glm::ivec3 p) const {
    const std::array<std::array<FluidFace, 2>, 3> faces{{{boundary.left, boundary.right},
                                                         {boundary.bottom, boundary.top},
                                                         {boundary.back, boundary.front}}};
    Cell cell;
    for (int axis = 0; axis < axes(); ++axis) {
        const int size = dims[axis];
        if (p[axis] >= 0 && p[axis] < size) continue;
        switch (faces[static_cast<std::size_t>(axis)][p[axis] >= size ? 1 : 0]) {
        case FluidFace::wall: return {.solid = true};
        case FluidFace::inflow: return {.beyond = true, .value = glm::dvec4(boundary.inflow, 0.0)};
        case FluidFace::periodic: p[axis] = ((p[axis] % size) + size) % size; break;
        case FluidFace::open:
            p[axis] = std::clamp(p[axis], 0, size - 1);
            cell.beyond = true;
            break;
        }
    }
    if (solid && solid(p)) return of_solid(p);
    cell.value = cells[static_cast<std::size_t>((p.z * dims.y + p.y) * dims.x + p.x)];
    if (cell.beyond) cell.value.w = 0.0;
    return cell;
}

FluidReference::Cell FluidReference::of_solid(glm::ivec3 p) const {
    const glm::dvec3 spin =
        axes() == 2 ? glm::dvec3(0.0, 0.0, motion.spin.z) : glm::dvec3(motion.spin);
    const glm::dvec3 from = glm::dvec3(p) + 0.5 - glm::dvec3(motion.pivot);
    glm::dvec3 velocity = glm::dvec3(motion.velocity) + glm::cross(spin, from);
    if (axes() == 2) velocity.z = 0.0;
    return {.solid = true, .value = glm::dvec4(velocity, 0.0)};
}

double FluidReference::flow(glm::ivec3 p) const {
    const glm::dvec4 own = at(p).value;
    double sum = 0.0;
    for (int axis = 0; axis < axes(); ++axis) {
        glm::ivec3 along(0);
        along[axis] = 1;
        const Cell low = at(p - along);
        const Cell high = at(p + along);
        const double above = high.solid ? own.w : high.value.w;
        const double below = low.solid ? own.w : low.value.w;
        sum += (above - below) / 2.0 * own[axis] +
               (1.0 + own.w) * (high.value[axis] - low.value[axis]) / 2.0;
        if (solver.method == FluidMethod::two_stage)
            sum -= double{solver.viscosity} * (above + below - 2.0 * own.w);
    }
    return sum;
}

double FluidReference::next_density(glm::ivec3 p) const {
    const double dt = solver.dt;
    return std::clamp(at(p).value.w - dt * flow(p), -0.5, 2.0);
}

double FluidReference::pressing(glm::ivec3 p, double own) const {
    const Cell cell = at(p);
    if (cell.solid) return own;
    if (solver.method == FluidMethod::printed) return cell.value.w;
    return cell.beyond ? 0.0 : next_density(p);
}

glm::dvec3 FluidReference::traced_back(glm::ivec3 p) const {
    const glm::dvec3 velocity(at(p).value);
    glm::dvec3 sum(0.0);
    for (int corner = 0; corner < (axes() == 2 ? 4 : 8); ++corner) {
        glm::ivec3 q = p;
        double weight = 1.0;
        for (int axis = 0; axis < axes(); ++axis) {
            const double way = std::clamp(double{solver.dt} * velocity[axis], -1.0, 1.0);
            const bool far = (corner >> axis & 1) != 0;
            weight *= far ? std::abs(way) : 1.0 - std::abs(way);
            if (far) q[axis] += way > 0.0 ? -1 : 1;
        }
        sum += weight * glm::dvec3(at(q).value);
    }
    return sum;
}

void FluidReference::step() {
    const double dt = solver.dt;
    std::vector<glm::dvec4> next(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const glm::ivec3 p(static_cast<int>(i) % dims.x, static_cast<int>(i) / dims.x % dims.y,
                           static_cast<int>(i) / (dims.x * dims.y));
        const glm::dvec4 own = at(p).value;
        if (at(p).solid) {
            next[i] = own;
            continue;
        }
        const double density = next_density(p);
        const double pressing_here = solver.method == FluidMethod::printed ? own.w : density;
        glm::dvec3 gradient(0.0);
        glm::dvec3 laplacian(0.0);
        std::array<std::vector<double>, 3> pushing; // velocities of solids beside
        for (int axis = 0; axis < axes(); ++axis) {
            glm::ivec3 along(0);
            along[axis] = 1;
            gradient[axis] =
                (pressing(p + along, pressing_here) - pressing(p - along, pressing_here)) / 2.0;
            laplacian += glm::dvec3(at(p + along).value) + glm::dvec3(at(p - along).value) -
                         2.0 * glm::dvec3(own);
            for (const Cell& beside : {at(p + along), at(p - along)})
                if (beside.solid)
                    pushing[static_cast<std::size_t>(axis)].push_back(beside.value[axis]);
        }
        glm::dvec3 force(solver.force);
        if (!forces.empty()) force += glm::dvec3(forces[i]);
        glm::dvec3 velocity = traced_back(p) + dt * (double{solver.viscosity} * laplacian + force) -
                              double{solver.stiffness} * gradient;
        for (const passes::EmitterShape& emitter : emitters) {
            glm::dvec3 from = glm::dvec3(p) + 0.5 - glm::dvec3(emitter.position);
            if (axes() == 2) from.z = 0.0;
            const double inside =
                std::clamp(double{emitter.radius} - glm::length(from) + 0.5, 0.0, 1.0);
            velocity += inside * (1.0 - std::exp(-double{emitter.rate} * dt)) *
                        (glm::dvec3(emitter.velocity) - velocity);
        }
        for (int axis = 0; axis < 3; ++axis) {
            const std::vector<double>& by = pushing[static_cast<std::size_t>(axis)];
            if (axis >= axes()) velocity[axis] = 0.0;
            if (by.empty()) continue;
            velocity[axis] = (by.front() + by.back()) / 2.0;
        }
        const double fastest = solver.fastest();
        next[i] = glm::dvec4(glm::clamp(velocity, -fastest, fastest), density);
    }
    cells = std::move(next);
}

} // namespace tuff::testing_gpu
