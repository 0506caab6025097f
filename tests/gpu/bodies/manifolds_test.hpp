#pragma once

#include "tests/gpu/bodies/bodies_test.hpp"

#include <algorithm>
#include <bit>
#include <utility>

/// Where bodies touch.
namespace tuff::testing_gpu {

inline constexpr float kMargin = 0.05f; // of each body

struct Manifold {
    glm::dvec3 normal{0.0}; ///< from the first body to the second
    std::vector<glm::dvec4> points;
    std::vector<std::uint32_t> features; ///< by which points are known in the next step, ascending

    /// Of the deepest point.
    double least() const {
        double found = 1e300;
        for (const glm::dvec4& p : points)
            found = std::min(found, p.w);
        return found;
    }
};

class ManifoldsTest : public BodiesTest {
  protected:
    /// By pair of bodies; those without points are left out.
    std::vector<std::pair<glm::uvec2, Manifold>> touching(const passes::BodyList& list) {
        Graph g = graph();
        const passes::BodyForces forces = g.add(passes::BodyForces{
            .source = list.upload(g), .gravity = glm::vec3(0.0f), .margin = kMargin});
        const passes::FindPairs found = g.add(passes::FindPairs{.bodies = forces.bodies,
                                                                .outlines = forces.outlines,
                                                                .method = passes::PairMethod::all});
        const passes::BodyContacts contacts =
            g.add(passes::FindContacts{
                      .bodies = forces.bodies, .outlines = forces.outlines, .pairs = found.pairs})
                .contacts;
        g.output("pairs", contacts.pairs.pairs);
        g.output("tally", contacts.pairs.tally);
        g.output("manifolds", contacts.manifolds);
        g.output("status", contacts.pairs.status);
        Running running = run(std::move(g));
        std::vector<std::pair<glm::uvec2, Manifold>> all;
        if (!running) return all;
        const auto pairs = running.buffer<glm::uvec2>("pairs");
        const auto quads = running.buffer<glm::vec4>("manifolds");
        status_ = passes::BodiesStatus::read(running.buffer<std::uint32_t>("status"));
        const std::uint32_t count = running.buffer<std::uint32_t>("tally")[0];
        for (std::uint32_t p = 0; p < count; ++p) {
            Manifold m{.normal = glm::dvec3(quads[6 * p]), .points = {}, .features = {}};
            const auto points = std::bit_cast<std::uint32_t>(quads[6 * p].w);
            const auto features = std::bit_cast<glm::uvec4>(quads[6 * p + 5]);
            for (std::uint32_t k = 0; k < points; ++k) {
                m.points.emplace_back(quads[6 * p + 1 + k]);
                m.features.push_back(features[static_cast<glm::length_t>(k)]);
            }
            std::ranges::sort(m.features);
            if (points > 0) all.emplace_back(pairs[p], m);
        }
        return all;
    }

    passes::BodiesStatus status_;
};

} // namespace tuff::testing_gpu
