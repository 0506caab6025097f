#pragma once

#include "apps/shared/graph_times.hpp"

#include <string>
#include <vector>

namespace tuff::cli {

/// A shipped graph as the gallery shows it.
struct GalleryEntry {
    std::string name; ///< "demo"
    std::string description;
    std::string credits; ///< may be empty
    std::string text;    ///< of the config file
};

/// docs/gallery.md: of each graph its picture, what the comment at the head of its config says, its
/// times and its config. Paths in it count from docs/.
std::string gallery_page(const std::vector<GalleryEntry>& entries,
                         const std::vector<GraphTime>& times);

} // namespace tuff::cli
