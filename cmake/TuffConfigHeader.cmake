# tuff_config.hpp: what the build knows and the program needs (version, paths), kept in one place
# so that no source names a path of a machine.

set(tuff_search_paths /usr/lib /usr/local/lib /usr/lib64 /usr/share /usr/local/share /etc)

# The two software devices on which Tuff is tested. Either path may be given with -D.
find_file(
    TUFF_SWIFTSHADER_ICD vk_swiftshader_icd.json
    PATHS ${tuff_search_paths}
    PATH_SUFFIXES chromium chromium-browser vulkan/icd.d
    NO_DEFAULT_PATH
    DOC "Vulkan driver manifest of SwiftShader (Debian: chromium-common)")
find_file(
    TUFF_LAVAPIPE_ICD
    NAMES lvp_icd.${CMAKE_SYSTEM_PROCESSOR}.json lvp_icd.json
    PATHS ${tuff_search_paths}
    PATH_SUFFIXES vulkan/icd.d
    NO_DEFAULT_PATH
    DOC "Vulkan driver manifest of lavapipe (Debian: mesa-vulkan-drivers)")

# Real input data that Debian ships; configs and tests name files relative to these folders.
find_path(
    TUFF_MODELS_DIR glTF2/2CylinderEngine-glTF-Binary/2CylinderEngine.glb
    PATH_SUFFIXES share/assimp/models
    DOC "Sample models (Debian: assimp-testmodels)")
find_path(
    TUFF_ENVIRONMENTS_DIR forest.exr
    PATH_SUFFIXES share/blender/datafiles/studiolights/world
    DOC "HDR environment maps (Debian: blender-data)")

foreach(
    path IN
    ITEMS TUFF_SWIFTSHADER_ICD TUFF_LAVAPIPE_ICD TUFF_MODELS_DIR TUFF_ENVIRONMENTS_DIR)
    # An absent path is an empty string in the header, not "...-NOTFOUND".
    set(${path}_VALUE "${${path}}")
    if(NOT ${path})
        set(${path}_VALUE "")
    endif()
endforeach()

configure_file(${CMAKE_CURRENT_LIST_DIR}/tuff_config.hpp.in
               ${PROJECT_BINARY_DIR}/generated/tuff_config.hpp @ONLY)

# Link privately, inside $<BUILD_INTERFACE:...>: installed headers never see it.
add_library(tuff_config_header INTERFACE)
target_include_directories(tuff_config_header INTERFACE ${PROJECT_BINARY_DIR}/generated)
