#pragma once

#include "passes/solver/poisson.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/reference/poisson_reference.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace tuff::testing_gpu {

constexpr passes::PoissonBoundary kBoundaries[] = {passes::PoissonBoundary::neumann,
                                                   passes::PoissonBoundary::dirichlet,
                                                   passes::PoissonBoundary::periodic};

/// One that has a solution.
inline Field random_rhs(const PoissonBox& box, std::uint32_t seed = 1) {
    Field rhs = random_field(box.count(), seed);
    if (box.is_singular()) remove_mean(rhs);
    return rhs;
}

/// A solve, on the host.
struct Solved {
    Field u;
    passes::PoissonReport report;
    std::vector<float> residuals; ///< of the cycles that ran, with the first

    /// Mean reduction of the residual by a cycle, from the one after `first` on.
    double factor(std::size_t first = 1) const {
        if (residuals.size() < first + 2) return 0.0;
        const double ratio = static_cast<double>(residuals.back()) / residuals[first];
        return std::pow(ratio, 1.0 / static_cast<double>(residuals.size() - 1 - first));
    }
};

class PoissonTest : public GpuTest {
  protected:
    Buffer numbers(Graph& g, std::string_view name, const std::vector<float>& values) {
        return g.constant_buffer(name, {.size = values.size() * 4, .stride = 4}, bytes_of(values));
    }
    /// `pass` with what the box says, for this right-hand side.
    passes::Poisson on(Graph& g, const PoissonBox& box, const Field& rhs, passes::Poisson pass) {
        pass.size = box.size;
        pass.spacing = glm::vec3(box.spacing);
        pass.boundary = box.boundary;
        pass.rhs = numbers(g, "rhs", narrowed(rhs));
        if (!box.cells.empty())
            pass.cells = g.constant_buffer("cells", {.size = box.cells.size() * 4, .stride = 4},
                                           bytes_of(box.cells));
        return pass;
    }
    static void keep(Graph& g, const passes::Poisson& solved, const std::string& prefix = {}) {
        g.output(prefix + "solution", solved.solution);
        g.output(prefix + "status", solved.status);
        g.output(prefix + "residuals", solved.residuals);
    }
    static Solved fetch(Running& running, const std::string& prefix = {}) {
        Solved solved;
        solved.u = widened(running.buffer<float>(prefix + "solution"));
        const auto words = running.buffer<std::uint32_t>(prefix + "status");
        if (words.size() >= passes::kPoissonStatusWords)
            solved.report = passes::PoissonReport::read(words);
        for (const float residual : running.buffer<float>(prefix + "residuals"))
            if (!(residual < 0.0f)) solved.residuals.push_back(residual);
        return solved;
    }
    /// Several at once: each kernel is compiled once.
    struct Problem {
        PoissonBox box;
        Field rhs;
        passes::Poisson pass;
        Field guess = {};
    };
    std::vector<Solved> solve(const std::vector<Problem>& problems) {
        Graph g = graph();
        for (std::size_t i = 0; i < problems.size(); ++i) {
            const Problem& p = problems[i];
            passes::Poisson pass = on(g, p.box, p.rhs, p.pass);
            if (!p.guess.empty()) pass.guess = numbers(g, "guess", narrowed(p.guess));
            const std::string name = "p" + std::to_string(i);
            keep(g, g.add(pass, name), name + ".");
        }
        Running running = run(std::move(g));
        std::vector<Solved> solved(problems.size());
        for (std::size_t i = 0; running && i < problems.size(); ++i)
            solved[i] = fetch(running, "p" + std::to_string(i) + ".");
        return solved;
    }
    Solved solve(const PoissonBox& box, const Field& rhs, const passes::Poisson& pass) {
        Graph g = graph();
        keep(g, g.add(on(g, box, rhs, pass)));
        Running running = run(std::move(g));
        if (!running) return {};
        return fetch(running);
    }
};

} // namespace tuff::testing_gpu
