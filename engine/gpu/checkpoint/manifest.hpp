#pragma once

#include <tuff/checkpoint.hpp>

#include <string>
#include <string_view>

namespace tuff {

inline constexpr std::string_view kManifestName = "manifest.json";

/// The text of a manifest; `graph` is what the checkpoint is of.
std::string manifest_text(const Checkpoint& checkpoint, const GraphDesc& graph);

/// The other way. Errors: checkpoint/damaged, checkpoint/version.
Result<Checkpoint> parse_manifest(std::string_view text, const std::filesystem::path& folder);

} // namespace tuff
