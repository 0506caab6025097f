#include "passes/distance/saito.hpp"

#include "passes/common/constant_array.hpp"
#include "passes/common/div_round_up.hpp"
#include "passes/common/picture.hpp"
#include "passes/distance/channels.hpp"

#include <fmt/format.h>

#include <vector>

namespace tuff::passes {
namespace {

/// More than any side: stands for "no object in this row".
constexpr std::uint32_t kNoObjectInRow = kMaxFieldSide + 1;
constexpr std::uint32_t kMaxSpan = 1024;
constexpr std::uint32_t kSectionsOfGroup = 64; // as in row_tiles.comp
constexpr std::uint32_t kColumnsOfGroup = 64;  // as in columns_split.comp

/// Makes the field of one seed.
class SaitoMaker {
  public:
    SaitoMaker(Graph& graph, const SaitoToriwaki& pass, Image seed)
        : graph_(graph), pass_(pass), seed_(seed), size_(graph.extent(seed)) {}

    MadeField run() {
        Image rows = pass_.rows == RowMode::tiled ? sweep_sections() : sweep(sweep(Image{}));
        if (pass_.squares == SquareMode::pass) rows = squared(rows);
        MadeField made;
        made.field = pass_.columns == ColumnMode::split ? split(rows) : minimise(rows);
        made.status = count_seed(graph_, seed_);
        return made;
    }

  private:
    std::uint32_t far() const { return pass_.clamp == 0 ? kNoObjectInRow : pass_.clamp; }
    bool sweeps_squares() const { return pass_.squares == SquareMode::offset; }
    bool has_squared_rows() const { return sweeps_squares() || pass_.squares == SquareMode::pass; }

    Image new_rows(std::string_view name) {
        return image_like(graph_, name, seed_, Format::r32_uint);
    }

    Image sweep(Image forward) {
        ComputeNodeBuilder node = graph_.compute(
            "distance/row_sweep", {{"BACKWARD", bool(forward)}, {"SQUARED", sweeps_squares()}},
            forward ? "rows_backward" : "rows_forward");
        node.set("far", far());
        node.read("seed", seed_, Sampler::nearest());
        if (forward) node.read("forward", forward, Sampler::nearest());
        const Image rows = node.write("rows", new_rows("rows"));
        node.dispatch_over({.width = size_.height, .height = 1});
        return rows;
    }

    Image sweep_sections() {
        ComputeNodeBuilder node =
            graph_.compute("distance/row_tiles", {{"SQUARED", sweeps_squares()}}, "rows");
        node.specialize("kSpan", static_cast<std::int32_t>(pass_.span));
        node.set("far", far());
        node.set("margin",
                 static_cast<std::int32_t>(pass_.margin == 0 ? pass_.clamp : pass_.margin));
        node.read("seed", seed_, Sampler::nearest());
        const Image rows = node.write("rows", new_rows("rows"));
        node.dispatch(div_round_up(div_round_up(size_.width, pass_.span), kSectionsOfGroup),
                      size_.height);
        return rows;
    }

    Image squared(Image rows) {
        ComputeNodeBuilder node = graph_.compute("distance/square_rows");
        node.read("rows", rows, Sampler::nearest());
        const Image squares = node.write("squares", new_rows("squares"));
        node.dispatch_over(size_);
        return squares;
    }

    void bind_columns(ComputeNodeBuilder& node, Image rows) {
        node.set("far", has_squared_rows() ? far() * far() : far());
        node.set("most", pass_.clamp == 0 ? kUnreached32 : pass_.clamp * pass_.clamp);
        node.read("rows", rows, Sampler::nearest());
        if (pass_.squares != SquareMode::table) return;
        std::vector<std::uint32_t> squares;
        for (std::uint32_t i = 0; i <= size_.height; ++i)
            squares.push_back(i * i);
        node.read("squares", constant_array(graph_, "squares", squares));
    }
    Image new_field() { return image_like(graph_, "field", seed_, field_format(pass_.storage)); }

    Image minimise(Image rows) {
        ComputeNodeBuilder node = graph_.compute("distance/columns",
                                                 {{"BRUTE", pass_.columns == ColumnMode::brute},
                                                  {"SQUARED", has_squared_rows()},
                                                  {"TABLE", pass_.squares == SquareMode::table}},
                                                 "columns");
        bind_columns(node, rows);
        const Image field = node.write("field", new_field());
        node.dispatch_over(size_);
        return field;
    }

    ComputeNodeBuilder sweep_columns(Image rows, bool upward) {
        ComputeNodeBuilder node = graph_.compute("distance/columns_split",
                                                 {{"UPWARD", upward},
                                                  {"SQUARED", has_squared_rows()},
                                                  {"TABLE", pass_.squares == SquareMode::table}},
                                                 upward ? "columns_upward" : "columns_downward");
        bind_columns(node, rows);
        node.dispatch(div_round_up(size_.width, kColumnsOfGroup));
        return node;
    }

    Image split(Image rows) {
        const std::uint64_t texels = std::uint64_t{size_.width} * size_.height;
        Buffer least =
            graph_.fill(graph_.buffer("least", {.size = 4 * texels, .stride = 4}), kUnreached32);
        ComputeNodeBuilder down = sweep_columns(rows, false);
        least = down.write("least", least);
        ComputeNodeBuilder up = sweep_columns(rows, true);
        least = up.write("least", least);
        return up.write("field", new_field());
    }

    Graph& graph_;
    const SaitoToriwaki& pass_;
    Image seed_;
    Extent size_;
};

bool has_storage(Graph& graph, const SaitoToriwaki& pass) {
    if (pass.clamp != 0 || pass.storage == FieldStorage::u32)
        return holds_clamp(graph, pass.storage, pass.clamp);
    graph.error("distance/storage",
                fmt::format("squares of distances without a clamp do not fit \"storage\" {}",
                            info(field_format(pass.storage)).name),
                "set \"storage\" to u32, or set \"clamp\"");
    return false;
}

/// Sections that end before what the clamp lets through would be wrong at their ends.
bool has_margin(Graph& graph, const SaitoToriwaki& pass) {
    if (pass.rows != RowMode::tiled) return true;
    if (pass.clamp == 0) {
        graph.error("distance/margin", "tiled rows need a clamp",
                    "set \"clamp\", or set \"rows\" to sweep whole rows");
        return false;
    }
    if (pass.margin == 0 || pass.margin >= pass.clamp - 1) return true;
    graph.error(
        "distance/margin",
        fmt::format("a margin of {} texels is too small for the clamp {}", pass.margin, pass.clamp),
        fmt::format("set \"margin\" to {} or more, or to 0", pass.clamp - 1));
    return false;
}

} // namespace

void SaitoToriwaki::describe(PassInfo<SaitoToriwaki>& info) {
    info.summary("Measures exact squared Euclidean distances to the nearest object")
        .details(
            "An invocation sweeps each row to the right and back. Then each texel takes the least "
            "sum of a row's squared distance and the squared distance along its column. Where no "
            "object is near enough the field is the clamp's square, or 2^31 - 1 without a "
            "clamp. That is all of it in an empty seed, and all of the second channel in a seed of "
            "objects alone; warnings report both (distance/empty-seed, "
            "distance/full-seed).\n\nObjects farther apart than the clamp do not affect each "
            "other, so with a "
            "clamp \"rows\" may be tiled: an invocation takes \"span\" texels of a row, and sweeps "
            "start \"margin\" texels before them. \"split\" sweeps each column downwards and "
            "upwards; a row offers its square only to rows that it can be nearest to. Squares are "
            "products by default. With \"pass\" an extra pass squares the rows; with \"offset\" "
            "sweeps carry squares as sums of odd numbers; with \"table\" the squares along columns "
            "come from a table. All give the same field. Nothing "
            "lies outside the picture: distance/erosion and distance/grassfire have other borders.")
        .source(
            "Saito and Toriwaki, \"New Algorithms for Euclidean Distance Transformation\", "
            "Pattern Recognition 27, 1994; Rideout, \"2D Distance Field Generation with the GPU\", "
            "OpenGL Insights, 2012")
        .complexity("O(texels * distance), brute O(texels * height)")
        .cost([](const SaitoToriwaki& pass, const Graph& graph) {
            return picture_cost(graph, pass.seed, pass.field, 8.0);
        });
    info.input("seed", &SaitoToriwaki::seed, "not 0: an object; see distance/seed");
    info.parameter("clamp", &SaitoToriwaki::clamp,
                   "largest distance; 0: as large as the picture needs")
        .range(0, kMaxFieldSide)
        .unit("texels")
        .structural();
    info.parameter("rows", &SaitoToriwaki::rows, "how rows are swept").structural();
    info.parameter("span", &SaitoToriwaki::span, "tiled rows: texels that an invocation writes")
        .range(1, kMaxSpan)
        .unit("texels")
        .structural();
    info.parameter("margin", &SaitoToriwaki::margin,
                   "tiled rows: texels that it also reads on each side, at least the clamp - 1; 0: "
                   "the clamp")
        .range(0, kMaxFieldSide)
        .unit("texels")
        .structural();
    info.parameter("columns", &SaitoToriwaki::columns, "how columns are minimised").structural();
    info.parameter("squares", &SaitoToriwaki::squares, "how squares are computed").structural();
    info.parameter("storage", &SaitoToriwaki::storage,
                   "format of the field; less than u32 needs a clamp")
        .structural();
    info.parameter("channels", &SaitoToriwaki::channels,
                   "distances to objects only, or also to the background")
        .structural();
    info.output("field", &SaitoToriwaki::field, "squared distances, of the seed's size");
    info.output("status", &SaitoToriwaki::status, "counts of objects and background, and codes")
        .elements<DistanceStatus>();
}

void SaitoToriwaki::build(Graph& graph) {
    if (!is_seed(graph, seed) || !has_channels(graph, storage, channels)) return;
    if (!has_storage(graph, *this) || !has_margin(graph, *this)) return;
    const MadeField made =
        in_channels(graph, channels, seed, FieldBorder::background,
                    [&](Image one, FieldBorder) { return SaitoMaker(graph, *this, one).run(); });
    field = made.field;
    status = made.status;
    graph.status<DistanceStatus>(status);
}

TUFF_PASS(SaitoToriwaki)

} // namespace tuff::passes
