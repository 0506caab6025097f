#pragma once

#include "passes/fluid/sparse.hpp"

#include <glm/geometric.hpp>
#include <glm/glm.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace tuff::testing_gpu {

/// A step of smoke over a whole domain in double precision, written from the text.
struct BrickSmokeReference {
    glm::ivec3 dims{0};
    passes::SparseFluid pass;
    std::vector<glm::dvec3> velocity;
    std::vector<glm::dvec4> dye;
    std::vector<double> pressure;

    std::size_t count() const {
        return static_cast<std::size_t>(dims.x) * static_cast<std::size_t>(dims.y) *
               static_cast<std::size_t>(dims.z);
    }
    glm::ivec3 cell(std::size_t i) const {
        const auto n = static_cast<int>(i);
        return {n % dims.x, n / dims.x % dims.y, n / dims.x / dims.y};
    }
    bool wall(int axis, bool high) const {
        return (passes::wall_bits(pass.boundary) >> (2 * axis + (high ? 1 : 0)) & 1u) != 0;
    }
    /// The index of a cell, that before a wall, or -1 beyond an open side.
    std::ptrdiff_t at(glm::ivec3 p) const {
        for (int a = 0; a < 3; ++a) {
            const bool high = p[a] >= dims[a];
            if (!high && p[a] >= 0) continue;
            if (!wall(a, high)) return -1;
            p[a] = high ? dims[a] - 1 : 0;
        }
        return (static_cast<std::ptrdiff_t>(p.z) * dims.y + p.y) * dims.x + p.x;
    }
    template <typename T>
    T value(const std::vector<T>& field, glm::ivec3 p) const {
        const std::ptrdiff_t i = at(p);
        return i < 0 ? T(0.0) : field[static_cast<std::size_t>(i)];
    }
    static glm::ivec3 unit(int axis) {
        glm::ivec3 u(0);
        u[axis] = 1;
        return u;
    }
    template <typename T>
    T sample(const std::vector<T>& field, glm::dvec3 place) const {
        const glm::dvec3 low = glm::floor(place);
        const glm::dvec3 share = place - low;
        T sum(0.0);
        for (int i = 0; i < 8; ++i) {
            const glm::ivec3 corner(i & 1, i >> 1 & 1, i >> 2);
            double weight = 1.0;
            for (int a = 0; a < 3; ++a)
                weight *= corner[a] ? share[a] : 1.0 - share[a];
            sum += weight * value(field, glm::ivec3(low) + corner);
        }
        return sum;
    }
    template <typename T>
    std::vector<T> carried(const std::vector<T>& field, double dt) const {
        std::vector<T> result(count());
        for (std::size_t i = 0; i < count(); ++i)
            result[i] = sample(field, glm::dvec3(cell(i)) - dt * velocity[i]);
        return result;
    }
    template <typename T>
    std::vector<T> corrected(const std::vector<T>& field, double dt) const {
        const std::vector<T> forth = carried(field, dt);
        const std::vector<T> back = carried(forth, -dt);
        std::vector<T> result(count());
        for (std::size_t i = 0; i < count(); ++i) {
            T least(1e30), most(-1e30);
            const glm::ivec3 low(glm::floor(glm::dvec3(cell(i)) - dt * velocity[i]));
            for (int k = 0; k < 8; ++k) {
                const T there = value(field, low + glm::ivec3(k & 1, k >> 1 & 1, k >> 2));
                least = glm::min(least, there);
                most = glm::max(most, there);
            }
            result[i] = glm::clamp(forth[i] + 0.5 * (field[i] - back[i]), least, most);
        }
        return result;
    }
    double divergence(std::size_t i) const {
        double sum = 0.0;
        for (int a = 0; a < 3; ++a)
            for (const int s : {1, -1}) {
                const glm::ivec3 p = cell(i) + s * unit(a);
                const bool beyond = p[a] < 0 || p[a] >= dims[a];
                sum += (beyond ? -s : s) * 0.5 * value(velocity, p)[a];
            }
        return sum;
    }
    std::vector<double> swept(const std::vector<double>& p, const std::vector<double>& d) const {
        std::vector<double> result(count());
        for (std::size_t i = 0; i < count(); ++i) {
            double sum = -d[i];
            for (int a = 0; a < 3; ++a)
                sum += value(p, cell(i) + unit(a)) + value(p, cell(i) - unit(a));
            result[i] = sum / 6.0;
        }
        return result;
    }
    void step() {
        const double dt = pass.dt;
        const bool second = pass.advection == passes::AdvectionMethod::maccormack;
        auto moved = second ? corrected(velocity, dt) : carried(velocity, dt);
        dye = second ? corrected(dye, dt) : carried(dye, dt);
        for (std::size_t i = 0; i < count(); ++i) {
            moved[i] = std::exp(-double{pass.drag} * dt) * moved[i] +
                       dt * dye[i].w * glm::dvec3(pass.buoyancy);
            dye[i] *= glm::exp(-dt * glm::dvec4(pass.decay));
            for (const passes::SmokeEmitter& e : pass.emitters) {
                const glm::dvec3 off = glm::dvec3(cell(i)) + 0.5 - glm::dvec3(e.position);
                double share = 0.0;
                if (e.shape == passes::SmokeShape::sphere) {
                    const double r = double{e.size.x};
                    share = std::pow(std::max(1.0 - glm::dot(off, off) / (r * r), 0.0), 3.0);
                } else if (glm::all(glm::lessThan(glm::abs(off), glm::dvec3(e.size)))) {
                    share = 1.0;
                }
                moved[i] += dt * share * glm::dvec3(e.force);
                dye[i] += dt * share * glm::dvec4(e.dye);
            }
        }
        velocity = moved;
        std::vector<double> d(count());
        for (std::size_t i = 0; i < count(); ++i)
            d[i] = divergence(i);
        if (!pass.warm_start || pressure.empty()) pressure.assign(count(), 0.0);
        for (std::uint32_t n = 0; n < pass.iterations; ++n)
            pressure = swept(pressure, d);
        evolve(dt);
    }

  private:
    void evolve(double dt) {
        std::vector<glm::dvec3> whirl(count());
        std::vector<double> size(count());
        for (std::size_t i = 0; i < count(); ++i) {
            std::array<glm::dvec3, 3> slope{};
            for (int a = 0; a < 3; ++a)
                slope[static_cast<std::size_t>(a)] =
                    0.5 * (value(velocity, cell(i) + unit(a)) - value(velocity, cell(i) - unit(a)));
            whirl[i] = {slope[1].z - slope[2].y, slope[2].x - slope[0].z, slope[0].y - slope[1].x};
            size[i] = glm::length(whirl[i]);
        }
        for (std::size_t i = 0; i < count(); ++i) {
            glm::dvec3 gradient(0.0);
            for (int a = 0; a < 3; ++a) {
                velocity[i][a] -=
                    0.5 * (value(pressure, cell(i) + unit(a)) - value(pressure, cell(i) - unit(a)));
                gradient[a] = value(size, cell(i) + unit(a)) - value(size, cell(i) - unit(a));
            }
            if (glm::length(gradient) > 0.0)
                velocity[i] +=
                    double{pass.confinement} * dt * glm::cross(glm::normalize(gradient), whirl[i]);
            for (int a = 0; a < 3; ++a) {
                if (cell(i)[a] == 0 && wall(a, false))
                    velocity[i][a] = std::max(velocity[i][a], 0.0);
                if (cell(i)[a] == dims[a] - 1 && wall(a, true))
                    velocity[i][a] = std::min(velocity[i][a], 0.0);
            }
            velocity[i] =
                glm::clamp(velocity[i], -double(pass.reach) / dt, double(pass.reach) / dt);
        }
    }
};

} // namespace tuff::testing_gpu
