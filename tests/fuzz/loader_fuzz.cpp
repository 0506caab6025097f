// One program for each target: TUFF_FUZZ_TARGET is its name.
#include "tests/fuzz/inputs.hpp"

#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const tuff::fuzz::Target* const kTarget = tuff::fuzz::find_target(TUFF_FUZZ_TARGET);
    const std::string objection = kTarget->objection({data, size});
    if (objection.empty()) return 0;
    std::fprintf(stderr, "%s\n", objection.c_str());
    std::abort();
}
