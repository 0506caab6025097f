# Writes the source that adds the passes of a module to a registry: each TUFF_PASS(Type) at the start
# of a line of its sources is one.
#   cmake -D NAME=module -D "SOURCES=a.cpp|b.cpp" -D OUTPUT=passes.cpp -P list_passes.cmake
string(REPLACE "|" ";" SOURCES "${SOURCES}")
set(declarations)
set(calls)
foreach(source IN LISTS SOURCES)
    file(STRINGS ${source} lines REGEX "^TUFF_PASS\\([A-Za-z0-9_]+\\)")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^TUFF_PASS\\(([A-Za-z0-9_]+)\\).*" "\\1" pass "${line}")
        string(APPEND declarations
               "[[gnu::visibility(\"hidden\")]] void tuff_add_pass_${pass}(tuff::PassRegistry&);\n")
        string(APPEND calls "    tuff_add_pass_${pass}(registry);\n")
    endforeach()
endforeach()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "// Written by the build (list_passes.cmake).
namespace tuff {
class PassRegistry;
}

extern \"C\" {
${declarations}
[[gnu::visibility(\"hidden\")]] void tuff_add_passes_of_${NAME}(tuff::PassRegistry& registry);
void tuff_add_passes_of_${NAME}([[maybe_unused]] tuff::PassRegistry& registry) {
${calls}}
}
")
file(TOUCH ${OUTPUT})
