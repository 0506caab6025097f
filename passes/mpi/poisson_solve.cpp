#include "passes/mpi/poisson_solve.hpp"

#include "passes/mpi/poisson_iterations.hpp"
#include "passes/mpi/poisson_kinds.hpp"
#include "passes/mpi/transfer.hpp"
#include "passes/solver/poisson.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tuff::passes {
namespace {

enum class Form : std::uint8_t { picture, volume, array };

/// The kernels between what a solve begins and ends with, of a form, and the arrays of its cycles.
class Ends {
  public:
    Ends(Graph& graph, Form form, const PartLayout& part, PartIterations& iterations, Buffer kinds)
        : graph_(graph), form_(form), part_(part), iterations_(iterations), kinds_(kinds) {}

    /// `set` binds what there is to solve.
    void begin(bool singular, const auto& set) {
        ComputeNodeBuilder node = kernel("mpi/poisson_rhs_norm");
        const std::uint64_t cells = std::uint64_t{part_.cells[0]} * part_.cells[1] * part_.cells[2];
        const std::uint32_t groups = walking_groups(node, cells);
        set(node);
        node.read_optional("kinds", kinds_);
        node.set("own", whole_numbers(part_.cells));
        node.set("size", whole_numbers(part_.size()));
        node.set("halo", whole_numbers(part_.halo));
        const Buffer parts = node.write(
            "partial_sums",
            graph_.buffer("partial_sums", {.size = std::uint64_t{groups} * 32, .stride = 16}));
        node.dispatch(groups);
        iterations_.begin({parts, groups}, singular);
    }

    Buffer loaded(std::string_view name, float factor, Buffer status, Buffer kinds,
                  const auto& set) {
        ComputeNodeBuilder node = kernel("mpi/poisson_load", name);
        set(node);
        node.read_optional("status", status);
        node.read_optional("kinds", kinds);
        node.set("factor", factor);
        const Buffer result = node.write("result", iterations_.cycles().field("loaded"));
        go_over(node);
        return result;
    }

    ComputeNodeBuilder store(Buffer solution) {
        ComputeNodeBuilder node = kernel("mpi/poisson_store");
        node.read("source", solution);
        node.read_optional("status", iterations_.status());
        node.read_optional("kinds", kinds_);
        return node;
    }
    void go_over(ComputeNodeBuilder& node) {
        const Cells size = part_.size();
        node.set("size", whole_numbers(size));
        node.set("halo", whole_numbers(part_.halo));
        node.set("first", whole_numbers(part_.first));
        node.dispatch_over({size[0], size[1], size[2]});
    }

  private:
    ComputeNodeBuilder kernel(std::string_view shader, std::string_view name = {}) {
        return graph_.compute(shader, {{"FORM", static_cast<int>(form_)}}, name);
    }

    Graph& graph_;
    Form form_;
    PartLayout part_;
    PartIterations& iterations_;
    Buffer kinds_;
};

/// Of images.
class Solve {
  public:
    Solve(Graph& graph, PoissonOfParts& pass, const Field& field)
        : graph_(graph), pass_(pass), field_(field),
          volume_(graph.desc(pass.source).shape == ImageShape::d3),
          levels_(grid_of_parts(glm::uvec3(pass.cells), pass.spacing,
                                {.x = pass.x, .y = pass.y, .z = pass.z}, !volume_),
                  graph.ranks(), pass.gather_cells),
          kinds_(pass.kinds ? kinds_in(graph, pass.kinds, field, levels_) : Buffer{}),
          iterations_(graph, levels_, kinds_,
                      {.by_gradients = pass.method == PartPoissonMethod::mgpcg,
                       .tolerance = pass.tolerance,
                       .max_cycles = pass.max_cycles}),
          ends_(graph, volume_ ? Form::volume : Form::picture, levels_.layout(0), iterations_,
                kinds_) {}

    void build() {
        const bool singular = levels_.grid(0).is_singular();
        const auto set_source = [&](ComputeNodeBuilder& node) { set_image(node, pass_.source); };
        if (iterations_.decides() || singular)
            ends_.begin(singular, [&](ComputeNodeBuilder& node) {
                set_source(node);
                node.read_optional("guess", ImageView(pass_.guess), Sampler::nearest());
            });
        const Buffer rhs = ends_.loaded("load_source", -1.0f, iterations_.status(), {}, set_source);
        Buffer guess;
        if (pass_.guess)
            guess = ends_.loaded("load_guess", 1.0f, {}, kinds_,
                                 [&](ComputeNodeBuilder& node) { set_image(node, pass_.guess); });
        pass_.result = stored(iterations_.solve(rhs, guess));
        if (!iterations_.decides()) return;
        pass_.status = iterations_.status();
        pass_.residuals = iterations_.residuals();
    }

  private:
    void set_image(ComputeNodeBuilder& node, Image image) {
        node.read("source", image, Sampler::nearest());
        node.set("image_halo", whole_numbers(field_.halo));
    }

    Image stored(Buffer solution) {
        ImageDesc desc = graph_.desc(pass_.source);
        desc = {.format = Format::r32_sfloat, .extent = desc.extent, .shape = desc.shape};
        ComputeNodeBuilder node = ends_.store(solution);
        node.set("image_halo", whole_numbers(field_.halo));
        const Image result = node.write("result", graph_.image("result", desc));
        ends_.go_over(node);
        Field filled = field_;
        const std::array boundaries{pass_.x, pass_.y, pass_.z};
        for (std::size_t axis = 0; axis < 3; ++axis)
            filled.edges[axis] = boundaries[axis] == PoissonBoundary::periodic ? HaloEdge::periodic
                                                                               : HaloEdge::clamp;
        return fill_halo(graph_, result, filled);
    }

    Graph& graph_;
    PoissonOfParts& pass_;
    const Field& field_;
    bool volume_;
    PoissonLevels levels_;
    Buffer kinds_; ///< of the part's cells, where some are solid or fixed
    PartIterations iterations_;
    Ends ends_;
};

} // namespace

PoissonGrid grid_of_parts(glm::uvec3 cells, glm::vec3 spacing, const PoissonBoundaries& boundary,
                          bool flat) {
    const std::uint32_t depth = cells.z;
    cells.z = std::max(depth, 2u); // so that none counts as missing
    const PoissonBoundary z = flat ? PoissonBoundary::neumann : boundary.z;
    PoissonGrid grid = finest_grid(cells, spacing, {.x = boundary.x, .y = boundary.y, .z = z});
    grid.axes[2].cells = depth;
    return grid;
}

void solve_by_cycles(Graph& graph, const PoissonLevels& levels, PoissonOfArrays& problem) {
    const PartLayout part = levels.layout(0);
    Buffer kinds = problem.kinds;
    if (kinds && !levels.is_whole(0)) {
        const CellArray cells{.buffer = kinds, .size = part.size()};
        kinds = transfer_boxes(graph, cells, cells, levels.halo_boxes(0, 1)).buffer;
    }
    PartIterations iterations(graph, levels, kinds,
                              {.by_gradients = bool(kinds),
                               .tolerance = problem.tolerance,
                               .max_cycles = problem.max_cycles});
    Ends ends(graph, Form::array, part, iterations, kinds);
    Buffer rhs = problem.rhs;
    const auto set_rhs = [&](ComputeNodeBuilder& node) { node.read("source", problem.rhs); };
    if (iterations.decides()) {
        const bool singular = levels.grid(0).is_singular();
        ends.begin(singular, set_rhs);
        if (singular) rhs = ends.loaded("load", 1.0f, iterations.status(), kinds, set_rhs);
    }
    problem.solution = iterations.solve(rhs, {});
    problem.status = iterations.status();
    if (iterations.decides()) {
        ComputeNodeBuilder node = ends.store(problem.solution);
        problem.solution = node.write("result", iterations.cycles().field("solution"));
        ends.go_over(node);
    }
    iterations.cycles().send_until({});
    problem.solution = iterations.cycles().filled(problem.solution, PartCycles::kSolutionHalo);
}

void solve_by_cycles(Graph& graph, PoissonOfParts& pass, const Field& field) {
    const Extent extent = graph.extent(pass.source);
    constexpr std::uint64_t kMaxTexels = 1u << 30;
    if (std::uint64_t{extent.width} * extent.height * extent.depth > kMaxTexels) {
        graph.error("primitives/too-long",
                    fmt::format("a part of {}x{}x{} texels is more than can be addressed",
                                extent.width, extent.height, extent.depth),
                    "divide the field among more ranks");
        return;
    }
    Solve(graph, pass, field).build();
    if (pass.status) graph.status<PoissonReport>(pass.status);
}

} // namespace tuff::passes
