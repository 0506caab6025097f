#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// What the file dialog offers.
namespace tuff::viewer {

struct FolderEntry {
    std::string name;
    bool folder = false;
};

/// Folders first, then the files that the viewer opens (configs, models, pictures, volumes), each
/// by name. Hidden ones are left out. Empty where the folder cannot be read.
std::vector<FolderEntry> list_folder(const std::filesystem::path& folder);

/// Whether a name contains the letters of `filter`, whatever their case.
bool name_matches(std::string_view name, std::string_view filter);

/// What a person means who types `text` into the dialog: a path, "~" before it for the home, or the
/// name of a shipped graph.
std::filesystem::path meant_file(std::string_view text, const std::filesystem::path& folder);

} // namespace tuff::viewer
