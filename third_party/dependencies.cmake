# How each third-party library is found. Each becomes one target, tuff_third_party::<name>, whose
# headers count as system headers. Nothing fails at the first gap: the gaps are collected, so that
# one message names every missing package.

# tuff_find_dependency(<name> DEBIAN <package> ...) makes tuff_third_party::<name> from
#   CONFIG <package> TARGETS <target>...      the CMake package that the library itself installs, or
#   HEADER <file> [LIBRARIES <name>...]       a header and the libraries that go with it.
# HEADER_SUFFIXES adds folders below the usual include folders, OPTIONAL_LIBRARIES are linked where
# they exist, RESCAN lists libraries with mutual references.  OPTIONAL keeps a gap quiet.
function(tuff_find_dependency name)
    cmake_parse_arguments(
        PARSE_ARGV 1 arg "RESCAN;OPTIONAL" "DEBIAN;CONFIG;HEADER"
        "TARGETS;LIBRARIES;OPTIONAL_LIBRARIES;HEADER_SUFFIXES")
    if(TARGET tuff_third_party::${name})
        return()
    endif()

    set(found TRUE)
    set(folders)
    set(links)
    if(arg_CONFIG)
        # Some packages chat about parts of their own that Tuff does not use.
        set(CMAKE_MESSAGE_LOG_LEVEL WARNING)
        find_package(${arg_CONFIG} CONFIG QUIET)
        foreach(target IN LISTS arg_TARGETS)
            if(NOT TARGET ${target})
                set(found FALSE)
            endif()
        endforeach()
        set(links ${arg_TARGETS})
    endif()
    if(arg_HEADER)
        find_path(TUFF_${name}_INCLUDE_DIR ${arg_HEADER} PATH_SUFFIXES ${arg_HEADER_SUFFIXES})
        mark_as_advanced(TUFF_${name}_INCLUDE_DIR)
        if(TUFF_${name}_INCLUDE_DIR)
            set(folders ${TUFF_${name}_INCLUDE_DIR})
        else()
            set(found FALSE)
        endif()
    endif()
    foreach(library IN LISTS arg_LIBRARIES arg_OPTIONAL_LIBRARIES)
        find_library(TUFF_LIBRARY_${library} ${library})
        mark_as_advanced(TUFF_LIBRARY_${library})
        if(TUFF_LIBRARY_${library})
            list(APPEND links ${TUFF_LIBRARY_${library}})
        elseif(library IN_LIST arg_LIBRARIES)
            set(found FALSE)
        endif()
    endforeach()

    if(NOT found)
        if(NOT arg_OPTIONAL)
            set_property(GLOBAL APPEND PROPERTY TUFF_MISSING_NAMES ${name})
            set_property(GLOBAL APPEND PROPERTY TUFF_MISSING_PACKAGES ${arg_DEBIAN})
        endif()
        return()
    endif()
    set_property(GLOBAL APPEND PROPERTY TUFF_FOUND_PACKAGES ${arg_DEBIAN})
    add_library(tuff_third_party::${name} INTERFACE IMPORTED GLOBAL)
    target_include_directories(tuff_third_party::${name} INTERFACE ${folders})
    if(arg_RESCAN)
        list(JOIN links "," links)
        set(links "$<LINK_GROUP:RESCAN,${links}>")
    endif()
    target_link_libraries(tuff_third_party::${name} INTERFACE ${links})
endfunction()

# Finds what the given parts of Tuff need: graph, engine, build, apps, tests.
function(tuff_find_dependencies)
    if("graph" IN_LIST ARGN)
        tuff_find_dependency(fmt DEBIAN libfmt-dev CONFIG fmt TARGETS fmt::fmt)
        tuff_find_dependency(glm DEBIAN libglm-dev CONFIG glm TARGETS glm::glm)
    endif()

    if("engine" IN_LIST ARGN OR "modules" IN_LIST ARGN)
        tuff_find_dependency(vulkan_headers DEBIAN libvulkan-dev HEADER vulkan/vulkan.h)
        tuff_find_dependency(volk_source DEBIAN libvulkan-volk-dev HEADER volk.c)
    endif()
    if("engine" IN_LIST ARGN)
        find_package(Threads QUIET)
        # The static library on purpose. The shared one leaves glslang and SPIRV-Tools undefined,
        # and a program that supplies them from the static libraries crashes in the first compile.
        # glslang 14 dropped some of its libraries, so those are linked where they exist.
        tuff_find_dependency(
            shaderc RESCAN DEBIAN libshaderc-dev
            HEADER shaderc/shaderc.hpp
            LIBRARIES shaderc_combined
            OPTIONAL_LIBRARIES glslang MachineIndependent GenericCodeGen OGLCompiler OSDependent
                               SPIRV HLSL)
        tuff_find_dependency(
            spirv_tools DEBIAN spirv-tools
            HEADER spirv-tools/libspirv.h
            LIBRARIES SPIRV-Tools-opt SPIRV-Tools)
        if(TARGET tuff_third_party::shaderc AND TARGET tuff_third_party::spirv_tools)
            target_link_libraries(tuff_third_party::shaderc
                                  INTERFACE tuff_third_party::spirv_tools Threads::Threads)
        endif()
        tuff_find_dependency(
            spirv_cross DEBIAN libspirv-cross-c-shared-dev
            HEADER spirv_cross/spirv_cross.hpp
            LIBRARIES spirv-cross-glsl spirv-cross-core)
        if(TARGET tuff_third_party::spirv_cross)
            target_compile_definitions(tuff_third_party::spirv_cross
                                       INTERFACE SPV_ENABLE_UTILITY_CODE) # spv::HasResultAndType
        endif()
        tuff_find_dependency(tinygltf DEBIAN libtinygltf-dev HEADER tiny_gltf.h LIBRARIES tinygltf)
        # Not its CMake package, which also links draco: that library brings a tinygltf of its own,
        # whose functions would take the place of ours.
        tuff_find_dependency(assimp DEBIAN libassimp-dev HEADER assimp/Importer.hpp LIBRARIES assimp)
        tuff_find_dependency(stb DEBIAN libstb-dev HEADER stb/stb_image.h LIBRARIES stb)
        tuff_find_dependency(
            jsoncpp DEBIAN libjsoncpp-dev
            HEADER json/json.h
            HEADER_SUFFIXES jsoncpp
            LIBRARIES jsoncpp)
        tuff_find_dependency(zlib DEBIAN zlib1g-dev HEADER zlib.h LIBRARIES z)
        tuff_find_dependency(openexr DEBIAN libopenexr-dev CONFIG OpenEXR TARGETS OpenEXR::OpenEXR
                             OpenEXR::OpenEXRCore)
        # Volumes: without one of these its files are refused.
        tuff_find_dependency(nifti OPTIONAL DEBIAN libnifti2-dev HEADER nifti2_io.h
                             HEADER_SUFFIXES nifti LIBRARIES nifti2 znz)
        # OpenVDB's headers include those of Boost, which its package does not bring.
        find_path(TUFF_boost_INCLUDE_DIR boost/numeric/conversion/conversion_traits.hpp)
        mark_as_advanced(TUFF_boost_INCLUDE_DIR)
        if(TUFF_boost_INCLUDE_DIR)
            tuff_find_dependency(openvdb OPTIONAL DEBIAN libopenvdb-dev HEADER openvdb/openvdb.h
                                 LIBRARIES openvdb tbb)
            set_property(GLOBAL APPEND PROPERTY TUFF_FOUND_PACKAGES libboost-dev)
        endif()
        tuff_find_dependency(nanovdb OPTIONAL DEBIAN libnanovdb-dev HEADER nanovdb/NanoVDB.h)
        tuff_find_dependency(pugixml OPTIONAL DEBIAN libpugixml-dev HEADER pugixml.hpp
                             LIBRARIES pugixml)
        # SVG: its headers include those of glib, gdk-pixbuf and cairo, which pkg-config knows.
        find_package(PkgConfig QUIET)
        if(PkgConfig_FOUND AND NOT TARGET tuff_third_party::rsvg)
            pkg_check_modules(TUFF_rsvg QUIET IMPORTED_TARGET librsvg-2.0>=2.52)
            if(TARGET PkgConfig::TUFF_rsvg)
                add_library(tuff_third_party::rsvg INTERFACE IMPORTED GLOBAL)
                target_link_libraries(tuff_third_party::rsvg INTERFACE PkgConfig::TUFF_rsvg)
                set_property(GLOBAL APPEND PROPERTY TUFF_FOUND_PACKAGES librsvg2-dev pkgconf)
            endif()
        endif()
    endif()

    # MPI: without it several processes do not share out runs. CMake's own search runs the compilers of
    # MPI, which say what to link; of those for C++ nothing is needed.
    if("build" IN_LIST ARGN AND NOT TARGET tuff_third_party::mpi)
        set(MPI_CXX_SKIP_MPICXX ON)
        find_package(MPI QUIET COMPONENTS C)
        if(MPI_C_FOUND)
            add_library(tuff_third_party::mpi INTERFACE IMPORTED GLOBAL)
            target_include_directories(tuff_third_party::mpi SYSTEM INTERFACE ${MPI_C_INCLUDE_DIRS})
            target_link_libraries(tuff_third_party::mpi INTERFACE ${MPI_C_LIBRARIES})
            set_property(GLOBAL APPEND PROPERTY TUFF_FOUND_PACKAGES libopenmpi-dev openmpi-bin)
        endif()
    endif()

    # Whose letters stand in pictures; users of the libraries need no file of it.
    if("build" IN_LIST ARGN)
        find_file(TUFF_TEXT_FONT DejaVuSans.ttf
                  PATHS /usr/share/fonts /usr/local/share/fonts
                  PATH_SUFFIXES truetype/dejavu TTF dejavu dejavu-sans-fonts)
        mark_as_advanced(TUFF_TEXT_FONT)
        if(NOT TUFF_TEXT_FONT)
            set_property(GLOBAL APPEND PROPERTY TUFF_MISSING_NAMES "DejaVu Sans")
            set_property(GLOBAL APPEND PROPERTY TUFF_MISSING_PACKAGES fonts-dejavu-core)
        endif()
    endif()

    # Headers alone, which users of the libraries do without.
    if("build" IN_LIST ARGN)
        tuff_find_dependency(xxhash DEBIAN libxxhash-dev HEADER xxhash.h)
        tuff_find_dependency(stb_headers DEBIAN libstb-dev HEADER stb/stb_truetype.h)
        # JPEG files with arithmetic codes; its library is looked for when one comes.
        tuff_find_dependency(turbojpeg OPTIONAL DEBIAN libturbojpeg0-dev HEADER turbojpeg.h LIBRARIES
                             turbojpeg)
        tuff_find_dependency(eigen DEBIAN libeigen3-dev CONFIG Eigen3 TARGETS Eigen3::Eigen)
    endif()

    if("apps" IN_LIST ARGN)
        tuff_find_dependency(cli11 DEBIAN libcli11-dev CONFIG CLI11 TARGETS CLI11::CLI11)
        tuff_find_dependency(nettle DEBIAN nettle-dev HEADER nettle/sha2.h LIBRARIES nettle)
        tuff_find_dependency(glfw OPTIONAL DEBIAN libglfw3-dev CONFIG glfw3 TARGETS glfw)
        # Debian's is a static library that leaves stb's fonts to stb.
        tuff_find_dependency(
            imgui OPTIONAL DEBIAN libimgui-dev
            HEADER imgui.h
            HEADER_SUFFIXES imgui
            LIBRARIES imgui stb)
        # Captures of frames; its library is looked for when one is asked for.
        tuff_find_dependency(renderdoc OPTIONAL DEBIAN librenderdoc-dev HEADER renderdoc_app.h)
        # Benchmarks compare rays with it.
        tuff_find_dependency(embree OPTIONAL DEBIAN libembree-dev HEADER embree3/rtcore.h
                             LIBRARIES embree3)
        # And Poisson's equation with these two. (JPEG files they compare with turbojpeg, see above.)
        tuff_find_dependency(vkfft OPTIONAL DEBIAN libvkfft-dev HEADER vkFFT.h)
        # Hypre's headers include those of the MPI it is built with, and what is called of it is Open
        # MPI's.
        find_path(TUFF_openmpi_INCLUDE_DIR mpi_portable_platform.h
                  PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openmpi/include)
        mark_as_advanced(TUFF_openmpi_INCLUDE_DIR)
        if(TUFF_openmpi_INCLUDE_DIR)
            tuff_find_dependency(hypre OPTIONAL DEBIAN libhypre-dev HEADER HYPRE_struct_ls.h
                                 HEADER_SUFFIXES hypre)
        endif()
        if(TARGET tuff_third_party::hypre)
            target_include_directories(tuff_third_party::hypre
                                       INTERFACE ${TUFF_openmpi_INCLUDE_DIR})
        endif()
    endif()

    if("tests" IN_LIST ARGN)
        tuff_find_dependency(gtest DEBIAN libgtest-dev CONFIG GTest TARGETS GTest::gtest)
        tuff_find_dependency(
            gmock DEBIAN libgmock-dev
            CONFIG GTest
            TARGETS GTest::gmock GTest::gmock_main)
        # Judges Fourier transforms.
        tuff_find_dependency(fftw DEBIAN libfftw3-dev HEADER fftw3.h LIBRARIES fftw3)
        # Judges rigid bodies. Its headers have no namespace of their own.
        tuff_find_dependency(bullet OPTIONAL DEBIAN libbullet-dev HEADER btBulletDynamicsCommon.h
                             HEADER_SUFFIXES bullet LIBRARIES BulletDynamics BulletCollision LinearMath)
        # Judges occupancy in octrees, with a laser scan that it brings along, which is packed.
        tuff_find_dependency(octomap OPTIONAL DEBIAN liboctomap-dev HEADER octomap/OcTree.h
                             LIBRARIES octomap octomath)
        tuff_find_dependency(bz2 OPTIONAL DEBIAN libbz2-dev HEADER bzlib.h LIBRARIES bz2)
        # Judges subdivided surfaces.
        tuff_find_dependency(opensubdiv OPTIONAL DEBIAN libosd-dev HEADER
                             opensubdiv/far/primvarRefiner.h LIBRARIES osdCPU)
        # Judge JPEG files.
        tuff_find_dependency(jpeg DEBIAN libjpeg-dev HEADER jpeglib.h LIBRARIES jpeg)
        tuff_find_dependency(turbojpeg DEBIAN libturbojpeg0-dev HEADER turbojpeg.h LIBRARIES turbojpeg)
        # Judges distances in large pictures.
        tuff_find_dependency(
            opencv OPTIONAL DEBIAN libopencv-imgproc-dev
            HEADER opencv2/imgproc.hpp
            HEADER_SUFFIXES opencv4
            LIBRARIES opencv_imgproc opencv_core)
    endif()
endfunction()

# Sets <message> to one text about everything missing so far, and <packages> to the Debian
# packages; both empty when nothing is missing.
function(tuff_report_missing message packages)
    get_property(missing_names GLOBAL PROPERTY TUFF_MISSING_NAMES)
    get_property(missing_packages GLOBAL PROPERTY TUFF_MISSING_PACKAGES)
    set(text)
    if(missing_names)
        list(REMOVE_DUPLICATES missing_packages)
        list(JOIN missing_names ", " names_text)
        list(JOIN missing_packages " " packages_text)
        string(CONCAT text "Tuff needs libraries that were not found: ${names_text}.\n"
                      "On Debian or Ubuntu:\n    apt-get install ${packages_text}")
    endif()
    set(${message} "${text}" PARENT_SCOPE)
    set(${packages} "${missing_packages}" PARENT_SCOPE)
endfunction()
