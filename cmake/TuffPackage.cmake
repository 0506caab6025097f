# Archives: `cpack -G TGZ` and `cpack -G DEB` in the build folder.
set(CPACK_PACKAGE_NAME tuff)
set(CPACK_PACKAGE_VENDOR "The Tuff authors")
set(CPACK_PACKAGE_CONTACT "The Tuff authors <tuff@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}: command line, libraries, headers")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_FILE_NAME tuff-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_STRIP_FILES OFF) # programs are linked without symbols; libraries keep what linking takes
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
# What the programs are linked to is found by itself; these are loaded at run time.
find_program(TUFF_SHLIBDEPS dpkg-shlibdeps)
if(TUFF_SHLIBDEPS)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
    # Of our own, which are in the package.
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}
                                                    ${TUFF_MODULES_OUTPUT_DIR})
endif()
set(CPACK_DEBIAN_PACKAGE_DEPENDS libvulkan1)
# Headers and libraries to build with are in the package; those who only run graphs leave out what
# these need: apt-get install --no-install-recommends.
get_property(dev_packages GLOBAL PROPERTY TUFF_DEV_PACKAGES)
list(JOIN dev_packages ", " dev_packages)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
    "mesa-vulkan-drivers, vulkan-validationlayers, ${dev_packages}")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "ffmpeg, chromium-common")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
include(CPack)
