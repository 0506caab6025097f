# Run by tuff_embed_text: writes OUTPUT, a C++ source with the bytes of INPUT.
file(READ ${INPUT} bytes HEX)
string(REPEAT "[0-9a-f]" 32 line)
string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
file(WRITE ${OUTPUT} "// Written by CMake (tuff_embed_text).
#include <string_view>

namespace ${NAMESPACE} {

std::string_view ${SYMBOL}();

std::string_view ${SYMBOL}() {
    static constexpr char kBytes[] = {
${bytes}'\\0'};
    return {kBytes, sizeof(kBytes) - 1};
}

} // namespace ${NAMESPACE}
")
