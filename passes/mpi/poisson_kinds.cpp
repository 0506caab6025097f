#include "passes/mpi/poisson_kinds.hpp"

#include "passes/mpi/transfer.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>

namespace tuff::passes {
namespace {

/// What a rank has of the field, in arrays like its images.
PartLayout like_images(const Graph& graph, const Field& field) {
    const auto part = graph.ranks().part(field.cells);
    PartLayout layout{.halo = field.halo};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        layout.first[axis] = part[axis].first;
        layout.cells[axis] = part[axis].count;
    }
    return layout;
}

void set_layout(ComputeNodeBuilder& node, const PartLayout& layout) {
    node.set("size", whole_numbers(layout.size()));
    node.set("halo", whole_numbers(layout.halo));
    const Cells size = layout.size();
    node.dispatch_over({size[0], size[1], size[2]});
}

/// Of the part alone.
Buffer own_kinds(Graph& graph, Image kinds, const Field& field, const PartLayout& layout) {
    const bool volume = graph.desc(kinds).shape == ImageShape::d3;
    ComputeNodeBuilder node = graph.compute("mpi/poisson_kinds", {{"VOLUME", volume}});
    node.read("source", ImageView(kinds).mip(0), Sampler::nearest());
    node.set("first", whole_numbers(layout.first));
    node.set("image_halo", whole_numbers(field.halo));
    const Buffer result = node.write("result", array(graph, "kinds", layout.count()));
    set_layout(node, layout);
    return result;
}

} // namespace

bool has_valid_kinds(Graph& graph, const PoissonOfParts& pass, const Field& field) {
    if (!is_part_of(graph, pass.kinds, field)) return false;
    const ImageDesc& desc = graph.desc(pass.kinds);
    if (desc.shape != graph.desc(pass.source).shape || desc.layers != 1 || desc.samples != 1) {
        graph.error("image/size-mismatch", "input \"kinds\" is no such image as \"source\"",
                    "connect a picture for a picture and a volume for a volume, with one layer and "
                    "one sample");
        return false;
    }
    const FormatInfo& format = info(desc.format);
    if (format.channels != 1 || format.kind != NumericKind::uint || format.stencil) {
        graph.error("image/unsupported-format",
                    fmt::format("input \"kinds\" has format {}, but needs one channel of whole "
                                "numbers",
                                format.name),
                    "use for example r8_uint");
        return false;
    }
    if (pass.method == PartPoissonMethod::v_cycle) {
        graph.error("solver/cells-method",
                    "with solid or fixed cells the coarse grids are too rough for multigrid cycles "
                    "alone",
                    "choose \"mgpcg\", which uses a V-cycle as the preconditioner");
        return false;
    }
    return true;
}

Buffer kinds_in(Graph& graph, Image kinds, const Field& field, const PoissonLevels& levels) {
    const PartLayout layout = levels.layout(0);
    const Buffer own = own_kinds(graph, kinds, field, layout);
    if (levels.is_whole(0)) return own;
    const CellArray cells{.buffer = own, .size = layout.size()};
    return transfer_boxes(graph, cells, cells, levels.halo_boxes(0, 1)).buffer;
}

Buffer faces_of(Graph& graph, const PoissonOfParts& pass, const Field& field) {
    const PartLayout layout = like_images(graph, field);
    Field beside = field;
    glm::ivec3 wraps;
    glm::ivec3 dirichlet;
    const std::array boundaries{pass.x, pass.y, pass.z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool periodic = boundaries[axis] == PoissonBoundary::periodic;
        beside.edges[axis] = periodic ? HaloEdge::periodic : HaloEdge::keep;
        wraps[static_cast<int>(axis)] = periodic ? 1 : 0;
        dirichlet[static_cast<int>(axis)] = boundaries[axis] == PoissonBoundary::dirichlet ? 1 : 0;
    }
    const CellArray own{.buffer = own_kinds(graph, pass.kinds, field, layout),
                        .size = layout.size()};
    ComputeNodeBuilder node = graph.compute("mpi/poisson_faces");
    node.read("kinds", fill_halo(graph, own, beside).buffer);
    node.set("first", whole_numbers(layout.first));
    node.set("cells", pass.cells);
    node.set("wraps", wraps);
    node.set("dirichlet", dirichlet);
    node.set("axes", graph.desc(pass.source).shape == ImageShape::d3 ? 3 : 2);
    const Buffer result = node.write("result", array(graph, "faces", layout.count()));
    set_layout(node, layout);
    return result;
}

} // namespace tuff::passes
