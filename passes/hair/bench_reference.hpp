#pragma once

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

/// Hair in double precision, one strand after the other, as the text and the papers have it.
namespace tuff::reference {

using Vec = glm::dvec3;
using Turn = glm::dquat;

/// The smallest rotation that takes the x axis to `to`.
inline Turn from_x(Vec to) {
    if (to.x < -0.999999) return {0.0, 0.0, 0.0, 1.0};
    return glm::normalize(Turn(1.0 + to.x, 0.0, -to.z, to.y));
}

struct Capsule {
    Vec a, b;
    double radius_a = 0.0, radius_b = 0.0;
};

struct Forces {
    double dt = 1.0 / 60.0;
    Vec gravity{0.0, -9.82, 0.0};
    double damping = 0.04, local = 0.6, global = 0.1, range = 0.3;
    bool fades = false;
    int local_iterations = 1, iterations = 2;
    std::array<Vec, 4> winds{}; ///< times the square of the time
    bool by_length = false, wind_first = true;
    double soft = 0.0; ///< compliance over the square of the time
    std::vector<Capsule> capsules;
    double margin = 0.0, friction = 0.3;
};

/// A strand and its rest.
struct Strand {
    std::vector<Vec> rest, edges, x, before; ///< edges: in the frame of the edge before
    std::vector<double> lengths;
    Turn frame{1.0, 0.0, 0.0, 0.0};
    unsigned number = 0;

    explicit Strand(std::vector<Vec> points, unsigned i = 0) : rest(std::move(points)), number(i) {
        x = before = rest;
        edges.resize(rest.size());
        frame = from_x(glm::normalize(rest[1] - rest[0]));
        Turn q = frame;
        for (std::size_t v = 0; v + 1 < rest.size(); ++v) {
            lengths.push_back(glm::distance(rest[v], rest[v + 1]));
            edges[v + 1] = glm::inverse(q) * (rest[v + 1] - rest[v]);
            if (v > 0) q = glm::normalize(q * from_x(glm::normalize(edges[v + 1])));
        }
    }
    std::size_t size() const { return rest.size(); }

    void integrate(const Forces& f, Turn turn, Vec shift) {
        const double keep = std::pow(1.0 - f.damping, 60.0 * f.dt);
        for (std::size_t v = 0; v < size(); ++v) {
            const Vec goal = turn * rest[v] + shift;
            if (v < 2) {
                x[v] = before[v] = goal;
                continue;
            }
            const Vec now = x[v];
            x[v] += (x[v] - before[v]) * keep + f.gravity * f.dt * f.dt;
            before[v] = now;
            const double reach = f.range * static_cast<double>(size());
            const auto at = static_cast<double>(v);
            if (at < reach) x[v] += (goal - x[v]) * f.global * (f.fades ? 1.0 - at / reach : 1.0);
        }
    }
    void keep_shape(double stiffness, Turn turn) {
        Turn q = turn * frame;
        for (std::size_t v = 1; v + 1 < size(); ++v) {
            const Vec off = 0.5 * stiffness * (x[v] + q * edges[v + 1] - x[v + 1]);
            if (v >= 2) x[v] -= off;
            x[v + 1] += off;
            q = glm::normalize(q * from_x(glm::normalize(glm::inverse(q) * (x[v + 1] - x[v]))));
        }
    }
    Vec wind(const Forces& f) const {
        const double a = (number % 20) / 20.0;
        return a * f.winds[0] + (1.0 - a) * f.winds[1] + a * f.winds[2] + (1.0 - a) * f.winds[3];
    }
    void blow(const Forces& f) {
        const std::vector<Vec> old = x;
        for (std::size_t v = 2; v + 1 < size(); ++v) {
            Vec edge = old[v] - old[v + 1];
            if (!f.by_length) edge = glm::normalize(edge);
            x[v] += glm::cross(glm::cross(edge, wind(f)), edge);
        }
    }
    void give_lengths(int iterations, double soft) {
        std::vector<double> pulled(size(), 0.0);
        for (int k = 0; k < 2 * iterations; ++k)
            for (std::size_t i = static_cast<std::size_t>(k % 2); i + 1 < size(); i += 2) {
                const double low = i < 2 ? 0.0 : 1.0;
                const double high = i + 1 < 2 ? 0.0 : 1.0;
                if (low + high == 0.0) continue;
                const Vec along = x[i + 1] - x[i];
                const double now = glm::length(along);
                const double change = (now - lengths[i] - soft * pulled[i]) / (low + high + soft);
                pulled[i] += change;
                x[i] += low * change / now * along;
                x[i + 1] -= high * change / now * along;
            }
    }
    void follow() {
        for (std::size_t v = 1; v + 1 < size(); ++v)
            x[v + 1] = x[v] + lengths[v] * glm::normalize(x[v + 1] - x[v]);
    }
    static Vec outside(const Forces& f, Vec p) {
        for (int round = 0; round < 4; ++round)
            for (const Capsule& c : f.capsules) {
                const Vec axis = c.b - c.a;
                const double squared = glm::dot(axis, axis);
                const double t =
                    squared > 0.0 ? std::clamp(glm::dot(p - c.a, axis) / squared, 0.0, 1.0) : 0.0;
                const Vec off = p - c.a - t * axis;
                const double radius = c.radius_a + t * (c.radius_b - c.radius_a) + f.margin;
                if (glm::length(off) < radius) p = c.a + t * axis + glm::normalize(off) * radius;
            }
        return p;
    }
    /// Out of capsules, which do not move.
    void leave(const Forces& f) {
        for (std::size_t v = 2; v < size(); ++v) {
            const Vec entered = x[v];
            x[v] = outside(f, entered);
            if (x[v] == entered) continue;
            const Vec normal = glm::normalize(x[v] - entered);
            const Vec way = x[v] - before[v];
            const Vec along = way - glm::dot(way, normal) * normal;
            x[v] = outside(f, x[v] - f.friction * along);
            before[v] = x[v] - (1.0 - f.friction) * along;
        }
    }
    void step(const Forces& f, Turn turn = {1.0, 0.0, 0.0, 0.0}, Vec shift = Vec(0.0)) {
        integrate(f, turn, shift);
        for (int i = 0; i < f.local_iterations && f.local > 0.0; ++i)
            keep_shape(f.local, turn);
        if (f.wind_first) blow(f);
        give_lengths(f.iterations, f.soft);
        if (!f.wind_first) blow(f);
        leave(f);
    }
    /// Greatest and mean error of the free edges, as shares.
    std::array<double, 2> stretch() const {
        double most = 0.0, sum = 0.0;
        for (std::size_t v = 1; v + 1 < size(); ++v) {
            const double error = std::abs(glm::distance(x[v], x[v + 1]) / lengths[v] - 1.0);
            most = std::max(most, error);
            sum += error;
        }
        return {most, sum / static_cast<double>(size() - 2)};
    }
};

} // namespace tuff::reference
