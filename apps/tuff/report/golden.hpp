#pragma once

#include "apps/tuff/report/output_files.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

/// Comparing results with stored ones.
namespace tuff::cli {

/// Colour distances (CIE 1976 Lab; 2.3 is just noticeable side by side) up to which pictures are
/// the same. Two devices move single texels at edges by much and areas by little.
struct GoldenLimits {
    double mean = 1.0; ///< over the picture
    double tile = 6.0; ///< over any tile of 16x16 texels: a thing that is missing is more
};

enum class GoldenVerdict : std::uint8_t { same, differs, missing, stored };
std::string_view name_of(GoldenVerdict verdict);

/// One result beside what is stored of it.
struct GoldenCase {
    std::string name; ///< "demo picture": of the config and of the output
    GoldenVerdict verdict = GoldenVerdict::same;
    std::string finding;          ///< the numbers, or why they cannot be told
    std::filesystem::path golden; ///< where it is stored
    // Pictures for the report; empty where there are none.
    std::filesystem::path shown_golden;
    std::filesystem::path shown_got;
    std::filesystem::path shown_difference;
};

/// The file name that a result is stored under: pictures of 8 bits a channel as PNG, others as
/// OpenEXR; buffers, volumes and pictures of whole numbers as bare bytes.
std::string golden_file_name(std::string_view config, std::string_view output,
                             const FetchedOutput& result);

/// Stores `result`. Error: those of writing files.
Outcome<void> store_golden(const FetchedOutput& result, const std::filesystem::path& golden);

/// Compares `result` with `golden`. Where they differ, pictures of both and of the difference go
/// into `report_dir`. Bare bytes are the same where every byte is. Errors: those of reading and
/// writing files.
Outcome<GoldenCase> compare_with_golden(std::string name, const FetchedOutput& result,
                                        const std::filesystem::path& golden,
                                        const GoldenLimits& limits,
                                        const std::filesystem::path& report_dir);

/// A page that shows the cases, with stored picture, result and difference of those that differ.
/// It names the pictures by their file name: they lie beside it.
std::string golden_page(std::span<const GoldenCase> cases);

/// The cases, and the configs that were skipped, as JUnit XML, which CI services show.
std::string golden_junit(std::span<const GoldenCase> cases, std::span<const std::string> skipped);

} // namespace tuff::cli
