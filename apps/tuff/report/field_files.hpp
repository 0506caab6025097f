#pragma once

#include "apps/tuff/report/output_files.hpp"

#include <tuff/ranks.hpp>

#include <filesystem>
#include <optional>
#include <vector>

/// Files of outputs that are parts of a field.
namespace tuff::cli {

/// A rank's part of a field, and the ranks that have the rest.
struct OutputPart {
    FieldPart part;
    Ranks ranks;
};

/// Whether all ranks write such a file: .pvti with a .vti file of each rank, and .npy. The others
/// are written by rank 0, of the whole field.
bool is_shared_file(const FetchedOutput& output, const std::filesystem::path& file);

/// The files that such a file lists, one of each rank; none but for .pvti.
std::vector<std::filesystem::path> pieces_of(const std::filesystem::path& file, const Ranks& ranks);

/// Collective. Writes a file of which each rank has a part; the same bytes whatever their number,
/// for .npy. Error: image/unwritable, image/unsupported.
Outcome<void> save_part(const FetchedOutput& output, const OutputPart& part,
                        const std::filesystem::path& file);

/// Collective. The whole field on rank 0, without halo; nothing on others. Errors: those of
/// `Communicator::gather`.
Outcome<std::optional<FetchedOutput>> gather_field(FetchedOutput output, const OutputPart& part);

} // namespace tuff::cli
