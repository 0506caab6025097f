#pragma once

#include "passes/fluid/step.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

/// What the tests of fluids share: fields from numbers, and the reference in double precision.
namespace tuff::testing_gpu {

using Cells = std::vector<glm::vec4>;
using SolidAt = std::function<bool(glm::ivec3)>;

class FluidTest : public GpuTest {
  protected:
    static glm::ivec3 place_of(std::size_t i, glm::uvec3 dims) {
        const glm::uvec3 d(dims);
        return {static_cast<int>(i % d.x), static_cast<int>(i / d.x % d.y),
                static_cast<int>(i / (std::size_t{d.x} * d.y))};
    }
    /// `value(place)` for each cell.
    static Cells cells_of(glm::uvec3 dims, const std::function<glm::vec4(glm::ivec3)>& value) {
        Cells cells(std::size_t{dims.x} * dims.y * dims.z);
        for (std::size_t i = 0; i < cells.size(); ++i)
            cells[i] = value(place_of(i, dims));
        return cells;
    }
    static Buffer buffer_of(Graph& g, std::string_view name, const Cells& cells) {
        const auto bytes = bytes_of(cells);
        return g.constant_buffer(name, {.size = bytes->size(), .stride = 16}, bytes);
    }
    static passes::FluidObstacles obstacles_of(Graph& g, glm::uvec3 dims, const SolidAt& solid) {
        passes::FluidObstacles result{.dims = dims};
        std::vector<std::uint32_t> words(result.word_count());
        const std::size_t row_words = result.row_words();
        for (std::size_t i = 0; i < std::size_t{dims.x} * dims.y * dims.z; ++i) {
            const glm::ivec3 p = place_of(i, dims);
            const auto row = static_cast<std::size_t>(p.z) * dims.y + static_cast<std::size_t>(p.y);
            const auto x = static_cast<std::uint32_t>(p.x);
            if (solid(p)) words[row * row_words + x / 32] |= 1u << (x & 31u);
        }
        const auto bytes = bytes_of(words);
        result.words = g.constant_buffer("solid", {.size = bytes->size(), .stride = 4}, bytes);
        return result;
    }
    static passes::FluidField field_of(Graph& g, glm::uvec3 dims, const Cells& cells,
                                       const SolidAt& solid = {},
                                       const passes::FluidBoundary& boundary = {}) {
        passes::FluidField field{
            .cells = buffer_of(g, "initial", cells), .dims = dims, .boundary = boundary};
        if (solid) field.solid = obstacles_of(g, dims, solid);
        return field;
    }
    /// Constants and histories cannot be outputs.
    static void output(Graph& g, const std::string& name, Buffer buffer) {
        g.output(name, g.copy(buffer, g.buffer("copy", g.desc(buffer))));
    }
    passes::FluidStatus status(Running& running) {
        const auto words = running.buffer<std::uint32_t>("status");
        return passes::FluidStatus::read(words);
    }
};

inline passes::FluidBoundary all_faces(passes::FluidFace face) {
    return {.left = face, .right = face, .bottom = face, .top = face, .back = face, .front = face};
}

/// The density-invariant solver in double precision, cell by cell from its definition.
struct FluidReference {
    glm::ivec3 dims;
    std::vector<glm::dvec4> cells;
    SolidAt solid;
    passes::SolidMotion motion;
    passes::FluidSolverParameters solver;
    passes::FluidBoundary boundary;
    std::vector<passes::EmitterShape> emitters;
    Cells forces;

    void start(const Cells& values) {
        cells.clear();
        for (const glm::vec4& value : values)
            cells.emplace_back(value);
    }
    void step();

  private:
    struct Cell {
        bool solid = false;
        bool beyond = false; // at rest density
        glm::dvec4 value{0.0};
    };
    int axes() const { return dims.z == 1 ? 2 : 3; }
    Cell at(glm::ivec3 p) const;
    double flow(glm::ivec3 p) const;
    double next_density(glm::ivec3 p) const;
    glm::dvec3 traced_back(glm::ivec3 p) const;
    double pressing(glm::ivec3 p, double own) const;
    Cell of_solid(glm::ivec3 p) const;
};

/// Numbers in [-1, 1), the same in every run.
class Noise {
  public:
    explicit Noise(std::uint32_t seed) : random_(seed) {}
    float operator()() { return static_cast<float>(random_() >> 8) * 0x1p-23f - 1.0f; }

  private:
    std::mt19937 random_;
};

} // namespace tuff::testing_gpu
