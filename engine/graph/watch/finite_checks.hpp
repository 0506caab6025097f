#pragma once

#include "graph/watch/stored_numbers.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace tuff {

/// Texels that one check looks at.
struct CheckedTexels {
    std::uint32_t mip = 0;
    std::uint32_t first_layer = 0;
    std::uint32_t first = 0; ///< texel, of all layers
    std::uint32_t count = 0; ///< texels
    Extent extent;           ///< of the mip level
    bool layered = false;    ///< z of a texel is a layer
    bool has_mips = false;   ///< the image has more than one
};

/// Elements that one check looks at.
struct CheckedElements {
    StoredElements elements;
    std::uint64_t first =
        0;                ///< element, of the buffer; where the range begins with no element: byte
    bool is_array = true; ///< else a block of members
};

/// One check: `kWordsPerCheck` words of the status, in the order of the nodes.
struct FiniteCheck {
    std::string writers; ///< "node 'blur' is the first that writes", or whose constant it is
    std::string resource;
    std::variant<CheckedTexels, CheckedElements> what;
};

/// Names the first check of a graph that has found something.
class FiniteChecks : public StatusNames {
  public:
    FiniteChecks(std::vector<FiniteCheck> checks, std::vector<std::string> skipped)
        : checks_(std::move(checks)), skipped_(std::move(skipped)) {}

    Diagnostics read(std::span<const std::uint32_t> words) const override;

    static constexpr std::uint32_t kWordsPerCheck = 4; ///< as in shaders/graph/not_finite.glsl

  private:
    std::vector<FiniteCheck> checks_;
    std::vector<std::string> skipped_; ///< buffers
};

} // namespace tuff
