#include "apps/bench/checks.hpp"
#include "passes/particles/collide.hpp"
#include "passes/particles/emit.hpp"

#include <glm/geometric.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <vector>

namespace tuff::bench {
namespace {

using passes::CollideParticles;
using passes::CollisionMethod;
using passes::EmitParticles;
using passes::GridShape;
using passes::Particles;

constexpr passes::BoxParameters kBox{.low = glm::vec3(0.0f), .high = glm::vec3(1.0f)};
constexpr std::uint64_t kCheckedParticles = 1u << 12; // particles

/// A gas in the unit cube, as dense as a pile: about five particles touch each; or in a plane.
struct Gas {
    Input<glm::vec4> positions;
    Input<glm::vec4> velocities;
    float radius = 0.0f;

    Particles particles() const {
        return {.positions = positions.buffer,
                .velocities = velocities.buffer,
                .count = static_cast<std::uint32_t>(positions.values().size()),
                .radius = radius};
    }
};

Gas gas(CaseBuilder& c, GridShape shape = GridShape::cubes) {
    const bool flat = shape == GridShape::columns;
    const float depth = flat ? 0.0f : 1.0f;
    const auto place = [depth](std::uint64_t i) {
        return glm::vec4(hash_unit(3 * i), hash_unit(3 * i + 1), depth * hash_unit(3 * i + 2),
                         1.0f);
    };
    const auto count = static_cast<double>(c.size());
    const auto velocity = [](std::uint64_t i) {
        return glm::vec4(hash_unit(5 * i + 7), hash_unit(5 * i + 8), hash_unit(5 * i + 9), 0.0f) -
               0.5f;
    };
    return {.positions = c.input<glm::vec4>("positions", c.size(), place),
            .velocities = c.input<glm::vec4>("velocities", c.size(), velocity),
            .radius = static_cast<float>(flat ? 0.63 / std::sqrt(count) : 0.53 / std::cbrt(count))};
}

/// Who is near whom, for the reference: particles by cell of a grid of its own.
class Neighbourhood {
  public:
    Neighbourhood(std::span<const glm::vec4> places, float distance)
        : places_(places), inverse_(1.0 / (1.01 * static_cast<double>(distance))) {
        for (std::uint32_t i = 0; i < places.size(); ++i)
            cells_[key(cell(i), {})].push_back(i);
    }
    template <typename Visit>
    void around(std::uint32_t i, Visit visit) const {
        for (int x = -1; x <= 1; ++x)
            for (int y = -1; y <= 1; ++y)
                for (int z = -1; z <= 1; ++z)
                    if (const auto at = cells_.find(key(cell(i), {x, y, z})); at != cells_.end())
                        for (const std::uint32_t j : at->second)
                            if (j != i) visit(j);
    }

  private:
    using Cell = std::array<std::int64_t, 3>;
    Cell cell(std::uint32_t i) const {
        Cell result;
        for (int axis = 0; axis < 3; ++axis)
            result[static_cast<std::size_t>(axis)] =
                static_cast<std::int64_t>(static_cast<double>(places_[i][axis]) * inverse_) + 1;
        return result;
    }
    static std::uint64_t key(const Cell& cell, const Cell& step) {
        std::uint64_t key = 0;
        for (std::size_t axis = 0; axis < 3; ++axis)
            key = (key << 20) | static_cast<std::uint64_t>(cell[axis] + step[axis]);
        return key;
    }

    std::span<const glm::vec4> places_;
    double inverse_;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> cells_;
};

/// The velocity after the collisions of one step, and the number of others that are touched, in
/// double precision.
glm::dvec4 expected(const Gas& before, const Neighbourhood& near, const CollideParticles& pass,
                    std::uint32_t i) {
    const auto places = before.positions.values();
    const auto velocities = before.velocities.values();
    const double distance = 2.0 * static_cast<double>(before.radius);
    const double push = static_cast<double>(pass.contact.stiffness) / static_cast<double>(pass.dt);
    glm::dvec3 change(0.0);
    double contacts = 0.0;
    near.around(i, [&](std::uint32_t j) {
        const glm::dvec3 between = glm::dvec3(places[j]) - glm::dvec3(places[i]);
        const double apart = glm::length(between);
        if (apart >= distance) return;
        contacts += 1.0;
        const glm::dvec3 normal = between / apart;
        const glm::dvec3 relative = glm::dvec3(velocities[i]) - glm::dvec3(velocities[j]);
        const double closing = glm::dot(relative, normal);
        const double pressed = std::max(
            push * (distance - apart) + static_cast<double>(pass.contact.exchange) * closing, 0.0);
        change -= pressed * normal +
                  static_cast<double>(pass.contact.friction) * (relative - closing * normal);
    });
    return glm::dvec4(glm::dvec3(velocities[i]) + change, contacts);
}

void collide(CaseBuilder& c, CollisionMethod method, GridShape shape = GridShape::cubes) {
    const Gas before = gas(c, shape);
    const CollideParticles pass{.source = before.particles(),
                                .method = method,
                                .box = kBox,
                                .shape = shape,
                                .dt = 1.0f / 480.0f};
    // The grid is made in the case, and its cost is that of the case.
    const CollideParticles added = c.add(pass);
    if (method == CollisionMethod::grid)
        c.add_cost({.bytes = 160.0 * static_cast<double>(c.size())});
    const Buffer velocities = added.particles.velocities;
    c.check<glm::vec4>("velocities", velocities, [=](std::span<const glm::vec4> got) -> Verdict {
        const std::uint64_t count = before.positions.values().size();
        if (got.size() != count) return std::unexpected("there are too few particles");
        const Neighbourhood near_by(before.positions.values(), 2.0f * before.radius);
        // Spread over all; an odd multiplier visits each of a power of two once.
        for (std::uint64_t k = 0; k < std::min(count, kCheckedParticles); ++k) {
            const auto i = static_cast<std::uint32_t>(k * 2'654'435'761u % count);
            const glm::dvec4 wanted = expected(before, near_by, pass, i);
            // A pair at the very distance may count or not: it adds next to nothing.
            if (std::abs(static_cast<double>(got[i].w) - wanted.w) > 1.0)
                return std::unexpected(fmt::format("particle {} touches {} others instead of {}", i,
                                                   got[i].w, wanted.w));
            for (int axis = 0; axis < 3; ++axis)
                if (!near(static_cast<double>(got[i][axis]), wanted[axis],
                          {.absolute = 2e-3, .relative = 1e-3}))
                    return std::unexpected(fmt::format("velocity {} of particle {} is {} instead "
                                                       "of {}",
                                                       axis, i, got[i][axis], wanted[axis]));
        }
        return {};
    });
}

/// A quarter dies, half as many are born.
void emit(CaseBuilder& c) {
    const auto count = static_cast<std::uint32_t>(c.size());
    const std::uint32_t due = count / 8;
    const Gas before = gas(c);
    const auto lives = c.input<glm::vec2>("lives", count, [](std::uint64_t i) {
        return glm::vec2(i % 4 == 0 ? 2.0f : 0.0f, 1.0f + static_cast<float>(i % 1024));
    });
    const auto tally =
        c.input<std::uint32_t>("tally", sizeof(passes::ParticleTally) / 4,
                               [count](std::uint64_t i) { return i == 0 ? count : 0u; });
    Particles source = before.particles();
    source.lives = lives.buffer;
    source.tally = tally.buffer;
    const EmitParticles pass{
        .source = source, .emitter = {.rate = static_cast<float>(due)}, .dt = 1.0f};
    const Particles after = c.add(pass).particles;
    c.check<glm::vec2>(
        "lives", after.lives, [lives, due](std::span<const glm::vec2> got) -> Verdict {
            std::size_t next = 0;
            for (const glm::vec2& life : lives.values()) {
                if (life.x >= life.y) continue;
                if (next >= got.size() || got[next] != life)
                    return std::unexpected(fmt::format("survivor {} has not moved up", next));
                ++next;
            }
            const std::size_t born = std::min<std::size_t>(due, got.size() - next);
            for (std::size_t i = 0; i < born; ++i)
                if (!near(static_cast<double>(got[next + i].x),
                          (static_cast<double>(i) + 0.5) / due,
                          {.absolute = 1e-6, .relative = 0.0}))
                    return std::unexpected(fmt::format("birth {} is of the wrong age", i));
            return {};
        });
}

} // namespace

void add_particles_cases(CaseList& cases) {
    const std::string pass(CollideParticles::kName);
    cases.add({.pass = pass,
               .name = "grid",
               .build = [](CaseBuilder& c) { collide(c, CollisionMethod::grid); },
               .most = std::uint64_t{1} << 24,
               .most_on_software = std::uint64_t{1} << 18});
    cases.add(
        {.pass = pass,
         .name = "grid of columns",
         .build = [](CaseBuilder& c) { collide(c, CollisionMethod::grid, GridShape::columns); },
         .most = std::uint64_t{1} << 24,
         .most_on_software = std::uint64_t{1} << 18});
    // The greatest size has more groups than fit in one row of a dispatch.
    cases.add({.pass = std::string(EmitParticles::kName),
               .name = "a quarter dies",
               .build = emit,
               .most = std::uint64_t{1} << 25,
               .most_on_software = std::uint64_t{1} << 18});
    cases.add({.pass = pass,
               .name = "every pair",
               .build = [](CaseBuilder& c) { collide(c, CollisionMethod::all); },
               .most = std::uint64_t{1} << 16,
               .most_on_software = std::uint64_t{1} << 14});
}

} // namespace tuff::bench
