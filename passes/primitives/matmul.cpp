#include "passes/primitives/matmul.hpp"

#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxPasses = 4096;
constexpr std::uint32_t kMaxPicture = 16384; // side of a picture that every device can draw
constexpr std::uint32_t kLargeShared = 48 * 1024;
constexpr std::uint32_t kSmallTile = 16;

/// What a group of the forms with registers makes, as in the shaders: elements of the result, and
/// products that it adds at a time.
struct TileSize {
    std::uint32_t rows;
    std::uint32_t columns;
    std::uint32_t inner;
};
constexpr TileSize kTileOfAll{64, 64, 16};
constexpr TileSize kLargeTile{128, 256, 16};
constexpr TileSize kCooperativeTile{128, 128, 32};
constexpr std::uint32_t kCooperativeLanes = 32; // of a subgroup

/// A product whose result is stored row by row.
struct Product {
    Buffer left;
    Buffer right;
    std::uint32_t rows;
    std::uint32_t columns;
    std::uint32_t inner;
    MatrixOrder left_order;
    MatrixOrder right_order;
};

MatrixOrder other(MatrixOrder order) {
    return order == MatrixOrder::rows ? MatrixOrder::columns : MatrixOrder::rows;
}

/// By columns, C has the layout of its transpose by rows, which is the product of the transposes of
/// B and A.
Product by_rows(const Matmul& pass) {
    if (pass.result_order == MatrixOrder::rows)
        return {pass.left,  pass.right,      pass.rows,       pass.columns,
                pass.inner, pass.left_order, pass.right_order};
    return {.left = pass.right,
            .right = pass.left,
            .rows = pass.columns,
            .columns = pass.rows,
            .inner = pass.inner,
            .left_order = other(pass.right_order),
            .right_order = other(pass.left_order)};
}

std::uint32_t tiles(std::uint32_t size, std::uint32_t tile) {
    return size / tile + (size % tile != 0 ? 1 : 0);
}

void bind_operands(KernelNode& node, const Product& product) {
    node.specialize("left_by_columns", std::uint32_t(product.left_order == MatrixOrder::columns));
    node.specialize("right_by_columns", std::uint32_t(product.right_order == MatrixOrder::columns));
    node.read("left", product.left);
    node.read("right", product.right);
    node.set("rows", product.rows);
    node.set("columns", product.columns);
    node.set("inner", product.inner);
}

/// One group a tile of `height` x `width` elements of the result.
void dispatch_tiles(ComputeNodeBuilder& node, const Product& product, std::uint32_t height,
                    std::uint32_t width) {
    const glm::uvec2 count{tiles(product.columns, width), tiles(product.rows, height)};
    node.set("tiles", count);
    fold_groups(std::uint64_t{count.x} * count.y).dispatch(node);
}

Buffer new_result(Graph& graph, const Product& product) {
    return array(graph, "result", std::uint64_t{product.rows} * product.columns);
}

Buffer add_simple(Graph& graph, const Product& product, std::string_view kernel) {
    ComputeNodeBuilder node = graph.compute(kernel);
    bind_operands(node, product);
    const Buffer result = node.write("product", new_result(graph, product));
    dispatch_tiles(node, product, kSmallTile, kSmallTile);
    return result;
}

/// Lines that are whole vectors long are read as vectors.
bool in_vectors(MatrixOrder order, std::uint32_t by_rows, std::uint32_t by_columns) {
    return (order == MatrixOrder::rows ? by_rows : by_columns) % 4 == 0;
}

struct LargeTileKernel {
    std::string name; // in full
    TileSize tile;
};
LargeTileKernel kernel_of(MatmulForm form) {
    switch (form) {
    case MatmulForm::cooperative: return {"primitives/matmul_cooperative", kCooperativeTile};
    case MatmulForm::registers_large:
        return {ShaderVariant{{"LARGE", 1}}.name_of("primitives/matmul_registers"), kLargeTile};
    default:
        return {ShaderVariant{{"LARGE", 0}}.name_of("primitives/matmul_registers"), kTileOfAll};
    }
}

Buffer add_large_tiles(Graph& graph, Product product, MatmulForm form, MatmulOperands operands) {
    const auto [kernel, tile] = kernel_of(form);
    product.left = pad_to_uvec4(graph, product.left);
    product.right = pad_to_uvec4(graph, product.right);
    ComputeNodeBuilder node = graph.compute(kernel);
    bind_operands(node, product);
    const bool left_vectors = in_vectors(product.left_order, product.inner, product.rows);
    const bool right_vectors = in_vectors(product.right_order, product.columns, product.inner);
    node.specialize("left_in_vectors", std::uint32_t(left_vectors));
    node.specialize("right_in_vectors", std::uint32_t(right_vectors));
    if (form != MatmulForm::cooperative)
        node.specialize("half_operands", std::uint32_t(operands == MatmulOperands::f16));
    const bool whole = product.rows % tile.rows == 0 && product.columns % tile.columns == 0 &&
                       product.inner % tile.inner == 0;
    node.specialize("whole_tiles", std::uint32_t(whole));
    const Buffer result = node.write("product", new_result(graph, product));
    dispatch_tiles(node, product, tile.rows, tile.columns);
    return result;
}

Buffer add_passes(Graph& graph, const Product& product, std::uint32_t block) {
    const Buffer zero = graph.fill(new_result(graph, product), 0, "clear");
    return graph.repeat("share", tiles(product.inner, block), zero,
                        [&](Buffer sum, std::uint32_t share) {
                            ComputeNodeBuilder node = graph.compute("primitives/matmul_block");
                            bind_operands(node, product);
                            node.specialize("block", block);
                            node.set("first", share * block);
                            const Buffer more = node.write("product", sum);
                            dispatch_tiles(node, product, kSmallTile, kSmallTile);
                            return more;
                        });
}

Buffer add_blended(Graph& graph, const Product& product, std::uint32_t block) {
    const Image picture = graph.image(
        "picture", {.format = Format::r32_sfloat, .extent = {product.columns, product.rows, 1}});
    RasterNodeBuilder node = graph.raster("primitives/matmul_blend");
    bind_operands(node, product);
    node.specialize("block", block);
    node.set("first", 0u);
    node.state().depth_test = false;
    node.state().depth_write = false;
    node.state().blend = {.source_color = BlendFactor::one,
                          .destination_color = BlendFactor::one,
                          .source_alpha = BlendFactor::one,
                          .destination_alpha = BlendFactor::one};
    const Image sums = node.blended_color(picture, cleared(0.0f));
    // The device blends instances in their order.
    node.draw({.count = 3, .instance_count = tiles(product.inner, block)});
    return graph.copy_to_buffer(sums, new_result(graph, product), "store");
}

bool is_matrix(Graph& graph, Buffer buffer, std::string_view port, std::uint32_t rows,
               std::uint32_t columns) {
    const std::uint64_t elements = std::uint64_t{rows} * columns;
    const std::uint64_t room = capacity(graph, buffer);
    if (room >= elements) return true;
    graph.error("primitives/too-short",
                fmt::format("\"{}\" holds {} elements, but a {}x{} matrix has {}", port, room, rows,
                            columns, elements));
    return false;
}

bool has_result(Graph& graph, const Matmul& pass) {
    if (pass.rows == 0 || pass.columns == 0) {
        graph.error("primitives/empty-matrix",
                    fmt::format("the product has {} rows and {} columns", pass.rows, pass.columns),
                    "set \"rows\" and \"columns\" to 1 or more");
        return false;
    }
    for (const auto& [rows, columns] :
         {std::pair{pass.rows, pass.columns}, {pass.rows, pass.inner}, {pass.inner, pass.columns}})
        if (std::uint64_t{rows} * columns > kMaxElements) {
            graph.error("primitives/too-long",
                        fmt::format("a {}x{} matrix has more than the {} elements that can be "
                                    "addressed",
                                    rows, columns, kMaxElements));
            return false;
        }
    return true;
}

bool has_matrix_units(const DeviceCaps& caps) {
    return caps.cooperative_matrix && caps.fp16 && caps.subgroup_size == kCooperativeLanes;
}

bool multiplies_f16(MatmulForm form) {
    return form == MatmulForm::cooperative || form == MatmulForm::registers ||
           form == MatmulForm::registers_large;
}

bool form_fits(Graph& graph, const Matmul& pass, MatmulForm form, std::uint32_t block) {
    if (form == MatmulForm::cooperative && !has_matrix_units(graph.target())) {
        graph.error("primitives/form", "the device has no matrix units that kernels can use",
                    "\"automatic\" takes what fits the device");
        return false;
    }
    if (form == MatmulForm::cooperative && pass.operands != MatmulOperands::f16) {
        graph.error("primitives/form", "matrix units multiply operands of 16 bits",
                    "set \"operands\" to \"f16\", which rounds them");
        return false;
    }
    if (pass.operands == MatmulOperands::f16 && !multiplies_f16(form)) {
        graph.error("primitives/form", "this form does not round its operands",
                    "for operands of 16 bits use \"automatic\", \"registers\", \"registers_large\" "
                    "or \"cooperative\"");
        return false;
    }
    if (form == MatmulForm::registers_large && graph.target().max_shared_bytes < kLargeShared) {
        graph.error("primitives/form",
                    fmt::format("tiles of 128x256 take {} bytes of shared memory, the device has "
                                "{}",
                                kLargeShared, graph.target().max_shared_bytes),
                    "\"automatic\" takes what fits the device");
        return false;
    }
    const bool in_passes = form == MatmulForm::multi_pass || form == MatmulForm::blocked;
    if (!in_passes && form != MatmulForm::blended) return true;
    if (in_passes && tiles(pass.inner, block) > kMaxPasses) {
        graph.error("primitives/form",
                    fmt::format("an inner dimension of {} takes {} passes, more than {}",
                                pass.inner, tiles(pass.inner, block), kMaxPasses),
                    "use the form \"blocked\" with a larger \"block\"");
        return false;
    }
    if (form == MatmulForm::blended && !graph.target().float32_blending) {
        graph.error("primitives/form", "the device cannot blend onto 32-bit floats",
                    "\"blocked\" adds the same products in kernels");
        return false;
    }
    if (form == MatmulForm::blended && std::max(pass.rows, pass.columns) > kMaxPicture) {
        graph.error("primitives/form",
                    fmt::format("a {}x{} matrix is too large to be drawn; the limit is {}",
                                pass.rows, pass.columns, kMaxPicture));
        return false;
    }
    return true;
}

MatmulForm chosen_form(const Graph& graph, const Matmul& pass) {
    if (pass.form != MatmulForm::automatic) return pass.form;
    // Large tiles pay where there are several for each processor of a large GPU; smaller products
    // are spread over more of the device by the smaller ones.
    constexpr std::uint64_t kManyTiles = 384;
    const DeviceCaps& caps = graph.target();
    if (pass.operands == MatmulOperands::f16 && has_matrix_units(caps))
        return MatmulForm::cooperative;
    const std::uint64_t large_tiles =
        std::uint64_t{tiles(pass.rows, kLargeTile.rows)} * tiles(pass.columns, kLargeTile.columns);
    const bool large = caps.type == DeviceType::discrete && caps.max_shared_bytes >= kLargeShared &&
                       large_tiles >= kManyTiles;
    return large ? MatmulForm::registers_large : MatmulForm::registers;
}

} // namespace

void Matmul::describe(PassInfo<Matmul>& info) {
    info.summary("Multiplies two matrices of 32-bit floats")
        .details(
            "C = A * B for any sizes; nothing is padded, and with an inner dimension of 0 the "
            "result is zero. Each matrix is stored row by row or column by column, which also "
            "expresses a transpose. The error of an element is at most inner * 2^-24 * sum |a| |b| "
            "in every form. With \"operands\" f16 the operands, which must be at most 65504, are "
            "first rounded to 16 bits, up or down as the device does it; this adds at most 2^-9 * "
            "sum |a| |b|.\n\n\"automatic\" multiplies tiles in registers and loads them from "
            "double-buffered shared memory: 64x64 tiles, or 128x256 on a GPU with 48 KiB of shared "
            "memory. It gives operands of f16 to the device's matrix units, if it has them "
            "(\"cooperative\": VK_NV_cooperative_matrix).\n\nThe other forms are those of the "
            "lecture. \"naive\" reads a row and a column for each element; \"multi_pass\" adds one "
            "product to every element in each pass; \"blocked\" adds \"block\" products in each "
            "pass; \"blended\" is \"blocked\" drawn with additive blending, as before compute "
            "shaders; \"tiled\" is the simplest form with shared memory, 16x16 at a time.")
        .source("Zachmann, \"Computer-Graphik II: GPGPU-Algorithmen\", TU Clausthal; Volkov and "
                "Demmel, \"Benchmarking GPUs to tune dense linear algebra\", SC 2008 (registers)")
        .complexity("O(rows * columns * inner)")
        .cost([](const Matmul& pass, const Graph&) {
            const double m = pass.rows;
            const double n = pass.columns;
            const double k = pass.inner;
            return Cost{.bytes = 4.0 * (m * k + k * n + m * n), .operations = 2.0 * m * n * k};
        });
    info.input("left", &Matmul::left, "A: array of f32, rows x inner").elements<float>();
    info.input("right", &Matmul::right, "B: array of f32, inner x columns").elements<float>();
    info.parameter("rows", &Matmul::rows, "rows of A and of the result").structural();
    info.parameter("columns", &Matmul::columns, "columns of B and of the result").structural();
    info.parameter("inner", &Matmul::inner, "columns of A, rows of B").structural();
    info.parameter("left_order", &Matmul::left_order, "storage order of A").structural();
    info.parameter("right_order", &Matmul::right_order, "storage order of B").structural();
    info.parameter("result_order", &Matmul::result_order, "storage order of the result")
        .structural();
    info.parameter("operands", &Matmul::operands, "what elements of A and B are rounded to")
        .structural();
    info.parameter("form", &Matmul::form, "how it is computed").structural();
    info.parameter("block", &Matmul::block,
                   "steps of the inner dimension in a pass of \"blocked\" and \"blended\"")
        .range(1, kMaxPasses)
        .structural();
    info.output("result", &Matmul::result, "C: array of f32, rows x columns").elements<float>();
}

void Matmul::build(Graph& graph) {
    if (!has_result(graph, *this)) return;
    if (!is_matrix(graph, left, "left", rows, inner)) return;
    if (!is_matrix(graph, right, "right", inner, columns)) return;
    const MatmulForm chosen = chosen_form(graph, *this);
    const std::uint32_t share = chosen == MatmulForm::multi_pass ? 1 : block;
    if (!form_fits(graph, *this, chosen, share)) return;
    const Product product = by_rows(*this);
    if (inner == 0) {
        result = graph.fill(new_result(graph, product), 0, "zero");
        return;
    }
    switch (chosen) {
    case MatmulForm::naive: result = add_simple(graph, product, "primitives/matmul_naive"); break;
    case MatmulForm::tiled: result = add_simple(graph, product, "primitives/matmul_tiled"); break;
    case MatmulForm::multi_pass:
    case MatmulForm::blocked: result = add_passes(graph, product, share); break;
    case MatmulForm::blended: result = add_blended(graph, product, share); break;
    case MatmulForm::automatic:
    case MatmulForm::registers:
    case MatmulForm::registers_large:
    case MatmulForm::cooperative: result = add_large_tiles(graph, product, chosen, operands); break;
    }
}

TUFF_PASS(Matmul)

} // namespace tuff::passes
