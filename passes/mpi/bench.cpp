#include "apps/bench/checks.hpp"
#include "passes/mpi/all_reduce.hpp"
#include "passes/mpi/exchange.hpp"
#include "passes/mpi/exchange_bricks.hpp"
#include "passes/mpi/gather.hpp"
#include "passes/mpi/poisson.hpp"
#include "passes/sparse/bricks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <expected>
#include <span>
#include <string>
#include <vector>

/// On one process: what packing and unpacking cost. Between processes the network decides.
namespace tuff::bench {
namespace {

using passes::HaloEdge;

/// A field that meets itself at its ends. The halo of the image holds other numbers at first.
void exchange_periodic(CaseBuilder& c) {
    constexpr std::uint32_t kWidth = 2;
    const Extent extent = c.extent();
    const Extent whole{extent.width + 2 * kWidth, extent.height + 2 * kWidth, 1};
    const auto field = c.image<std::uint32_t>("field", Format::rgba8_unorm, whole, hash32);
    // Assets are constant: what is filled in place is a copy.
    const Image part = c.graph().copy(
        field.image, c.graph().image("part", {.format = Format::rgba8_unorm, .extent = whole}),
        "prepare");
    const passes::HaloExchange pass{
        .source = part,
        .cells = {static_cast<int>(extent.width), static_cast<int>(extent.height), 1},
        .halo = kWidth,
        .edge_x = HaloEdge::periodic,
        .edge_y = HaloEdge::periodic};
    c.check("result", c.add(pass, "exchange").result, [=](const HostImage& got) -> Verdict {
        if (got.texels.size() != std::size_t{whole.width} * whole.height * 4)
            return std::unexpected("there is no result");
        for (std::uint32_t y = 0; y < whole.height; ++y)
            for (std::uint32_t x = 0; x < whole.width; ++x) {
                const std::uint32_t from_x =
                    (x + 2 * extent.width - kWidth) % extent.width + kWidth;
                const std::uint32_t from_y =
                    (y + 2 * extent.height - kWidth) % extent.height + kWidth;
                const std::size_t at = (std::size_t{y} * whole.width + x) * 4;
                std::uint32_t texel = 0;
                std::memcpy(&texel, got.texels.data() + at, 4);
                if (texel != field.texels()[std::size_t{from_y} * whole.width + from_x])
                    return std::unexpected(fmt::format("texel {}, {} differs", x, y));
            }
        return {};
    });
    c.time_only("exchange/");
}

void scatter_and_gather(CaseBuilder& c) {
    const Extent extent = c.extent();
    const glm::ivec3 cells(extent.width, extent.height, 1);
    const auto field = c.image<std::uint32_t>("field", Format::rgba8_unorm, hash32);
    const Image part =
        c.add(passes::ScatterParts{.source = field.image, .cells = cells, .halo = 1}).result;
    const Image again =
        c.add(passes::GatherParts{.source = part, .cells = cells, .halo = 1}).result;
    c.check("result", again, [=](const HostImage& got) -> Verdict {
        const auto wanted = std::as_bytes(field.texels());
        if (!std::ranges::equal(got.texels, wanted)) return std::unexpected("texels differ");
        return {};
    });
}

/// The right-hand side of Poisson's equation, with a halo one texel wide.
ImageInput<float> source_with_halo(CaseBuilder& c) {
    const Extent extent = c.extent();
    return c.image<float>(
        "source", Format::r32_sfloat, {extent.width + 2, extent.height + 2, 1},
        [](std::uint64_t i) { return static_cast<float>(hash32(i) % 1000u) * 1e-3f - 0.5f; });
}

void poisson_jacobi(CaseBuilder& c) {
    const Extent extent = c.extent();
    const auto source = source_with_halo(c);
    const Extent whole = source.extent;
    const passes::PoissonOfParts pass{
        .source = source.image,
        .cells = {static_cast<int>(extent.width), static_cast<int>(extent.height), 1},
        .method = passes::PartPoissonMethod::jacobi,
        .iterations = 2,
        .omega = 1.0f,
        .x = passes::PoissonBoundary::dirichlet,
        .y = passes::PoissonBoundary::dirichlet};
    c.check("result", c.add(pass).result, [=](const HostImage& got) -> Verdict {
        if (got.texels.size() != std::size_t{whole.width} * whole.height * 4)
            return std::unexpected("there is no result");
        // After two iterations from zero: a quarter of what the neighbours have after one.
        const auto f = [&](std::int64_t x, std::int64_t y) {
            return -0.25 *
                   static_cast<double>(
                       source.texels()[static_cast<std::size_t>((y + 1) * whole.width + x + 1)]);
        };
        const auto wide = static_cast<std::int64_t>(extent.width);
        const auto high = static_cast<std::int64_t>(extent.height);
        for (std::int64_t y = 0; y < high; ++y)
            for (std::int64_t x = 0; x < wide; ++x) {
                double sum = 0.0;
                sum += x > 0 ? f(x - 1, y) : -f(x, y);
                sum += x + 1 < wide ? f(x + 1, y) : -f(x, y);
                sum += y > 0 ? f(x, y - 1) : -f(x, y);
                sum += y + 1 < high ? f(x, y + 1) : -f(x, y);
                const double wanted = 0.25 * sum + f(x, y);
                const double found = static_cast<double>(got.texel(
                    static_cast<std::uint32_t>(x + 1), static_cast<std::uint32_t>(y + 1))[0]);
                if (std::abs(found - wanted) > 1e-6)
                    return std::unexpected(fmt::format("cell {}, {} differs", x, y));
            }
        return {};
    });
}

/// V-cycles from a solution of 0.
void poisson_cycles(CaseBuilder& c) {
    const Extent extent = c.extent();
    const auto source = source_with_halo(c);
    const Extent whole = source.extent;
    const passes::PoissonOfParts pass{
        .source = source.image,
        .cells = {static_cast<int>(extent.width), static_cast<int>(extent.height), 1},
        .tolerance = 1e-3f,
        .x = passes::PoissonBoundary::dirichlet,
        .y = passes::PoissonBoundary::neumann};
    c.check("result", c.add(pass).result, [=](const HostImage& got) -> Verdict {
        if (got.texels.size() != std::size_t{whole.width} * whole.height * 4)
            return std::unexpected("there is no result");
        const auto u = [&](std::uint32_t x, std::uint32_t y) {
            return static_cast<double>(got.texel(x, y)[0]);
        };
        double left = 0.0;
        double all = 0.0;
        for (std::uint32_t y = 1; y <= extent.height; ++y)
            for (std::uint32_t x = 1; x <= extent.width; ++x) {
                const double f = static_cast<double>(source.texels()[y * whole.width + x]);
                double laplace = -4.0 * u(x, y);
                laplace += x > 1 ? u(x - 1, y) : -u(x, y);
                laplace += x < extent.width ? u(x + 1, y) : -u(x, y);
                laplace += y > 1 ? u(x, y - 1) : u(x, y);
                laplace += y < extent.height ? u(x, y + 1) : u(x, y);
                left += (laplace - f) * (laplace - f);
                all += f * f;
            }
        // Twice the tolerance: floats round the solution.
        if (left <= 4e-6 * all) return {};
        return std::unexpected(
            fmt::format("the residual is {:.3g} of the source", std::sqrt(left / all)));
    });
}

/// Conjugate residuals around solid blocks, between two columns of fixed cells.
void poisson_solid_cells(CaseBuilder& c) {
    const Extent extent = c.extent();
    const auto source = source_with_halo(c);
    const Extent whole = source.extent;
    const auto kind_of = [extent](std::uint64_t x, std::uint64_t y) -> std::uint32_t {
        if (x == 0 || x + 1 == extent.width) return 2;
        return x % 8 < 3 && y % 8 < 4 ? 1 : 0;
    };
    const auto kinds = c.image<std::uint32_t>(
        "kinds", Format::r32_uint, whole, [=](std::uint64_t i) -> std::uint32_t {
            const std::uint64_t x = i % whole.width;
            const std::uint64_t y = i / whole.width;
            const bool inside = x > 0 && y > 0 && x <= extent.width && y <= extent.height;
            return inside ? kind_of(x - 1, y - 1) : 0;
        });
    const passes::PoissonOfParts pass{
        .source = source.image,
        .kinds = kinds.image,
        .cells = {static_cast<int>(extent.width), static_cast<int>(extent.height), 1},
        .method = passes::PartPoissonMethod::mgpcg,
        .tolerance = 1e-3f,
        .max_cycles = 40};
    c.check("result", c.add(pass).result, [=](const HostImage& got) -> Verdict {
        if (got.texels.size() != std::size_t{whole.width} * whole.height * 4)
            return std::unexpected("there is no result");
        const auto u = [&](std::uint32_t x, std::uint32_t y) {
            return static_cast<double>(got.texel(x + 1, y + 1)[0]);
        };
        double left = 0.0;
        double all = 0.0;
        for (std::uint32_t y = 0; y < extent.height; ++y)
            for (std::uint32_t x = 0; x < extent.width; ++x) {
                if (kind_of(x, y) != 0) {
                    if (u(x, y) == 0.0) continue;
                    return std::unexpected(fmt::format("cell {}, {} is not 0", x, y));
                }
                const double f =
                    static_cast<double>(source.texels()[(y + 1) * whole.width + x + 1]);
                double laplace = 0.0;
                const auto beside = [&](std::uint32_t i, std::uint32_t j) {
                    if (i < extent.width && j < extent.height && kind_of(i, j) != 1)
                        laplace += u(i, j) - u(x, y);
                };
                beside(x - 1, y); // beyond 0 is beyond the other end
                beside(x + 1, y);
                beside(x, y - 1);
                beside(x, y + 1);
                left += (laplace - f) * (laplace - f);
                all += f * f;
            }
        // Twice the tolerance: floats round the solution.
        if (left <= 4e-6 * all) return {};
        return std::unexpected(
            fmt::format("the residual is {:.3g} of the source", std::sqrt(left / all)));
    });
}

void all_reduce_sum(CaseBuilder& c) {
    const auto numbers = c.input<std::uint32_t>("numbers", c.size(), hash32);
    const passes::AllReduce pass{.source = numbers.buffer, .type = passes::RankNumber::u32};
    c.check<std::uint32_t>("result", c.add(pass).result,
                           [=](std::span<const std::uint32_t> got) -> Verdict {
                               if (!std::ranges::equal(got, numbers.values()))
                                   return std::unexpected("numbers differ");
                               return {};
                           });
}

/// A row of bricks of 8 x 8 x 8 cells, one in two of which is active, and a number for each cell.
template <typename Pass>
void bricks(CaseBuilder& c) {
    const auto count = static_cast<std::uint32_t>(c.size() / 512);
    const auto store = c.add(passes::SparseBricksPass{
        .points = c.input<glm::vec4>("points", count,
                                     [](std::uint64_t i) {
                                         return glm::vec4(16.0f * static_cast<float>(i), 0.0f, 0.0f,
                                                          0.0f);
                                     })
                      .buffer,
        .dims = {16 * count, 8, 8},
        .bricks_parameters = {.capacity = count},
        .keep = false});
    const auto numbers = c.input<std::uint32_t>("numbers", std::uint64_t{512} * count, hash32);
    Pass pass{.source = store.bricks, .field = numbers.buffer, .cell = passes::SparseCell::u32};
    const Pass added = c.add(std::move(pass), "bricks");
    c.output("list", added.bricks.list);
    c.check<std::uint32_t>("result", added.result,
                           [=](std::span<const std::uint32_t> got) -> Verdict {
                               if (!std::ranges::equal(got, numbers.values()))
                                   return std::unexpected("cells differ");
                               return {};
                           });
    c.time_only("bricks/");
}

} // namespace

void add_mpi_cases(CaseList& cases) {
    cases.add({.pass = std::string(passes::HaloExchange::kName),
               .name = "periodic picture",
               .build = exchange_periodic,
               .least = 16});
    cases.add({.pass = std::string(passes::ScatterParts::kName),
               .name = "scatter and gather",
               .build = scatter_and_gather});
    cases.add({.pass = std::string(passes::PoissonOfParts::kName),
               .name = "two iterations",
               .build = poisson_jacobi});
    cases.add({.pass = std::string(passes::PoissonOfParts::kName),
               .name = "v_cycle",
               .build = poisson_cycles});
    cases.add({.pass = std::string(passes::PoissonOfParts::kName),
               .name = "mgpcg with solid cells",
               .build = poisson_solid_cells});
    cases.add({.pass = std::string(passes::AllReduce::kName),
               .name = "sum u32",
               .build = all_reduce_sum});
    const auto add_bricks = [&](std::string_view pass, auto build) {
        cases.add({.pass = std::string(pass),
                   .name = "one brick in two",
                   .build = build,
                   .least = 512,
                   .most = std::uint64_t{1} << 22,
                   .most_on_software = std::uint64_t{1} << 18});
    };
    add_bricks(passes::ExchangeBricks::kName, bricks<passes::ExchangeBricks>);
    add_bricks(passes::GatherBricks::kName, bricks<passes::GatherBricks>);
}

} // namespace tuff::bench
