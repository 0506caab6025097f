#include "passes/primitives/matmul.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <fmt/format.h>

#include <cmath>
#include <random>
#include <vector>

namespace tuff {
namespace {

using passes::Matmul;
using passes::MatmulForm;
using passes::MatmulOperands;
using passes::MatrixOrder;
using testing_gpu::bytes_of;
using testing_gpu::Running;

constexpr std::array kMatmulForms{
    MatmulForm::naive, MatmulForm::multi_pass, MatmulForm::blocked,        MatmulForm::blended,
    MatmulForm::tiled, MatmulForm::registers,  MatmulForm::registers_large};

/// Those that round their operands to 16 bits.
constexpr std::array kFormsOfHalves{MatmulForm::automatic, MatmulForm::registers,
                                    MatmulForm::registers_large, MatmulForm::cooperative};

struct Matrix {
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    std::vector<float> values; ///< row by row

    float at(std::uint32_t row, std::uint32_t column) const {
        return values[std::size_t{row} * columns + column];
    }
};

Matrix random_matrix(std::uint32_t rows, std::uint32_t columns, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> value(-1.0f, 1.0f);
    Matrix matrix{rows, columns, std::vector<float>(std::size_t{rows} * columns)};
    for (float& v : matrix.values)
        v = value(random);
    return matrix;
}

/// Numbers near those given that 16 bits hold exactly.
Matrix of_halves(Matrix matrix) {
    for (float& v : matrix.values)
        v = std::round(v * 1024.0f) / 1024.0f;
    return matrix;
}

std::vector<float> stored(const Matrix& matrix, MatrixOrder order) {
    if (order == MatrixOrder::rows) return matrix.values;
    std::vector<float> values;
    for (std::uint32_t column = 0; column < matrix.columns; ++column)
        for (std::uint32_t row = 0; row < matrix.rows; ++row)
            values.push_back(matrix.at(row, column));
    return values;
}

/// Every element within K * 2^-24 * sum |a||b| of the exact one (Higham, "Accuracy and Stability of
/// Numerical Algorithms", section 3.1; it holds for any order of the sum), and a unit in the last
/// place more for the reading of the result as a float. `rounding`: what rounding the operands
/// adds, times sum |a||b|.
void expect_product(const std::vector<float>& result, const Matrix& a, const Matrix& b,
                    MatrixOrder order, const std::string& label, double rounding = 0.0) {
    ASSERT_EQ(result.size(), std::size_t{a.rows} * b.columns) << label;
    for (std::uint32_t i = 0; i < a.rows; ++i)
        for (std::uint32_t j = 0; j < b.columns; ++j) {
            double sum = 0.0;
            double magnitude = 0.0;
            for (std::uint32_t k = 0; k < a.columns; ++k) {
                const double product = static_cast<double>(a.at(i, k)) * b.at(k, j);
                sum += product;
                magnitude += std::abs(product);
            }
            const std::size_t at = order == MatrixOrder::rows ? std::size_t{i} * b.columns + j
                                                              : std::size_t{j} * a.rows + i;
            ASSERT_NEAR(result[at], sum, ((a.columns + 1.0) * 0x1p-24 + rounding) * magnitude)
                << label << ", element " << i << ", " << j;
        }
}

class MatmulTest : public testing_gpu::GpuTest {
  protected:
    bool runs_here(MatmulForm form) {
        const DeviceCaps& caps = device().caps();
        if (form == MatmulForm::cooperative)
            return caps.cooperative_matrix && caps.fp16 && caps.subgroup_size == 32;
        if (form == MatmulForm::blended) return caps.float32_blending;
        return form != MatmulForm::registers_large || caps.max_shared_bytes >= 49152;
    }
    Buffer constant(Graph& g, std::string_view name, const std::vector<float>& values) {
        return g.constant_buffer(name, {.size = values.size() * 4, .stride = 4}, bytes_of(values));
    }
    /// Multiplies in one graph for each form, and compares.
    void check(const Matrix& a, const Matrix& b, Matmul pass, const std::string& label,
               double rounding = 0.0) {
        const std::span<const MatmulForm> forms = pass.operands == MatmulOperands::f16
                                                      ? std::span<const MatmulForm>(kFormsOfHalves)
                                                      : std::span<const MatmulForm>(kMatmulForms);
        Graph g = graph();
        const Buffer left = constant(g, "left", stored(a, pass.left_order));
        const Buffer right = constant(g, "right", stored(b, pass.right_order));
        for (MatmulForm form : forms) {
            if (!runs_here(form)) continue;
            pass.left = left;
            pass.right = right;
            pass.rows = a.rows;
            pass.columns = b.columns;
            pass.inner = a.columns;
            pass.form = form;
            const std::string name(name_of(form));
            g.output(name, g.add(pass, name).result);
        }
        Running running = run(std::move(g));
        for (MatmulForm form : forms)
            if (runs_here(form))
                expect_product(running.buffer<float>(name_of(form)), a, b, pass.result_order,
                               fmt::format("{} {}", label, name_of(form)), rounding);
    }
    static std::string_view name_of(MatmulForm form) {
        return ChoiceNames<MatmulForm>::names[static_cast<std::size_t>(form)];
    }
    Diagnostics mistakes(Matmul pass, std::size_t left, std::size_t right, bool blends = true) {
        DeviceCaps caps = device().caps();
        caps.float32_blending = caps.float32_blending && blends;
        Graph g = graph();
        g.set_target(caps);
        if (left > 0) pass.left = constant(g, "left", std::vector<float>(left));
        if (right > 0) pass.right = constant(g, "right", std::vector<float>(right));
        g.output("result", g.add(pass).result);
        const auto plan = compile(std::move(g).finish(), caps);
        return plan ? Diagnostics{} : plan.error();
    }
};

TEST_F(MatmulTest, EveryFormIsWithinTheBoundForAnyShape) {
    constexpr std::array<std::array<std::uint32_t, 3>, 12> kShapes{{{1, 1, 1},
                                                                    {1, 7, 1},
                                                                    {3, 1, 5},
                                                                    {17, 3, 2},
                                                                    {16, 16, 16},
                                                                    {33, 33, 33},
                                                                    {100, 65, 9},
                                                                    {64, 64, 100},
                                                                    {65, 63, 17},
                                                                    {129, 257, 3},
                                                                    {5, 300, 31},
                                                                    {130, 70, 66}}};
    std::uint32_t seed = 0;
    for (const auto& [rows, columns, inner] : kShapes) {
        const Matrix a = random_matrix(rows, inner, ++seed);
        const Matrix b = random_matrix(inner, columns, ++seed);
        check(a, b, {}, fmt::format("{}x{}x{}", rows, columns, inner));
    }
}

TEST_F(MatmulTest, EveryCombinationOfOrdersGivesTheSameProduct) {
    const Matrix a = random_matrix(70, 36, 1);
    const Matrix b = random_matrix(36, 67, 2);
    const Matrix whole_a = random_matrix(68, 36, 3); // lines that are whole vectors
    const Matrix whole_b = random_matrix(36, 132, 4);
    for (int orders = 0; orders < 8; ++orders) {
        const auto order = [&](int bit) {
            return (orders >> bit) & 1 ? MatrixOrder::columns : MatrixOrder::rows;
        };
        const Matmul pass{
            .left_order = order(0), .right_order = order(1), .result_order = order(2)};
        check(a, b, pass, fmt::format("odd, orders {}", orders));
        check(whole_a, whole_b, pass, fmt::format("whole vectors, orders {}", orders));
    }
}

TEST_F(MatmulTest, OperandsOf16BitsAreRoundedAndNothingElseIs) {
    constexpr std::array<std::array<std::uint32_t, 3>, 5> kShapes{
        {{1, 1, 1}, {17, 3, 2}, {65, 63, 17}, {128, 128, 32}, {130, 70, 66}}};
    std::uint32_t seed = 0;
    for (const auto& [rows, columns, inner] : kShapes)
        for (const MatrixOrder order : {MatrixOrder::rows, MatrixOrder::columns}) {
            const Matmul pass{
                .left_order = order, .right_order = order, .operands = MatmulOperands::f16};
            const std::string label = fmt::format("{}x{}x{}", rows, columns, inner);
            const Matrix left = random_matrix(rows, inner, ++seed);
            const Matrix right = random_matrix(inner, columns, ++seed);
            check(left, right, pass, "rounded " + label, 0x1p-9);
            check(of_halves(left), of_halves(right), pass, "exact " + label);
        }
    // 1 + 2^-12 is 1.
    Graph g = graph();
    const Buffer left = constant(g, "left", {1.0f + 0x1p-12f});
    const Buffer right = constant(g, "right", {1.0f});
    g.output("result", g.add(Matmul{.left = left,
                                    .right = right,
                                    .rows = 1,
                                    .columns = 1,
                                    .inner = 1,
                                    .operands = MatmulOperands::f16})
                           .result);
    EXPECT_EQ(run(std::move(g)).buffer<float>("result")[0], 1.0f);
}

/// Rounding by the compiler, which knows nothing of the kernels' way.
float as_half(float value) {
    __extension__ using Half = _Float16;
    return static_cast<float>(static_cast<Half>(value));
}

TEST_F(MatmulTest, OperandsOf16BitsAreTheNearestOnes) {
    std::vector<float> numbers{
        0.0f,     -0.0f,      1.0f + 0x1p-11f, 1.0f + 0x3p-11f, 1.0f + 0x1p-12f, -1.0f - 0x3p-12f,
        65504.0f, 65519.0f,   0x1p-14f,        0x1.fffp-15f,    0x1p-24f,        0x1.8p-24f,
        0x1p-25f, 0x1.1p-25f, -0x2.8p-24f,     0x1.ffcp3f,      0x1.ffep3f,      3.14159265f};
    std::mt19937 random(7);
    std::uniform_real_distribution<float> exponent(-26.0f, 15.9f);
    while (numbers.size() < 3000)
        numbers.push_back(std::exp2(exponent(random)) * (random() % 2 ? 1.0f : -1.0f));
    const auto count = static_cast<std::uint32_t>(numbers.size());
    Graph g = graph();
    const Buffer left = constant(g, "left", numbers);
    const Buffer right = constant(g, "right", {1.0f});
    for (MatmulForm form : kFormsOfHalves)
        if (runs_here(form))
            g.output(name_of(form), g.add(Matmul{.left = left,
                                                 .right = right,
                                                 .rows = count,
                                                 .columns = 1,
                                                 .inner = 1,
                                                 .operands = MatmulOperands::f16,
                                                 .form = form},
                                          name_of(form))
                                        .result);
    Running running = run(std::move(g));
    for (MatmulForm form : kFormsOfHalves) {
        if (!runs_here(form)) continue;
        const auto result = running.buffer<float>(name_of(form));
        for (std::uint32_t i = 0; i < count; ++i)
            ASSERT_EQ(result[i], as_half(numbers[i])) << name_of(form) << " of " << numbers[i];
    }
}

TEST_F(MatmulTest, IdentityAndPermutationsAreExact) {
    constexpr std::uint32_t kSize = 101;
    const Matrix a = random_matrix(kSize, kSize, 5);
    Matrix permutation{kSize, kSize, std::vector<float>(kSize * kSize, 0.0f)};
    for (std::uint32_t i = 0; i < kSize; ++i)
        permutation.values[i * kSize + i * 7 % kSize] = 1.0f;
    Graph g = graph();
    const Buffer left = constant(g, "left", permutation.values);
    const Buffer right = constant(g, "right", a.values);
    for (MatmulForm form : kMatmulForms)
        if (runs_here(form))
            g.output(name_of(form), g.add(Matmul{.left = left,
                                                 .right = right,
                                                 .rows = kSize,
                                                 .columns = kSize,
                                                 .inner = kSize,
                                                 .form = form},
                                          name_of(form))
                                        .result);
    Running running = run(std::move(g));
    for (MatmulForm form : kMatmulForms) {
        if (!runs_here(form)) continue;
        const auto result = running.buffer<float>(name_of(form));
        ASSERT_EQ(result.size(), a.values.size());
        for (std::uint32_t i = 0; i < kSize; ++i)
            for (std::uint32_t j = 0; j < kSize; ++j)
                ASSERT_EQ(result[i * kSize + j], a.at(i * 7 % kSize, j)) << name_of(form);
    }
}

TEST_F(MatmulTest, LongSumsStayWithinTheBound) {
    const Matrix a = random_matrix(18, 2049, 6);
    const Matrix b = random_matrix(2049, 20, 7);
    check(a, b, {.block = 7}, "inner 2049");
}

TEST_F(MatmulTest, WithNoInnerDimensionTheProductIsZero) {
    Graph g = graph();
    const Buffer any = constant(g, "any", {1.0f});
    g.output("result", g.add(Matmul{.left = any, .right = any, .rows = 3, .columns = 5}).result);
    EXPECT_EQ(run(std::move(g)).buffer<float>("result"), std::vector<float>(15, 0.0f));
}

TEST_F(MatmulTest, ProductsOfProductsNeedNoCopy) {
    // (A B) C, with A B handed on by columns.
    const Matrix a = random_matrix(21, 10, 8);
    const Matrix b = random_matrix(10, 33, 9);
    Matrix c{33, 33, std::vector<float>(33 * 33, 0.0f)};
    for (std::uint32_t i = 0; i < 33; ++i)
        c.values[i * 33 + (i + 5) % 33] = 2.0f; // exact
    Graph g = graph();
    const Buffer ab = g.add(Matmul{.left = constant(g, "a", a.values),
                                   .right = constant(g, "b", b.values),
                                   .rows = 21,
                                   .columns = 33,
                                   .inner = 10,
                                   .result_order = MatrixOrder::columns},
                            "ab")
                          .result;
    g.output("ab", ab);
    g.output("abc", g.add(Matmul{.left = ab,
                                 .right = constant(g, "c", c.values),
                                 .rows = 21,
                                 .columns = 33,
                                 .inner = 33,
                                 .left_order = MatrixOrder::columns},
                          "abc")
                        .result);
    Running running = run(std::move(g));
    const auto first = running.buffer<float>("ab");
    const auto second = running.buffer<float>("abc");
    ASSERT_EQ(second.size(), first.size());
    for (std::uint32_t i = 0; i < 21; ++i)
        for (std::uint32_t j = 0; j < 33; ++j)
            ASSERT_EQ(second[i * 33 + (j + 5) % 33], 2.0f * first[j * 21 + i]);
}

TEST_F(MatmulTest, MistakesAreOneDiagnosticEach) {
    const auto expect_one = [](const Diagnostics& found, std::string_view code) {
        ASSERT_EQ(found.size(), 1u) << to_string(found);
        EXPECT_EQ(found[0].code, code) << found[0].message;
    };
    const Matmul product{.rows = 4, .columns = 5, .inner = 6};
    EXPECT_TRUE(mistakes(product, 24, 30).empty());
    expect_one(mistakes(product, 24, 0), "graph/unconnected");
    expect_one(mistakes(product, 23, 30), "primitives/too-short");
    expect_one(mistakes(product, 24, 29), "primitives/too-short");
    Matmul other = product;
    other.rows = 0;
    expect_one(mistakes(other, 24, 30), "primitives/empty-matrix");
    other = product;
    other.rows = other.columns = 100'000;
    expect_one(mistakes(other, 24, 30), "primitives/too-long");
    other = product;
    other.form = MatmulForm::blocked;
    other.block = 0;
    expect_one(mistakes(other, 24, 30), "pass/out-of-range");
    other = {.rows = 1, .columns = 1, .inner = 5000, .form = MatmulForm::multi_pass};
    expect_one(mistakes(other, 5000, 5000), "primitives/form");
    other = {.rows = 20'000, .columns = 1, .inner = 1, .form = MatmulForm::blended};
    expect_one(mistakes(other, 20'000, 1), "primitives/form");
    other = product;
    other.form = MatmulForm::blended;
    if (runs_here(other.form)) {
        EXPECT_TRUE(mistakes(other, 24, 30).empty());
    }
    expect_one(mistakes(other, 24, 30, false), "primitives/form");
    other.form = MatmulForm::registers_large;
    if (!runs_here(other.form)) expect_one(mistakes(other, 24, 30), "primitives/form");
    other.form = MatmulForm::cooperative; // of operands that are not rounded
    expect_one(mistakes(other, 24, 30), "primitives/form");
    other.operands = MatmulOperands::f16;
    if (!runs_here(other.form)) expect_one(mistakes(other, 24, 30), "primitives/form");
    other.form = MatmulForm::naive;
    expect_one(mistakes(other, 24, 30), "primitives/form");
}

} // namespace
} // namespace tuff
