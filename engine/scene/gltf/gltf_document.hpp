#pragma once

#include <tuff/diagnostic.hpp>

#include <tiny_gltf.h>

#include <filesystem>
#include <span>
#include <string>

namespace tuff::gltf {

/// A glTF file whose JSON is known to be sound: every member that the loader reads has its type,
/// every index into a top-level array lies inside it, every buffer view lies inside its buffer, and
/// every file it names has been read. What the buffers *hold* is not checked yet.
/// Images come undecoded in Image::image; those in buffer views are left there.
struct Document {
    tinygltf::Model model;
    std::filesystem::path path;
    Diagnostics warnings;
};

/// The files that it names lie in one of `confined_to`; anywhere, where that is empty.
Result<Document> open_document(const std::filesystem::path& path,
                               std::span<const std::filesystem::path> confined_to);

} // namespace tuff::gltf
