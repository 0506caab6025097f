#include "poisson_kinds_fixture.hpp"

#include "passes/mpi/gather.hpp"

#include <cmath>
#include <cstring>
#include <tuple>

namespace tuff::testing_gpu {

using passes::Cells;
using passes::GatherParts;
using passes::PartPoissonMethod;
using passes::PoissonBoundaries;
using passes::PoissonBoundary;
using passes::PoissonOfParts;
using passes::PoissonReport;
using enum passes::PoissonBoundary;

std::size_t index_in(const PoissonBox& box, const Cells& cell) {
    return (std::size_t{cell[2]} * box.size.y + cell[1]) * box.size.x + cell[0];
}
Cells whole_of(const PoissonBox& box) {
    return {box.size.x, box.size.y, box.size.z};
}

namespace {

/// Calls `kind` with each cell.
template <typename F>
void set_kinds(PoissonBox& box, F&& kind) {
    box.cells.clear();
    for (std::uint32_t z = 0; z < box.size.z; ++z)
        for (std::uint32_t y = 0; y < box.size.y; ++y)
            for (std::uint32_t x = 0; x < box.size.x; ++x)
                box.cells.push_back(kind(Cells{x, y, z}));
}

/// A solid ball in the middle with a hole through it; and fixed cells in a plate.
PoissonBox with_ball(PoissonBox box, bool with_plate) {
    set_kinds(box, [&](const Cells& cell) {
        const glm::dvec3 at =
            (glm::dvec3(cell[0], cell[1], cell[2]) + 0.5) / glm::dvec3(box.size) - 0.5;
        const double square = at.x * at.x + at.y * at.y + (box.size.z > 1 ? at.z * at.z : 0.0);
        if (with_plate && cell[0] == 1 && cell[1] > 2 && cell[1] + 1 < box.size.y)
            return kFixedKind;
        return square < 0.09 && std::abs(at.y) > 0.06 ? kSolidKind : 0u;
    });
    return box;
}

/// Walls with gaps on one side of the borders between ranks, and fixed cells on the other side.
PoissonBox with_borders(PoissonBox box, const Ranks& ranks) {
    const auto split = passes::split_of(whole_of(box), ranks);
    set_kinds(box, [&](const Cells& cell) {
        const std::uint32_t sum = cell[0] + cell[1] + cell[2];
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (const CellSpan& span : split[axis]) {
                if (span.first == 0) continue;
                if (cell[axis] + 1 == span.first && sum % 5 != 0) return kSolidKind;
                if (cell[axis] == span.first && sum % 7 == 0) return kFixedKind;
            }
        return 0u;
    });
    // Cells to which nothing is coupled: their equations have no solution.
    const Field left = minus_laplace(box, random_field(box.count(), 1));
    for (std::size_t i = 0; i < left.size(); ++i)
        if (left[i] == 0.0 && box.cells[i] == 0) box.cells[i] = kSolidKind;
    return box;
}

/// All cells of the last rank are solid; of a single rank some are.
PoissonBox without_last(PoissonBox box, const Ranks& ranks) {
    const auto part = ranks.part(whole_of(box), ranks.size() - 1);
    set_kinds(box, [&](const Cells& cell) {
        if (ranks.size() == 1) return cell[1] > cell[0] ? kSolidKind : 0u;
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (cell[axis] < part[axis].first || cell[axis] >= part[axis].first + part[axis].count)
                return 0u;
        return kSolidKind;
    });
    return box;
}

} // namespace

KindsProblem solid_problem(const PoissonBox& box, std::uint32_t seed, const PoissonOfParts& pass) {
    Field rhs = random_field(box.count(), seed);
    Field guess = random_field(box.count(), seed + 1000);
    double sum = 0.0;
    double unknown = 0.0;
    for (std::size_t i = 0; i < rhs.size(); ++i)
        if (box.cells[i] == 0) sum += rhs[i], unknown += 1.0;
    for (std::size_t i = 0; i < rhs.size(); ++i) {
        rhs[i] = box.cells[i] == 0 ? rhs[i] - sum / unknown : std::nan("");
        if (box.cells[i] == kSolidKind) guess[i] = std::nan("");
    }
    return {box, std::move(rhs), std::move(guess), pass};
}

Field finite(Field field) {
    for (double& value : field)
        if (std::isnan(value)) value = 0.0;
    return field;
}

Field residual_of(const KindsProblem& problem, const Field& u) {
    const Field left = minus_laplace(problem.box, u);
    Field residual = difference(finite(problem.rhs), left);
    for (std::size_t i = 0; i < residual.size(); ++i)
        if (problem.box.cells[i] != 0) residual[i] = 0.0;
    return residual;
}

std::string name_of(const KindsProblem& problem, const Ranks& ranks) {
    const glm::uvec3 n = problem.box.size;
    return (testing::Message() << n.x << "x" << n.y << "x" << n.z << " over " << ranks.grid[0]
                               << "x" << ranks.grid[1] << "x" << ranks.grid[2])
        .GetString();
}

std::vector<Ranks> PoissonKindsTest::a_grid() {
    const std::vector<Ranks> all = grids({7, 9, 1});
    if (all.empty()) return {};
    return {all[all.size() / 2]};
}

Cells PoissonKindsTest::halo_of(const PoissonBox& box, std::uint32_t width) {
    return {width, width, box.size.z > 1 ? width : 0};
}

Image PoissonKindsTest::part_of(Graph& g, const std::string& name, const PoissonBox& box,
                                const Field& field, double factor, const Cells& halo) {
    return g.constant_image(
        name, floats(part_size(g.ranks(), whole_of(box), halo), box.size.z > 1),
        part_texels(g.ranks(), whole_of(box), halo, NAN, [&](const Cells& cell) {
            return static_cast<float>(factor * field[index_in(box, cell)]);
        }));
}

Image PoissonKindsTest::kinds_of(Graph& g, const std::string& name, const PoissonBox& box,
                                 const Cells& halo) {
    const Cells whole = whole_of(box);
    const Cells size = part_size(g.ranks(), whole, halo);
    const auto as_floats = part_texels(g.ranks(), whole, halo, 77.0f, [&](const Cells& cell) {
        return static_cast<float>(box.cells[index_in(box, cell)]);
    });
    std::vector<std::uint8_t> texels;
    for (std::size_t i = 0; i < as_floats->size(); i += sizeof(float)) {
        float value = 0.0f;
        std::memcpy(&value, as_floats->data() + i, sizeof(float));
        texels.push_back(static_cast<std::uint8_t>(value));
    }
    return g.constant_image(name,
                            {.format = Format::r8_uint,
                             .extent = {size[0], size[1], size[2]},
                             .shape = box.size.z > 1 ? ImageShape::d3 : ImageShape::d2},
                            bytes_of(texels));
}

std::vector<KindsSolution> PoissonKindsTest::solve(const std::vector<KindsProblem>& problems,
                                                   const Ranks& ranks) {
    Graph g = graph_of(ranks);
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const KindsProblem& p = problems[i];
        const std::string name = "p" + std::to_string(i);
        PoissonOfParts pass = p.pass;
        const Cells halo = halo_of(p.box, static_cast<std::uint32_t>(pass.halo));
        pass.source = part_of(g, name + ".source", p.box, p.rhs, -1.0, halo);
        pass.guess = part_of(g, name + ".guess", p.box, p.guess, 1.0, halo);
        pass.kinds = kinds_of(g, name + ".kinds", p.box, halo);
        pass.cells = glm::ivec3(p.box.size);
        pass.spacing = glm::vec3(p.box.spacing);
        std::tie(pass.x, pass.y, pass.z) =
            std::tie(p.box.boundary.x, p.box.boundary.y, p.box.boundary.z);
        pass = g.add(pass, name);
        g.output(name + ".u",
                 g.add(GatherParts{.source = pass.result, .cells = pass.cells, .halo = pass.halo},
                       name + "_whole")
                     .result);
        if (pass.status) g.output(name + ".status", pass.status);
        if (pass.residual) g.output(name + ".residual", pass.residual);
    }
    Running running = run(std::move(g));
    std::vector<KindsSolution> solutions(problems.size());
    for (std::size_t i = 0; running && i < problems.size(); ++i) {
        const std::string name = "p" + std::to_string(i);
        solutions[i].u = values_in(running, name + ".u");
        if (problems[i].pass.method == PartPoissonMethod::jacobi) {
            const auto residual = running.buffer<float>(name + ".residual");
            solutions[i].residual = residual.empty() ? NAN : residual[0];
            continue;
        }
        if (problems[i].pass.tolerance <= 0.0f) continue; // it has none
        const auto words = running.buffer<std::uint32_t>(name + ".status");
        if (words.size() >= passes::kPoissonStatusWords)
            solutions[i].report = PoissonReport::read(words);
    }
    return solutions;
}

std::vector<PoissonBox> PoissonKindsTest::boxes(const Ranks& ranks) {
    const auto box = [](glm::uvec3 size, PoissonBoundaries boundary) {
        return PoissonBox{
            .size = size, .spacing = glm::dvec3(0.5), .boundary = boundary, .cells = {}};
    };
    const auto all = [](PoissonBoundary boundary) { return PoissonBoundaries::all(boundary); };
    return {
        with_ball(box({45, 37, 1}, all(neumann)), true),
        with_ball(box({17, 13, 11}, all(periodic)), false),
        with_ball(box({7, 60, 1}, {periodic, neumann, neumann}), true),
        with_borders(box({29, 26, 1}, {periodic, dirichlet, neumann}), ranks),
        with_borders(box({13, 12, 10}, {dirichlet, neumann, periodic}), ranks),
        without_last(box({25, 28, 1}, all(neumann)), ranks),
        without_last(box({9, 14, 8}, {neumann, periodic, dirichlet}), ranks),
    };
}

} // namespace tuff::testing_gpu
