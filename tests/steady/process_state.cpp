#include "process_state.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace tuff::testing_steady {

std::int64_t resident_bytes() {
    std::ifstream file("/proc/self/statm");
    std::int64_t all = 0;
    std::int64_t resident = 0;
    file >> all >> resident; // pages
    return resident * sysconf(_SC_PAGESIZE);
}

std::int64_t open_files() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

} // namespace tuff::testing_steady
