#pragma once

#include "passes/bodies/body_list.hpp"
#include "passes/bodies/simulate.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

/// What the tests of rigid bodies share.
namespace tuff::testing_gpu {

/// A state on the host.
struct BodyState {
    std::vector<glm::vec4> places;
    std::vector<glm::vec4> turns;
    std::vector<passes::MotionRecord> motions;
    passes::BodiesStatus status;
};

class BodiesTest : public GpuTest {
  protected:
    using Simulate = passes::SimulateBodies;

    /// Few bodies: every pair is tried, and all constraints are in one cell.
    static Simulate few(std::uint32_t steps = 1) {
        return {.steps = steps, .pairs = passes::PairMethod::all, .split = glm::uvec3(1)};
    }
    /// Outputs what `state_of` reads.
    static void output(Graph& g, const Simulate& pass) {
        g.output("places", pass.bodies.places);
        g.output("turns", pass.bodies.turns);
        g.output("motions", pass.bodies.motions);
        g.output("status", pass.status);
    }
    static BodyState state_of(Running& running) {
        if (!running) return BodyState{.motions = std::vector<passes::MotionRecord>(16)};
        BodyState state{.places = running.buffer<glm::vec4>("places"),
                        .turns = running.buffer<glm::vec4>("turns"),
                        .motions = running.buffer<passes::MotionRecord>("motions")};
        state.status = passes::BodiesStatus::read(running.buffer<std::uint32_t>("status"));
        return state;
    }
    /// Starts a simulation of these bodies.
    Running begin(const passes::BodyList& list, Simulate pass) {
        Graph g = graph();
        pass.initial = list.upload(g);
        output(g, g.add(pass));
        return start(std::move(g));
    }
    /// Simulates `executions` times `pass.steps` steps.
    BodyState simulated(const passes::BodyList& list, const Simulate& pass,
                        unsigned executions = 1) {
        Running running = begin(list, pass);
        if (!running) return {};
        running.execute(executions);
        return state_of(running);
    }
};

/// Numbers that are the same everywhere.
class Numbers {
  public:
    explicit Numbers(std::uint32_t seed) : random_(seed) {}
    float between(float low, float high) {
        return low + (high - low) * static_cast<float>(random_() >> 8) * 0x1p-24f;
    }
    glm::vec3 vector(float low, float high) {
        const float x = between(low, high);
        const float y = between(low, high);
        return {x, y, between(low, high)};
    }
    glm::quat turn() {
        const glm::vec3 v = vector(-1.0f, 1.0f);
        return glm::normalize(glm::quat(between(-1.0f, 1.0f), v.x, v.y, v.z));
    }

  private:
    std::mt19937 random_;
};

} // namespace tuff::testing_gpu
