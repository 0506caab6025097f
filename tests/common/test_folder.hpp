#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace tuff::test {

/// An empty folder that the running test has for itself, below the build's test-output/. CTest runs
/// tests side by side, also the same one on several devices.
inline std::filesystem::path empty_folder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(test->test_suite_name()) + "." + test->name();
    if (const char* device = std::getenv("TUFF_DEVICE")) name += std::string("-") + device;
    for (char& c : name)
        if (c == '/') c = '_';
    const auto folder = std::filesystem::path(TUFF_TEST_OUTPUT_DIR) / name;
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    return folder;
}

} // namespace tuff::test
