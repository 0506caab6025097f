#pragma once

#include "passes/particles/emit.hpp"

#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

/// Births and deaths on the CPU, in double precision.
namespace tuff::testing_gpu {

struct ReferenceParticle {
    glm::dvec3 position;
    glm::dvec3 velocity;
    double age = 0.0;
    double span = 0.0;
};

class BirthReference {
  public:
    BirthReference(const passes::EmitterParameters& emitter, float dt)
        : emitter_(emitter), dt_(static_cast<double>(dt)) {
        forward_ = glm::normalize(glm::dvec3(emitter.direction));
        side_ = glm::normalize(glm::cross(forward_, glm::dvec3(0.0, 1.0, 0.0)));
        if (std::abs(forward_.y) >= 0.9)
            side_ = glm::normalize(glm::cross(forward_, glm::dvec3(1.0, 0.0, 0.0)));
        up_ = glm::cross(side_, forward_);
    }

    /// Deaths, births, and a step of straight flight.
    void step() {
        for (const ReferenceParticle& particle : particles_)
            least_margin_ = std::min(least_margin_, std::abs(particle.age - particle.span));
        died_ += static_cast<std::uint32_t>(
            std::erase_if(particles_, [](const ReferenceParticle& p) { return p.age >= p.span; }));
        ++steps_;
        // All that have been due so far, as a closed form.
        const double births = static_cast<double>(emitter_.rate) * dt_;
        const auto due_by_now = static_cast<std::uint64_t>(std::floor(births * steps_));
        const auto due = static_cast<std::uint32_t>(due_by_now - due_before_);
        due_before_ = due_by_now;
        for (std::uint32_t i = 0; i < due; ++i) {
            if (particles_.size() == emitter_.capacity)
                ++not_born_;
            else
                particles_.push_back(newborn(i, due));
        }
        for (ReferenceParticle& particle : particles_) {
            particle.position += particle.velocity * dt_;
            particle.age += dt_;
        }
    }

    const std::vector<ReferenceParticle>& particles() const { return particles_; }
    std::uint32_t born() const { return died_ + static_cast<std::uint32_t>(particles_.size()); }
    std::uint32_t died() const { return died_; }
    std::uint32_t not_born() const { return not_born_; }
    /// The least time between a step and somebody's death.
    double least_margin() const { return least_margin_; }

  private:
    using Three = std::array<std::uint32_t, 3>;

    /// pcg3d, from its paper.
    static std::array<double, 3> random(Three v) {
        for (std::uint32_t& word : v)
            word = word * 1664525u + 1013904223u;
        const auto mix = [&] {
            v[0] += v[1] * v[2];
            v[1] += v[2] * v[0];
            v[2] += v[0] * v[1];
        };
        mix();
        for (std::uint32_t& word : v)
            word ^= word >> 16;
        mix();
        return {(v[0] >> 8) * 0x1p-24, (v[1] >> 8) * 0x1p-24, (v[2] >> 8) * 0x1p-24};
    }

    ReferenceParticle newborn(std::uint32_t index, std::uint32_t due) const {
        const auto a = random({index, steps_, 2 * emitter_.seed});
        const auto b = random({index, steps_, 2 * emitter_.seed + 1});
        const double turn = 2.0 * std::numbers::pi;
        const double away = static_cast<double>(emitter_.radius) * std::sqrt(a[0]);
        const double outermost =
            std::cos(static_cast<double>(emitter_.angle) * std::numbers::pi / 180.0);
        const double cosine = 1.0 + (outermost - 1.0) * b[0];
        const double sine = std::sqrt(1.0 - cosine * cosine);
        const double speed = static_cast<double>(emitter_.speed) *
                             (1.0 + static_cast<double>(emitter_.speed_spread) * (2 * b[2] - 1));
        ReferenceParticle born;
        born.velocity = speed * (cosine * forward_ + sine * (std::cos(turn * b[1]) * side_ +
                                                             std::sin(turn * b[1]) * up_));
        born.age = dt_ * (index + 0.5) / due;
        born.span = static_cast<double>(emitter_.life) *
                    (1.0 + static_cast<double>(emitter_.life_spread) * (2 * a[2] - 1));
        born.position = glm::dvec3(emitter_.place) +
                        away * (std::cos(turn * a[1]) * side_ + std::sin(turn * a[1]) * up_) +
                        born.velocity * born.age;
        return born;
    }

    passes::EmitterParameters emitter_;
    double dt_;
    glm::dvec3 forward_{};
    glm::dvec3 side_{};
    glm::dvec3 up_{};
    std::vector<ReferenceParticle> particles_;
    std::uint32_t steps_ = 0;
    std::uint64_t due_before_ = 0;
    std::uint32_t died_ = 0;
    std::uint32_t not_born_ = 0;
    double least_margin_ = std::numeric_limits<double>::max();
};

} // namespace tuff::testing_gpu
