#include "tests/gpu/fluid/sparse_fixture.hpp"

#include <glm/common.hpp>
#include <glm/vector_relational.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

/// fluid/sparse with a pool that evicts: which bricks go, against a prediction from what the step
/// before left.
namespace tuff {
namespace {

using passes::FluidPrecision;
using passes::SmokeEmitter;
using passes::SparseFluid;
using passes::SparseStatus;
using passes::SparseWhenFull;
using testing_gpu::Noise;
using testing_gpu::Running;
using testing_gpu::SparseFluids;

constexpr int kBrick = 8;
constexpr double kEmitters = std::numeric_limits<double>::infinity();

/// Which bricks a step claims, and what each weighs.
struct Claims {
    glm::ivec3 dims;
    std::map<std::uint32_t, double> weights;

    glm::ivec3 grid() const { return (dims + kBrick - 1) / kBrick; }
    std::uint32_t number(glm::ivec3 brick) const {
        return static_cast<std::uint32_t>((brick.z * grid().y + brick.y) * grid().x + brick.x);
    }
    glm::ivec3 brick(std::uint32_t number) const {
        const auto n = static_cast<int>(number);
        return {n % grid().x, n / grid().x % grid().y, n / grid().x / grid().y};
    }
    void claim(glm::ivec3 low, glm::ivec3 high, double weight) { // cells, both included
        low = glm::max(low, glm::ivec3(0)) / kBrick;
        high = glm::min(high, dims - 1);
        if (glm::any(glm::lessThan(high, glm::ivec3(0)))) return;
        high /= kBrick;
        for (int z = low.z; z <= high.z; ++z)
            for (int y = low.y; y <= high.y; ++y)
                for (int x = low.x; x <= high.x; ++x) {
                    double& there = weights.try_emplace(number({x, y, z}), 0.0).first->second;
                    there = std::max(there, weight);
                }
    }
    void claim(const SmokeEmitter& emitter, int guard, double weight) {
        const glm::vec3 low = emitter.position - emitter.extent();
        const glm::vec3 high = emitter.position + emitter.extent();
        claim(glm::ivec3(glm::floor(low)) - guard, glm::ivec3(glm::ceil(high)) + guard - 1, weight);
    }
    /// The heaviest, of equal ones the lower numbers. Weights at the cut that are the same but for
    /// roundings would be chosen by them: there are none here.
    std::set<std::uint32_t> chosen(std::size_t capacity) const {
        std::vector<std::pair<double, std::uint32_t>> all;
        for (const auto& [brick_number, weight] : weights)
            all.emplace_back(-weight, brick_number);
        std::ranges::sort(all);
        std::set<std::uint32_t> result;
        for (std::size_t i = 0; i < std::min(capacity, all.size()); ++i)
            result.insert(all[i].second);
        return result;
    }
};

class SparseEvictions : public SparseFluids {
  protected:
    static double content(const glm::vec4& dye) {
        return std::max({std::abs(dye.x), std::abs(dye.y), std::abs(dye.z), std::abs(dye.w)});
    }
    static double mass_in(const Result& result, glm::uvec3 dims, glm::ivec3 brick) {
        double sum = 0.0;
        for (std::size_t i = 0; i < result.dye.size(); ++i)
            if (place_of(i, dims) / kBrick == brick) {
                const glm::vec4 size = glm::abs(result.dye[i]);
                sum += (double{size.x} + size.y + size.z) / 3.0;
            }
        return sum;
    }
    /// What the step that left `before` has claimed for the next.
    static Claims claims_after(const SparseFluid& pass, const Result& before) {
        Claims claims{.dims = glm::ivec3(pass.dims), .weights = {}};
        std::map<std::uint32_t, double> contents;
        for (const std::uint32_t number : before.numbers)
            contents[number] = 0.0;
        for (const std::uint32_t number : before.numbers)
            for (int group = 0; group < 2; ++group) { // 256 of 512 cells
                glm::ivec3 low(1 << 20), high(-(1 << 20));
                for (int i = 256 * group; i < 256 * (group + 1); ++i) {
                    const glm::ivec3 cell =
                        kBrick * claims.brick(number) + glm::ivec3(i % 8, i / 8 % 8, i / 64);
                    if (glm::any(glm::greaterThanEqual(cell, claims.dims))) continue;
                    const auto at = static_cast<std::size_t>(
                        (cell.z * claims.dims.y + cell.y) * claims.dims.x + cell.x);
                    contents[number] += content(before.dye[at]);
                    const glm::vec3 speed(before.velocity[at]);
                    const glm::vec3 size = glm::abs(speed);
                    if (std::max({size.x, size.y, size.z}) <= pass.expansion.least_speed &&
                        content(before.dye[at]) <= double{pass.expansion.least_dye})
                        continue;
                    const glm::vec3 way = pass.expansion.ahead * pass.dt * speed;
                    const auto guard = static_cast<int>(pass.expansion.guard);
                    low = glm::min(low, cell - guard +
                                            glm::ivec3(glm::floor(glm::min(way, glm::vec3(0.0f)))));
                    high = glm::max(
                        high, cell + guard + glm::ivec3(glm::ceil(glm::max(way, glm::vec3(0.0f)))));
                }
                if (low.x <= high.x) claims.claim(low, high, 0.0);
            }
        for (auto& [number, weight] : claims.weights) {
            if (const auto own = contents.find(number); own != contents.end()) {
                weight = own->second;
                continue;
            }
            for (const auto& [other, sum] : contents) {
                const glm::ivec3 off = glm::abs(claims.brick(other) - claims.brick(number));
                if (std::max({off.x, off.y, off.z}) <= 1) weight = std::max(weight, 0.25 * sum);
            }
        }
        return claims;
    }
    static std::vector<SmokeEmitter> emitters_at(unsigned step) {
        const float angle = 0.6f * static_cast<float>(step);
        return {{.position = {20.0f + 9.0f * std::cos(angle), 9.0f, 20.0f + 9.0f * std::sin(angle)},
                 .size = glm::vec3(4.0f),
                 .force = {0.1f, 0.9f, -0.2f},
                 .dye = {1.0f, 0.7f, 0.0f, 0.2f}}};
    }
};

TEST_F(SparseEvictions, BricksWithTheLeastDyeGo) {
    const glm::uvec3 dims(40, 36, 40);
    constexpr std::uint32_t kCapacity = 24;
    for (const FluidPrecision precision : {FluidPrecision::full, FluidPrecision::half}) {
        SCOPED_TRACE(static_cast<int>(precision));
        Noise noise(17);
        // More bricks than there is room for, each with another amount.
        std::map<int, float> amounts;
        Start begun{.velocity = {}, .dye = cells_of(dims, [&](glm::ivec3 p) {
                                        const glm::ivec3 brick = p / kBrick;
                                        const auto [amount, first] = amounts.try_emplace(
                                            (brick.z * 5 + brick.y) * 5 + brick.x, 0.0f);
                                        if (first) amount->second = std::max(noise(), 0.0f);
                                        return glm::vec4(0.02f, 0.5f, -1.0f, 0.0f) * amount->second;
                                    })};
        const auto build = [&](unsigned step, SparseFluid& pass) {
            Graph g = graph();
            pass = SparseFluid{
                .dims = dims,
                .parameters = {.capacity = kCapacity, .when_full = SparseWhenFull::evict},
                // Speeds of 16 bits are others than those that claimed.
                .expansion = {.ahead = precision == FluidPrecision::full ? 1.0f : 0.0f,
                              .guard = 2,
                              .least_speed = precision == FluidPrecision::full ? 0.05f : 1e6f,
                              .least_dye = 0.01f},
                .precision = precision,
                .iterations = 3,
                .decay = glm::vec4(0.1f)};
            pass.emitters = emitters_at(step);
            outputs(g, add(g, pass, begun, "smoke"), "");
            return g;
        };
        SparseFluid pass;
        Running running = start(build(0, pass));
        ASSERT_TRUE(running);
        Result before;
        std::uint32_t evicted = 0;
        std::uint32_t refused = 0;
        double all_lost = 0.0;
        for (unsigned step = 0; step < 9; ++step) {
            SCOPED_TRACE(step);
            const GraphDesc desc = build(step, pass).finish();
            ASSERT_TRUE(running->set_parameters(desc.parameters));
            running.execute();
            const Result now = read(running, "", precision);
            Claims claims{.dims = glm::ivec3(dims), .weights = {}};
            if (step > 0) {
                claims = claims_after(pass, before);
            } else {
                for (std::size_t i = 0; i < begun.dye.size(); ++i)
                    if (begun.dye[i] != glm::vec4(0.0f))
                        claims.weights[claims.number(place_of(i, dims) / kBrick)] +=
                            content(begun.dye[i]);
            }
            for (const SmokeEmitter& emitter : pass.emitters) {
                claims.claim(emitter, 0, kEmitters);
                claims.claim(emitter, static_cast<int>(pass.expansion.guard), 0.0);
            }
            const std::set<std::uint32_t> expected = claims.chosen(kCapacity);
            EXPECT_EQ(now.numbers, expected);
            std::uint32_t lost = 0;
            double lost_mass = 0.0;
            for (const std::uint32_t number : before.numbers)
                if (claims.weights.contains(number) && !expected.contains(number)) {
                    ++lost;
                    lost_mass += mass_in(before, dims, claims.brick(number));
                }
            EXPECT_EQ(now.bricks.evicted, lost);
            // A unit is 2^-14, and each brick's sum is rounded down to units.
            EXPECT_NEAR(now.status.evicted_mass(), lost_mass, 1e-5 * lost_mass + lost * 0x1p-13);
            all_lost += lost_mass;
            EXPECT_EQ(now.bricks.wanted, claims.weights.size());
            EXPECT_EQ(now.bricks.refused, claims.weights.size() - expected.size() - lost);
            if (claims.weights.size() > expected.size()) {
                ASSERT_EQ(now.bricks.warnings().size(), 1u);
                EXPECT_EQ(now.bricks.warnings()[0].code, "sparse/pool-full");
            }
            EXPECT_TRUE(now.bricks.pool_needs().empty());
            evicted += lost;
            refused += now.bricks.refused;
            before = now;
        }
        EXPECT_GT(evicted, 5u);
        EXPECT_GT(refused, 5u);
        EXPECT_GT(all_lost, 1.0);
    }
}

} // namespace
} // namespace tuff
