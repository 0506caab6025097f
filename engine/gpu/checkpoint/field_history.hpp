#pragma once

#include "core/part_file.hpp"

#include <tuff/history.hpp>

#include <filesystem>
#include <system_error>

/// Histories that are a rank's part of a field, and the history of the whole field, which a single
/// process has and checkpoints hold.
namespace tuff {

/// The history as a single process would have it.
HistoryInfo whole_history(HistoryInfo history, const Ranks& ranks);

/// Writes the cells of this rank, of all copies, into the file of the whole history, which is
/// there.
std::error_code write_part(const std::filesystem::path& file, const HistoryInfo& history,
                           const Ranks& ranks, std::span<const std::byte> contents);
/// Reads what this rank holds out of such a file.
std::error_code read_part(const std::filesystem::path& file, const HistoryInfo& history,
                          const Ranks& ranks, std::span<std::byte> contents);

} // namespace tuff
