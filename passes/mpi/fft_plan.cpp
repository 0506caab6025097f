#include "passes/mpi/fft_plan.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace tuff::passes {
namespace {

// Costs are counted in numbers that a device reads and writes. One that goes to another rank is
// copied some ten times, by way of the memory of two hosts; a message costs a wait besides.
constexpr std::uint64_t kCostOfMove = 10;
constexpr std::uint64_t kCostOfWait = 20'000;

/// Ranks in the order of the domain's boxes along an axis: each gets cells near its own.
std::vector<std::uint32_t> places_along(const Ranks& ranks, std::size_t axis) {
    std::vector<std::uint32_t> order(ranks.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, {},
                             [&](std::uint32_t rank) { return ranks.place_of(rank)[axis]; });
    std::vector<std::uint32_t> places(order.size());
    for (std::uint32_t place = 0; place < order.size(); ++place)
        places[order[place]] = place;
    return places;
}

/// Divisions along the two other axes that occupy as many ranks as there is room for.
std::vector<Division> divisions_for(const Ranks& ranks, std::size_t axis, const Cells& cells) {
    const std::size_t first = axis == 0 ? 1 : 0;
    const std::size_t second = axis == 2 ? 1 : 2;
    std::vector<Division> found;
    std::uint64_t most = 0;
    for (std::uint32_t a = 1; a <= std::min(ranks.size(), cells[first]); ++a) {
        Division division;
        division.grid[first] = a;
        division.grid[second] = std::min(ranks.size() / a, cells[second]);
        const std::uint64_t occupied = count_of(division.grid);
        if (occupied < most) continue;
        if (occupied > most) found.clear();
        most = occupied;
        // Neighbours in a row or column of pencils are those of the pencils before.
        division.places = domain_division(ranks).places;
        if (a == 1 || division.grid[second] == 1)
            division.places = places_along(ranks, a == 1 ? second : first);
        found.push_back(std::move(division));
    }
    return found;
}

std::uint64_t shared_cells(const TexelBox& a, const TexelBox& b) {
    std::uint64_t count = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::uint32_t first = std::max(a.corner[axis], b.corner[axis]);
        const std::uint32_t end =
            std::min(a.corner[axis] + a.size[axis], b.corner[axis] + b.size[axis]);
        count *= end > first ? end - first : 0;
    }
    return count;
}

/// Until the slowest rank has its cells.
std::uint64_t cost_of_move(const Division& from, const Division& to, const Cells& cells) {
    std::uint64_t most = 0;
    for (std::uint32_t rank = 0; rank < from.places.size(); ++rank) {
        const TexelBox wanted = to.box(cells, rank);
        most = std::max(most, count_of(wanted.size) - shared_cells(from.box(cells, rank), wanted));
    }
    return most > 0 ? kCostOfWait + kCostOfMove * most : 0;
}

std::uint64_t cost_of_stage(const FftStage& stage, const Division& division) {
    std::uint64_t most = 0;
    for (std::uint32_t rank = 0; rank < division.places.size(); ++rank)
        most = std::max(most, count_of(division.box(stage.before, rank).size));
    return most;
}

/// Axes of one number are transformed already. Where all are, x stands for them.
std::vector<FftStage> stages_of(const Cells& cells, FieldNumbers numbers) {
    std::vector<FftStage> stages;
    Cells size = cells;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool real = axis == 0 && numbers == FieldNumbers::reals;
        if (cells[axis] == 1 && !real) continue;
        FftStage stage{.axis = axis, .before = size};
        if (real) size = spectrum_size(cells, numbers);
        stage.after = size;
        stages.push_back(std::move(stage));
    }
    if (stages.empty()) stages.push_back({.axis = 0, .before = cells, .after = cells});
    return stages;
}

/// A division that a stage may have, and the cheapest way to it.
struct Candidate {
    Division division;
    std::uint64_t cost = 0;
    std::size_t before = 0; ///< of the stage before
};

} // namespace

Cells spectrum_size(const Cells& cells, FieldNumbers numbers) {
    if (numbers == FieldNumbers::complexes) return cells;
    return {cells[0] / 2 + 1, cells[1], cells[2]};
}

FftPlan plan_fft(const Ranks& ranks, const Cells& cells, FieldNumbers numbers,
                 SpectrumLayout layout) {
    const Division domain = domain_division(ranks);
    FftPlan plan{.stages = stages_of(cells, numbers)};
    std::vector<std::vector<Candidate>> reached{{{.division = domain}}};
    const auto reach = [&](Division division, const Cells& moved) {
        Candidate best{.division = std::move(division),
                       .cost = std::numeric_limits<std::uint64_t>::max()};
        const std::vector<Candidate>& before = reached.back();
        for (std::size_t i = 0; i < before.size(); ++i) {
            const std::uint64_t cost =
                before[i].cost + cost_of_move(before[i].division, best.division, moved);
            if (cost >= best.cost) continue;
            best.cost = cost;
            best.before = i;
        }
        return best;
    };
    for (const FftStage& stage : plan.stages) {
        std::vector<Candidate> candidates;
        for (Division& division : divisions_for(ranks, stage.axis, stage.before)) {
            candidates.push_back(reach(std::move(division), stage.before));
            candidates.back().cost += cost_of_stage(stage, candidates.back().division);
        }
        reached.push_back(std::move(candidates));
    }
    std::size_t chosen = 0;
    if (layout == SpectrumLayout::natural) {
        chosen = reach(domain, plan.stages.back().after).before;
    } else {
        const auto cheapest = std::ranges::min_element(reached.back(), {}, &Candidate::cost);
        chosen = static_cast<std::size_t>(cheapest - reached.back().begin());
    }
    for (std::size_t i = plan.stages.size(); i-- > 0;) {
        plan.stages[i].division = reached[i + 1][chosen].division;
        chosen = reached[i + 1][chosen].before;
    }
    plan.spectrum = layout == SpectrumLayout::natural ? domain : plan.stages.back().division;
    return plan;
}

} // namespace tuff::passes
