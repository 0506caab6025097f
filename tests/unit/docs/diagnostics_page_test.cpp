// docs/diagnostics.md lists each diagnostic code of the sources, and no other.

#include "tests/common/source_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

using tuff::test::kRoot;
using tuff::test::read_file;

std::set<std::string> matches(const std::string& text, const std::regex& pattern) {
    std::set<std::string> found;
    for (std::sregex_iterator i(text.begin(), text.end(), pattern), end; i != end; ++i)
        found.insert((*i)[1]);
    return found;
}

std::vector<fs::path> sources() {
    std::vector<fs::path> files;
    for (const char* folder : {"engine", "passes", "bindings", "apps"})
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder))
            if (const auto extension = entry.path().extension();
                extension == ".cpp" || extension == ".hpp")
                files.push_back(entry.path());
    return files;
}

/// Names of passes and kernels look like codes.
std::set<std::string> pass_and_kernel_names() {
    std::set<std::string> names;
    const std::regex pass_name(R"re(kName\s*=\s*"([^"]+)")re");
    for (const fs::path& file : sources())
        names.merge(matches(read_file(file), pass_name));
    for (const fs::path& folder :
         {kRoot / "shaders", kRoot / "apps/bench/shaders", kRoot / "apps/viewer/shaders"}) {
        if (!fs::exists(folder)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.is_regular_file())
                names.insert(
                    fs::relative(entry.path(), folder).replace_extension().generic_string());
    }
    return names;
}

std::string without_comments(const std::string& text) {
    return std::regex_replace(text, std::regex(R"((^|\s)//[^\n]*)"), "$1");
}

std::set<std::string> codes_in_sources() {
    const std::regex domain_and_name(
        R"re("((?:array|asset|bench|bodies|bundle|bvh|c|checkpoint|cli|collision|config|device|displacement|distance|fft|film|filter|fluid|gltf|gpu|graph|hair|image|isosurface|jpeg|lights|mapping|mesh|module|mpi|occlusion|octree|oit|particles|pass|present|primitives|raster|raygrid|raytrace|scene|sequence|shader|solver|sparse|subdivision|terrain|text|viewer|volume|voxel|window)/[a-z0-9-]+)")re");
    std::set<std::string> codes;
    for (const fs::path& file : sources())
        codes.merge(matches(without_comments(read_file(file)), domain_and_name));
    for (const std::string& name : pass_and_kernel_names())
        codes.erase(name);
    return codes;
}

std::set<std::string> codes_in_page() {
    return matches(read_file(kRoot / "docs" / "diagnostics.md"),
                   std::regex(R"re(\n\| `([a-z]+/[a-z0-9-]+)` \|)re"));
}

std::set<std::string> difference(const std::set<std::string>& a, const std::set<std::string>& b) {
    std::set<std::string> result;
    std::ranges::set_difference(a, b, std::inserter(result, result.end()));
    return result;
}

TEST(DiagnosticsPage, lists_every_code_of_the_sources) {
    const std::set<std::string> codes = codes_in_sources();
    ASSERT_GT(codes.size(), 50u) << "the sources were not found";
    EXPECT_THAT(difference(codes, codes_in_page()), testing::IsEmpty())
        << "add these codes to docs/diagnostics.md";
}

TEST(DiagnosticsPage, lists_no_code_that_is_gone) {
    EXPECT_THAT(difference(codes_in_page(), codes_in_sources()), testing::IsEmpty())
        << "remove these codes from docs/diagnostics.md";
}

} // namespace
