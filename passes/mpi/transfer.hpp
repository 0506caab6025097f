#pragma once

#include "passes/mpi/boxes.hpp"
#include "passes/mpi/parts.hpp"

#include <functional>

/// Boxes of cells that go from what ranks have to what they get.
namespace tuff::passes {

/// What rank `to` gets, box by box. `source` and `target` count from the lowest cell of the images
/// or arrays. All ranks call it alike and get the same boxes in the same order.
using BoxesOf = std::function<std::vector<CellBox>(std::uint32_t to)>;

/// Fills boxes of `target` from `source` of all ranks, the own one too; the rest stays. `source`
/// may be `target`: then it is read before it is written. `over` as of `MessageCounts`.
Image transfer_boxes(Graph& graph, Image source, Image target, const BoxesOf& boxes_of);
CellArray transfer_boxes(Graph& graph, const CellArray& source, const CellArray& target,
                         const BoxesOf& boxes_of, Buffer over = {});

/// Fills the halo of a rank's part of `field`, in place.
Image fill_halo(Graph& graph, Image part, const Field& field);
CellArray fill_halo(Graph& graph, const CellArray& part, const Field& field);

} // namespace tuff::passes
