#pragma once

#include "passes/sparse/field.hpp"

#include <tuff/pass.hpp>

#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// Gives a rank's sparse store copies of bricks that touch its part. See `describe`.
struct ExchangeBricks {
    static constexpr std::string_view kName = "mpi/exchange_bricks";

    SparseBricks source;
    Buffer field; ///< optional
    SparseCell cell = SparseCell::f32;
    std::uint32_t border = 256;
    bool periodic_x = false;
    bool periodic_y = false;
    bool periodic_z = false;
    SparseBricks bricks;
    Buffer result;

    static void describe(PassInfo<ExchangeBricks>& info);
    void build(Graph& graph);
};

/// Puts the parts of a sparse store together on rank 0. See `describe`.
struct GatherBricks {
    static constexpr std::string_view kName = "mpi/gather_bricks";

    SparseBricks source;
    Buffer field; ///< optional
    SparseCell cell = SparseCell::f32;
    std::uint32_t capacity = 1024;
    SparseBricks bricks;
    Buffer result;

    static void describe(PassInfo<GatherBricks>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
