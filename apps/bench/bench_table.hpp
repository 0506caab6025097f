#pragma once

#include "apps/bench/report.hpp"
#include "apps/shared/terminal.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace tuff::cli {

/// The rows of `tuff bench`, printed as they come: the widths of the columns follow from the cases.
/// Between rows a terminal shows what is under way.
class BenchTable {
  public:
    BenchTable(const std::vector<bench::Case>& cases, Terminal& terminal);

    void progress(std::string_view text);
    void clear_progress();

    /// The device, its limits, and the heads of the columns.
    void begin(const DeviceCaps& caps, const bench::Limits& limits);
    void add(const bench::Measurement& m, const bench::Limits& limits);
    void add_nodes(const bench::Measurement& m);

  private:
    Terminal* terminal_;
    std::size_t pass_width_ = 4;
    std::size_t name_width_ = 4;
    bool progress_shown_ = false;
};

} // namespace tuff::cli
