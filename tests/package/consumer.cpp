// Links against the installed graph library and needs a header and a symbol of it.
#include <tuff/format.hpp>

int main() {
    const tuff::FormatInfo& facts = tuff::info(tuff::Format::rgba16_sfloat);
    return facts.texel_bytes == 8 ? 0 : 1;
}
