#include "tests/gpu/solver/poisson_test.hpp"

#include <algorithm>
#include <cstring>
#include <variant>

/// solver/poisson with images in place of arrays.
namespace tuff {
namespace {

using passes::Poisson;
using passes::PoissonBoundaries;
using passes::PoissonBoundary;
using passes::PoissonMethod;
using testing_gpu::bytes_of;
using testing_gpu::Field;
using testing_gpu::narrowed;
using testing_gpu::PoissonBox;
using testing_gpu::random_field;
using testing_gpu::Running;

class PoissonImages : public testing_gpu::PoissonTest {
  protected:
    static ImageDesc desc_of(const PoissonBox& box, Format format) {
        return {.format = format,
                .extent = {box.size.x, box.size.y, box.size.z},
                .shape = box.size.z == 1 ? ImageShape::d2 : ImageShape::d3};
    }
    template <typename T>
    static Image image(Graph& g, std::string_view name, const PoissonBox& box, Format format,
                       const std::vector<T>& texels) {
        return g.constant_image(name, desc_of(box, format), bytes_of(texels));
    }
    struct Bits {
        std::vector<std::uint32_t> solution, image, residuals, status;
    };
    static void keep_all(Graph& g, const Poisson& solved, const std::string& prefix) {
        keep(g, solved, prefix);
        g.output(prefix + "image", solved.image);
    }
    Bits bits_of(Running& running, const std::string& prefix) {
        const HostImage image = running.image(prefix + "image");
        std::vector<std::uint32_t> texels(image.texels.size() / 4);
        std::memcpy(texels.data(), image.texels.data(), texels.size() * 4);
        return {.solution = running.buffer<std::uint32_t>(prefix + "solution"),
                .image = std::move(texels),
                .residuals = running.buffer<std::uint32_t>(prefix + "residuals"),
                .status = running.buffer<std::uint32_t>(prefix + "status")};
    }
};

TEST_F(PoissonImages, GiveTheSolutionsOfBuffersToTheBit) {
    struct Case {
        glm::uvec3 size;
        PoissonBoundary boundary;
        PoissonMethod method;
        bool guess = false;
        bool cells = false;
    };
    using enum PoissonBoundary;
    using enum PoissonMethod;
    const Case cases[] = {
        {{37, 22, 1}, neumann, v_cycle},           {{36, 32, 1}, dirichlet, v_cycle, true},
        {{19, 14, 10}, neumann, full_multigrid},   {{16, 16, 8}, periodic, v_cycle},
        {{33, 21, 1}, neumann, mgpcg, true, true}, {{15, 12, 9}, dirichlet, mgpcg, false, true},
        {{9, 1, 7}, periodic, sor, true},          {{24, 1, 1}, neumann, jacobi}};
    Graph g = graph();
    for (std::size_t i = 0; i < std::size(cases); ++i) {
        const Case& c = cases[i];
        PoissonBox box{.size = c.size,
                       .spacing = glm::dvec3(0.5),
                       .boundary = PoissonBoundaries::all(c.boundary),
                       .cells = {}};
        std::vector<std::uint8_t> kinds(box.count());
        for (std::size_t k = 0; k < kinds.size(); ++k)
            kinds[k] = k % 11 == 3 ? 1 : k % 17 == 5 ? 2 : 0;
        if (c.cells) box.cells.assign(kinds.begin(), kinds.end());
        const Field rhs = random_field(box.count(), 3 + static_cast<std::uint32_t>(i));
        const std::vector<float> guess = narrowed(random_field(box.count(), 90));
        Poisson of_buffers =
            on(g, box, rhs, {.method = c.method, .tolerance = 1e-3f, .max_cycles = 3});
        if (c.guess) of_buffers.guess = numbers(g, "guess", guess);
        Poisson of_images = of_buffers;
        of_images.rhs = {};
        of_images.guess = {};
        of_images.cells = {};
        of_images.rhs_image = image(g, "rhs_image", box, Format::r32_sfloat, narrowed(rhs));
        of_images.size = {}; // the image's
        if (c.guess)
            of_images.guess_image = image(g, "guess_image", box, Format::r32_sfloat, guess);
        if (c.cells) of_images.cells_image = image(g, "cells_image", box, Format::r8_uint, kinds);
        const std::string name = std::to_string(i);
        keep_all(g, g.add(of_buffers, "buffers" + name), "buffers" + name);
        keep_all(g, g.add(of_images, "images" + name), "images" + name);
    }
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    for (std::size_t i = 0; i < std::size(cases); ++i) {
        SCOPED_TRACE(i);
        const Bits expected = bits_of(running, "buffers" + std::to_string(i));
        const Bits got = bits_of(running, "images" + std::to_string(i));
        EXPECT_EQ(got.solution, expected.solution);
        EXPECT_EQ(got.status, expected.status);
        EXPECT_EQ(got.residuals, expected.residuals);
        EXPECT_EQ(got.image, expected.solution);
        EXPECT_EQ(expected.image, expected.solution);
        EXPECT_GT(std::ranges::count_if(got.solution, [](std::uint32_t bits) { return bits != 0; }),
                  static_cast<std::ptrdiff_t>(got.solution.size() / 2));
    }
}

TEST_F(PoissonImages, AreReadInAnyFormatOfOneChannel) {
    // Numbers that a byte, and half a float, have exactly.
    const PoissonBox box{.size = {21, 18, 1}, .boundary = {.x = PoissonBoundary::dirichlet}};
    std::vector<std::uint8_t> bytes(box.count());
    std::vector<std::uint16_t> halves(box.count());
    std::vector<float> floats(box.count());
    for (std::size_t i = 0; i < box.count(); ++i) {
        bytes[i] = i % 5 == 0 ? 255 : 0;
        halves[i] = i % 5 == 0 ? 0x3c00 : 0; // 1
        floats[i] = i % 5 == 0 ? 1.0f : 0.0f;
    }
    Graph g = graph();
    const Image sources[] = {image(g, "bytes", box, Format::r8_unorm, bytes),
                             image(g, "halves", box, Format::r16_sfloat, halves),
                             image(g, "floats", box, Format::r32_sfloat, floats)};
    for (std::size_t i = 0; i < std::size(sources); ++i)
        g.output("image" + std::to_string(i),
                 g.add(Poisson{.rhs_image = sources[i], .boundary = box.boundary}).image);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const HostImage expected = running.image("image2");
    EXPECT_EQ(expected.extent, (Extent{21, 18, 1}));
    EXPECT_NE(expected.texel(10, 9)[0], 0.0f);
    EXPECT_EQ(running.image("image0").texels, expected.texels);
    EXPECT_EQ(running.image("image1").texels, expected.texels);
}

TEST_F(PoissonImages, AreNotCopiedInTheLoopNorWrittenWhereNobodyReadsThem) {
    const PoissonBox box{.size = {32, 32, 32}};
    const Field rhs = random_field(box.count(), 1);
    for (const bool as_image : {false, true})
        for (const PoissonMethod method :
             {PoissonMethod::jacobi, PoissonMethod::v_cycle, PoissonMethod::mgpcg}) {
            Graph g = graph();
            const Poisson solved =
                g.add(Poisson{.rhs_image = image(g, "rhs", box, Format::r32_sfloat, narrowed(rhs)),
                              .method = method,
                              .max_cycles = 4});
            if (as_image)
                g.output("image", solved.image);
            else
                g.output("solution", solved.solution);
            EXPECT_TRUE(g.peek().diagnostics.empty());
            const std::shared_ptr<const Plan> plan = compile_graph(std::move(g));
            ASSERT_TRUE(plan);
            const GraphDesc& desc = plan->graph;
            bool writes_image = false;
            bool writes_array = false;
            for (const NodeId node : plan->order) {
                const std::string_view name = desc.name_of(node);
                writes_image = writes_image || name.ends_with("finish_image");
                writes_array = writes_array || name.ends_with("/finish");
                const std::uint32_t payload = desc.nodes[node.index].payload;
                const bool in_loop = name.find('[') != std::string_view::npos;
                EXPECT_FALSE(in_loop && payload != ~0u &&
                             std::holds_alternative<CopyNode>(desc.payloads[payload]))
                    << name;
            }
            EXPECT_EQ(writes_image, as_image);
            EXPECT_EQ(writes_array, !as_image);
        }
}

TEST_F(PoissonImages, OfOtherSizesAndFormatsAreRefused) {
    const auto refusal = [&](auto&& change) {
        Graph g = graph();
        const PoissonBox box{.size = {6, 5, 4}};
        const auto made = [&](std::string_view name, glm::uvec3 size, Format format) {
            const PoissonBox of{.size = size};
            return g.clear(g.image(name, desc_of(of, format)), std::array<float, 4>{});
        };
        Poisson pass{.rhs_image = made("rhs", box.size, Format::r32_sfloat), .size = box.size};
        change(pass, made);
        g.add(pass);
        const Diagnostics& found = g.peek().diagnostics;
        return found.empty() ? std::string("none") : found.front().code;
    };
    EXPECT_EQ(refusal([](Poisson&, auto&&) {}), "none");
    EXPECT_EQ(refusal([](Poisson& pass, auto&&) { pass.size = {}; }), "none");
    EXPECT_EQ(refusal([](Poisson& pass, auto&&) { pass.size = {6, 5, 3}; }), "image/size-mismatch");
    EXPECT_EQ(refusal([](Poisson& pass, auto&& made) {
                  pass.guess_image = made("guess", {5, 6, 4}, Format::r32_sfloat);
              }),
              "image/size-mismatch");
    EXPECT_EQ(refusal([](Poisson& pass, auto&& made) { // a picture where a volume belongs
                  pass.guess_image = made("guess", {6, 5, 1}, Format::r32_sfloat);
              }),
              "image/size-mismatch");
    EXPECT_EQ(refusal([](Poisson& pass, auto&& made) {
                  pass.guess_image = made("guess", {6, 5, 4}, Format::rgba32_sfloat);
              }),
              "image/unsupported-format");
    EXPECT_EQ(refusal([](Poisson& pass, auto&& made) {
                  pass.guess_image = made("guess", {6, 5, 4}, Format::r32_uint);
              }),
              "image/unsupported-format");
    EXPECT_EQ(refusal([](Poisson& pass, auto&& made) {
                  pass.cells_image = made("cells", {6, 5, 4}, Format::r32_sfloat);
              }),
              "image/unsupported-format");
    EXPECT_EQ(refusal([](Poisson& pass, auto&&) { pass.rhs_image = {}; }), "graph/unconnected");
    EXPECT_EQ(refusal([](Poisson& pass, auto&&) { pass.rhs = Buffer{pass.rhs_image.version}; }),
              "solver/given-twice");
    EXPECT_EQ(refusal([](Poisson& pass, auto&&) {
                  pass.rhs_image = {};
                  pass.size = {};
              }),
              "pass/out-of-range");
}

} // namespace
} // namespace tuff
