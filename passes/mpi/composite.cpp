#include "passes/mpi/composite.hpp"

#include "passes/mpi/boxes.hpp"
#include "passes/mpi/messages.hpp"

#include <vector>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kPictureRoot = 0; ///< the rank that has the picture
constexpr std::uint64_t kPixelBytes = 16; ///< four floats

/// The rows of a picture that a rank composites. Ranks beyond the number of rows have none.
TexelBox rows_of(const Extent& extent, std::uint32_t ranks, std::uint32_t rank) {
    const std::uint64_t height = extent.height;
    const auto first = static_cast<std::uint32_t>(height * rank / ranks);
    const auto last = static_cast<std::uint32_t>(height * (rank + 1) / ranks);
    return {.corner = {0, first, 0}, .size = {extent.width, last - first, 1}};
}

std::uint64_t pixels_in(const TexelBox& box) {
    return std::uint64_t{box.size[0]} * box.size[1];
}

/// The rows that each rank composites, of one rank's picture or all of them.
class Strips {
  public:
    Strips(Graph& graph, const CompositeParts& pass)
        : graph_(graph), pass_(pass), ranks_(graph.ranks()) {
        const Extent extent = graph.extent(pass.source);
        for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank)
            rows_.push_back(rows_of(extent, ranks_.size(), rank));
    }

    /// This rank's rows of the pictures of the others, in the order of the ranks.
    Buffer received() {
        std::vector<TexelBox> theirs;
        Messages messages;
        std::uint64_t sent = 0;
        std::uint64_t received = 0;
        for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
            if (rank == ranks_.rank) continue;
            if (const std::uint64_t size = kPixelBytes * pixels_in(rows_[rank]); size > 0) {
                theirs.push_back(rows_[rank]);
                messages.sends.push_back({.rank = rank, .offset = sent, .size = size});
                sent += size;
            }
            if (const std::uint64_t size = kPixelBytes * pixels_in(own()); size > 0) {
                messages.receives.push_back({.rank = rank, .offset = received, .size = size});
                received += size;
            }
        }
        return exchange(
            graph_, "send_receive", std::move(messages),
            theirs.empty() ? Buffer{} : pack_boxes(graph_, "pack", pass_.source, theirs), received);
    }

    /// The rank's rows, composited; unconnected where it has none.
    Buffer composited(Buffer others) {
        const std::uint64_t pixels = pixels_in(own());
        if (pixels == 0) return {};
        const Buffer mine = pack_boxes(graph_, "pack_own", pass_.source, std::span(&own(), 1));
        ComputeNodeBuilder node = graph_.compute("mpi/composite", "composite");
        node.read("eye", pass_.eye);
        node.read("own", mine);
        node.read_optional("others", BufferView(others));
        node.set("cells", pass_.cells);
        node.set("grid", glm::ivec3(ranks_.grid[0], ranks_.grid[1], ranks_.grid[2]));
        node.set("rank", ranks_.rank);
        node.set("pixels", static_cast<std::uint32_t>(pixels));
        node.set("background", pass_.background);
        const Buffer result = node.write(
            "result", graph_.buffer("composited", {.size = kPixelBytes * pixels, .stride = 4}));
        node.dispatch_each(static_cast<std::uint32_t>(pixels));
        return result;
    }

    /// All rows, on the ranks that have the picture.
    Image assembled(Buffer mine) {
        const bool has_picture = pass_.everywhere || ranks_.rank == kPictureRoot;
        Messages messages;
        std::vector<TexelBox> theirs;
        std::uint64_t received = 0;
        for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
            if (rank == ranks_.rank) continue;
            if (mine && (pass_.everywhere || rank == kPictureRoot))
                messages.sends.push_back(
                    {.rank = rank, .offset = 0, .size = kPixelBytes * pixels_in(own())});
            const std::uint64_t size = kPixelBytes * pixels_in(rows_[rank]);
            if (!has_picture || size == 0) continue;
            messages.receives.push_back({.rank = rank, .offset = received, .size = size});
            theirs.push_back(rows_[rank]);
            received += size;
        }
        const Buffer rows = exchange(graph_, "collect", std::move(messages), mine, received);
        Image picture = graph_.image("picture", graph_.desc(pass_.source));
        if (!has_picture) return graph_.clear(picture, std::array<float, 4>{}, "clear");
        if (rows) picture = unpack_boxes(graph_, "unpack", rows, picture, theirs);
        if (mine) picture = unpack_boxes(graph_, "unpack_own", mine, picture, std::span(&own(), 1));
        return picture;
    }

  private:
    const TexelBox& own() const { return rows_[ranks_.rank]; }

    /// One rank has nothing to send; of several all have the node.
    static Buffer exchange(Graph& graph, std::string_view name, Messages messages, Buffer sent,
                           std::uint64_t received) {
        if (graph.ranks().size() == 1) return {};
        const bool sends = !messages.sends.empty();
        return exchange_messages(
            graph, name, std::move(messages), sends ? BufferView(sent) : BufferView(),
            received > 0 ? BufferView(graph.buffer("received", {.size = received, .stride = 4}))
                         : BufferView());
    }

    Graph& graph_;
    const CompositeParts& pass_;
    Ranks ranks_;
    std::vector<TexelBox> rows_;
};

bool is_composited(Graph& graph, const CompositeParts& pass) {
    const ImageDesc& desc = graph.desc(pass.source);
    if (desc.format != Format::rgba32_sfloat || desc.shape != ImageShape::d2) {
        graph.error("mpi/unsupported-format",
                    "the source is no picture of rgba32_sfloat, with colors times opacity",
                    "connect the result of volume/cast with \"part\"");
        return false;
    }
    if (graph.desc(pass.eye).size < sizeof(glm::vec4)) {
        graph.error("mpi/part-size", "the buffer \"eye\" has less than four numbers",
                    "connect the output \"eye\" of volume/cast");
        return false;
    }
    const auto checked = graph.ranks().check({static_cast<std::uint32_t>(pass.cells.x),
                                              static_cast<std::uint32_t>(pass.cells.y),
                                              static_cast<std::uint32_t>(pass.cells.z)});
    if (checked) return true;
    graph.error(checked.error().front().code, checked.error().front().message,
                checked.error().front().hint);
    return false;
}

} // namespace

void CompositeParts::describe(PassInfo<CompositeParts>& info) {
    info.summary("Puts the pictures of a volume's parts together, the nearest in front")
        .details(
            "Each rank has a picture of its part of the volume, of the same size, as volume/cast "
            "makes it with \"part\": colors times opacity, in front of nothing. The pass lays them "
            "over each other in the order in which rays meet the parts, which \"eye\" decides: "
            "along each axis the part with the camera comes first, then its neighbours on both "
            "sides. The camera may be inside of the volume. Each rank composites some rows, which "
            "all others send to it; then the rows go to rank 0, or everywhere. On other ranks the "
            "result is zero.")
        .source("Hsu, \"Segmented Ray Casting for Data Parallel Volume Rendering\", Parallel "
                "Rendering Symposium 1993")
        .complexity("O(pixels times ranks), of all ranks together")
        .cost([](const CompositeParts& pass, const Graph& graph) -> Cost {
            if (!pass.source) return {};
            const Extent extent = graph.extent(pass.source);
            const double pixels = static_cast<double>(extent.width) * extent.height;
            return {.bytes = 6.0 * static_cast<double>(kPixelBytes) * pixels,
                    .operations = 8.0 * pixels};
        });
    info.input("source", &CompositeParts::source, "the picture of the rank's part, rgba32_sfloat")
        .picture();
    info.input("eye", &CompositeParts::eye,
               "where the camera is, in texels of the volume, or with w = 1 the direction of all "
               "rays; the same on all ranks")
        .elements<glm::vec4>();
    info.parameter("cells", &CompositeParts::cells, "size of the whole volume along x, y, z")
        .range(1, 1e9)
        .unit("texels")
        .structural();
    info.parameter("background", &CompositeParts::background,
                   "linear color and alpha behind the volume");
    info.parameter("everywhere", &CompositeParts::everywhere,
                   "all ranks get the picture, not rank 0 alone")
        .structural();
    info.output("result", &CompositeParts::result, "the picture of the volume, rgba32_sfloat");
}

void CompositeParts::build(Graph& graph) {
    if (!is_composited(graph, *this)) return;
    Strips strips(graph, *this);
    const Buffer received = strips.received();
    result = strips.assembled(strips.composited(received));
}

TUFF_PASS(CompositeParts)

} // namespace tuff::passes
