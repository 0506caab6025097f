#pragma once

#include "passes/primitives/elements.hpp"
#include "passes/primitives/method.hpp"

#include <glm/vec4.hpp>

#include <optional>
#include <string_view>

/// What primitives/compact, append, partition and unique are made of.
namespace tuff::passes {

/// Which elements are kept. Exactly one of the three is used: the predicate if there is one, else
/// the flags if they are connected, else those that differ from their predecessor.
struct KeepRule {
    std::string_view predicate; ///< see primitives/expression.hpp
    glm::vec4 p{};              ///< of the predicate
    Buffer flags;               ///< a word for each element, zero where it is rejected
};

struct CompactionRequest {
    Buffer source;
    Length length;
    Element type = Element::u32;
    KeepRule keep;
    bool indices = false;  ///< write the indices of elements, not the elements
    bool rejected = false; ///< write what is rejected, too
    bool ordered = true;   ///< else tiles come in any order, and nothing is rejected
    ScanMethod method = ScanMethod::automatic;
};

struct Compacted {
    Buffer kept;
    Buffer kept_count; ///< one word
    Buffer rejected;   ///< with `CompactionRequest::rejected` only, like the next
    Buffer rejected_count;
};

/// Keeps elements, in their order unless it does not matter. Reports, and returns nothing, where
/// the predicate is wrong.
[[nodiscard]] std::optional<Compacted> compact(Graph& graph, const CompactionRequest& request);

/// Reads `buffer` as `binding` where the kernel uses it: the compiler drops what an expression
/// does without.
void read_if_used(Graph& graph, ComputeNodeBuilder& node, std::string_view shader,
                  std::string_view binding, Buffer buffer);

} // namespace tuff::passes
