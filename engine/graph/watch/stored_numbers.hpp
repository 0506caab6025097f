#pragma once

#include "graph/compile/stages.hpp"

#include <tuff/graph_desc.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tuff {

/// Floating-point numbers of one type that follow one another in an element.
struct StoredNumbers {
    std::string name;         ///< empty where the element is nothing else
    std::uint32_t offset = 0; ///< bytes from the start of the element
    std::uint32_t count = 1;  ///< numbers
    std::uint32_t type = 0;   ///< as shaders/graph/find_not_finite_elements.comp counts types
    friend bool operator==(const StoredNumbers&, const StoredNumbers&) = default;
};

/// Which numbers of a buffer are floating-point ones.
struct StoredElements {
    bool known = false;
    std::uint32_t bytes = 0;            ///< from one element to the next; 0: there is one
    std::vector<StoredNumbers> members; ///< empty where all are whole numbers

    /// Floating-point numbers of an element.
    std::uint32_t numbers() const {
        std::uint32_t sum = 0;
        for (const StoredNumbers& member : members)
            sum += member.count;
        return sum;
    }
    friend bool operator==(const StoredElements&, const StoredElements&) = default;
};

/// Bytes of a number of that type.
inline std::uint32_t bytes_of_stored(std::uint32_t type) {
    return std::array{4u, 2u, 8u}[type];
}

/// What `access` leaves in a buffer: as the kernel declares that writes it. What transfers write is
/// what kernels read it as or, where none does, what it was copied from.
StoredElements stored_elements(const GraphDesc& graph, const AccessIndex& index,
                               std::uint32_t access);

} // namespace tuff
