#pragma once

#include <tuff/array.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

/// Stored references.
namespace tuff::test {

/// The numbers of a .npy file of f32, `path` below the sources' tests/.
inline std::vector<float> stored_numbers(const std::string& path) {
    const auto array = load_array(std::filesystem::path(TUFF_TEST_SOURCE_DIR) / "tests" / path);
    if (!array) {
        ADD_FAILURE() << to_string(array.error());
        return {};
    }
    EXPECT_EQ(array->type, ElementType::f32) << path;
    std::vector<float> numbers(array->bytes.size() / sizeof(float));
    std::memcpy(numbers.data(), array->bytes.data(), numbers.size() * sizeof(float));
    return numbers;
}

} // namespace tuff::test
