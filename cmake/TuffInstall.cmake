# Install rules and the CMake package: find_package(tuff COMPONENTS graph|engine|passes|c|modules, or
# the name of a module).
include(CMakePackageConfigHelpers)

set(tuff_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tuff)

if(NOT TARGET tuff_graph)
    return()
endif()

install(DIRECTORY engine/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET tuff_passes)
    install(
        DIRECTORY passes
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tuff-passes
        FILES_MATCHING
        PATTERN "*.hpp"
        PATTERN "bench*" EXCLUDE)
endif()
foreach(data IN ITEMS graphs assets)
    if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/apps/${data})
        install(DIRECTORY apps/${data} DESTINATION ${CMAKE_INSTALL_DATADIR}/tuff)
    endif()
endforeach()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(
    EXPORT tuffTargets
    NAMESPACE tuff::
    DESTINATION ${tuff_package_dir})
configure_package_config_file(
    cmake/tuffConfig.cmake.in ${PROJECT_BINARY_DIR}/generated/tuffConfig.cmake
    INSTALL_DESTINATION ${tuff_package_dir})
write_basic_package_version_file(
    ${PROJECT_BINARY_DIR}/generated/tuffConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(
    FILES ${PROJECT_BINARY_DIR}/generated/tuffConfig.cmake
          ${PROJECT_BINARY_DIR}/generated/tuffConfigVersion.cmake third_party/dependencies.cmake
          cmake/TuffShaders.cmake cmake/embedded_shaders.cpp.in cmake/embedded_shaders.hpp.in
          cmake/TuffModules.cmake cmake/list_passes.cmake cmake/module.cpp.in cmake/module.hpp.in
          cmake/module_entry.cpp.in
    DESTINATION ${tuff_package_dir})
