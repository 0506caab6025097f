#pragma once

#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace tuff::testing_gpu {

/// A graph of apps/graphs, and how it is tried.
struct Shipped {
    std::string name;
    std::map<std::string, std::string> settings; ///< a size a software device renders in seconds
    std::string_view without = {};               ///< a safe mode that is left out
    unsigned executions = 1;                     ///< of which the last one's picture counts
    bool in_all_modes = true;                    ///< quick enough for that
    std::string_view needs = {};                 ///< an asset that not every machine has
    /// A resource of which the validation layer (1.3.239) reports a hazard that is none, also in half
    /// the size. It gives images other addresses than the buffers in the same memory, and so does
    /// not see that what a buffer reads is over when an image, and after it another buffer, is
    /// written there.
    std::string_view false_report = {};
};

inline void PrintTo(const Shipped& shipped, std::ostream* stream) {
    *stream << shipped.name;
}

/// All that there are.
const std::vector<Shipped>& shipped_graphs();

const Shipped& shipped_graph(std::string_view name);

} // namespace tuff::testing_gpu
