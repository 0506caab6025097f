#pragma once

#include "passes/filter/tensor.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <random>
#include <string>
#include <vector>

namespace tuff::testing_gpu {

/// Arrays of f32 in and out of graphs.
class StructureTest : public GpuTest {
  protected:
    static Buffer numbers(Graph& g, std::string_view name, const std::vector<float>& values) {
        return g.constant_buffer(name, {.size = values.size() * 4, .stride = 4}, bytes_of(values));
    }
    /// Of a normal distribution.
    static std::vector<float> random_numbers(std::size_t count, std::uint32_t seed) {
        std::mt19937 random(seed);
        std::normal_distribution<float> number;
        std::vector<float> values(count);
        for (float& value : values)
            value = number(random);
        return values;
    }
    std::vector<std::string> codes(Graph g) {
        const auto plan = compile(std::move(g).finish(), device().caps());
        std::vector<std::string> found;
        if (!plan)
            for (const Diagnostic& one : plan.error())
                if (one.severity == Severity::error) found.push_back(one.code);
        return found;
    }
    static glm::uvec4 vector_of(const passes::FilterSize& size) {
        return {size[0], size[1], size[2], size[3]};
    }
};

} // namespace tuff::testing_gpu
