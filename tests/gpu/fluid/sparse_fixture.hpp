#pragma once

#include "passes/fluid/sparse.hpp"
#include "passes/sparse/field.hpp"
#include "tests/gpu/fluid/fluid_test.hpp"

#include <glm/packing.hpp>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tuff::testing_gpu {

/// What the tests of fluid/sparse share.
class SparseFluids : public testing_gpu::FluidTest {
  protected:
    struct Start {
        Cells velocity, dye;
    };
    struct Result {
        std::vector<glm::vec4> velocity, dye; ///< of the whole domain
        passes::SmokeStatus status;
        passes::SparseStatus bricks;
        std::set<std::uint32_t> numbers; ///< of the active bricks
    };
    static Start random_start(glm::uvec3 dims, std::uint32_t seed, float fast = 1.5f) {
        Noise noise(seed);
        Start start;
        const auto any = [&](glm::ivec3) { return glm::vec4(noise(), noise(), noise(), noise()); };
        start.velocity = cells_of(dims, any);
        for (glm::vec4& v : start.velocity)
            v = glm::vec4(fast * glm::vec3(v), 0.0f);
        start.dye = cells_of(dims, any);
        for (glm::vec4& d : start.dye)
            d = 0.5f * d + 0.6f;
        return start;
    }
    static passes::SparseFluid add(Graph& g, passes::SparseFluid pass, const Start& start,
                                   std::string_view name) {
        if (!start.velocity.empty())
            pass.initial_velocity = buffer_of(g, "initial_velocity", start.velocity);
        if (!start.dye.empty()) pass.initial_dye = buffer_of(g, "initial_dye", start.dye);
        return g.add(pass, name);
    }
    static void outputs(Graph& g, const passes::SparseFluid& pass, const std::string& name) {
        const auto cell = pass.precision == passes::FluidPrecision::full ? passes::SparseCell::vec4
                                                                         : passes::SparseCell::vec2;
        const auto gathered = [&](Buffer field) {
            return g
                .add(passes::SparseGather{.bricks = pass.bricks, .field = field, .cell = cell},
                     name + "_gather")
                .result;
        };
        g.output(name + "velocity", gathered(pass.velocity));
        g.output(name + "dye", gathered(pass.dye));
        output(g, name + "status", pass.status);
        output(g, name + "bricks", pass.brick_status);
        output(g, name + "list", pass.bricks.list);
    }
    static Result read(Running& running, const std::string& name,
                       passes::FluidPrecision precision) {
        Result result;
        if (precision == passes::FluidPrecision::full) {
            result.velocity = running.buffer<glm::vec4>(name + "velocity");
            result.dye = running.buffer<glm::vec4>(name + "dye");
        } else {
            const auto unpacked = [&](const std::string& output_name) {
                std::vector<glm::vec4> cells;
                const auto words = running.buffer<std::uint32_t>(output_name);
                for (std::size_t i = 0; i < words.size(); i += 2)
                    cells.emplace_back(glm::unpackHalf2x16(words[i]),
                                       glm::unpackHalf2x16(words[i + 1]));
                return cells;
            };
            result.velocity = unpacked(name + "velocity");
            result.dye = unpacked(name + "dye");
        }
        result.status = passes::SmokeStatus::read(running.buffer<std::uint32_t>(name + "status"));
        result.bricks = passes::SparseStatus::read(running.buffer<std::uint32_t>(name + "bricks"));
        const auto list = running.buffer<std::uint32_t>(name + "list");
        for (std::size_t i = 0; i < list[0]; ++i)
            result.numbers.insert(list[4 + 2 * i]);
        return result;
    }
    /// Several at once: each kernel is compiled once.
    std::vector<Result> after(const std::vector<passes::SparseFluid>& passes, const Start& start,
                              unsigned executions) {
        Graph g = graph();
        for (std::size_t i = 0; i < passes.size(); ++i) {
            const std::string name = "s" + std::to_string(i);
            outputs(g, add(g, passes[i], start, name), name);
        }
        Running running = run(std::move(g), executions);
        std::vector<Result> results(passes.size());
        for (std::size_t i = 0; running && i < passes.size(); ++i)
            results[i] = read(running, "s" + std::to_string(i), passes[i].precision);
        return results;
    }
    /// `steps` times dye is carried by the same velocity: the steps' own velocity is left aside.
    static Buffer carried(Graph& g, const passes::SparseFluid& pass, const Cells& velocity,
                          const Cells& dye, int steps, const std::string& name) {
        Buffer before = buffer_of(g, "dye", dye);
        const Buffer speed = buffer_of(g, "velocity", velocity);
        const auto cell = pass.precision == passes::FluidPrecision::full ? passes::SparseCell::vec4
                                                                         : passes::SparseCell::vec2;
        for (int i = 0; i < steps; ++i) {
            passes::SparseFluid step = pass;
            step.initial_velocity = speed;
            step.initial_dye = before;
            step = g.add(step, name + std::to_string(i));
            before =
                g.add(passes::SparseGather{.bricks = step.bricks, .field = step.dye, .cell = cell})
                    .result;
        }
        return before;
    }
    static double mass(const Result& result) {
        double sum = 0.0;
        for (const glm::vec4& d : result.dye)
            sum += double{d.x + d.y + d.z} / 3.0;
        return sum;
    }
};

} // namespace tuff::testing_gpu
