#include "tests/fuzz/inputs.hpp"

#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string objection =
        tuff::fuzz::objection_to_config({reinterpret_cast<const char*>(data), size});
    if (objection.empty()) return 0;
    std::fprintf(stderr, "%s\n", objection.c_str());
    std::abort();
}
